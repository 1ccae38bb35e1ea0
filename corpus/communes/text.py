"""A French sentence cut into words, with the departments it names and the guards that keep ordinary text out."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from corpus.communes.table import Place, PlaceTable, department_code, fold
from corpus.communes.words import CIVILITIES, ORDINARY, OTHER_AREAS, PARTICLES, STREETS, UNITS

WORD = re.compile(r"[^\W_]+")
NAME_GAP = re.compile(r"[ \t\u00a0\-‐‑–'’./]{1,3}")
DEPARTMENT_SAID = re.compile(
    r"(?:\bdans le|\bdépartement(?: du)?|\bdept|\bdpt|\bdu)[ \t]+(97\d|2[AB]|\d{2})\b(?![ \t]?[%€\w]|e\b)"
    r"|\((97\d|2[AB]|\d{2})\)",
    re.I,
)
ABBREVIATED = frozenset(("m", "mr", "mme", "mlle", "me", "dr", "pr", "av", "bd", "bvd", "saint", "sainte"))
LARGE_TOWN = 5_000


@dataclass(frozen=True, slots=True)
class Mention:
    """A place as said. `places`: candidates, best first (at most 6); `ambiguous`: the reader has to choose.

    `start`/`end` are character offsets in the text that was searched."""

    start: int
    end: int
    text: str
    places: tuple[Place, ...]
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """One word: as written, folded, its offsets."""

    raw: str
    key: str
    start: int
    end: int

    @property
    def capital(self) -> bool:
        return self.raw[0].isupper()


def words_of(text: str) -> list[Word]:
    """Words with St and Ste spelt out, and `s/` as `sur`."""
    found = []
    for match in WORD.finditer(text):
        key = fold(match.group())
        following = text[match.end() : match.end() + 1]
        if key in ("st", "ste"):
            key = "sain" + key[1:]
        elif key == "s" and following == "/":
            key = "sur"
        found.append(Word(match.group(), key, match.start(), match.end()))
    return found


class ScannedText:
    """One text and its context. `hints`: department or INSEE codes that break ties."""

    def __init__(self, text: str, table: PlaceTable, hints: Collection[str]) -> None:
        self.text, self.table = text, table
        self.words = words_of(text)
        letters = [c for c in text if c.isalpha()]
        self.shouting = sum(c.isupper() for c in letters) > 0.6 * max(1, len(letters)) and len(self.words) > 1
        self.areas: dict[int, int] = {}
        self.hints = {department_code(hint) for hint in hints}
        self._find_areas()
        for match in DEPARTMENT_SAID.finditer(text):
            self.hints.add((match.group(1) or match.group(2)).upper())

    def joined(self, start: int, count: int) -> bool:
        """Whether these words touch as the words of one name do."""
        return all(
            NAME_GAP.fullmatch(self.text, self.words[i].end, self.words[i + 1].start)
            and (
                "." not in self.text[self.words[i].end : self.words[i + 1].start]
                or self.words[i].key.startswith("saint")
            )
            for i in range(start, start + count - 1)
        )

    def key(self, start: int, count: int) -> str:
        return " ".join(word.key for word in self.words[start : start + count])

    def before(self, start: int, back: int = 1) -> str:
        """The folded word before, or "" at the start of a sentence."""
        if start - back < 0:
            return ""
        stops = "[!?:;\n]" if self.words[start - back].key in ABBREVIATED else "[.!?:;\n]"
        if re.search(stops, self.text[self.words[start - back].end : self.words[start].start]):
            return ""
        return self.words[start - back].key

    def _find_areas(self) -> None:
        """Departments and regions first: they hint, and their words are not communes."""
        for i in range(len(self.words)):
            for count in range(min(6, len(self.words) - i), 0, -1):
                key = self.key(i, count)
                codes = OTHER_AREAS.get(key)
                if codes is None:
                    codes = tuple(self.table.areas.get(key, ()))
                    if not codes:
                        continue
                if self.joined(i, count) and self._is_area(i, count, key):
                    self.areas[i] = count
                    self.hints.update(codes)
                    break

    def _is_area(self, i: int, count: int, key: str) -> bool:
        if count > 1:
            longest = self.table.longest.get(self.words[i].key, 0)
            longer = any(
                self.key(i, n) in self.table.current for n in range(count + 1, min(longest, len(self.words) - i) + 1)
            )
            return not longer
        if not self.words[i].capital and (key in ORDINARY or len(key) < 6 or key in self.table.current):
            return False
        previous = self.before(i)
        if previous in ("la", "le", "l", "les", "en", "dans", "des", "du"):
            return True
        if previous in ("a", "sur") or any(self.key(i, n) in self.table.current for n in (2, 3, 4)):
            return False
        return self.table.population(self.table.current[key][0]) < LARGE_TOWN if key in self.table.current else True

    def counted(self, i: int) -> bool:
        """The number at `i` counts something or is an amount."""
        after = self.text[self.words[i].end : self.words[i].end + 3]
        if re.match(r"[ \u00a0\u202f]?[€%]|[.,]\d|[ \u00a0\u202f]\d{3}", after):
            return True
        return i + 1 < len(self.words) and self.words[i + 1].key in UNITS and after[:1].isspace()

    def guarded(self, i: int, count: int, codes: list[str], hinted: bool) -> bool:
        """A street, an institution, a person or a file bears the name."""
        j = i - 1
        while j >= 0 and self.words[j].key in PARTICLES and self.before(j + 1):
            j -= 1
        if j < 0 or not self.before(j + 1):
            return False
        word, particles = self.words[j].key, i - 1 - j
        if word in STREETS:
            return True
        if word in CIVILITIES and not (
            particles and word in ("notaire", "client", "clients", "cliente", "nom", "dossier")
        ):
            return not hinted or not particles
        if j >= 1 and particles == 0 and self.words[j].capital and self.before(j):
            return self.words[j - 1].key in CIVILITIES or (
                self.words[j - 1].key in STREETS and self.table.population(codes[0]) < 20_000
            )
        return False

    def mention(self, start: int, end: int, codes: list[str], *, ambiguous: bool = False) -> Mention:
        places = tuple(place for place in map(self.table.place, codes[:6]) if place)
        return Mention(start, end, self.text[start:end], places, ambiguous and len(places) > 1)


def unclear(populations: list[int]) -> bool:
    """Whether the second most populous weighs enough that the reader has to choose (measured on homonyms)."""
    if len(populations) < 2:
        return False
    first, second = sorted(populations, reverse=True)[:2]
    return second >= max(3_000, 0.15 * first) or (first < 10_000 and second >= 0.25 * first)
