"""The adapters of `PassageIndex` under contract, and what its suite puts in and asks."""

import os
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from corpus.index.embedded import EmbeddedIndex
from corpus.ports import PassageArchive, PassageIndex
from corpus.types import Category, Filters, Passage

PUBLIC = Filters()
LYON = "Le marché des appartements anciens à Lyon progresse lentement."
NIMES = "À Nîmes, le plan de prévention du risque inondation limite les constructions."
PINEL = "La réduction d'impôt Pinel s'est éteinte pour les acquisitions nouvelles fin 2024."


@asynccontextmanager
async def embedded(folder: Path) -> AsyncIterator[PassageArchive]:
    index = EmbeddedIndex(folder / "index.sqlite")
    try:
        yield index
    finally:
        await index.aclose()


@asynccontextmanager
async def weaviate(folder: Path) -> AsyncIterator[PassageArchive]:
    """Collections of its own for each test, dropped afterwards."""
    from corpus.index.weaviate import WeaviateIndex

    def opened() -> WeaviateIndex:
        port = int(os.environ.get("WEAVIATE_GRPC_PORT", "50051"))
        return WeaviateIndex(os.environ["WEAVIATE_URL"], grpc_port=port, version="axes", dimensions=4, prefix=prefix)

    prefix = f"Test{uuid.uuid4().hex}"
    index = opened()
    try:
        yield index
    finally:
        await index.aclose()
        cleaner = opened()
        await cleaner.drop()
        await cleaner.aclose()


NEEDS_WEAVIATE = [
    pytest.mark.servers,
    pytest.mark.skipif(
        "WEAVIATE_URL" not in os.environ, reason="WEAVIATE_URL is not set: `make test-servers` starts a Weaviate"
    ),
]
ADAPTERS = (
    pytest.param(embedded, id="embedded"),
    pytest.param(weaviate, id="weaviate", marks=NEEDS_WEAVIATE),
)


def passage(
    text: str,
    *,
    document: str = "doc",
    position: int = 0,
    title: str = "Note",
    category: Category = "regulation",
    audience: str = "public",
    entities: tuple[str, ...] = (),
    starts: date | None = None,
    ends: date | None = None,
) -> Passage:
    return Passage(
        id=f"{document}#{position}",
        document_id=document,
        position=position,
        title=title,
        heading=("En bref", "Marché"),
        text=text,
        url="https://www.example.org/",
        category=category,
        published=date(2026, 11, 21),
        effective_from=starts,
        effective_to=ends,
        entities=entities,
        audience=audience,
    )


def axis(*numbers: int) -> NDArray[np.float32]:
    """Unit vectors of four dimensions, one a row, along the given axes."""
    return np.eye(4, dtype=np.float32)[list(numbers)]


async def put(
    index: PassageIndex, *passages: Passage, tenant: str = "T1", vectors: NDArray[np.float32] | None = None
) -> None:
    await index.upsert(passages[0].document_id, passages, vectors, tenant=tenant, digest="d1")


async def ask(
    index: PassageIndex,
    text: str,
    *,
    vector: NDArray[np.float32] | None = None,
    tenants: tuple[str, ...] = ("T1",),
    filters: Filters = PUBLIC,
    limit: int = 10,
) -> list[Passage]:
    return await index.search(text, vector=vector, tenants=tenants, filters=filters, limit=limit)
