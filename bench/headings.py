"""`python -m bench headings --out DIR`: a set of our own field, from the built-in articles' question headings.

Each heading that is a question becomes a query; its right passages are those under it, and the heading is taken out
of what is indexed. Small and made by us, but of the field, and phrased unlike its answers: a check on what a larger
set of another field suggests. `python -m bench retrieval --data DIR` and `ablation` then measure on it.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from corpus.chunking import chunk
from corpus.errors import MalformedArticle
from corpus.sources.articles import read_articles
from corpus.types import Passage


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
        for question in _questions(passage):
            queries.setdefault((passage.document_id, question), []).append(passage.id)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "passages.jsonl", (_row(passage) for passage in passages))
    _write(folder / "queries.jsonl", ({"id": f"q{at}", "text": text} for at, (_, text) in enumerate(queries)))
    right = [f"q{at}\t0\t{name}\t1" for at, names in enumerate(queries.values()) for name in names]
    (folder / "qrels.tsv").write_text("\n".join(right) + "\n", encoding="utf-8")
    print(f"{len(passages)} passages, {len(queries)} questions : {folder}")
    return 0


def _questions(passage: Passage) -> list[str]:
    """A passage of joined sections has the headings of all, with a dot between."""
    last = passage.heading[-1] if passage.heading else ""
    return [part for part in last.split(" · ") if part.endswith("?")]


def _row(passage: Passage) -> dict[str, Any]:
    heading = passage.heading[:-1] if _questions(passage) else passage.heading
    title = "\n".join(part for part in (passage.title, " > ".join(heading)) if part)
    return {"id": passage.id, "title": title, "text": passage.text}


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
