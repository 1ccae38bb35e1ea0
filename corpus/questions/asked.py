"""Other ways of asking the articles' own questions: rows of `corpus/articles/asked.tsv`.

One line a way of asking: the article, the entry's heading word for word, and the question as an adviser types it. The
headings themselves are ways of asking too, and stand in the articles.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from corpus.errors import MalformedArticle
from corpus.french import fold
from corpus.sources.articles import ARTICLES
from corpus.types import Passage

ASKED: Final = ARTICLES / "asked.tsv"
HEADER: Final = ("article", "question", "also")
FAQ: Final = "Questions fréquentes"
LONGEST: Final = 400
"""Characters of a question: a client's whole story is not a way of asking."""


@dataclass(frozen=True, slots=True)
class Phrasing:
    """`also`: how the question of this heading of the article is asked too."""

    article: str
    question: str
    also: str


def question_of(passage: Passage) -> str:
    """The question that a passage of « Questions fréquentes » answers, else nothing."""
    return passage.heading[-1] if FAQ in passage.heading and passage.heading[-1].endswith("?") else ""


def read_asked(path: Path = ASKED) -> list[Phrasing]:
    """Every row, in order; none without a file. Raises `MalformedArticle` with the line that is not as it should be."""
    if not path.exists():
        return []
    header, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    if tuple(header.split("\t")) != HEADER:
        raise _malformed(1, f"l'en-tête doit être « {' · '.join(HEADER)} », séparés par des tabulations")
    found = []
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(HEADER) or any(not cell or cell != cell.strip() for cell in cells):
            raise _malformed(number, "il faut trois colonnes remplies, sans espace au bord")
        if len(cells[2]) > LONGEST:
            raise _malformed(number, f"une question a {LONGEST} caractères au plus")
        found.append(Phrasing(*cells))
    return found


def faults(phrasings: Sequence[Phrasing], passages: Sequence[Passage]) -> Iterator[str]:
    """What is wrong with rows beside the articles, in French: an unknown heading, one question asked of two entries."""
    known = {(passage.document_id, question_of(passage)) for passage in passages if question_of(passage)}
    asked = {_flat(question): (article, question) for article, question in known}
    seen: set[str] = set()
    for row in phrasings:
        entry, flat = (row.article, row.question), _flat(row.also)
        if entry not in known:
            yield f"{row.article} : aucune entrée « {row.question} »"
        elif asked.setdefault(flat, entry) != entry:
            yield f"{row.article} : « {row.also} » est déjà la question « {asked[flat][1]} » de {asked[flat][0]}"
        elif flat in seen or flat == _flat(row.question):
            yield f"{row.article} : « {row.also} » y est deux fois"
        seen.add(flat)


def _flat(text: str) -> str:
    return " ".join(fold(text).lower().replace("?", " ").split())


def _malformed(line: int, reason: str) -> MalformedArticle:
    return MalformedArticle(f"{ASKED.name}, ligne {line} : {reason}.", document_id=ASKED.stem)
