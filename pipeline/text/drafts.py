"""A draft sentence by sentence: what it claims, and the same draft with some sentences mended or left out."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from corpus.sentences import sentences
from pipeline.text.sentences import MARKER, lines, markers_inside
from pipeline.types import Claim, Draft

_FINISHED: Final = re.compile(r"(?:[.!?…:|]|\d\])[\s»”\")*_]*$")
_LEAD: Final = re.compile(r"\s*(?:[-*•‣–]|\d{1,2}[.)]|>)?\s*")


def key(sentence: str) -> str:
    """By which a sentence is known again, whatever its markers, spacing and marks."""
    return re.sub(r"\W+", "", MARKER.sub("", sentence)).casefold()


def claims_of(draft: Draft) -> tuple[Claim, ...]:
    """As the model declared them, else each sentence, bullet and table row of the text."""
    return draft.claims or tuple(Claim(text) for text in _sentences(draft.text))


def _sentences(text: str) -> Iterator[str]:
    for line in lines(markers_inside(text)):
        if line.kind == "text":
            yield from sentences(line.text)
        elif line.kind in ("bullet", "row"):
            yield line.text


def mended(draft: Draft, new: Mapping[str, Claim | None]) -> Draft:
    """The draft with the sentences of these keys put differently, or left out (None); the others stay as they are."""
    text = markers_inside(draft.text) if not draft.claims else draft.text
    kept: list[Claim] = []
    for claim in claims_of(draft):
        found = key(claim.text)
        if found not in new:
            kept.append(claim)
            continue
        put = new[found]
        text = text.replace(claim.text, put.text if put else "", 1)
        kept += [put] if put else []
    written = "\n".join(line for line in text.splitlines() if not line.strip() or _LEAD.sub("", line, count=1))
    return replace(draft, text=written, claims=tuple(kept) if draft.claims else ())


def finished(text: str) -> str:
    """Markdown that was cut anywhere, up to its last finished sentence."""
    written = text.rstrip().splitlines()
    while written and not _FINISHED.search(written[-1]):
        said = sentences(written[-1])
        if len(said) > 1:
            written[-1] = written[-1][: written[-1].rfind(said[-1])].rstrip()
        else:
            written.pop()
    return "\n".join(written).rstrip()
