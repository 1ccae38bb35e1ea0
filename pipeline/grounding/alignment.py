"""A claim beside the best of its source: what is found there, what is not, what contradicts, as numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pipeline.grounding.binding import Bound
from pipeline.grounding.clauses import Sentence, known
from pipeline.grounding.contrasts import contrasts
from pipeline.grounding.lexicon import clashing, keys
from pipeline.grounding.sources import Source
from pipeline.text.figures import Value

_PREFIX: Final = 5
"""Letters at which two stems are one word in another form: Toulon, toulonnais."""
_ALIKE: Final = 0.6
"""What such a word counts for, and a synonym more than it."""
_SYNONYM: Final = 0.85
_SEVERAL: Final = 2

FEATURES: Final = (
    "cover_near", "pairs", "told", "length", "figures", "derived", "margin", "taken", "way", "stolen",
    "missing_alone", "clashes", "negation", "outside", "stranger",
)  # fmt: skip
"""What the verifier weighs; those of figures come from their bindings."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """`best`: places (source id, sentence) that carry the claim's halves, best first; `missing`: words found nowhere
    near; `contrasts`: what is turned round; `features`: by FEATURES; `mixed`: a claim of one clause whose words only
    several clauses of its source say, some the one and some the other."""

    best: tuple[tuple[int, int], ...]
    missing: tuple[str, ...]
    contrasts: frozenset[str]
    features: dict[str, float] = field(default_factory=dict)
    mixed: bool = False


def fit(word: str, held: frozenset[str]) -> float:
    """How well a word is found among keys: 1 the same stem, less a synonym or another form, 0 not at all."""
    if word in held:
        return 1.0
    if any(key in held for key in keys(word)[1:]):
        return _SYNONYM
    if len(word) >= _PREFIX and word[:_PREFIX] in prefixes(held):
        return _ALIKE
    return 0.0


def prefixes(held: frozenset[str]) -> frozenset[str]:
    found = _PREFIXES.get(held)
    if found is None:
        if len(_PREFIXES) > 4096:
            _PREFIXES.clear()
        found = _PREFIXES[held] = frozenset(word[:_PREFIX] for word in held if len(word) >= _PREFIX)
    return found


_PREFIXES: dict[frozenset[str], frozenset[str]] = {}


def cover(words: Sequence[str], held: frozenset[str]) -> float:
    return sum(fit(word, held) for word in words) / len(words) if words else 1.0


def halves(sentence: Sentence) -> list[tuple[str, tuple[str, ...], tuple[Value, ...]]]:
    """(text, words, figures) of each group of clauses."""
    groups: dict[int, list[int]] = {}
    for index, clause in enumerate(sentence.clauses):
        groups.setdefault(clause.group, []).append(index)
    told = []
    for members in groups.values():
        clauses = [sentence.clauses[index] for index in members]
        unique = list(dict.fromkeys(clause.text for clause in clauses))
        words = tuple(dict.fromkeys(w for clause in clauses for w in clause.words))
        told.append((", ".join(unique), words, tuple(v for clause in clauses for v in clause.values)))
    return told


def align(claim: Sentence, sources: Sequence[Source], *, question: str = "", bound: Sequence[Bound] = ()) -> Aligned:
    """The claim beside all that it cites. `bound`: where its figures stand, and its halves with them. A claim without
    words aligns with the first sentence."""
    places = [(source, index) for source in sources for index in range(len(source.sentences))]
    if not places:
        return Aligned((), claim.words, frozenset())
    parts = [half for half in halves(claim) if half[1]] or [(claim.text, claim.words, claim.values)]
    stated = [(b.source, b.row.place) for b in bound]
    own = [[(b.source, b.row.place) for b in bound if any(b.value is v for v in values)] for _, _, values in parts]
    chosen = [_best(words, held or stated or places) for (_, words, _), held in zip(parts, own, strict=True)]
    near = frozenset().union(*(_near(source, index) for source, index in chosen))
    every = frozenset().union(*(s.known | known(source.title) for source in sources for s in source.sentences))
    missing = tuple(word for word in claim.words if fit(word, near) == 0.0)
    stolen = tuple(word for word in missing if fit(word, every) > 0.0)
    best_source, best_index = _best(claim.words, stated or places)
    best = best_source.sentences[best_index]
    features = {
        "cover_near": cover(claim.words, near),
        "pairs": _pairs(claim, [source.sentences[index] for source, index in chosen]),
        "told": cover(best.words, claim.known),
        "length": min(40.0, len(claim.words)) / 40,
        "stolen": min(4.0, len(stolen)) / 4,
        # A figure that stands in its clause says much of a sentence; without any, each word counts.
        "missing_alone": 0.0 if claim.values else min(6.0, len(missing)) / 6,
        "clashes": 0.0,
    }
    found: set[str] = set()
    for (text, words, _), (source, index) in zip(parts, chosen, strict=True):
        sentence = source.sentences[index]
        held = max(halves(sentence), key=lambda half: cover(words, known(half[1])))[0] if sentence.clauses else ""
        clause = max(sentence.clauses, key=lambda part: cover(words, known(part.words))).text if held else ""
        wide = f"{source.title_text} {_around(source, index)}"
        told = f"{source.title_text} {source.flat_text}"
        found |= contrasts(text, held, wide, clause=clause, question=f"{question} {claim.raw}", source=told)
        features["clashes"] += len(clashing(text, held, wide))
    features |= {name: 1.0 for name in found if name in FEATURES}
    places_ = tuple(dict.fromkeys((source.id, index) for source, index in ((best_source, best_index), *chosen)))
    return Aligned(places_, missing, frozenset(found), features, _mixed(claim, best, sources))


def _mixed(claim: Sentence, best: Sentence, sources: Sequence[Source]) -> bool:
    titled = frozenset().union(*(known(source.title) for source in sources))
    words = [word for word in claim.words if titled.isdisjoint(keys(word))]
    held = [known(clause.words) for clause in best.clauses]
    if len(claim.clauses) > 1 or len(held) < _SEVERAL:
        return False
    told = [[index for index, clause in enumerate(held) if fit(word, clause)] for word in words]
    return len({places[0] for places in told if len(places) == 1}) >= _SEVERAL


def _best(words: Sequence[str], places: Sequence[tuple[Source, int]]) -> tuple[Source, int]:
    return max(places, key=lambda place: cover(words, place[0].sentences[place[1]].known))


def _near(source: Source, index: int) -> frozenset[str]:
    """Keys of the sentence, its title and the sentence before it, to which it may refer."""
    before = source.sentences[index - 1].known if index else frozenset()
    return source.sentences[index].known | before | known(source.title)


def _around(source: Source, index: int) -> str:
    return " ".join(sentence.text for sentence in source.sentences[max(0, index - 1) : index + 1])


def _pairs(claim: Sentence, held: Sequence[Sentence]) -> float:
    """Share of the claim's neighbouring words that are near neighbours in the source too."""
    mine = list(zip(claim.words, claim.words[1:], strict=False))
    if not mine:
        return 1.0
    spots: dict[str, list[int]] = {}
    offset = 0
    for sentence in held:
        for position, word in enumerate(sentence.words):
            for key in keys(word):
                spots.setdefault(key, []).append(offset + position)
        offset += len(sentence.words) + 10
    close = 0
    for one, other in mine:
        first = [p for key in keys(one) for p in spots.get(key, ())]
        second = [p for key in keys(other) for p in spots.get(key, ())]
        close += any(abs(a - b) <= 4 for a in first for b in second)
    return close / len(mine)
