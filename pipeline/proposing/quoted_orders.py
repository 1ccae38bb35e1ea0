"""What a cited source tells a machine to do, in one line that the reader sees: quoted, masked, and not followed."""

from collections.abc import Collection
from typing import Final

from corpus.types import Passage, is_built_in
from pipeline.text.cleaning import inert
from pipeline.text.masking import mask
from pipeline.text.orders import is_order
from pipeline.text.sentences import passage_sentences
from pipeline.types import Evidence

MOST: Final = 3
LONGEST: Final = 140
FOUND: Final = "« {title} » s'adresse aussi à l'assistant ; ces phrases sont citées, pas suivies : {said}."


def quoted_orders(evidence: Evidence, cited: Collection[int]) -> tuple[str, ...]:
    """One line a title; nothing of our own articles. `cited`: the numbers that the answer rests on."""
    found: dict[str, dict[str, None]] = {}
    for number, item in evidence.numbered():
        if number not in cited or (isinstance(item, Passage) and is_built_in(item.document_id)):
            continue
        orders = (sentence for sentence in passage_sentences(item.text) if is_order(sentence))
        found.setdefault(inert(item.title), {}).update((_shown(order), None) for order in orders)
    return tuple(FOUND.format(title=title, said=_listed(list(orders))) for title, orders in found.items() if orders)


def _shown(order: str) -> str:
    said = inert(mask(order)).rstrip(" .")
    return said if len(said) <= LONGEST else f"{said[:LONGEST].rsplit(' ', 1)[0]}…"


def _listed(orders: list[str]) -> str:
    more = len(orders) - MOST
    told = ", ".join(f"« {order} »" for order in orders[:MOST])
    return f"{told} et {more} autre{'s' if more > 1 else ''}" if more > 0 else told
