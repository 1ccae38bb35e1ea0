"""A question about a place in a thread about a deal: its town is the one in the deal's name, and that is told."""

import asyncio
from collections.abc import Iterator

import pytest

from pipeline.talk.deal_town import in_deals_town, in_town_meant
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from tests.asking import SUNDAY, in_thread, places
from tests.hubspot_wire import Wire, hubspot_wire

LYON_DEAL, TOWNLESS = "9008", "9004"


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with hubspot_wire() as served:
        yield served


def communes(wire: Wire, text: str, deal_id: str | None) -> tuple[tuple[str, ...], str]:
    (task, _), *_ = in_thread(text)
    assert task is not None
    question = Question(text=text, asked_by="U1", asked_at=SUNDAY, deal_id=deal_id)
    found, said = asyncio.run(in_deals_town(task, question, ThreadState(), crm=wire.reader(), places=places()))
    assert found.frame is not None
    return found.frame.communes, said


@pytest.mark.parametrize(
    "text", ["combien vaut le m2 dans son secteur, quel prix", "quel loyer ?", "c'est inondable ?"]
)
def test_the_deals_town_stands_for_one_that_is_not_said(wire: Wire, text: str) -> None:
    """With the sentence that says where it comes from."""
    codes, said = communes(wire, text, LYON_DEAL)
    assert codes == ("69387",)
    assert "Lyon 7e" in said


def test_a_town_that_is_said_and_a_deal_without_one_change_nothing(wire: Wire) -> None:
    """No town is guessed."""
    assert communes(wire, "prix des maisons à Pau", LYON_DEAL) == (("64445",), "")
    assert communes(wire, "quel prix au m2 ?", TOWNLESS) == ((), "")
    assert communes(wire, "quel prix au m2 ?", None) == ((), "")


@pytest.mark.parametrize(
    ("text", "code"),
    [("prix au m² à Sint-Etienne", "42218"), ("prix au m² à Aix", "13001"), ("prix à Saint-Denis", None)],
)
def test_a_town_that_everybody_would_take_it_for_is_assumed_and_said(text: str, code: str | None) -> None:
    """One town that it is misspelt for, or the far larger one of a name; where two may be meant, none."""
    (task, _), *_ = in_thread(text)
    assert task is not None
    found, said = in_town_meant(task, places())
    assert found.frame is not None
    assert found.frame.communes == ((code,) if code else ())
    assert bool(said) == bool(code)
