"""What may be done next with an answer, by one click: read off its plan, never written by a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from corpus.places import Gazetteer, Place
from pipeline.types import Answer

Key = Literal["deeper", "compare", "note", "follow"]
MARKET: Final = frozenset({"sales", "rents", "risks"})
"""Tools that say something of a commune worth comparing."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """`label`: on the button; `question`: what a click asks in the thread, or "" where it opens a form; `insee`: the
    commune to follow."""

    key: Key
    label: str
    question: str = ""
    insee: str = ""


def follow_ups(answer: Answer, *, places: Gazetteer, with_crm: bool, deal_id: str | None = None) -> Sequence[FollowUp]:
    """None under a refusal, a question back and what was not looked for. `with_crm`: a note may be proposed here;
    `deal_id`: the one that the thread is tied to, which needs no form to be named."""
    route = answer.route
    if answer.refused or answer.asked_back or route.mode == "none" or not answer.citations:
        return ()
    found: list[FollowUp] = []
    kinds = {citation.kind for citation in answer.citations}
    if "passage" in kinds and route.intent != "deepen":
        found.append(FollowUp("deeper", "Approfondir", "Approfondis"))
    place = places.get(route.communes[0]) if len(route.communes) == 1 else None
    if place is not None and kinds & MARKET:
        if (other := places.largest_beside(place.insee)) is not None:
            question = f"Compare {_exact(place)} et {_exact(other)}"
            found.append(FollowUp("compare", f"Comparer avec {other.name}", question))
        found.append(FollowUp("follow", f"Suivre {place.name}", insee=place.insee))
    if with_crm and not answer.actions and kinds != {"crm"}:
        found.append(_note(answer.deal_id or deal_id))
    return tuple(found)


def _note(deal_id: str | None) -> FollowUp:
    if deal_id is None:
        return FollowUp("note", "Noter sur un dossier")
    return FollowUp("note", "Noter sur ce dossier", f"Note cette réponse sur le dossier {deal_id}")


def _exact(place: Place) -> str:
    """A name that several communes bear needs its department."""
    return f"{place.name} ({place.department})"
