"""Deals as people talk of them: a thread that goes from one to another, with a rule or a sum between."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import build_deps
from pipeline.answer import answer
from pipeline.types import Answer, Question
from tests.beginnings import indexed
from tests.hubspot_wire import Wire, hubspot_wire

WHEN = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


async def told(wire: Wire, folder: Path, *messages: str, deal_id: str | None = None) -> list[Answer]:
    await indexed(folder / "corpus.sqlite3")
    settings = Settings(
        _env_file=None,
        var_dir=folder,
        hubspot_api_url=wire.base_url,
        hubspot_token=wire.crm.token,
        tavily_api_url=wire.base_url.removesuffix("/hubspot"),
        tavily_api_key="tvly-of-nobody",
    )
    found: list[Answer] = []
    async with build_deps(settings) as deps:
        for text in messages:
            memory = found[-1].memory if found else {}
            asked = Question(text, "U1", WHEN, memory=memory, deal_id=deal_id)
            found.append(await answer(asked, deps=deps, report=lambda line: None))
    return found


def plain(found: Answer) -> str:
    return found.text.replace("\u202f", " ").replace("\xa0", " ")


async def test_a_thread_goes_from_deal_to_deal(wire: Wire, tmp_path: Path) -> None:
    """Without a name, by what nothing of ours is near, to another deal of the client, and back to rules."""
    named, why, other, law = await told(
        wire,
        tmp_path,
        "la vétérinaire de Quimper, comment elle s'appelle ?",
        "Et elle cherche aussi une maison, il me semble. Où ça ?",
        "Pourquoi la visite n'a pas eu lieu ?",
        "et la taxe foncière, qui la paie l'année de la vente ?",
    )
    assert "Le Goff" in plain(named)
    assert "Nantes" in plain(why)
    assert "Visite repoussée après les vacances" in plain(other)
    assert "1er janvier" in plain(law)
    assert "Le Goff" not in plain(law)


async def test_the_amount_of_a_deal_is_computed_with_where_it_is_pointed_at(wire: Wire, tmp_path: Path) -> None:
    (found,) = await told(wire, tmp_path, "Martin Villeurbanne : montant du dossier, et les frais de notaire dessus.")
    assert {citation.kind for citation in found.citations} == {"crm", "calculator"}
    assert "248 000 €" in plain(found)
    assert "18 772,40 €" in plain(found)
    assert any("Montant repris du dossier" in remark for remark in found.remarks)


async def test_two_questions_are_answered_in_a_thread_that_is_tied_to_a_deal(wire: Wire, tmp_path: Path) -> None:
    """And the note that such a thread is offered holds both."""
    text = "Martinez, les murs de Toulouse : combien ? Et à l'IS, quel abattement de durée sur la plus-value ?"
    (found,) = await told(wire, tmp_path, text, deal_id="9006")
    assert "420 000 €" in plain(found)
    assert {citation.kind for citation in found.citations} >= {"crm", "passage"}
    (note,) = found.actions
    assert "420" in note.fields["hs_note_body"]


async def test_what_a_deal_does_not_say_is_said_so_with_what_comes_nearest(wire: Wire, tmp_path: Path) -> None:
    _, mood = await told(wire, tmp_path, "où en est le dossier Rocher ?", "il avait un souci avec son voisin ?")
    assert "ne le dit pas" in plain(mood)
    assert "Au plus près" in plain(mood)
    assert not mood.citations


async def test_what_no_entry_of_ours_is_near_is_asked_of_the_deal(wire: Wire, tmp_path: Path) -> None:
    _, lease = await told(
        wire, tmp_path, "où en est le dossier Martinez, les murs ?", "Il restait combien d'années sur ce bail ?"
    )
    assert "neuf ans restants" in plain(lease)


async def test_nothing_that_is_asked_of_the_crm_is_looked_for_on_the_web(wire: Wire, tmp_path: Path) -> None:
    """A client's name is no business of a search engine's."""
    wire.requests.clear()
    *_, found = await told(wire, tmp_path, "où en est le dossier Rocher ?", "il avait un souci avec son voisin ?")
    assert not found.citations
    assert not [line for line in wire.requests if "/hubspot/" not in line]


async def test_two_names_are_compared_and_added_up_in_a_thread_about_a_deal(wire: Wire, tmp_path: Path) -> None:
    """No results of calculations are."""
    _, beside, both, largest = await told(
        wire,
        tmp_path,
        "où en est le dossier Martinez, les murs ?",
        "Martin ou Martinez, qui a le plus gros projet ?",
        "les deux ensemble, ça fait combien ?",
        "lequel est le plus gros ?",
    )
    assert "172 000 € de plus" in plain(beside)
    assert "668 000 €" in plain(both)
    assert "Martinez" in plain(largest)
    assert "420 000 €" in plain(largest)
