"""Communes in a message that is known to be about a place: without a preposition or a capital, cut short, misspelt."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from corpus.communes.expected_names import ExpectedNames
from corpus.communes.finder import Scan
from corpus.communes.names import CONTRACTED, SMALL_TOWN
from corpus.communes.table import CITIES, PlaceTable, department_code
from corpus.communes.text import LARGE_TOWN, Mention, unclear
from corpus.communes.words import PLACE_NOUNS, PLACE_PREPOSITIONS, PREPOSITIONS, SMALL, word_set

WELL_KNOWN = 20_000
"""Population from which a town that is also a word of the dictionary is read wherever it stands (Angers, Tours)."""
VILLAGE = 400
"""Population below which a name needs a preposition before it."""
TOWN = 2_000
CLEARLY = 5
"""How many times as populous as the next one a commune has to be for its name alone to mean it."""
MUCH_LARGER = 10
"""How many times as populous as those of exactly that name the ones of a longer name have to be: Charleville."""
SPLIT_CITY = 50_000
"""Population of a city whose name may be followed at once by that of a quarter: « Toulouse Saint-Cyprien »."""
COORDINATED = re.compile(r"\s*(?:,|/|&|\+|et|ou|vs\.?|versus|contre|puis|and|or)\s*(?:(?:à|a|sur|le|la|les)\s+)?", re.I)
AND_OR = re.compile(r"(?:\s*,)?\s+(?:et|ou|vs\.?|versus)\s+", re.I)
ENGLISH = word_set("the for of what which how with price rent can you give me want is are my")
BEFORE_AREAS = word_set("de du le la l en dans")
TOPICS = word_set(
    """
    prix px loyer loyers risque risques dpe inondation inondations argiles radon passoires etiquettes encadrement
    denormandie tendue t1 t2 t3 t4 t5 t6 f1 f2 f3 f4 f5 m2 appart apparts appartement appartements maison maisons
    terrain terrains box parkings studio studios logement logements immeuble immeubles garage parking duplex zone
    """
)
INSTITUTIONS = word_set("gare metro station tribunal stade lycee musee cathedrale hotel hopital")
WRITTEN_SHORT = {"pr": "pour", "ds": "dans", "s": "sur"}
SHORTENED_ENOUGH = 5_000
"""Population from which the beginning of several names is worth a question: which of them is meant?"""
MOST_EXACT = 3
"""Bearers of exactly the name that are offered before those of a longer one."""


class ExpectedScan(Scan):
    """One pass over one text. `beside`: communes found by an earlier pass; None in the first one."""

    def __init__(
        self,
        text: str,
        table: PlaceTable,
        hints: Collection[str],
        *,
        names: ExpectedNames,
        apart: Sequence[tuple[int, int]],
        beside: Sequence[Mention] | None = None,
    ) -> None:
        super().__init__(text, table, hints)
        self.names, self.apart, self.beside = names, apart, beside
        self.doubtful = False
        self.english = sum(word.key in ENGLISH for word in self.words) > 1
        for i, word in enumerate(self.words):
            if word.key in WRITTEN_SHORT and not word.capital:
                self.words[i] = replace(word, key=WRITTEN_SHORT[word.key])
            elif (town := names.corrected((word.key,))) and self._may_be_misspelt(i, town):
                self.words[i] = replace(word, key=town)

    def mentions(self) -> Iterator[Mention]:
        previous: Mention | None = None
        for mention in super().mentions():
            if not any(mention.start < end and mention.end > start for start, end in self.apart) and not (
                previous and self._quarter(previous, mention)
            ):
                previous = mention
                yield mention

    def _quarter(self, city: Mention, part: Mention) -> bool:
        """« Toulouse Saint-Cyprien », « Lille-Moulins »: a quarter that bears the name of a commune elsewhere."""
        between = self.text[city.end : part.start]
        large, small = city.places[0].population, part.places[0].population
        return (
            large >= SPLIT_CITY
            and (part.ambiguous or (small < WELL_KNOWN and small * MUCH_LARGER < large))
            and between in (" ", "-", " - ", " (")
        )

    def _may_be_misspelt(self, i: int, town: str) -> bool:
        """A capital may be that of a family's name: only after a preposition, or for a large town."""
        capital = self.words[i].capital and not self.shouting
        large = self.table.population(self.table.current[town][0]) >= SPLIT_CITY
        return not capital or large or self.before(i) in PREPOSITIONS

    def _named(self, i: int, prefix: str) -> tuple[Mention, int] | None:
        misspelt = self._misspelt(i) if not prefix else None
        first = prefix.strip() or self.words[i].key
        offset = 1 if prefix else 0
        for count in range(min(self.names.longest.get(first, 0) - offset, len(self.words) - i), 0, -1):
            key = prefix + self.key(i, count)
            if not (self.names.exact(key) or key in self.names.shortened) or not self.joined(i, count):
                continue
            found = self._chosen(i, count, key, prefix)
            if found:
                return misspelt if misspelt and misspelt[1] > found[1] else found
        return misspelt

    def _chosen(self, i: int, count: int, key: str, prefix: str) -> tuple[Mention, int] | None:
        exact, longer = self.names.exact(key), self.names.shortened.get(key, [])
        end, after, postcode, department = self._hint_after(i + count)
        if i and self.words[i - 1].raw in self.table.by_postcode and self.before(i) == self.words[i - 1].key:
            postcode = postcode or self.words[i - 1].raw
        every = list(dict.fromkeys((*exact, *longer)))
        hinted = [c for c in every if self.fits(c, postcode, department)] if postcode or department else []
        nearby = [c for c in every if department_code(c) in self.hints]
        if self._guarded(i, count, every, bool(hinted)):
            return None
        if not hinted:
            end, after = self.words[i + count - 1].end, i + count
            population = self.table.population((self._meant(exact, longer)[0] or every)[0])
            if not longer and key not in self.table.current:
                population = min(population, SMALL_TOWN)  # of the commune that absorbed it
            if population < SPLIT_CITY and self._is_named_after(i):
                return None
            if not self._is_expected(i, count, population, exact=bool(exact), prefix=prefix):
                return None
        pool = hinted or nearby or every
        codes, ambiguous = self._meant([c for c in exact if c in pool], [c for c in longer if c in pool])
        if not codes:
            return None
        if postcode and codes[0] in CITIES and postcode in self.table.by_postcode:
            codes, ambiguous = self.table.by_postcode[postcode][:1], False
        return self.mention(self.words[i].start, end, codes, ambiguous=ambiguous), after

    def _meant(self, exact: list[str], longer: list[str]) -> tuple[list[str], bool]:
        """(candidates, best first, whether the reader has to choose). A longer name counts where the one that was said
        is nobody's, a village's, or that of several communes."""
        sizes = [self.table.population(c) for c in exact]
        others = [c for c in longer if c not in exact]
        first = self.table.population(others[0]) if others else 0
        if not exact and first < SHORTENED_ENOUGH:
            return (others, False) if len(others) == 1 else ([], False)
        if not exact or first >= MUCH_LARGER * max(sizes):
            codes = [*others, *exact]
        elif len(exact) > 1 and first * CLEARLY > max(sizes):
            codes = [*exact[:MOST_EXACT], *others]
        else:
            codes = exact
        populations = sorted(map(self.table.population, codes), reverse=True)
        return codes, unclear(populations) or (len(codes) > 1 and populations[1] * CLEARLY > populations[0])

    def _is_expected(self, i: int, count: int, population: int, *, exact: bool, prefix: str) -> bool:
        """How the word is written, what stands before it, whether it is an ordinary word, how large the town is."""
        bare = [word for word in self.words[i : i + count] if word.key not in SMALL]
        if not bare:
            return False
        key, capital = bare[-1].key, bare[-1].capital and not self.shouting
        previous = self._before_name(i, prefix)
        ordinary = [w for w in bare if w.key in self.names.said or w.key in self.names.words]
        if len(bare) > 1 or self._has_saint(i, count):
            return len(ordinary) < len(bare) or capital or (exact and population >= LARGE_TOWN)
        if key in self.table.areas and previous in BEFORE_AREAS:
            return False
        if key in self.names.said or (len(key) <= 3 and population < LARGE_TOWN):
            if capital:
                told = previous in PLACE_PREPOSITIONS or (previous in PREPOSITIONS and population >= 2 * LARGE_TOWN)
            else:
                told = previous == "a" and not self.english and population >= WELL_KNOWN
            return told or self._second_look(i, count, population, exact=exact)
        if key not in self.names.words:
            return population >= VILLAGE or previous in PREPOSITIONS
        if capital:
            return previous in PREPOSITIONS or population >= (LARGE_TOWN if previous == "" else TOWN)
        told = previous in PLACE_PREPOSITIONS and population >= VILLAGE and not self.english
        return told or population >= WELL_KNOWN or self._second_look(i, count, population, exact=exact)

    def _before_name(self, i: int, prefix: str) -> str:
        previous = self.before(i)
        if previous in ("de", "d") and self.before(i, 2) in PLACE_NOUNS:
            return self.before(i, 2)
        if prefix:
            return "a" if self.words[i - 1].key in ("au", "aux") else "de"
        return previous

    def _second_look(self, i: int, count: int, population: int, *, exact: bool) -> bool:
        """A word that may be a town's name is one beside another town; a town's, when there is no other."""
        if self.beside is None:
            self.doubtful |= population >= TOWN
            return False
        start, end = self.words[i].start, self.words[i + count - 1].end
        word = self.words[i + count - 1]
        everyday = word.key in self.names.said
        if not self.beside and exact and population >= (WELL_KNOWN if everyday else LARGE_TOWN):
            return not everyday or self.before(i) in TOPICS
        if everyday and (not exact or population < (LARGE_TOWN if word.capital else WELL_KNOWN)):
            return False
        joins = AND_OR if everyday else COORDINATED
        return any(
            (m.end <= start and joins.fullmatch(self.text, m.end, start))
            or (end <= m.start and joins.fullmatch(self.text, end, m.start))
            for m in self.beside
        )

    def _is_named_after(self, i: int) -> bool:
        """« le quartier Vauban », « les Bourgoin », « chez Ravel »: a quarter, a family."""
        at = next((n for n in (1, 2, 3) if self.before(i, n) not in ("de", "d", "du", "la", "l")), 1)
        family = self.words[i].capital and not self.shouting and self.before(i) in ("les", "chez")
        return family or self.before(i, at) == "quartier"

    def _guarded(self, i: int, count: int, codes: list[str], hinted: bool) -> bool:
        """As everywhere; « la gare de Nancy » only tells the town when nothing else does."""
        if not self.guarded(i, count, codes, hinted):
            return False
        if i < 2 or self.words[i - 1].key not in ("de", "d") or self.words[i - 2].key not in INSTITUTIONS:
            return True
        if self.beside is None:
            self.doubtful = True
        famous = self.words[i - 2].key == "gare" and codes[0] in CITIES
        return famous or bool(self.beside) or self.beside is None or self.table.population(codes[0]) < LARGE_TOWN

    def _misspelt(self, i: int) -> tuple[Mention, int] | None:
        """One wrong letter in a name of several words; one in a single word was corrected before."""
        for count in (3, 2):
            if i + count <= len(self.words) and self.words[i].key not in CONTRACTED and self.joined(i, count):
                name = self.names.corrected(word.key for word in self.words[i : i + count])
                codes = self.table.current[name] if name and " " in name else []
                if codes and not self.guarded(i, count, codes, False):
                    return self.mention(self.words[i].start, self.words[i + count - 1].end, codes), i + count
        return None


def expected_mentions(
    text: str, table: PlaceTable, hints: Collection[str], *, names: ExpectedNames, apart: Sequence[tuple[int, int]]
) -> tuple[Mention, ...]:
    """The communes of a message about a place; a second pass where the first one left a doubt."""
    scan = ExpectedScan(text, table, hints, names=names, apart=apart)
    found = tuple(scan.mentions())
    if not scan.doubtful:
        return found
    return tuple(ExpectedScan(text, table, hints, names=names, apart=apart, beside=found).mentions())
