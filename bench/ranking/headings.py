"""`python -m bench headings --out DIR`: a set of our own field, from the built-in articles' question headings.

Each heading that is a question becomes a query; its right passages are those under it, and the heading is taken out
of what is indexed. Small and made by us, but of the field, and phrased unlike its answers: a check on what a larger
set of another field suggests. `python -m bench retrieval --data DIR` and `ablation` then measure on it.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from corpus.chunking import chunk
from corpus.errors import MalformedArticle
from corpus.sources.articles import read_articles
from corpus.types import Passage

TITLE_WORDS: Final = 3
"""Of two words, most headings name a part of any article."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench headings", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder to write the three files to")
    folder: Path = parser.parse_args(arguments).out
    passages = [
        passage
        for article in read_articles()
        if not isinstance(article, MalformedArticle)
        for passage in chunk(article)
    ]
    queries: dict[tuple[str, str], list[str]] = {}
    for passage in passages:
        for question in question_headings(passage):
            queries.setdefault((passage.document_id, question), []).append(passage.id)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "passages.jsonl", (_row(passage) for passage in passages))
    _write(folder / "queries.jsonl", ({"id": f"q{at}", "text": text} for at, (_, text) in enumerate(queries)))
    right = [f"q{at}\t0\t{name}\t1" for at, names in enumerate(queries.values()) for name in names]
    (folder / "qrels.tsv").write_text("\n".join(right) + "\n", encoding="utf-8")
    print(f"{len(passages)} passages, {len(queries)} questions : {folder}")
    return 0


def question_headings(passage: Passage) -> list[str]:
    """Those it stands under that are questions."""
    return [part for part in _last(passage) if part.endswith("?")]


def title_headings(passage: Passage) -> list[str]:
    """Those of its own, below a section's, that read like the title of a sheet."""
    own = _last(passage) if len(passage.heading) > 1 else []
    return [part for part in own if len(part.split()) >= TITLE_WORDS and not part.endswith("?")]


def _last(passage: Passage) -> list[str]:
    """A passage of joined sections has the headings of all, with a dot between."""
    return passage.heading[-1].split(" · ") if passage.heading else []


def without_heading(passage: Passage) -> Passage:
    """The passage without its last heading."""
    return replace(passage, heading=passage.heading[:-1])


def _row(passage: Passage) -> dict[str, Any]:
    kept = without_heading(passage) if question_headings(passage) else passage
    title = "\n".join(part for part in (kept.title, " > ".join(kept.heading)) if part)
    return {"id": passage.id, "title": title, "text": passage.text}


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
