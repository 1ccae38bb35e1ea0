"""Communes by name in a sentence: the longest name first, judged by its spelling, its neighbours and its size."""

import re

from corpus.communes.table import CITIES, department_code
from corpus.communes.text import LARGE_TOWN, Mention, ScannedText, unclear
from corpus.communes.words import (
    NEAR_TOWNS,
    ORDINARY,
    ORDINARY_PHRASES,
    PLACE_NOUNS,
    PLACE_PREPOSITIONS,
    PREPOSITIONS,
    SMALL,
    SOFT,
)

CONTRACTED = {"au": "le", "du": "le", "aux": "les", "des": "les"}
DEPARTMENT_AFTER = re.compile(
    r"[ \t]*[(\[,–-]?[ \t]*(?:le |dept\.? |département )?(97\d|98\d|2[ABab]|\d{2})[ \t]*[)\]]?(?![\w,.]*\d|[ \t]?[%€])",
    re.I,
)
ENDS_A_TITLE = re.compile(r"\s*(?:[:,(?!]|$)")
SMALL_TOWN = 1_000


class NamedPlaces(ScannedText):
    """Finds a commune's name at a word."""

    def name(self, i: int) -> tuple[Mention, int] | None:
        article = CONTRACTED.get(self.words[i].key)
        if article and i + 1 < len(self.words):
            found = self._named(i + 1, f"{article} ")
            if found:
                return found
        return self._named(i, "")

    def _named(self, i: int, prefix: str) -> tuple[Mention, int] | None:
        first = prefix.strip() or self.words[i].key
        offset = 1 if prefix else 0
        for count in range(min(self.table.longest.get(first, 0) - offset, len(self.words) - i), 0, -1):
            key = prefix + self.key(i, count)
            codes = self.table.current.get(key, []) + self.table.former.get(key, [])
            if not codes or not self.joined(i, count):
                continue
            found = self._judge(i, count, list(dict.fromkeys(codes)), key, prefix)
            if found:
                return found
        return self._misspelt(i) if not prefix else None

    def _judge(self, i: int, count: int, codes: list[str], key: str, prefix: str) -> tuple[Mention, int] | None:
        end, after, postcode, department = self._hint_after(i + count)
        start = self.words[i].start
        if i and self.words[i - 1].raw in self.table.by_postcode and self.before(i) == self.words[i - 1].key:
            postcode = postcode or self.words[i - 1].raw
        hinted = [c for c in codes if self.fits(c, postcode, department)] if postcode or department else []
        if self.guarded(i, count, codes, bool(hinted)):
            return None
        if not hinted and not self._is_place(i, count, key, codes, prefix):
            return None
        if not hinted:
            end, after = self.words[i + count - 1].end, i + count
        nearby = [c for c in codes if department_code(c) in self.hints]
        chosen = hinted or nearby or codes
        current = [c for c in chosen if c in self.table.current.get(key, ())] or chosen
        mention = self.mention(start, end, chosen, ambiguous=unclear([self.table.population(c) for c in current]))
        if postcode and mention.places[0].insee in CITIES and postcode in self.table.by_postcode:
            mention = self.mention(start, end, self.table.by_postcode[postcode][:1])
        return mention, after

    def fits(self, insee: str, postcode: str, department: str) -> bool:
        if postcode:
            return postcode in self.table.rows[insee][4].split() or insee == postcode
        return department_code(insee) == department

    def _hint_after(self, nxt: int) -> tuple[int, int, str, str]:
        """End offset, next word, postcode and department of what follows a name: `(83)`, `83000`, `, Var`, `974`."""
        end = self.words[nxt - 1].end
        if nxt >= len(self.words):
            return end, nxt, "", ""
        gap = self.text[end : self.words[nxt].start]
        if nxt in self.areas and re.fullmatch(r"\s*[(,]?\s*", gap):
            codes = self.table.areas.get(self.key(nxt, self.areas[nxt]), frozenset())
            if len(codes) == 1:
                last = self.words[nxt + self.areas[nxt] - 1].end
                return last + (self.text[last : last + 1] == ")"), nxt + self.areas[nxt], "", next(iter(codes))
        word = self.words[nxt].raw
        if len(word) == 5 and word.isdigit() and re.fullmatch(r"\s*[(,]?\s*", gap) and not self.counted(nxt):
            return (
                self.words[nxt].end + (self.text[self.words[nxt].end : self.words[nxt].end + 1] == ")"),
                nxt + 1,
                word,
                "",
            )
        match = DEPARTMENT_AFTER.match(self.text, end)
        if match and not self.counted(nxt):
            code = match.group(1).upper()
            if code in self.table.departments:
                after = next(
                    (j for j in range(nxt, len(self.words)) if self.words[j].start >= match.end()), len(self.words)
                )
                return match.end(), after, "", code
        return end, nxt, "", ""

    def _is_place(self, i: int, count: int, key: str, codes: list[str], prefix: str) -> bool:
        """The word itself says it is a place: how it is written, what stands before it, how large the town is."""
        bare = [w for w in self.words[i : i + count] if w.key not in SMALL]
        if key in ORDINARY_PHRASES:
            return bool(bare) and bare[-1].capital and not self.shouting
        if len(bare) > 1 or (len(bare) == 1 and self._has_saint(i, count)):
            return True
        if not bare:
            return False
        capital = bare[-1].capital and not self.shouting
        previous = "a" if prefix == "le " and self.words[i - 1].key == "au" else self.before(i)
        if previous in ("de", "d") and self.before(i, 2) in PLACE_NOUNS:
            previous = self.before(i, 2)
        if prefix:
            previous = "a" if self.words[i - 1].key in ("au", "aux") else "de"
        population = self.table.population(codes[0]) if key in self.table.current else SMALL_TOWN
        ordinary = bare[-1].key in ORDINARY or (len(bare[-1].key) <= 3 and population < LARGE_TOWN)
        if ordinary:
            return capital and previous in PLACE_PREPOSITIONS
        if capital:
            opening = self.before(i) == "" and not prefix
            alone = bool(ENDS_A_TITLE.match(self.text, self.words[i + count - 1].end))
            minimum = (
                0 if previous in PREPOSITIONS or (opening and alone) else LARGE_TOWN if opening else 2 * SMALL_TOWN
            )
            return population >= minimum
        if bare[-1].key in SOFT:
            return previous in PLACE_PREPOSITIONS
        return population >= LARGE_TOWN or (population >= SMALL_TOWN and previous in PREPOSITIONS)

    def _has_saint(self, i: int, count: int) -> bool:
        return any(w.key in ("saint", "sainte") for w in self.words[i : i + count])

    def _misspelt(self, i: int) -> tuple[Mention, int] | None:
        """One letter wrong, missing or doubled in the name of a large town, where a town is expected."""
        word = self.words[i]
        if len(word.key) < 6 or word.key in ORDINARY | NEAR_TOWNS or not word.key.isalpha():
            return None
        expected = self.before(i) in PLACE_PREPOSITIONS or (
            word.capital and not self.shouting and self.before(i) in PREPOSITIONS
        )
        codes = self.table.misspellings(word.key) if expected else []
        if not codes or self.guarded(i, 1, codes, False):
            return None
        return self.mention(word.start, word.end, codes), i + 1
