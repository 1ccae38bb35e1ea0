"""Messages to the CRM -> the plan of their call -> the tool over the sandbox's HubSpot: every word applied, or told."""

from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest

from corpus.places import load_gazetteer
from pipeline.planning.crm import crm_call
from pipeline.reading import Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.tools.crm.tool import CrmTool
from pipeline.types import ToolCall, ToolResult
from pipeline.understanding.offline.crm_asked import crm_asked
from pipeline.understanding.offline.places import named_places
from pipeline.understanding.offline.quantities import quantities
from tests.asking import vector_of
from tests.hubspot_wire import Wire, hubspot_wire

NOW = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
PLACES = load_gazetteer()


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with hubspot_wire() as wire:
        yield wire


def planned(
    text: str, *, names: tuple[str, ...] = (), number: str | None = None, thread: str | None = None
) -> ToolCall:
    """As after a reader that understood numbers and places, and the deal's `names` and `number`."""
    mentions = PLACES.find(text)
    amounts = quantities(text, apart=[(m.start, m.end) for m in mentions], today=NOW.date())
    places, _ = named_places(text, mentions, apart=(), amounts=amounts, places=PLACES)
    frame, state = Frame("crm_read"), ThreadState()
    reading = Reading(
        text=text,
        intents=(("crm_read", 0.9),),
        quantities=amounts,
        places=places,
        deal_id=number,
        deal_names=names,
        crm=crm_asked(text, vector_of(text), state, places=PLACES),
    )
    return crm_call(reading, frame, state, deal_id=thread, today=date(2026, 11, 20), places=PLACES)


async def asked(wire: Wire, text: str, **read: object) -> ToolResult:
    call = planned(text, **read)  # type: ignore[arg-type]
    return await CrmTool(wire.reader(seconds=8.0), now=lambda: NOW).run(call)


CAMILLE = "11 dossiers ouverts suivis par Camille Renaud"
DECEMBER = "9 dossiers ouverts à signer du 01/12/2026 au 31/12/2026"


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("deals de camille", CAMILLE),
        ("dossiers suivis par camille", CAMILLE),
        ("pipe de camille", CAMILLE),
        ("dossiers de Camille Renaud", CAMILLE),
        ("les deals de Hugo Marchetti", "11 dossiers ouverts suivis par Hugo Marchetti"),
        ("dossiers de Inès Kadiri", "11 dossiers ouverts suivis par Inès Kadiri"),
        ("deals perdus et pourquoi", "3 dossiers au stade « Sans suite »"),
        ("deals gagnés", "4 dossiers au stade « Acte signé »"),
        ("dossiers au stade Sans suite", "3 dossiers au stade « Sans suite »"),
        ("dossiers en premier rendez-vous", "7 dossiers au stade « Premier rendez-vous »"),
        ("deals en financement en cours de camille", "3 dossiers au stade « Financement en cours » suivis par Camille"),
        ("les deals en preco ou financement", "14 dossiers aux stades « Préconisation présentée » ou « Financement"),
        ("affaires hors financement", "27 dossiers ouverts hors « Financement en cours »"),
        ("quels sont les deals en cours", "33 dossiers ouverts,"),
        ("signatures prevues en decembre 2026", DECEMBER),
        ("les deals qui signent en decembre", DECEMBER),
        ("deals qui signent avant le 15 decembre", "7 dossiers ouverts à signer du 20/11/2026 au 15/12/2026"),
        ("dossiers qui signent ce mois ci", "6 dossiers ouverts à signer du 01/11/2026 au 30/11/2026"),
        ("deals signés en novembre", "1 dossier au stade « Acte signé » clos du 01/11/2026 au 30/11/2026"),
        ("deals dont la date est dépassée", "3 dossiers ouverts à signer au plus tard le 19/11/2026"),
        ("combien de deals en tout", "40 dossiers, dont 33 ouverts"),
        ("dossiers lmnp", "2 dossiers ouverts où il est question de « lmnp »"),
        ("quels clients interesses par du lmnp", "2 dossiers ouverts où il est question de « lmnp »"),
        ("dossiers viager toulon", "1 dossier ouvert à Toulon où il est question de « viager »"),
        ("deals entre 200 et 300k", "8 dossiers ouverts de 200\u202f000\u00a0€ à 300\u202f000\u00a0€"),
        ("dossiers de plus de 500 000 € à Nice", "1 dossier ouvert à Nice d'au moins 500\u202f000\u00a0€"),
        ("dossiers sans nouvelles depuis 30 jours de hugo", "4 dossiers ouverts suivis par Hugo Marchetti sans change"),
        ("dossiers sans date de signature", "1 dossier ouvert sans date de signature"),
        ("quels dossiers n'ont ni tâche ni note ?", "6 dossiers ouverts sans tâche ouverte"),
        ("dossiers sans montant", "1 dossier ouvert sans montant : Dossier Fontaine - arbitrage Angers"),
        ("quels dossiers n'ont aucune tâche", "6 dossiers ouverts sans tâche ouverte"),
        ("dossiers de priorité haute de camille", "6 dossiers ouverts suivis par Camille Renaud de priorité haute"),
        ("quel est le dossier ouvert le plus ancien", "Le plus ancien sur 33 dossiers ouverts"),
        ("combien de dossiers avec Nadia Haddad", "2 dossiers au nom de « Nadia Haddad », dont 1 ouvert"),
        ("dossiers qui doivent être signés en decembre", DECEMBER),
        ("taches de hugo en retard", "2 tâches ouvertes en retard pour Hugo Marchetti"),
        ("taches de la semaine", "10 tâches ouvertes du 16/11/2026 au 22/11/2026"),
        ("taches de la semaine prochaine", "9 tâches ouvertes du 23/11/2026 au 29/11/2026"),
        ("email de mme diallo", "1 contact au nom de « diallo »"),
        ("telephone de fontaine", "2 contacts au nom de « fontaine »"),
        ("coordonnées du dossier Robert viager", "Dossier Robert - viager Toulon (fictif) (n° 9038) : contact : Chloé"),
        ("brief Robert viager", "Le dossier « Dossier Robert - viager Toulon (fictif) »"),
        ("fais le point sur 9019", "Le dossier « Dossier Diallo - immeuble de rapport"),
        ("statut dossier garnier", "Le dossier « Dossier Garnier - déficit foncier"),
    ],
)  # fmt: skip
async def test_every_filter_that_is_said_is_applied(wire: Wire, text: str, head: str) -> None:
    """However it is worded, and nothing else is filtered."""
    result = await asked(wire, text)
    assert (result.error or result.text).startswith(head)


async def test_three_filters_of_one_message_all_count(wire: Wire) -> None:
    """A colleague, a stage and an amount."""
    result = await asked(wire, "deals de camille en preconisation > 300k")
    assert [id_ for id_, _ in result.choices] == ["9019"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("total du pipe par ville", "Je ne sais pas regrouper par ville, voici sans en tenir compte : 33 dossiers"),
        ("deals crees en octobre", "Je ne sais pas filtrer par date de création ou de modification, voici"),
        ("dossiers à lyon et à nice", "Je ne sais pas chercher dans plusieurs villes à la fois"),
        ("deals a gros potentiel", "Je ne trouve rien sur « potentiel » dans HubSpot, voici sans en tenir compte"),
        ("taches urgentes", "Je ne trouve rien sur « urgentes » dans HubSpot, voici sans en tenir compte : 31 tâches"),
        ("dossiers de camille et hugo", "Je ne sais filtrer que par une personne à la fois : Camille Renaud, Hugo"),
    ],
)
async def test_what_is_not_applied_is_told_in_the_first_sentence(wire: Wire, text: str, told: str) -> None:
    """So that no list passes for the one that was asked for."""
    result = await asked(wire, text)
    assert (result.error or result.text).startswith(told)


async def test_a_name_that_nobody_bears_is_an_empty_list(wire: Wire) -> None:
    """With its capital it is a name, not a word of the request."""
    assert (await asked(wire, "dossiers de Zorglub")).text.startswith("Aucun dossier ouvert où il est question de")


@pytest.mark.parametrize(
    ("text", "head"),
    [
        (
            "les dossiers qui parlent de terrasse ou de viager",
            "2 dossiers ouverts où il est question de « terrasse » ou",
        ),
        ("dossiers de camille en étude pour un mailing", "Je ne trouve rien sur « mailing » dans HubSpot, voici sans"),
        ("dossiers d'inès en financement dans une gare", "Je ne trouve rien sur « gare » parmi eux, voici sans en t"),
        ("dossiers de Zorglub en financement", "Aucun dossier au stade « Financement en cours » où il est"),
        ("mme Robert a plusieurs dossiers ?", "2 dossiers où il est question de « robert », dont 2 ouverts"),
        ("mme Dupont a plusieurs dossiers chez nous ?", "2 dossiers où il est question de « dupont », dont 1 ouvert"),
        ("les dossiers encore en cours de Dupont", "1 dossier ouvert où il est question de « dupont »"),
        ("quels clients sont vétérinaires ou sages-femmes ?", "1 contact avec « vétérinaire »"),
        (
            "les dossiers d'inès qui signent avant la mi-décembre",
            "2 dossiers ouverts suivis par Inès Kadiri à signer du 2",
        ),
    ],
)
async def test_words_that_hold_no_deal_leave_the_list_that_was_asked(wire: Wire, text: str, head: str) -> None:
    """One of several is enough, a name stands, a client's deals are all of them, a trade is a contact's."""
    result = await asked(wire, text)
    assert (result.error or result.text).startswith(head)


async def test_up_to_ten_clients_are_named_in_the_sentence_that_counts(wire: Wire) -> None:
    """By their names alone, each once with how many; more than that stay lines."""
    head = (await asked(wire, "dossiers en préconisation")).text.splitlines()[0]
    assert sorted(head.rstrip(".").split(" : ")[1].split(" ; ")) == [
        "Chevalier", "Diallo", "Fontaine", "Haddad", "Le Goff", "Lefebvre", "Lefèvre", "Robert"
    ]  # fmt: skip
    assert ":" not in (await asked(wire, "dossiers de camille")).text.splitlines()[0]


async def test_where_a_deal_stands_comes_with_what_a_note_says(wire: Wire) -> None:
    """« où en est la toiture » asks for both."""
    head = (await asked(wire, "où en est la toiture chez garnier", names=("garnier",))).text.splitlines()[0]
    assert "au stade « Financement en cours » ; note du 03/11/2026" in head


async def test_top_five_is_five_with_their_own_total(wire: Wire) -> None:
    """Not ten lines under the total of all."""
    result = await asked(wire, "top 5 des plus gros deals")
    head, *rows = result.text.splitlines()
    assert head == (
        "Les 5 plus gros sur 33 dossiers ouverts, pour un montant total de 3\u202f870\u202f000\u00a0€ : "
        "Diallo ; Cohen ; Chevalier ; Petitjean ; SCI Les Tilleuls."
    )
    assert len(rows) == 5
    assert result.computed[0].figure.value == 3_870_000.0
    assert [id_ for id_, _ in (await asked(wire, "les 3 plus petits dossiers")).choices] == ["9027", "9039", "9020"]
    assert (await asked(wire, "le plus gros deal de hugo")).choices[0][0] == "9029"


async def test_a_list_offers_its_deals_in_their_order(wire: Wire) -> None:
    """So that the thread knows what « le premier » is; no error."""
    result = await asked(wire, "dossiers à Toulon")
    assert result.error is None
    ids = [id_ for id_, _ in result.choices]
    assert ids == [row.split("n° ")[1][:4] for row in result.text.splitlines()[1:]]
    assert set(ids) == {"9003", "9028", "9038"}


async def test_totals_come_by_colleague_or_by_stage(wire: Wire) -> None:
    """Largest first, or in the pipeline's order; they add up."""
    head, *rows = (await asked(wire, "total du pipe par conseiller")).text.splitlines()
    assert head.startswith("33 dossiers ouverts")
    assert rows[0] == "- Camille Renaud : 11 dossiers, 4\u202f384\u202f000\u00a0€."
    assert sum(int(row.split(" : ")[1].split()[0]) for row in rows) == 33
    stages = [row.split(" : ")[0] for row in (await asked(wire, "deals par étape")).text.splitlines()[1:]]
    order = ("Premier rendez-vous", "Étude patrimoniale", "Préconisation présentée", "Financement en cours")
    assert stages == [f"- {stage}" for stage in order]


@pytest.mark.parametrize("text", ["ou en est moreau", "le deal moreau il en est ou", "résumé de moreau"])
async def test_each_of_the_few_deals_of_a_name_is_told(wire: Wire, text: str) -> None:
    """Rather than a question back. No stage is read into « est moreau »."""
    result = await asked(wire, text)
    assert {id_ for id_, _ in result.choices} == {"9008", "9009"}
    assert result.error is None
    first = result.text.splitlines()[0]
    assert "2 dossiers correspondent" in first
    assert "(n° 9008) : au stade « Étude patrimoniale »" in first
    assert "(n° 9009) : au stade « Premier rendez-vous »" in first


@pytest.mark.parametrize(
    "text", ["ou en est petit", "montant de petit", "le deal petit il en est ou", "résumé de petit"]
)
async def test_the_one_deal_of_a_name_that_is_still_open_is_meant(wire: Wire, text: str) -> None:
    """And the closed one is told, so that nobody takes the one for the other."""
    result = await asked(wire, text, names=("petit",))
    assert "(n° 9014)" in result.text.splitlines()[0]
    assert result.text.splitlines()[-1].startswith("- Clos au même nom : Dossier Petit - terrain Grenoble")


@pytest.mark.parametrize(
    ("text", "name", "first"),
    [
        ("quand signe lefèvre ?", "lefèvre", "signature prévue le 18/12/2026 (dans 28 jours)."),
        ("budget de garnier ?", "garnier", "montant de 310\u202f000\u00a0€."),
        ("qui suit benali", "benali", "suivi par Camille Renaud."),
        ("la prochaine étape avec benali ?", "benali", "prochaine étape notée, « Lire le PPRI du secteur et"),
        ("dernière note chez martinez", "martinez", "dernière note, du 11/11/2026 : « La banque demande"),
        ("la dernière fois qu'on a échangé avec martinez ?", "martinez", "dernière note, du 11/11/2026"),
        ("et qui s'en occupe chez benali", "benali", "suivi par Camille Renaud."),
        ("benali est prioritaire ?", "benali", "priorité moyenne."),
        ("petit est en retard ?", "petit", "signature prévue le 02/11/2026 (date dépassée de 18 jours) ; 1 tâche en"),
        (
            "montant et signature de garnier",
            "garnier",
            "montant de 310\u202f000\u00a0€ ; signature prévue le 11/12/2026 (dans 21 jours).",
        ),
        ("quand le dossier garnier a-t-il été créé ?", "garnier", "dossier créé le 20/04/2026."),
        ("que manque-t-il chez benali", "benali", "il manque : tâche ouverte."),
        ("quelle description pour garnier", "garnier", "« Immeuble ancien à rénover"),
    ],
)
async def test_what_was_asked_of_a_deal_is_said_first(wire: Wire, text: str, name: str, first: str) -> None:
    """In one sentence with its name; all the rest follows."""
    head, *rest = (await asked(wire, text, names=(name,))).text.splitlines()
    assert head.split(") : ", 1)[1].startswith(first)
    assert any("est au stade" in row for row in rest)


@pytest.mark.parametrize(
    ("text", "told", "then"),
    [
        ("qui est le notaire sur rocher", "HubSpot n'a pas de champ pour le notaire ; le dossier", "Rocher"),
        (
            "le client de bordeaux il gagne combien",
            "HubSpot n'a pas de champ pour les revenus du client ; 2",
            "Bordeaux",
        ),
        ("mes rdv de demain", "Je ne vois pas votre agenda ;", "tâche"),
        ("salaire de mme diallo", "HubSpot n'a pas de champ pour les revenus du client ; 2", "9033"),
    ],
)
async def test_what_the_crm_does_not_hold_is_said_with_what_it_holds(
    wire: Wire, text: str, told: str, then: str
) -> None:
    """Not the list of all deals."""
    result = await asked(wire, text)
    said = result.error or result.text
    assert said.startswith(told)
    assert then in said


def test_a_deal_alone_is_briefed_and_a_fact_of_it_is_read() -> None:
    """By number or name, in the thread or not."""
    assert planned("9019").arguments == {"view": "brief", "deal_id": "9019"}
    assert planned("deal 9019", number="9019").arguments["view"] == "brief"
    assert planned("dossier Petit", names=("Petit",)).arguments["view"] == "brief"
    assert planned("résume le deal 9019 en 3 lignes", number="9019").arguments["view"] == "brief"
    assert planned("résume", thread="9019").arguments == {"view": "brief", "deal_id": "9019", "words": "résume"}
    asked = planned("montant du deal 9019", number="9019").arguments
    assert asked == {"view": "deal", "deal_id": "9019", "fields": ("amount",)}
    assert planned("dossiers de plus de 9019 €").arguments["view"] == "deals"
