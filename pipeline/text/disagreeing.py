"""Sources that disagree, side by side: a sentence that says so, and a row a source with its date."""

from collections.abc import Sequence
from typing import Final

from corpus.facts.values import Fact
from pipeline.text.fact_wording import bounded, case_of

HEADS: Final = ("Source", "Date", "Ce qu'elle dit")


def lead(rivals: Sequence[Fact]) -> str:
    """`rivals`: as `ranked` puts them; what puts the first one first is said."""
    first = rivals[0]
    dated = all(fact.seen for fact in rivals)
    order = "la plus officielle" if first.official else "la plus récente" if dated else ""
    told = f" ; {order} vient en premier" if order else ""
    return f"Les sources ne s'accordent pas sur {first.label}{told}."


def row(fact: Fact) -> tuple[str, str, str]:
    """Who says it, on a page of which day (else the day on which we read it), and what."""
    day = f"page du {fact.seen:%d/%m/%Y}" if fact.seen else f"relevé du {fact.consulted_on:%d/%m/%Y}"
    return f"{fact.said_by[:1].upper()}{fact.said_by[1:]}", day, _says(fact)


def in_prose(rivals: Sequence[Fact]) -> list[str]:
    """The same as sentences, for the text that the rows are checked against."""
    return [lead(rivals), *(f"{' · '.join(row(fact))}." for fact in rivals)]


def _says(fact: Fact) -> str:
    """The value and its case; words that need their sentence come with it, less who says it."""
    if isinstance(fact.value, str) and fact.sentence:
        said, _, _ = fact.sentence.rpartition(", selon ")
        return (said or fact.sentence).rstrip(".")
    return " ".join(part for part in (bounded(fact), case_of(fact)) if part)
