"""Records on which sources disagree, for an answer that tells one of them: a table of all."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from corpus.facts.book import fact_book, ranked
from corpus.facts.values import Fact, Source
from pipeline.extractive.leading import values_of
from pipeline.text.disagreeing import HEADS, lead, row
from pipeline.types import Evidence, ToolResult

FACTS: Final = "facts"
SUMMED_UP: Final = ("overview", "portrait")
"""Forms in which a table of the whole scheme names each source already."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """`number`: of the evidence that all rest on; `asked`: the question is about just this."""

    number: int
    rivals: tuple[Fact, ...]
    asked: bool

    def concerns(self, text: str) -> bool:
        """Whether an answer of this text needs it: it was asked for, or the text gives a value that one of them has."""
        said = values_of(text)
        return self.asked or any(values_of(row(fact)[-1]) & said for fact in self.rivals)

    def told(self, cited: Callable[[str, int], str]) -> str:
        """Lead and table. `cited`: a sentence with its marker."""
        head = [f"| {' | '.join(HEADS)} |", f"|{'---|' * len(HEADS)}"]
        rows = [f"| {' | '.join(row(fact))} [{self.number}] |" for fact in self.rivals]
        return "\n\n".join((cited(lead(self.rivals), self.number), "\n".join([*head, *rows])))


def dispute_of(evidence: Evidence) -> Dispute | None:
    """That of the facts asked for, else the one that the question comes near; None where nothing is disputed."""
    found = [
        (number, item)
        for number, item in evidence.numbered()
        if isinstance(item, ToolResult) and item.call.tool == FACTS
    ]
    if not found:
        return None
    arguments, book = found[0][1].call.arguments, fact_book()
    asked = arguments.get("form") != "beside" and bool(arguments.get("facts"))
    if arguments.get("form") in SUMMED_UP:
        return None
    numbers = {Source(item.title, item.url): number for number, item in found}
    for name, is_asked in (
        *((n, asked) for n in arguments.get("facts", ())[:1]),
        *((n, False) for n in arguments.get("near", ())),
    ):
        fact = book.by_id.get(str(name))
        if fact is not None and fact.status == "disputed" and fact.source in numbers:
            return Dispute(numbers[fact.source], ranked(book.groups[fact.group]), is_asked)
    return None
