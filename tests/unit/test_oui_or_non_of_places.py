"""A question that is answered by Oui or Non begins so, by what is on record of the town and nothing else."""

from datetime import date

import pytest

from corpus.places import load_gazetteer
from corpus.status import load_status
from corpus.zones import load_zones
from pipeline.planning.place_calls import asserted
from pipeline.tools.risks.reading import Found
from pipeline.tools.risks.tool import _sentences
from pipeline.tools.status import StatusTool
from pipeline.tools.zones import Zoning
from pipeline.types import ToolCall
from tests.asking import ask

PLACES = load_gazetteer()
DAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("le havre est-elle tendue ?", ("tense",)),
        ("les loyers sont encadres a lille ?", ("control",)),
        ("denormandie possible a thiers, et c'est tendu la-bas ?", ("denormandie", "tense")),
        ("caen est en zone b1 ?", ("abc",)),
        ("caen : b1 ou b2 ?", ()),
        ("quelle est la liste des zones tendues", ()),
        ("radon a limoges ou pas", ("radon",)),
        ("combien de crues a nimes ?", ()),
    ],
)
def test_what_is_asked_by_oui_or_non_has_no_word_of_another_question(said: str, names: tuple[str, ...]) -> None:
    """A clause of its own each; « quelle zone » waits for a zone."""
    assert asserted(said) == names


def test_the_words_reach_the_tool() -> None:
    """With the zone that is asked for."""
    (call,) = (c for c in ask("Le Mans est classée en zone B2 ?").tool_calls if c.tool == "status")
    assert call.arguments["asserted"] == ("abc",)
    assert call.arguments["letter"] == "B2"
    (call,) = (c for c in ask("Y a-t-il des inondations à Nîmes ?").tool_calls if c.tool == "risks")
    assert call.arguments["asserted"] == ("flood",)


@pytest.mark.parametrize(
    ("insee", "part", "day", "begins"),
    [
        ("83137", "tense", DAY, "Oui : Toulon est"),
        ("68224", "tense", DAY, "Non : Mulhouse n'est pas"),
        ("69266", "control", DAY, "Oui : Villeurbanne figure"),
        ("83137", "control", DAY, "Non : Toulon ne figure pas"),
        ("69266", "control", date(2026, 11, 23), "Encadrement des loyers"),
        ("87085", "denormandie", DAY, "Oui : d'après"),
        ("21231", "denormandie", DAY, "Non : d'après"),
        ("87085", "denormandie", date(2028, 1, 1), "Le Denormandie s'arrêtait"),
    ],
)
async def test_the_word_is_what_the_dated_list_says(insee: str, part: str, day: date, begins: str) -> None:
    """Without a word where the list no longer tells."""
    tool = StatusTool(load_status(), PLACES, today=lambda: day)
    found = await tool.run(ToolCall("status", {"insee": insee, "asserted": (part,)}))
    assert found.text.startswith(begins)


@pytest.mark.parametrize(("letter", "begins"), [("B2", "Oui : "), ("A", "Non : "), ("", "Saint-Étienne est")])
async def test_the_zone_is_held_against_the_one_asked_for(letter: str, begins: str) -> None:
    """Saint-Étienne is in B2."""
    tool = StatusTool(load_status(), PLACES, today=lambda: DAY, zoning=Zoning(load_zones(), PLACES))
    found = await tool.run(ToolCall("status", {"insee": "42218", "parts": ("abc",), "letter": letter}))
    assert found.text.startswith(begins)


@pytest.mark.parametrize(
    ("found", "begins"),
    [
        (Found(plans=("PPRI du Rhône",), risks=()), "Oui : Géorisques recense à Arles un plan de prévention"),
        (Found(plans=(), risks=("inondation par ruissellement",)), "Oui : Géorisques recense à Arles le risque"),
        (Found(plans=("PPR mouvements de terrain",), risks=("séisme",)), "Non : Géorisques ne recense à Arles ni"),
        (Found(plans=(), zone=2), "Géorisques ne recense aucun plan"),
    ],
)
def test_a_flood_is_answered_by_what_was_obtained(found: Found, begins: str) -> None:
    """Never Non where one of the two lists did not come."""
    told = _sentences("Arles", found, "Géorisques", {"topics": ("flood",), "asserted": ("flood",)})
    assert told[0].startswith(begins)


@pytest.mark.parametrize(("level", "begins"), [(3, "Oui : potentiel radon"), (1, "Potentiel radon")])
def test_only_a_significant_radon_is_a_oui(level: int, begins: str) -> None:
    """A weak potential is neither Oui nor Non."""
    told = _sentences("Arles", Found(radon=level), "Géorisques", {"topics": ("radon",), "asserted": ("radon",)})
    assert told[0].startswith(begins)
