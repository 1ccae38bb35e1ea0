"""The sentence of the source that is published instead of one that cannot be verified; never patched, never twice."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pipeline.grounding.alignment import cover
from pipeline.grounding.clauses import Sentence
from pipeline.grounding.manner import foreign, unfinished, unmannered
from pipeline.grounding.sources import Source
from pipeline.text.cleaning import harmless
from pipeline.text.figures import supports
from pipeline.text.sentences import MARKER

LONGEST: Final = 420
SHORTEST_WORDS: Final = 3
LEAST: Final = 0.05
"""Share of the claim's words under which a source's sentence is about something else."""
FEW: Final = 3
"""So few sentences of a cited source are about what cites it, whatever its words."""
_END: Final = re.compile(r"\s*([.!?…]*)\s*$")
_LEANS: Final = re.compile(
    r"^(?:ils?|elles?|celui|celle|ceux|celles|cela|ceci|ce|c'|cet|cette|ces|dans ce cas|à défaut|sinon|"
    r"toutefois|cependant|mais|or|"
    r"en revanche|par ailleurs|en outre|de même|au contraire|y)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Substitute:
    """A source's sentence, with the marker of its source in `cited`."""

    source: int
    text: str

    @property
    def cited(self) -> str:
        return _END.sub(lambda end: f" [{self.source}]{end.group(1) or '.'}", self.text, count=1)


def substitute(claim: Sentence, sources: Sequence[Source]) -> Substitute | None:
    """The sentence of a cited source that says most of what the claim is about, or None."""
    found = [
        (_likeness(claim, sentence, source), -source.id, -index, raw)
        for source in sources
        for index, (raw, sentence) in enumerate(zip(source.raw, source.sentences, strict=False))
        if quotable(raw)
    ]
    if not found:
        return None
    score, number, _, raw = max(found)
    return Substitute(-number, raw) if score >= LEAST or len(found) <= FEW else None


@lru_cache(maxsize=8192)
def quotable(raw: str) -> bool:
    """Whether a source's sentence may be published as it stands: whole, French, harmless."""
    if len(raw) > LONGEST or len(raw.split()) < SHORTEST_WORDS or "|" in raw or MARKER.search(raw):
        return False
    if harmless(raw) != raw.strip() or unmannered(raw) or foreign(raw):
        return False
    return not raw.endswith("?") and not unfinished(raw, closed=True)


def _likeness(claim: Sentence, sentence: Sentence, source: Source) -> float:
    shared = cover(claim.words, sentence.known)
    figures = sum(any(supports(v, value) for v in sentence.values) for value in claim.values)
    carried = figures / len(claim.values) if claim.values else 0.0
    titled = cover(claim.words, frozenset(source.title)) if source.title else 0.0
    return shared + 0.35 * carried + 0.1 * titled - (0.1 if _LEANS.match(sentence.text) else 0.0)
