"""The names by which a commune may be meant once a place is expected: without its article, cut short, misspelt."""

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher, get_close_matches
from functools import cached_property
from pathlib import Path

from corpus.communes.spelling import by_shortening, nearby, nearest
from corpus.communes.table import PlaceTable
from corpus.communes.words import NEAR_TOWNS, ORDINARY, SMALL

MISSPELT_TOWN = 10_000
"""Population from which a name is recognised with one wrong letter where a place is expected."""
SHORTENED_TOWN = 1_500
"""Population from which the beginning of a name of several words means the commune."""
SHORTEST_MISSPELT = 6
"""Letters of a name that may hold a wrong one."""
SHORTEST_UNKNOWN = 4
SHORT_CITY = 50_000
"""Population of a city whose short name a word may be meant for as well."""
ALIKE_TOWN, ALIKE, MOST_ALIKE, SHORTEST_ALIKE = 5_000, 0.77, 3, 5
"""Population and likeness (0 to 1) from which a name is offered for a word with several wrong letters."""
WHOLE, APART = 0.86, 0.03
"""Likeness of a whole name of several words, and by how much the next one has to be less alike."""
ARTICLES = ("le ", "la ", "les ", "l ")
MOST_WORDS = 8
HOMOGRAPHS = Path(__file__).with_name("homographs.txt")


def heads(table: PlaceTable) -> Mapping[str, list[str]]:
    """Single words by which communes may be called, the first of a name that says something -> their codes."""
    found: dict[str, list[str]] = {}
    for names in (table.current, table.former):
        for key, codes in names.items():
            if bare := [word for word in key.split(" ") if word not in SMALL]:
                found.setdefault(bare[0], []).extend(codes)
    return found


class ExpectedNames:
    """What may be meant, over one table, and the ordinary words that look like it. Built at first use (about 0.2 s)."""

    def __init__(self, table: PlaceTable) -> None:
        self._table = table
        lists = dict(line.partition(" ")[::2] for line in HOMOGRAPHS.read_text(encoding="ascii").splitlines())
        self.said = frozenset(lists["said"].split()) | ORDINARY
        """Used in advisors' messages, or in everyday French, for something else than the commune."""
        self.words = frozenset(lists["word"].split())
        """Words of a French or English dictionary."""
        self.near = frozenset(lists["near"].split()) | NEAR_TOWNS
        """Ordinary words one letter away from a town."""
        self.unlike = frozenset(lists["alike"].split())
        """Words of the messages that look like a town with several wrong letters."""

    def exact(self, key: str) -> list[str]:
        """Codes of the communes of today that bear this folded name, else of those that absorbed one."""
        return self._table.current.get(key) or self._table.former.get(key) or []

    @cached_property
    def shortened(self) -> Mapping[str, list[str]]:
        """Beginning of a name, or the name without its article -> codes of towns, most populous first."""
        found: dict[str, set[str]] = {}
        for names in (self._table.current, self._table.former):
            for key, codes in names.items():
                towns = [c for c in codes if self._table.population(c) >= SHORTENED_TOWN] if " " in key else ()
                for part in parts(key) if towns else ():
                    found.setdefault(part, set()).update(towns)
        return {part: sorted(codes, key=self._table.population, reverse=True) for part, codes in found.items()}

    @cached_property
    def longest(self) -> Mapping[str, int]:
        """First word of a name or of a shortened one -> most words that follow from it, itself included."""
        found = dict(self._table.longest)
        for part in self.shortened:
            first = part.partition(" ")[0]
            found[first] = max(found.get(first, 0), part.count(" ") + 1)
        return found

    @cached_property
    def known(self) -> frozenset[str]:
        """Every word of every commune's name: none of them is misspelt."""
        return frozenset(w for names in (self._table.current, self._table.former) for key in names for w in key.split())

    @cached_property
    def _towns(self) -> dict[str, list[str]]:
        return by_shortening(
            key
            for key, codes in self._table.current.items()
            if len(key) >= SHORTEST_MISSPELT and self._table.population(codes[0]) >= MISSPELT_TOWN
        )

    @cached_property
    def _short_cities(self) -> dict[str, list[str]]:
        return by_shortening(
            key
            for key, codes in self._table.current.items()
            if SHORTEST_UNKNOWN < len(key) < SHORTEST_MISSPELT and self._table.population(codes[0]) >= SHORT_CITY
        )

    def corrected(self, words: Iterable[str]) -> str | None:
        """The name of the only town one letter away from these folded words; None when they are ordinary or known."""
        listed = list(words)
        key = " ".join(listed)
        saint = listed[0] in ("saint", "sainte")
        unknown = [
            w for w in listed if len(w) > SHORTEST_UNKNOWN and w not in self.near and (saint or w not in self.known)
        ]
        if (
            len(key) < SHORTEST_MISSPELT
            or not unknown
            or not key.replace(" ", "").isalpha()
            or key in self.said
            or self.exact(key)
        ):
            return None
        if nearby(key, self._short_cities):
            return None  # « lilles » is Lille as well as Lillers: asked, not guessed
        return nearest(key, self._towns)

    @cached_property
    def _town_names(self) -> list[str]:
        return [key for key, codes in self._table.current.items() if self._table.population(codes[0]) >= ALIKE_TOWN]

    def alike(self, word: str) -> list[str]:
        """Names of towns that look like this folded word, the most alike first; none for a word of its own meaning."""
        meant = any(word in known for known in (self.said, self.words, self.unlike, self.known))
        if meant or len(word) < SHORTEST_ALIKE:
            return []
        return get_close_matches(word, self._town_names, n=MOST_ALIKE, cutoff=ALIKE)

    def whole(self, key: str) -> str:
        """The town's name of several words that this key of several looks like, where no other looks nearly as much
        like it; else ""."""
        names = [name for name in self._town_names if " " in name] if " " in key else []
        near = get_close_matches(key, names, n=2, cutoff=WHOLE)
        ratios = [SequenceMatcher(None, name, key).ratio() for name in near]
        return near[0] if near and (len(near) == 1 or ratios[0] - ratios[1] >= APART) else ""


def parts(key: str) -> list[str]:
    """`la teste de buch` -> `la teste`, `teste`, `teste de buch`; a beginning says more than an article or a saint."""
    words = key.split(" ")
    found = [" ".join(words[:n]) for n in range(1, len(words)) if words[n - 1] not in SMALL]
    if key.startswith(ARTICLES):
        found += [part.partition(" ")[2] for part in (*found, key)]
    return [part for part in found if len(part) >= 3]
