"""What Weaviate stores: the two collections of one version, their properties, and our filters in its words."""

import hashlib
from collections.abc import Iterable
from typing import Any, Final, Literal

from weaviate.classes.config import Configure, DataType, Property, StopwordsPreset, Tokenization, VectorDistances
from weaviate.classes.query import Filter

from corpus.index import bm25
from corpus.types import Filters

Kind = Literal["Passages", "Documents"]

_PASSAGE_FIELDS: Final = {
    "lexical": DataType.TEXT,
    "words": DataType.INT,
    "length": DataType.NUMBER,
    "document": DataType.TEXT,
    "digest": DataType.TEXT,
    "name": DataType.TEXT,
    "position": DataType.INT,
    "title": DataType.TEXT,
    "heading": DataType.TEXT_ARRAY,
    "body": DataType.TEXT,
    "url": DataType.TEXT,
    "category": DataType.TEXT,
    "audience": DataType.TEXT,
    "entities": DataType.TEXT_ARRAY,
    "published": DataType.INT,
    "starts": DataType.INT,
    "ends": DataType.INT,
}
_DOCUMENT_FIELDS: Final = {"document": DataType.TEXT, "digest": DataType.TEXT}
_FILTERED: Final = frozenset({"document", "digest", "category", "audience", "entities", "starts", "ends"}) | {
    "lexical",  # counting the passages that hold a term gives its document frequency
    "words",  # sums are taken over filterable properties only
}

FIELDS: Final = frozenset(_PASSAGE_FIELDS)
CARRIED: Final = FIELDS - {"lexical", "words", "length", "digest"}
"""What a passage is made of; the rest is computed again when it is indexed again."""


def fingerprint() -> str:
    """Six characters of a collection's name: a schema that changes is another version, and is filled beside the old."""
    told = [f"{name}:{kind.value}:{name in _FILTERED}" for name, kind in sorted(_PASSAGE_FIELDS.items())]
    return hashlib.sha256(" ".join(told).encode()).hexdigest()[:6]


def lacking(properties: Iterable[str]) -> frozenset[str]:
    """Fields that a collection with these properties does not have."""
    return FIELDS - frozenset(properties)


def schema(kind: Kind) -> dict[str, Any]:
    """Creation arguments of the collection of passages or of documents."""
    fields = _PASSAGE_FIELDS if kind == "Passages" else _DOCUMENT_FIELDS
    return {
        "properties": [_property(name, data_type) for name, data_type in fields.items()],
        "multi_tenancy_config": Configure.multi_tenancy(enabled=True, auto_tenant_activation=True),
        "inverted_index_config": Configure.inverted_index(
            bm25_k1=bm25.K1, bm25_b=bm25.B, stopwords_preset=StopwordsPreset.NONE
        ),
        # Flat is exact, like the embedded index, and cheap for the many tenants with few passages.
        "vector_config": Configure.Vectors.self_provided(
            vector_index_config=Configure.VectorIndex.flat(distance_metric=VectorDistances.COSINE)
        ),
    }


def _property(name: str, data_type: DataType) -> Property:
    if data_type in (DataType.INT, DataType.NUMBER):
        return Property(name=name, data_type=data_type, index_filterable=name in _FILTERED)
    # Our analyser has already split and stemmed: the server must take its terms as they are.
    tokenization = Tokenization.WHITESPACE if name == "lexical" else Tokenization.FIELD
    return Property(
        name=name,
        data_type=data_type,
        tokenization=tokenization,
        index_filterable=name in _FILTERED,
        index_searchable=name == "lexical",
    )


def where(filters: Filters) -> Any:
    """The filter that the server applies before it ranks."""
    found = Filter.by_property("audience").contains_any(sorted(filters.audiences))
    if filters.categories:
        found = found & Filter.by_property("category").contains_any(sorted(filters.categories))
    if filters.entities:
        found = found & Filter.by_property("entities").contains_any(sorted(filters.entities))
    if filters.in_force_on:
        on = filters.in_force_on.toordinal()
        found = found & Filter.by_property("starts").less_or_equal(on)
        found = found & Filter.by_property("ends").greater_or_equal(on)
    return found
