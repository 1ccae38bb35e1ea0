"""Finds communes in a French sentence: names, postcodes, INSEE codes and arrondissements, in reading order."""

import re
from collections.abc import Iterator

from corpus.communes.names import NamedPlaces
from corpus.communes.table import CITIES
from corpus.communes.text import Mention, unclear
from corpus.communes.words import MONEY_BEFORE, ROMAN

ORDINAL = re.compile(r"(\d{1,2}|[ivx]{1,5})(er|ere|e|eme|ieme|nd|nde)?")


class Scan(NamedPlaces):
    """One pass over one text."""

    def mentions(self) -> Iterator[Mention]:
        i = 0
        while i < len(self.words):
            if i in self.areas:
                i += self.areas[i]
                continue
            found = self._arrondissement_first(i) or self._postcode(i) or self.name(i)
            if found is None:
                i += 1
                continue
            first, after = found
            yield first
            i = max(after, i + 1)
            if first.places[0].insee in CITIES or first.places[0].kind == "arrondissement":
                for more, after_more in self._more_arrondissements(first, i):
                    yield more
                    i = after_more

    def _postcode(self, i: int) -> tuple[Mention, int] | None:
        raw = self.words[i].raw
        if len(raw) != 5 or not raw[:1].isdigit() or self.counted(i):
            return None
        previous = self.before(i)
        if (
            previous in MONEY_BEFORE
            or previous.isdigit()
            or self.text[: self.words[i].start].endswith(("#", "€", "--"))
        ):
            return None
        if (
            previous == "de"
            and raw.endswith("000")
            and self.words[i - 2 if i > 1 else 0].key not in ("prix", "commune", "ville")
        ):
            return None
        named = self.name(i + 1) if i + 1 < len(self.words) and self.before(i + 1) else None
        codes = self.table.by_postcode.get(raw, [])
        if named and (codes or raw[:2].isdigit()) and self.fits(named[0].places[0].insee, raw, raw[:2]):
            return self.mention(self.words[i].start, named[0].end, [p.insee for p in named[0].places][:1]), named[1]
        said_insee = previous in ("insee", "commune") and raw.upper() in self.table.rows
        if said_insee or (not codes and raw in self.table.rows and raw not in self.table.by_postcode):
            return self.mention(self.words[i].start, self.words[i].end, [raw.upper()]), i + 1
        if not codes:
            return None
        ambiguous = unclear([self.table.population(c) for c in codes])
        return self.mention(self.words[i].start, self.words[i].end, codes, ambiguous=ambiguous), i + 1

    def _ordinal(self, i: int, *, bare: bool) -> int | None:
        if i >= len(self.words):
            return None
        match = ORDINAL.fullmatch(self.words[i].key)
        if not match or (not match.group(2) and (not bare or not match.group(1).isdigit())):
            return None
        value = int(match.group(1)) if match.group(1).isdigit() else ROMAN.get(match.group(1), 0)
        if not match.group(2) and self.counted(i):
            return None
        return value or None

    def _more_arrondissements(self, city: Mention, i: int) -> Iterator[tuple[Mention, int]]:
        """`Lyon 7e`, `Paris 11`, `Paris 10e et 12e`: the first one replaces the city, so the caller merges by start."""
        place = city.places[0]
        mother = next(
            (c for c, (base, n) in CITIES.items() if place.insee.isdigit() and base < int(place.insee) <= base + n),
            None,
        )
        if mother is None:
            return
        while i < len(self.words) and re.fullmatch(
            r"\s*(,|/|-|\(|et|ou)?\s*", self.text[self.words[i - 1].end : self.words[i].start]
        ):
            at = i + 1 if self.words[i].key in ("et", "ou") else i
            value = self._ordinal(at, bare=False)
            if value is None or value > CITIES[mother][1]:
                return
            end, i = self._arrondissement_end(at + 1)
            yield self.mention(self.words[at].start, end, [str(CITIES[mother][0] + value)]), i

    def _arrondissement_end(self, i: int) -> tuple[int, int]:
        if i < len(self.words) and self.words[i].key in ("arrondissement", "arrondissements", "arr", "ardt", "ar"):
            return self.words[i].end, i + 1
        return self.words[i - 1].end, i

    def _arrondissement_first(self, i: int) -> tuple[Mention, int] | None:
        """`Lyon 7e`, `Paris 11`, `Paris XVIe`, `le 7e arrondissement de Lyon`, `le 11e à Paris`."""
        codes = self.table.current.get(self.words[i].key, [])
        if codes and codes[0] in CITIES and not self.guarded(i, 1, codes, False):
            value = self._ordinal(i + 1, bare=True)
            between = self.text[self.words[i].end : self.words[i + 1].start] if value else ""
            if value and value <= CITIES[codes[0]][1] and re.fullmatch(r"[\s,(–-]{1,3}(dans le )?", between):
                end, after = self._arrondissement_end(i + 2)
                return self.mention(self.words[i].start, end, [str(CITIES[codes[0]][0] + value)]), after
            return None
        value = self._ordinal(i, bare=False)
        if value is None:
            return None
        end, after = self._arrondissement_end(i + 1)
        link = after + 1 if after < len(self.words) and self.words[after].key in ("de", "a", "d") else after
        if link < len(self.words):
            city = self.table.current.get(self.words[link].key, [""])[0]
            if city in CITIES and value <= CITIES[city][1]:
                return self.mention(self.words[i].start, self.words[link].end, [str(CITIES[city][0] + value)]), link + 1
        if after == i + 2:
            return self.mention(self.words[i].start, end, self._arrondissements(value), ambiguous=value <= 16), after
        return None

    def _arrondissements(self, value: int) -> list[str]:
        return [str(base + value) for base, count in CITIES.values() if value <= count] or ["75056"]
