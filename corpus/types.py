"""The values of text at rest: documents, passages and what a search may be limited to."""

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

Category = Literal["regulation", "risk", "methodology", "compliance", "pricing"]

SHARED_TENANT = "shared"
"""Tenant of the built-in corpus; every other tenant is one Slack team's id."""

PUBLIC_AUDIENCE = "public"
"""Audience of a passage that may be shown anywhere within its tenant; else `channel:<id>`."""


_WEB_IDS = ("page:", "feed:", "wikipedia:", "news:")


def is_built_in(document_id: str) -> bool:
    """Whether it is an article of ours: what a team or the web adds is named `kind:digest`."""
    return ":" not in document_id


def is_own_file(document_id: str) -> bool:
    """Whether this is a file of the firm's: neither a built-in article nor something that was read on the web."""
    return not is_built_in(document_id) and not document_id.startswith(_WEB_IDS)


@dataclass(frozen=True, slots=True)
class Link:
    """An official page behind a document."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Document:
    """One text with its provenance. `text` is Markdown; dates are calendar dates of the rule it describes."""

    id: str
    title: str
    url: str
    text: str
    category: Category
    published: date | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    entities: tuple[str, ...] = ()
    audience: str = PUBLIC_AUDIENCE
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of whole sentences of one document, under its heading path.

    `score` is the fused score in [0, 1] of the search that found it; `similarity` the cosine with the query
    (None when no vector was given) and `coverage` the share in [0, 1] of the query's distinct analysed terms
    that the passage (title and heading included) holds: both are absolute and comparable across searches.
    """

    id: str
    document_id: str
    position: int
    title: str
    heading: tuple[str, ...]
    text: str
    url: str
    category: Category
    published: date | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    entities: tuple[str, ...] = ()
    audience: str = PUBLIC_AUDIENCE
    score: float = 0.0
    similarity: float | None = None
    coverage: float = 0.0


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits of a search. Empty means no limit, except `audiences`, which always applies."""

    audiences: frozenset[str] = field(default_factory=lambda: frozenset({PUBLIC_AUDIENCE}))
    categories: frozenset[Category] = frozenset()
    entities: frozenset[str] = frozenset()
    in_force_on: date | None = None
