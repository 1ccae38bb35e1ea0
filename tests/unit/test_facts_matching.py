"""Which facts a question gets: colloquial words, cases, several kinds at once, years, and none where none answers."""

from datetime import date

import pytest

from corpus.facts.matching import asked_of, day_meant
from pipeline.schemes import said_in
from pipeline.text.fact_wording import opening, value_of
from pipeline.understanding.own_words import flat

TODAY = date(2026, 11, 22)


def told(text: str) -> tuple[str, list[str]]:
    """The form, and the values in order."""
    asked = asked_of(text, schemes=said_in(flat(text)), today=TODAY)
    return ("", []) if asked is None else (asked.form, [value_of(f).replace("\u202f", " ") for f in asked.facts])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("combien de mois de caution en meublé ?", ["2\u00a0mois de loyer hors charges"]),
        ("combien de tps pr rendre la caution si l'état des lieux est conforme", ["1\u00a0mois"]),
        ("dpu : la mairie a cb de temps pour dire si elle préempte", ["2\u00a0mois"]),
        ("franchise sécheresse catnat combien", ["1 520\u00a0€"]),
        ("Donation d'un grand-parent à son petit-fils : abattement ?", ["31 865\u00a0€"]),
        ("coef élec du dpe mtn ?", ["1,9"]),
        ("plafond de loyer denormandie en zone B1 ?", ["11,80\u00a0€/m² par mois"]),
        ("la treve hivernale ca va jusqu'à quand", ["1er novembre au 31 mars"]),
        ("combien donner à son neveu sans impôt", ["7 967\u00a0€"]),
        ("conserver un dossier kyc combien de temps", ["5\u00a0ans"]),
        ("honoraires agence max au m2 zone tendue pour le locataire", ["12,10\u00a0€/m²", "10,09\u00a0€/m²"]),
        ("coefficient électricité du dpe avant 2026", ["2,3"]),
        (
            "louer 100 nuits sa résidence principale sur airbnb, c'est quoi la limite ?",
            ["120\u00a0nuits par an", "90\u00a0nuits par an"],
        ),
        ("Pendant combien d'années conserve-t-on les pièces LCB-FT ?", ["5\u00a0ans"]),
    ],
)
def test_a_value_asked_for_is_the_one_told(text: str, values: list[str]) -> None:
    assert told(text)[1] == values


def test_a_case_named_because_it_is_not_meant_keeps_them_all() -> None:
    text = "Hors travaux énergétiques, combien de déficit foncier imputer par an sur le revenu global ?"
    assert told(text)[1] == ["10 700\u00a0€ par an", "21 400\u00a0€ par an"]


@pytest.mark.parametrize(
    ("text", "rate"), [("mamie a 83 ans", 20.0), ("un père de 65 ans", 40.0), ("elle a 91 ans", 10.0)]
)
def test_an_age_falls_in_its_step_of_the_scale(text: str, rate: float) -> None:
    asked = asked_of(f"{text}, usufruit ça vaut combien", schemes=("demembrement",), today=TODAY)
    assert asked is not None
    assert [fact.value for fact in asked.facts] == [rate]


def test_a_scale_that_adds_up_is_read_at_its_last_step() -> None:
    assert told("abattement sur la plus-value au bout de 15 ans ?")[1] == ["60\u00a0%"]


def test_an_amount_is_no_step_of_a_tax_that_is_due_by_slices() -> None:
    assert len(told("émoluments du notaire sur 300 000 €")[1]) == 4


def test_kinds_listed_together_are_each_told() -> None:
    form, values = told("malraux : plafond de dépenses et taux ?")
    assert form == "answer"
    assert {"400 000\u00a0€", "30\u00a0%", "22\u00a0%"} <= set(values)


def test_a_scheme_to_be_explained_is_summed_up() -> None:
    assert told("explique le denormandie")[0] == "portrait"
    form, values = told("explique le jeanbrun : taux, durée et plafonds")
    assert form == "overview"
    assert {"3,5\u00a0% par an", "9\u00a0ans", "8 000\u00a0€ par an"} <= set(values)


def test_a_scheme_asked_to_be_open_gets_its_end() -> None:
    assert told("le denormandie c'est encore ouvert ?") == ("still_open", ["31/12/2027"])


def test_a_yes_or_no_on_another_matter_leaves_the_answer_to_prose() -> None:
    assert told("Le bailleur peut-il exiger la carte Vitale d'un candidat locataire ?")[0] == "beside"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("plafond micro-bic en 2025", date(2025, 7, 1)),
        ("plafond micro-bic en 2026", TODAY),
        ("un bien acheté 2025 euros", TODAY),
        ("taux de la taxe sur la vacance pour 2027", date(2027, 7, 1)),
        ("taux d'usure du premier trimestre 2026", date(2026, 2, 15)),
        ("taux d'usure T3 2025", date(2025, 8, 15)),
        ("plafond de loyer pinel 2024", date(2024, 7, 1)),
        ("acheté en 2015, vendu en 2024", date(2024, 7, 1)),
    ],
)
def test_a_year_that_is_named_is_the_day_meant(text: str, day: date) -> None:
    assert day_meant(text, TODAY) == day


def test_the_year_decides_the_value() -> None:
    assert told("plafond du micro-bic longue durée en 2025 ?")[1] == ["77 700\u00a0€ par an"]
    assert told("plafond du micro-bic longue durée ?")[1] == ["83 600\u00a0€ par an"]


@pytest.mark.parametrize(
    "text",
    [
        "prix m2 appart nantes",
        "Quel notaire tu me conseilles à Lyon ?",
        "Les prix vont baisser de combien en 2028 à Bordeaux ?",
        "mon chat vomit, t'as une idée ?",
        "divorce de mon client : prestation compensatoire, comment la calculer ?",
        "650 balles de loyer hc, 145k frais compris, ça fait quoi en brut",
        "",
    ],
)
def test_what_no_record_answers_gets_none(text: str) -> None:
    assert told(text) == ("", [])


def test_a_past_year_is_told_in_the_past() -> None:
    asked = asked_of("le taux de la flat tax en 2024 ?", schemes=("prelevements-sociaux",), today=TODAY)
    assert asked is not None
    assert opening(asked.facts, asked.on, form=asked.form) == [
        "Le taux du prélèvement forfaitaire unique (PFU) était de 30\u00a0% jusqu'au 31/12/2025."
    ]


def test_an_end_is_judged_on_the_day_that_is_meant() -> None:
    asked = asked_of("le denormandie sera encore ouvert en 2028 ?", schemes=("denormandie",), today=TODAY)
    assert asked is not None
    assert opening(asked.facts, asked.on, form=asked.form)[0].startswith("Non : ")


@pytest.mark.parametrize("text", ["c'est quoi une zone tendue", "zone tendue c koi"])
def test_a_definition_is_no_date(text: str) -> None:
    """A record of the scheme may stand beside what it is, and never opens it."""
    asked = asked_of(text, schemes=("zone-tendue",), today=TODAY)
    assert asked is None or asked.form == "beside"


def test_a_rule_of_the_overseas_departments_answers_those_who_name_them() -> None:
    """« Denormandie, réduction maximale » is about metropolitan France, whatever its words have in common."""
    assert "69 000\u00a0€" not in " ".join(told("réduction d'impôt maximale du Denormandie de 6 ans")[1])
    assert "69 000\u00a0€" in " ".join(told("réduction d'impôt maximale du Denormandie outre-mer de 6 ans")[1])


@pytest.mark.parametrize(
    "text", ["abattement d'un meublé de tourisme classé ?", "un client veut acheter en pinel cette année, quel taux ?"]
)
def test_what_is_over_opens_no_answer(text: str) -> None:
    """A rate of then is told to those who ask for then."""
    assert "71\u00a0%" not in " ".join(told(text)[1])
    assert "9\u00a0%" not in told(text)[1]


def test_what_is_over_is_told_to_those_who_ask_for_it() -> None:
    """A year, or a word of the past, asks for it."""
    assert "9\u00a0%" in told("taux du pinel pour un achat de 2024")[1]
    assert "71\u00a0%" in told("ancien abattement d'un meublé de tourisme classé")[1]
