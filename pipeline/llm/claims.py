"""What a model is asked to say, claim by claim, and the prose that code makes of it. Nothing it says is believed here:
that is for the gate."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from corpus.sentences import sentences
from pipeline.text.sentences import MARKER
from pipeline.types import Claim, Operation

MOST_CLAIMS: Final = 40
LONGEST_CLAIM: Final = 700
_END: Final = re.compile(r"\s*([.!?…]*)\s*$")
_LEAD: Final = re.compile(r"^(?:[-*•#>]+\s+|\d{1,2}[.)]\s+)+")
_FIGURE: Final = re.compile(r"\s*(?:\b(?:en|de|pour|au|du)\s+)?\d[\d\s./,%€-]*")
"""Of a table's header, which asserts nothing: figures belong to the rows, which cite."""
_FENCE: Final = re.compile(r"\A\s*```\w*\s*(.*?)\s*(?:```)?\s*\Z", re.DOTALL)
_OPERATIONS: Final = get_args(Operation)

_CLAIM: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text", "sources", "quote", "operation", "operands"],
    "properties": {
        "text": {"type": "string"},
        "sources": {"type": "array", "items": {"type": "integer"}},
        "quote": {"type": "string"},
        "operation": {"type": "string", "enum": ["none", *_OPERATIONS]},
        "operands": {"type": "array", "items": {"type": "string"}},
    },
}
_SECTION: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["title", "form", "columns", "claims"],
    "properties": {
        "title": {"type": "string"},
        "form": {"type": "string", "enum": ["prose", "list", "table"]},
        "columns": {"type": "array", "items": {"type": "string"}},
        "claims": {"type": "array", "items": _CLAIM},
    },
}
ANSWER: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["answer", "sections", "missing"],
    "properties": {
        "answer": {"type": "array", "items": _CLAIM},
        "sections": {"type": "array", "items": _SECTION},
        "missing": {"type": "array", "items": {"type": "string"}},
    },
}
REWRITE: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["sentences"],
    "properties": {
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["number", "claim"],
                "properties": {"number": {"type": "integer"}, "claim": _CLAIM},
            },
        },
    },
}


class SaidClaim(BaseModel):
    """One claim as a model says it; what it leaves out is empty."""

    text: str
    sources: list[int] = []
    quote: str = ""
    operation: str = "none"
    operands: list[str | int | float] = []


@dataclass(frozen=True, slots=True)
class Section:
    """Claims under a title; a table has columns, and rows of as many cells."""

    title: str
    claims: tuple[Claim, ...]
    form: str = "prose"
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A whole reply: its opening, its sections, and what it says the sources do not tell."""

    opening: tuple[Claim, ...] = ()
    sections: tuple[Section, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[Claim, ...]:
        return (*self.opening, *(claim for section in self.sections for claim in section.claims))


def looks_like_json(text: str) -> bool:
    return _unfenced(text).lstrip().startswith(("{", "["))


def read_object(text: str, *, partial: bool = False) -> dict[str, Any] | None:
    """The JSON object that a reply is, but for a fence around it; `partial`: as far as it goes."""
    try:
        found = from_json(_unfenced(text), allow_partial=partial)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _unfenced(text: str) -> str:
    found = _FENCE.match(text)
    return found[1] if found else text


def read_answer(found: Mapping[str, Any], *, titles: Iterable[str], whole: bool = True) -> Said:
    """What stands in a reply, leniently: a claim without text is skipped, a claim said twice is said once, a title that
    was not offered is left out. Not `whole`: the last claim may be half of one, and is left out."""
    offered = {title.casefold(): title for title in titles}
    seen: set[str] = set()
    opening = tuple(_claims(found.get("answer"), seen))
    sections = tuple(_section(row, offered, seen) for row in _rows(found.get("sections")) if isinstance(row, dict))
    missing = tuple(text for text in _rows(found.get("missing")) if isinstance(text, str))
    said = Said(opening, tuple(section for section in sections if section.claims), missing)
    return said if whole or "missing" in found else _without_last(said, started="sections" in found)


def _without_last(said: Said, *, started: bool) -> Said:
    if not said.sections:
        return said if started else Said(said.opening[:-1])
    *before, last = said.sections
    kept = Section(last.title, last.claims[:-1], last.form, last.columns)
    return Said(said.opening, (*before, *((kept,) if kept.claims else ())))


def _section(row: Mapping[str, Any], offered: Mapping[str, str], seen: set[str]) -> Section:
    title = offered.get(str(row.get("title") or "").strip(" #*:").casefold(), "")
    columns = tuple(_FIGURE.sub("", _cell(name)) or "-" for name in _rows(row.get("columns")) if isinstance(name, str))
    form = str(row.get("form") or "prose")
    if form == "table" and len(columns) > 1:
        return Section(title, tuple(_claims(row.get("claims"), seen, cells=len(columns))), form, columns)
    bullets = form != "prose"
    return Section(title, tuple(_claims(row.get("claims"), seen, whole=bullets)), "list" if bullets else "prose")


def _rows(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _claims(value: Any, seen: set[str], *, cells: int = 0, whole: bool = False) -> Iterator[Claim]:
    """`whole`: a bullet stays one; else each sentence of a claim bears the claim's sources."""
    for row in _rows(value):
        try:
            said = SaidClaim.model_validate(row)
        except ValidationError:
            continue
        plain = " ".join(_LEAD.sub("", said.text.strip()).split())[:LONGEST_CLAIM]
        texts = [plain] if cells or whole else sentences(plain)
        for text in texts:
            written = _row(text, said.sources, cells) if cells else cited(text, said.sources)
            if written and written not in seen and len(seen) < MOST_CLAIMS:
                seen.add(written)
                yield _claim(written, said)


def read_claim(value: Any) -> Claim | None:
    """One claim that stands alone, as one sentence; None where it says nothing."""
    return next(_claims([value], set(), whole=True), None)


def _claim(written: str, said: SaidClaim) -> Claim:
    operation = next((name for name in _OPERATIONS if name == said.operation), None)
    operands = tuple(str(operand)[:60] for operand in said.operands[:8]) if operation else ()
    return Claim(written, " ".join(said.quote.split())[:LONGEST_CLAIM], operation, operands)


def cited(text: str, sources: Iterable[int]) -> str:
    """`Phrase.` -> `Phrase [1][3].`; ids that stand in the text already are counted once."""
    inside = (int(number) for found in MARKER.finditer(text) for number in found.group(1).split(","))
    numbers = dict.fromkeys((*sources, *inside))
    bare = re.sub(r"\s+([.,])", r"\1", MARKER.sub("", text)).strip()
    marks = "".join(f"[{number}]" for number in numbers)
    return _END.sub(lambda end: f" {marks}{end[1] or '.'}" if marks else end[1], bare, count=1) if bare else ""


def _row(text: str, sources: Iterable[int], cells: int) -> str:
    """`a | b` -> `| a | b [1] |`; empty where the number of cells is another."""
    found = [_cell(cell) for cell in MARKER.sub("", text).strip(" |").split("|")]
    marks = "".join(f"[{number}]" for number in dict.fromkeys(sources))
    if len(found) != cells or not any(found):
        return ""
    return f"| {' | '.join([*found[:-1], f'{found[-1]} {marks}'.strip()])} |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", " ").split())[:200]


def written(said: Said, *, opening: str) -> str:
    """Markdown: the opening under its title where sections follow, then each section."""
    first = " ".join(claim.text for claim in said.opening)
    parts = [_under(opening if said.sections else "", first)]
    return "\n\n".join(part for part in (*parts, *map(_body, said.sections)) if part)


def _body(section: Section) -> str:
    if section.form == "table":
        head = f"| {' | '.join(section.columns)} |\n|{'---|' * len(section.columns)}"
        return _under(section.title, "\n".join((head, *(claim.text for claim in section.claims))))
    if section.form == "list":
        return _under(section.title, "\n".join(f"- {claim.text}" for claim in section.claims))
    return _under(section.title, " ".join(claim.text for claim in section.claims))


def _under(title: str, body: str) -> str:
    return f"### {title}\n{body}" if title and body else body
