"""Questions by other hands, each with the sections that answer it: no writer of our articles chose their words."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.ranking.retrieval import read_rows
from corpus.types import Passage

COLLOQUIAL: Final = Path(__file__).parents[1] / "data" / "colloquial" / "dev.jsonl"
Section = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Other:
    """A question, and (article, heading) of each section that answers it, the best first."""

    text: str
    sections: tuple[Section, ...]

    def answered_by(self, passage: Passage) -> bool:
        return any((passage.document_id, heading) in self.sections for heading in passage.heading)


def others(file: Path = COLLOQUIAL) -> Sequence[Other]:
    """Rows {text, article, sub, also_sub}, in order."""
    rows = read_rows(file)
    return [
        Other(row["text"], ((row["article"], row["sub"]), *(tuple(one) for one in row["also_sub"]))) for row in rows
    ]
