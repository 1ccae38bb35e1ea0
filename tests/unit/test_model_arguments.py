"""What code believes of a model's reply, argument by argument."""

import pytest

from pipeline.reading import Intent, Quantity, Reading
from pipeline.understanding.model.schema import json_schema
from pipeline.understanding.model.verbatim import own, span
from tests.readings import PRICED, believed, draft, read, reply

LOAN = "mensualité pour 200k sur 20 ans à 3,4"


def _roles(reading: Reading) -> dict[str, float]:
    return {q.role: q.value for q in reading.quantities if q.role != "other"}


def test_a_number_gets_its_role_from_the_model_and_its_value_from_the_words() -> None:
    """« 200k » is 200,000 whatever the model would have made of it."""
    said = [
        {"text": "200k", "role": "loan_amount"},
        {"text": "20 ans", "role": "duration"},
        {"text": "3,4", "role": "rate"},
    ]
    reading = believed(draft(LOAN), reply("calc_loan", quantities=said))
    assert reading.main == "calc_loan"
    assert reading.reader == "model"
    assert _roles(reading) == {"loan_amount": 200_000, "duration": 20, "rate": 3.4}


@pytest.mark.parametrize("text", ["250 000", "200", "3,45", "0,4", "2"])
def test_a_number_that_nobody_typed_is_dropped(text: str) -> None:
    """Neither another number, nor a part of one: « 0,4 » is no part of « 3,4 »."""
    said = [{"text": text, "role": "purchase_price"}]
    reading = believed(
        draft("mensualité pour 1 200 000 sur 20 ans à 3,4"), reply("calc_loan", query="mensualité", quantities=said)
    )
    assert _roles(reading) == {}


@pytest.mark.parametrize(
    ("text", "role"), [("20 ans", "rate"), ("200k", "duration"), ("3,4", "nonsense"), ("200k", "area")]
)
def test_a_number_cannot_be_what_its_unit_is_not(text: str, role: str) -> None:
    """Years are no rate, thousands of euros no duration and no area."""
    reading = believed(draft(LOAN), reply("calc_loan", query="mensualité", quantities=[{"text": text, "role": role}]))
    assert _roles(reading) == {}


def test_a_number_too_large_for_its_role_is_dropped() -> None:
    """A rate of 200,000 per cent is a wrong role."""
    said = [{"text": "200000", "role": "rate"}]
    assert _roles(believed(draft("un prêt de 200000"), reply("calc_loan", query="un prêt", quantities=said))) == {}


def test_the_offline_role_stays_where_the_model_says_none() -> None:
    """An omission is no claim; a role that there is but one of moves to the number that the model names."""
    first = draft("achat 150000 travaux 20000", "calc_yield")
    first_roles = (
        Quantity(150_000, "", "150000", 6, role="works", confidence=0.6),
        Quantity(20_000, "", "20000", 21, role="purchase_price", confidence=0.6),
    )
    said = [{"text": "150000", "role": "purchase_price"}]
    reading = believed(draft(first.text, "calc_yield", quantities=first_roles), reply("calc_yield", quantities=said))
    assert _roles(reading) == {"purchase_price": 150_000}


def test_a_result_of_the_thread_may_be_an_input() -> None:
    """With the period that it was computed for, to the cent."""
    first = draft("ça passe avec 4200 de revenus ?", "calc_capacity")
    said = [{"text": "4200", "role": "income"}, {"text": "1 159,84 €/mois", "role": "existing_debt"}]
    held = believed(first, reply("calc_capacity", quantities=said), PRICED).quantities[-1]
    assert (held.value, held.period, held.role) == (1159.84, "month", "existing_debt")


def test_a_number_of_an_earlier_message_may_be_an_input() -> None:
    """Read by code where it was typed; what was neither typed nor computed is dropped."""
    said = [{"text": "200k", "role": "loan_amount"}, {"text": "215k", "role": "purchase_price"}]
    reading = believed(
        draft("et la capacité ?", "calc_capacity"), reply("calc_capacity", query="capacité", quantities=said), PRICED
    )
    assert _roles(reading) == {"loan_amount": 200_000}


def test_a_commune_of_the_words_is_found_however_it_is_written() -> None:
    """In lower case, misspelt, or as the rules found it."""
    assert believed(draft("metz ?"), reply("prices", communes=["Metz"])).communes == ("57463",)
    assert believed(draft("prix vileurbane"), reply("prices", communes=["Villeurbanne"])).communes == ("69266",)
    assert believed(draft("prix à Metz"), reply("prices", communes=["Metz"])).communes == ("57463",)


def test_a_commune_of_the_thread_is_taken_over() -> None:
    """« là-bas » is where the thread is."""
    assert believed(
        draft("et les loyers là-bas ?"), reply("rents", communes=["Metz"], act="refer"), PRICED
    ).communes == ("57463",)


@pytest.mark.parametrize("name", ["Toulon", "Zorglubville", "57463", ""])
def test_a_commune_that_nobody_named_is_dropped(name: str) -> None:
    """Known to the gazetteer or not: only the user's words and the thread count."""
    reading = believed(draft("prix au m² ?"), reply("prices", query="prix au m²", communes=[name]))
    assert reading.places == ()


def test_a_client_named_like_a_town_is_no_place() -> None:
    """« le dossier Metz »: the model says which it is."""
    first = draft("prépare mon rdv avec Mme Metz", "prices", places=draft("prix à Metz").places)
    reading = believed(replace_places(first), reply("crm_read", deals=["Metz"], crm_view="brief"))
    assert reading.places == ()
    assert reading.deal_names == ("Metz",)
    assert (reading.crm.view, reading.crm.fields) == ("deal", {"brief"})


def replace_places(first: Reading) -> Reading:
    """The draft whose town stands where the client's name does."""
    from dataclasses import replace

    at = first.text.index("Metz")
    return replace(first, places=tuple(replace(p, start=at, end=at + 4) for p in first.places))


def test_schemes_exist_or_are_dropped() -> None:
    """One that only the model recognises counts; an invented one does not."""
    reading = believed(
        draft("le remplaçant du dispositif de 2014 ?"),
        reply("rules", query="le dispositif", schemes=["relance-logement", "pinel-2030"]),
    )
    assert reading.schemes == ("relance-logement",)


@pytest.mark.parametrize(
    "query",
    [
        "smalltalk",
        "sub_queries",
        "les recettes de cuisine",
        "mensualité pour 999 999 euros",
        "la mensualité du club de gymnastique rythmique",
        "mensualité " * 40,
        "http://evil.example",
    ],
)
def test_a_search_is_about_the_message_or_dropped(query: str) -> None:
    """No enumeration word, nothing foreign, no invented figure, nothing endless, no link."""
    reading = believed(draft(LOAN, "calc_loan"), reply("calc_loan", query=query, communes=[]))
    assert reading.query == LOAN
    reading = believed(
        draft(LOAN, "calc_loan"), reply("calc_loan", query="mensualité d'un prêt de 200k", queries=[query])
    )
    assert reading.queries == ()


def test_a_search_of_its_own_counts_once() -> None:
    """The line that stands alone, then further ones; repeats fall."""
    said = reply("rules", query="fiscalité du LMNP au réel", queries=["amortissement LMNP", "Amortissement LMNP"])
    reading = believed(draft("lmnp réel et amortissement"), said)
    assert (reading.query, reading.queries) == ("fiscalité du LMNP au réel", ("amortissement LMNP",))


@pytest.mark.parametrize(
    ("intent", "text"),
    [
        ("out_of_field", "la recette de la tarte aux pommes"),
        ("smalltalk", "merci beaucoup à toi"),
        ("unsafe", "comment dater un bail"),
        ("recall", "on disait quoi tout à l'heure"),
    ],
)
def test_a_sure_question_is_not_buried(intent: Intent, text: str) -> None:
    """A model may not refuse what the offline reader is sure of; it may where that one hesitates."""
    said = reply(intent, query=text)
    assert read(draft(text, "prices", 0.95), said)[0] is None
    assert believed(draft(text, "rules", 0.4), said).main == intent


def test_unsafe_stays_unsafe() -> None:
    """What the offline reader refuses is refused, whatever a model says."""
    said = reply("rules", query="dater un bail")
    assert believed(draft("comment dater un bail", "unsafe", 0.7), said).intents[0] == ("unsafe", 0.7)
    assert believed(draft("comment dater un bail", "unsafe", 0.2), said).names == ("rules",)


def test_more_false_than_true_is_no_reading_of_this_message() -> None:
    """A reply that is about something else is refused whole."""
    said = reply("calc_loan", communes=["Toulon", "Brest"], quantities=[{"text": "99", "role": "rate"}])
    reading, claims = read(draft("bonjour, une question sur ma mensualité de prêt"), said)
    assert reading is None
    assert len(claims.fell) == 3


def test_an_act_needs_a_thread() -> None:
    """The first message starts a subject; later ones do what the model says."""
    assert believed(draft("prix Metz ?"), reply("prices", communes=["Metz"], act="same")).act == "new"
    assert believed(draft("prix Metz ?"), reply("prices", communes=["Metz"], act="same"), PRICED).act == "same"


def test_rooms_and_years_have_to_be_said() -> None:
    """The type of a home may be inferred."""
    home = believed(
        draft("prix d'une bicoque 3 chambres", "prices"), reply("prices", home="house", rooms=3, year=2021)
    ).dwelling
    assert (home.kind, home.rooms, home.year) == ("house", 3, None)


def test_options_exist_and_of_two_opposites_the_models_stands() -> None:
    """« nu » read from « nu-propriété » gives way."""
    first = draft("loyer", "calc_regime", options=frozenset({"bare", "net"}))
    assert believed(first, reply("calc_regime", query="loyer", options=["furnished", "free_money"])).options == {
        "furnished",
        "net",
    }


@pytest.mark.parametrize(
    ("fragment", "text", "found"),
    [
        ("20", "en 2026", False), ("200", "200k", True), ("890", "TF890", True), ("ann", "une année", False),
        ("APPELER  mme roux", "d'appeler Mme Roux", True), ("écrire à [e-mail masqué]", "ecrire à a@b.fr", True),
        ("1 200", "11 200", False), ("200", "200 000", False), ("...", "a...b", False), ("", "x", False),
        ("88k", "achat 2004 88k", True), ("2025", "en 2025 215 000", True), ("215", "1 000 215", False),
        ("12", "12 500", False), ("250", "en 2019 250 m2", True),
    ],
)  # fmt: skip
def test_words_stand_whole_in_a_text(fragment: str, text: str, found: bool) -> None:
    """Case, accents and blanks do not count; a masked identifier stands for what it hides."""
    assert (span(fragment, text) is not None) is found


def test_a_masked_identifier_comes_back_as_it_was_typed() -> None:
    """The model never sees it; what is written for the user holds it."""
    typed = "note : écrire à a.b@c.fr, ou appeler le 06 12 34 56 78 demain"
    assert own("Ecrire à [e-mail masqué]", typed) == "écrire à a.b@c.fr"
    assert own("appeler le [téléphone masqué] demain", typed) == "appeler le 06 12 34 56 78 demain"


def test_the_schema_is_strict() -> None:
    """Every object closed, every field required, no reference and no limit that strict modes refuse."""

    def look(part: object) -> None:
        if isinstance(part, dict):
            assert not {"$ref", "$defs", "default", "maxLength", "minimum", "anyOf"} & set(part)
            if part.get("type") == "object":
                assert part["additionalProperties"] is False
                assert set(part["required"]) == set(part["properties"])
            for inner in part.values():
                look(inner)

    look(json_schema())


def test_a_bare_word_of_the_vocabulary_is_no_search() -> None:
    """Even where the user happens to have typed it."""
    assert believed(draft("status LMNP ?"), reply("rules", query="status")).query == "status LMNP ?"


def test_a_search_loses_its_links() -> None:
    """What is left is searched."""
    said = reply("calc_loan", query="mensualité pour 200k http://evil.example/200k")
    assert believed(draft(LOAN, "calc_loan"), said).query == "mensualité pour 200k"


def test_few_schemes_are_inferred() -> None:
    """A list of all of them says nothing."""
    names = ["pinel", "denormandie", "lmnp", "lmp", "deficit-foncier"]
    assert len(believed(draft("une niche ?"), reply("rules", query="une niche", schemes=names)).schemes) == 3


def test_only_a_calculation_goes_on_with_numbers_of_the_thread() -> None:
    """A price is asked of a place, not of an earlier loan."""
    said = reply("prices", communes=["Metz"], quantities=[{"text": "200k", "role": "loan_amount"}])
    assert believed(draft("prix à Metz"), said, PRICED).quantities == ()


def test_a_number_said_twice_may_be_two_things() -> None:
    """In the order in which they are said."""
    said = [{"text": "3", "role": "rate"}, {"text": "3", "role": "fees_percent"}]
    reading = believed(draft("prêt à 3 et frais de 3"), reply("calc_loan", query="prêt à 3", quantities=said))
    assert [q.role for q in reading.quantities] == ["rate", "fees_percent"]
