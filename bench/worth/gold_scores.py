"""What an answer is worth against the facts that a person wrote down for its question."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from corpus.sentences import sentences
from pipeline.grounding import ground
from pipeline.text.figures import figures
from pipeline.text.sentences import MARKER
from pipeline.types import Answer, Draft, Usage

Row = Mapping[str, Any]
Report = Mapping[str, Mapping[str, Any]]
"""Category -> measure -> figure."""
GOALS: Final = {
    "needed": "≥ 90 %", "first": "≥ 90 %", "refused": "≥ 95 %", "over_refused": "≤ 5 %", "wrong_figures": "0",
    "forbidden": "0",
}  # fmt: skip
_LABEL: Final = re.compile(r"^\s*(?:[-*]\s+)?(?:\*\*[^*\n]+\*\*\s*)?")
_HEADING: Final = re.compile(r"^\s*#+ .*$", re.MULTILINE)
_SAME: Final = str.maketrans({"’": "'", "–": "-", "—": "-"})
_WRONG_FIGURE: Final = "chiffre"


@dataclass(frozen=True, slots=True)
class Score:
    """One turn. `needed`: facts found of how many; `first`: whether the first sentence answers, None where nothing was
    written down for it; `refused`: it was refused, or nothing was claimed; `missed`: the facts that are not there."""

    row: Row
    category: str
    text: str
    opening: str
    needed: tuple[int, int]
    missed: tuple[str, ...]
    forbidden: tuple[str, ...]
    first: bool | None
    answerable: bool
    refused: bool
    wrong_figures: int
    seconds: float


def score(row: Row, answer: Answer, *, category: str) -> Score:
    """`row`: `{text, needed: [[alternatives]], forbidden, first_needed, answerable, refusal_ok}`."""
    shown = "\n".join([answer.text, *(action.summary for action in answer.actions), *answer.remarks])
    told, opening = plain(shown), opening_of(answer.text)
    missed = tuple(" | ".join(any_of) for any_of in row["needed"] if not holds(told, any_of))
    begins = row.get("first_needed") or ()
    answerable = bool(row["answerable"])
    claims = bool(answer.citations or answer.asked_back or answer.actions or answer.route.mode == "none")
    refused = answer.refused or not (claims if answerable else answer.citations)
    return Score(
        row=row,
        category=category,
        text=answer.text,
        opening=opening,
        needed=(len(row["needed"]) - len(missed), len(row["needed"])),
        missed=missed,
        forbidden=tuple(words for words in row["forbidden"] if plain(words) in told),
        first=holds(plain(opening), begins) if begins and answerable else None,
        answerable=answerable,
        refused=refused and not (answerable and row.get("refusal_ok", False)),
        wrong_figures=_wrong_figures(answer),
        seconds=answer.seconds,
    )


def plain(text: str) -> str:
    """One sort of space, apostrophe and dash, no marker, lower case: how two ways of writing a fact are compared."""
    flat = unicodedata.normalize("NFKC", MARKER.sub("", text)).translate(_SAME)
    return re.sub(r"\s+(?=[.,)])", "", re.sub(r"\s+", " ", flat)).casefold()


def opening_of(text: str) -> str:
    """The first sentence of an answer, without heading, bullet or the question that labels it."""
    body = _HEADING.sub("", text).strip()
    first = _LABEL.sub("", body.split("\n\n")[0])
    return next(iter(sentences(" ".join(first.split()))), "")


def holds(told: str, any_of: Iterable[str]) -> bool:
    """Whether a `plain` text has one of the ways to say a fact."""
    return any(plain(words) in told for words in any_of)


def _wrong_figures(answer: Answer) -> int:
    """Figures of what is published that what it cites does not hold: the gate asked again about the published text."""
    if not answer.citations:
        return 0
    text = answer.text.removesuffix(answer.asked_back or "")
    again = ground(Draft(text, Usage("")), answer.evidence)
    fell = [*again.dropped, *((said, reason) for said, _, reason in again.replaced)]
    return sum(len(figures(said)) for said, reason in fell if reason.startswith(_WRONG_FIGURE))


def report_of(scores: Sequence[Score]) -> Report:
    """Category -> figures in per cent (counts for `forbidden` and `wrong_figures`), with `all` over the whole."""
    groups: dict[str, list[Score]] = defaultdict(list)
    for one in scores:
        groups[one.category].append(one)
    return {name: _figures(each) for name, each in [*sorted(groups.items()), ("all", list(scores))]}


def _figures(scores: Sequence[Score]) -> dict[str, Any]:
    asked = [one for one in scores if one.answerable]
    first = [one.first for one in scores if one.first is not None]
    return {
        "turns": len(scores),
        "needed": _share(sum(one.needed[0] for one in asked), sum(one.needed[1] for one in asked)),
        "first": _share(sum(first), len(first)),
        "refused": _share(sum(one.refused for one in scores if not one.answerable), len(scores) - len(asked)),
        "over_refused": _share(sum(one.refused for one in asked), len(asked)),
        "forbidden": sum(len(one.forbidden) for one in scores),
        "wrong_figures": sum(one.wrong_figures for one in scores),
    }


def _share(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None
