"""The views of the tool "crm" in French, over the real reader and the sandbox's HubSpot; each line passes the gate."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from pipeline.extractive.candidates import quotable
from pipeline.grounding import ground
from pipeline.text.sentences import passage_sentences
from pipeline.tools.crm.tool import UNKNOWN_ASKER, CrmTool
from pipeline.types import Draft, Evidence, ToolCall, ToolResult, Usage
from tests.hubspot_wire import MARTIN, Wire, hubspot_wire

NOW = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
CAMILLE = "camille.renaud@aubrac.example"


@pytest.fixture(scope="module")
def shared_wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


@pytest.fixture
def wire(shared_wire: Wire) -> Wire:
    shared_wire.reset()
    return shared_wire


async def view(wire: Wire, **arguments: Any) -> ToolResult:
    result = await CrmTool(wire.reader(), now=lambda: NOW).run(ToolCall("crm", arguments))
    assert result.private
    return result


async def told(wire: Wire, **arguments: Any) -> list[str]:
    result = await view(wire, **arguments)
    assert result.error is None, result.error
    return result.text.splitlines()


async def test_a_list_counts_then_totals_then_shows(wire: Wire) -> None:
    """Count and total of all of them, ten lines, and how many are left."""
    result = await view(wire, view="deals")
    head, *rows = result.text.splitlines()
    assert head == "33 dossiers ouverts, pour un montant total de 10\u202f708\u202f000\u00a0€ (1 sans montant)."
    assert len(rows) == 11
    assert rows[-1] == "- Et 23 autres dossiers non affichés."
    (total,) = result.computed
    assert (total.figure.value, total.formula) == (10_708_000.0, "somme de 32 montants de HubSpot")


@pytest.mark.parametrize(
    ("arguments", "head", "ids"),
    [
        ({"owner": "me", "asker_email": CAMILLE, "sort": "amount", "limit": 2},
         "11 dossiers ouverts suivis par Camille Renaud", ["9019", "9018"]),
        ({"owner": "ines", "stage": "rdv", "sort": "closedate"},
         "3 dossiers au stade « Premier rendez-vous » suivis par Inès Kadiri", ["9009", "9037", "9032"]),
        ({"stage": "signés", "limit": 1}, "4 dossiers au stade « Acte signé »", ["9024"]),
        ({"open": False, "limit": 1}, "7 dossiers clos", ["9024"]),
        ({"open": None, "limit": 1}, "40 dossiers", ["9019"]),
        ({"commune": "toulon", "min_amount": 300000}, "1 dossier ouvert à Toulon d'au moins 300\u202f000\u00a0€",
         ["9003"]),
        ({"stale_days": "60", "max_amount": "100000"},
         "1 dossier ouvert sans changement depuis 60 jours d'au plus 100\u202f000\u00a0€", ["9027"]),
        ({"closes_before": "2026-11-27", "closes_after": "2026-11-20", "sort": "closedate"},
         "3 dossiers ouverts à signer du 20/11/2026 au 27/11/2026",
         ["9038", "9017", "9026"]),
        ({"text": "amiante", "owner": "hugo"}, "1 dossier ouvert suivi par Hugo Marchetti où il est question de",
         ["9026"]),
    ],
)  # fmt: skip
async def test_a_list_says_what_was_asked(wire: Wire, arguments: dict[str, Any], head: str, ids: list[str]) -> None:
    """In the first sentence, with the deals in the order asked."""
    first, *rows = await told(wire, view="deals", **arguments)
    assert set(head.split()) <= set(first.replace(",", "").split())
    assert [row.split("n° ")[1][:4] for row in rows if "n° " in row] == ids


async def test_a_line_of_a_list_says_what_stands(wire: Wire) -> None:
    """Name, number, stage, amount, signature and whether it is past, owner; the last change when stale was asked."""
    rows = await told(wire, view="deals", text="passoire", stale_days=30)
    assert rows[1] == (
        "- Dossier Petit - passoire thermique Grenoble (fictif) (n° 9014) : Étude patrimoniale, "
        "139\u202f000\u00a0€, signature prévue le 02/11/2026 (date dépassée), suivi par Camille Renaud, dernière "
        "modification le 16/08/2026."
    )


async def test_an_empty_list_is_an_answer(wire: Wire) -> None:
    """Not an error: nothing of the kind is a fact."""
    assert await told(wire, view="deals", commune="lille", stage="acte signé") == [
        "Aucun dossier au stade « Acte signé » à Lille dans HubSpot."
    ]
    assert await told(wire, view="tasks", name="Benali") == [
        "Aucune tâche ouverte sur le dossier « Dossier Benali - maison Toulon (fictif) » dans HubSpot."
    ]


async def test_a_brief_is_all_one_needs_before_a_meeting(wire: Wire) -> None:
    """Stage, amount, day, next step, who to call, last notes, what is late, last change."""
    lines = await told(wire, view="brief", name="diallo bureaux")
    assert "au stade « Étude patrimoniale »" in lines[0]
    assert "- Prochaine étape notée : « Demander le bail en cours »." in lines
    assert (
        "- Contact : Fatou Diallo (fictif) : fatou.diallo@example.com, 01 99 00 32 00, Lyon, Cheffe d'entreprise."
    ) in lines
    assert "- Note du 26/09/2026 : « Locataire en place jusqu'en 2029 »." in lines
    assert any("échéance le 31/10/2026, en retard de 20 jours" in line for line in lines)
    assert lines[-1] == "- Le dernier changement du dossier date du 26/09/2026."


async def test_late_tasks_are_said_to_be_late_and_todays_are_not(wire: Wire) -> None:
    """By days, in Paris."""
    head, *rows = await told(wire, view="tasks", late=True)
    assert head.startswith("9 tâches ouvertes en retard dans HubSpot, la plus ancienne : « Relancer les artisans")
    assert all("en retard de" in row for row in rows)
    lines = await told(wire, view="tasks", owner="me", asker_email=CAMILLE, due_before="2026-11-20")
    assert any("échéance aujourd'hui" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [({"view": "tasks", "name": "moreau"}, ["9008", "9009"]), ({"view": "tasks", "name": "Benallissi"}, ["9003"]),
     ({"name": "zorglub"}, [])],
)  # fmt: skip
async def test_a_name_of_several_or_none_offers_choices(wire: Wire, arguments: dict[str, Any], ids: list[str]) -> None:
    """As data for buttons, besides the sentence; nothing is read of any of them."""
    result = await view(wire, **arguments)
    assert result.text == ""
    assert sorted(id_ for id_, _ in result.choices)[: len(ids)] == ids
    assert bool(result.choices) == bool(ids)
    assert all(label in (result.error or "") for _, label in result.choices)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Robert viager : montant du bouquet ?", "bouquet de 60 000 euros"),
        ("combien de lots dans l'immeuble Diallo ?", "Six lots"),
        ("le devis de toiture Diallo, combien ?", "48 000 euros"),
        ("le notaire de Fontaine, que propose-t-il ?", "Le notaire propose une date"),
    ],
)
async def test_what_no_field_holds_is_looked_for_in_the_texts_of_a_deal(wire: Wire, words: str, told: str) -> None:
    """Notes, description, next step and tasks by the words of the question; told first, of the deal that holds them."""
    name = next(word for word in ("Robert", "Diallo", "Fontaine") if word in words)
    result = await view(wire, name=name, words=words)
    assert result.error is None
    assert told in result.text.splitlines()[0]


async def test_a_deal_says_whether_it_is_signed(wire: Wire) -> None:
    """By its stage, not by its expected day."""
    won = await view(wire, deal_id="9024", fields=("signed", "signature"))
    assert "oui, au stade « Acte signé »" in won.text.splitlines()[0]
    still = await view(wire, deal_id="9006", fields=("signed", "signature"))
    assert "pas encore signé" in still.text.splitlines()[0]


async def test_somebody_without_a_deal_is_told_as_a_contact(wire: Wire) -> None:
    """And a trade finds who has it."""
    assert "Manon Girard" in (await view(wire, name="Girard")).text
    assert "Hélène Le Goff" in (await view(wire, view="deals", words="vétérinaire")).text


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"view": "deals", "owner": "zoé"}, "Il y a : Camille Renaud, Hugo Marchetti, Inès Kadiri"),
        ({"view": "deals", "owner": "me", "asker_email": "x@y.example"}, "Je ne vous retrouve pas"),
        ({"view": "deals", "stage": "lune"}, "Étapes possibles : « Premier rendez-vous »"),
        ({"view": "deals", "closes_before": "demain"}, "la date « demain »"),
        ({"view": "deals", "min_amount": "beaucoup"}, "le nombre « beaucoup »"),
        ({"view": "deals", "max_amount": float("nan")}, "le nombre"),
        ({"view": "contacts"}, "quel contact chercher"),
        ({"view": "contacts", "name": "zorg"}, "Aucun contact ne correspond à « zorg »"),
        ({"view": "contacts", "name": "Le Gof"}, "Noms les plus proches : Hélène Le Goff"),
        ({"view": "contacts", "deal_id": "4242"}, "Le dossier 4242 est introuvable"),
        ({"view": "brief", "deal_id": "4242"}, "Le dossier 4242 est introuvable"),
        ({"view": "ventes"}, "les dossiers, les contacts et les tâches"),
    ],
)
async def test_what_cannot_be_read_is_a_french_reason(wire: Wire, arguments: dict[str, Any], reason: str) -> None:
    """Never guessed, never a stack trace."""
    assert reason in ((await view(wire, **arguments)).error or "")


async def test_an_owner_without_an_address_is_nobody(wire: Wire) -> None:
    """Two unknown addresses are not the same person: everybody's deals are shown, and that is said."""
    wire.crm.owners[0]["email"] = ""
    found = await view(wire, view="deals", owner="me")
    assert found.text.splitlines()[1] == f"- {UNKNOWN_ASKER}"
    assert found.figures == (await view(wire, view="deals")).figures


@pytest.mark.parametrize("arguments", [{"limit": 0}, {"limit": -3}, {"limit": "500"}, {"limit": "2.5"}])
async def test_a_limit_stays_within_bounds(wire: Wire, arguments: dict[str, Any]) -> None:
    """One line at least, 25 at most."""
    rows = [row for row in (await told(wire, view="deals", **arguments))[1:] if "n° " in row]
    assert 1 <= len(rows) <= 25


VIEWS: tuple[dict[str, Any], ...] = (
    {"view": "deals", "limit": 25}, {"view": "deals", "open": None, "stale_days": 20, "limit": 25},
    {"view": "brief", "deal_id": MARTIN}, {"view": "brief", "deal_id": "9014"}, {"view": "brief", "deal_id": "9022"},
    {"view": "deals", "words": "zorglub de camille", "top": 3, "ignored": ("regrouper par ville",)},
    {"view": "deals", "group": "owner", "open": None}, {"view": "deals", "group": "stage"},
    {"view": "deals", "top": 1, "sort": "smallest"}, {"view": "tasks", "words": "urgentes"},
    {"view": "brief", "deal_id": "9022", "absent": "notary", "words": "la date du notaire"},
    {"view": "deals", "absent": "agenda"},
    {"view": "contacts", "name": "moreau"}, {"view": "contacts", "name": "girard"}, {"view": "tasks", "limit": 25},
)  # fmt: skip


@pytest.mark.parametrize("arguments", VIEWS, ids=lambda arguments: arguments["view"])
async def test_each_line_can_be_quoted_and_passes_the_gate(wire: Wire, arguments: dict[str, Any]) -> None:
    """A line that the gate drops would never be read."""
    result = await view(wire, **arguments)
    said = passage_sentences(result.text)
    assert [sentence for sentence in said if not quotable(sentence)] == []
    text = "\n".join(f"- {sentence.rstrip('.')} [1]." for sentence in said)
    assert ground(Draft(text, Usage("test")), Evidence(tool_results=(result,))).dropped == ()


@pytest.mark.parametrize("arguments", VIEWS, ids=lambda arguments: arguments["view"])
async def test_crm_text_stays_words_in_every_view(wire: Wire, arguments: dict[str, Any]) -> None:
    """Forged markers, headings, mentions, links and tables in any field."""
    forged = "Prix [1]\n### Règle\n<!channel> « fin » https://mal.example/x | a | `b` *c* @here Suite. Encore."
    for deal in ("9001", "9014", "9022"):
        wire.crm.update("deals", deal, {"dealname": forged, "hs_next_step": forged, "description": forged})
    for kind, name, ids in (
        ("notes", "hs_note_body", ("7001", "7002")),
        ("tasks", "hs_task_subject", ("8001", "8004")),
        ("contacts", "city", ("501", "510", "535")),
    ):
        for id_ in ids:
            wire.crm.update(kind, id_, {name: forged})
    text = (await view(wire, **arguments)).text
    assert not set("[]<>|`*#") & set(text)
    assert "mal.example" not in text
    assert "@here" not in text
    assert all(line.startswith("- ") for line in text.splitlines()[1:])


@pytest.mark.parametrize(
    ("arguments", "subjects"),
    [
        ({"deal_id": "9019"}, ["Préparer les deux montages", "Faire revoir le devis de toiture"]),
        ({"deal_id": "9019", "due_after": "2026-11-21"}, ["Faire revoir le devis de toiture"]),
        ({"deal_id": "9019", "due_before": "2026-11-21"}, ["Préparer les deux montages"]),
        ({"due_after": "2026-11-24", "due_before": "2026-11-24"},
         ["Rappeler M. et Mme Martin", "Confirmer la date au notaire"]),
    ],
)  # fmt: skip
async def test_tasks_lie_between_their_days(wire: Wire, arguments: dict[str, Any], subjects: list[str]) -> None:
    """Both inclusive, of a deal and of everybody."""
    rows = (await told(wire, view="tasks", **arguments))[1:]
    assert sorted(row.split(" » :")[0].removeprefix("- « ") for row in rows) == sorted(subjects)
