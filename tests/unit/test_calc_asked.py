"""What advisors ask of the calculator, one message at a time; the numbers are worked out here again."""

import pytest

from tests.asking import ask
from tests.calculating import last


def instalment(capital: float, rate: float, years: int) -> float:
    i = rate / 1200
    return capital * i / (1 - (1 + i) ** (-12 * years))


@pytest.mark.parametrize(
    ("text", "price", "new"),
    [
        ("cb de frais de notaire pour 182 000 dans l'ancien stp", 182_000, False),
        ("frais d'acquisition d'un bien neuf a 245k", 245_000, True),
        ("droits de mutation sur 410 000 € ?", 410_000, None),
    ],
)
def test_fees_are_computed_and_not_looked_up(text: str, price: float, new: bool | None) -> None:
    call, values, _ = last(text)
    assert call.arguments["kind"] == "fees"
    assert call.arguments.get("new") is new
    share = values["Frais d'acquisition"] / price
    assert 0.015 < share < 0.03 if new else 0.07 < share < 0.085


@pytest.mark.parametrize(
    "text",
    [
        "rendement 164k loyer 720 frais de notaire 13 100",
        "pv achat 2011 190k frais de notaire 14k vente 305k",
        "pret 20 ans 3,3% pour un bien a 230k frais de notaire 18 400",
    ],
)
def test_fees_beside_other_sums_are_an_input_of_those(text: str) -> None:
    assert all(call.arguments["kind"] != "fees" for call in ask(text).tool_calls)


def test_a_question_about_fees_without_an_amount_stays_with_the_rules() -> None:
    assert "rag" in ask("les frais de notaire sont plus bas dans le neuf ?").mode


def test_the_cost_of_repaying_early() -> None:
    _, values, _ = last("il veut rembourser son pret par anticipation, reste 96 000 a 2,4%, penalites ?")
    assert values["Indemnité au plus"] == 1_152


@pytest.mark.parametrize(
    ("text", "rent"),
    [
        ("loyer max en jeanbrun intermédiaire pour 38 m2 zone A bis", 19.71 * 1.2),
        ("denormandie, plafond de loyer d'un 70 m² en b2", 10.26 * 0.97),
    ],
)
def test_a_ceiling_is_multiplied_out(text: str, rent: float) -> None:
    call, values, _ = last(text)
    assert values["Loyer mensuel maximal"] == pytest.approx(round(rent, 2) * call.arguments["area"], abs=0.01)


def test_the_works_of_a_denormandie() -> None:
    _, values, _ = last("combien de travaux minimum en denormandie pour un appart a 84 000")
    assert values["Travaux minimaux"] == 28_000


def test_the_deduction_of_a_relance_logement() -> None:
    _, values, said = last("jeanbrun neuf loyer social 190 000 : quel amortissement par an ?")
    assert values["Déduction annuelle"] == pytest.approx(190_000 * 0.8 * 0.045)
    assert "au plus 10 000 €" in said


@pytest.mark.parametrize(
    "text",
    [
        "sa banque lui annonce 1 420 par mois pour 215 000 sur 20 ans a 3,1, c'est juste ?",
        "pret 215k 20 ans 3,1 % le courtier parle de 1420 de mensualite ok ?",
    ],
)
def test_an_instalment_that_is_claimed_is_checked(text: str) -> None:
    _, values, said = last(text)
    assert values["Écart avec la mensualité annoncée"] == pytest.approx(1_420 - instalment(215_000, 3.1, 20), abs=0.01)
    assert said.startswith("La mensualité annoncée de 1 420 € ne correspond pas")


@pytest.mark.parametrize(
    ("text", "paid"),
    [
        ("il reste combien a rembourser dans 6 ans sur un pret de 190k a 2,9 sur 20 ans", 72),
        ("crd apres 72 mensualites, 190 000 a 2,9% sur 20 ans", 72),
        ("190k 2,9% 20 ans, 72 mensualités déjà payées, combien il reste", 72),
    ],
)
def test_what_is_still_owed(text: str, paid: int) -> None:
    _, values, _ = last(text)
    left, due = 190_000.0, instalment(190_000, 2.9, 20)
    for _ in range(paid):
        left -= due - left * 2.9 / 1200
    assert values["Capital restant dû"] == pytest.approx(left, abs=0.01)


def test_an_income_of_two_thousand_is_no_year() -> None:
    _, values, said = last("capacité : salaire 2000, credit conso 150, 25 ans a 3,6")
    assert values["Mensualité possible"] == 550
    assert "2 000 €" in said


def test_a_down_payment_beside_the_amount_is_said() -> None:
    _, _, said = last("je veux 260 000 sur 25 ans a 3,4 et j'ai 35k d'apport")
    assert "35 000 €" in said


def test_the_price_that_a_down_payment_allows_asks_for_the_income_and_no_town() -> None:
    route = ask("avec 59000 d'apport il peut viser quel prix ?")
    assert route.tool_calls[0].arguments["kind"] == "capacity"
    assert route.tool_calls[0].arguments["down_payment"] == 59_000


@pytest.mark.parametrize("text", ["rendement pour un prix de 174 000 loué 760", "prix 174 000 loyer 760 rdt ?"])
def test_a_price_is_without_fees_unless_it_is_said_to_hold_them(text: str) -> None:
    call, _, said = last(text)
    assert call.arguments["purchase_price"] == 174_000
    assert "Frais d'acquisition non indiqués" in said


def test_a_total_cost_holds_its_fees() -> None:
    call, _, _ = last("coût total 188 000 frais compris, loyer 760, rendement ?")
    assert call.arguments["total_cost"] == 188_000


def test_land_income_is_not_compared_with_furnished_lets() -> None:
    call, values, said = last("deficit foncier : 26k de travaux, loyers 9 000, interets 2 500, tmi 30")
    assert call.arguments["furnished"] is False
    assert values["Déficit foncier imputé sur le revenu global"] == 10_700
    assert "meublé" not in said


@pytest.mark.parametrize(
    "text", ["elle a 30 % d'un bien vendu 300k acheté 200k en 2015, sa pv", "pv 200k en 2015 vendu 300k, part de 30%"]
)
def test_a_share_of_a_sale_is_the_share_that_is_taxed(text: str) -> None:
    _, values, _ = last(text)
    assert values["Plus-value brute du vendeur"] == pytest.approx(0.3 * (300_000 - 200_000 * 1.225))


def test_a_deferral_is_no_second_duration() -> None:
    call, values, _ = last("pret 180k 20 ans 3 % avec differe de 12 mois")
    assert (call.arguments["months"], call.arguments["defer"]) == (240, 12)
    assert values["Mensualité pendant le différé"] == 450


def test_an_instalment_is_no_income() -> None:
    _, _, said = last("reste à vivre : 4700 de revenus 1200 de mensualité")
    assert said.startswith("Reste à vivre : 3 500 €")


@pytest.mark.parametrize(
    "text", ["bien à 300 000 €, 10 % d'apport, 20 ans à 3,3 %", "300 000 € sur 20 ans à 3,3 % avec 10 % d'apport"]
)
def test_a_down_payment_in_per_cent_is_a_share_of_the_price(text: str) -> None:
    call, values, _ = last(text)
    assert call.arguments["down_payment"] == 30_000
    assert values["Mensualité hors assurance"] == pytest.approx(instalment(270_000, 3.3, 20), abs=0.01)


REPORTED = "Déficit foncier imputé sur le revenu global"


@pytest.mark.parametrize(
    ("text", "label", "worth"),
    [
        ("Veuf, 74 ans, donne la NP de sa maison (350 000 en PP) à sa fille unique. Droits ?", "Droits", 27_194.35),
        ("la dame a 72 ans, bien 260 000 : valeur de la nue-propriété ?", "Nue-propriété", 182_000),
        ("il cède à sa holding l'usufruit d'un appart de 320 000 pour 12 ans, valeur fiscale ?", "Usufruit", 147_200),
        ("DMTO seuls sur 310 000 dans l'ancien, département à 5 % ?", "Droits et taxes de mutation", 19_587.35),
        ("emoluments HT du notaire pour une vente a 520 000", "Émoluments du notaire, hors taxes", 4_552.05),
        ("RP 1 100 000, deux apparts à 400 000 et 350 000, crédit restant 150 000. IFI ?", "Montant de l'IFI", 2_615),
        ("patrimoine 2,1 M€ dont RP 800 000, ifi ?", "Montant de l'IFI", 6_420),
        ("divorce : maison 380 000, il reste 140 000 de prêt, elle la garde. Soulte ?", "Soulte", 120_000),
        (
            "cession de parts de SCI pour 95 000, droits d'enregistrement ?",
            "Montant des droits d'enregistrement",
            4_750,
        ),
        ("47 m² loués 689 € hors charges, ça fait quel loyer au m² ?", "Loyer au m²", 14.66),
        ("denormandie 9 ans, 120 000 d'achat et 60 000 de travaux, réduction ?", "Réduction d'impôt sur 9 ans", 32_400),
        ("Un oncle laisse 90 000 à son neveu. Droits ?", "Droits", 45_118.15),
        ("concubin qui hérite de 80 000, droits ?", "Droits", 47_043.60),
        ("je donne 200 000 à chacun de mes deux enfants, combien de droits ?", "Droits", 36_388.70),
        ("valeur de l'usufruit pour un monsieur né en 1950, bien 400 000", "Usufruit", 120_000),
        ("Couple 4 800 nets, assurance 45 € par mois, 20 ans, 3,3 %. Capital max ?", "Capacité d'emprunt", 286_975),
        ("3 100 € net, loyer actuel 850 qui va s'arrêter, 20 ans à 3,25 % : capacité ?", "Capacité d'emprunt", 191_292),
        ("avec 1 100 €/mois sur 25 ans à 3,5 % on emprunte quoi ?", "Capital empruntable", 219_725),
        ("immeuble 410 000 acte en main, 4 lots à 520 et un à 610, rendement brut", "Rendement brut", 7.87),
        ("Colocation 3 chambres à 430, achat 205 000 tout compris. Brut ?", "Rendement brut", 7.55),
        ("rdt net : 155 000 AEM, 690/mois, 1 150 de foncier, 430 de copro, 130 PNO", "Rendement net", 4.24),
        ("192 000 frais compris, loué 850, TF 1 120, gestion 7 % des loyers, renta nette", "Rendement net", 4.36),
        ("prêt 160 000 fait il y a 6 ans, 1,4 % sur 15 ans, il doit encore combien ?", "Capital restant dû", 99_997.64),
        (
            "prêt de 220 000 souscrit en novembre 2021 à 1,1 % sur 25 ans, il reste combien ?",
            "Capital restant dû",
            180_700.33,
        ),
        ("assurance à 0,34 % du capital initial sur 240 000, par mois ?", "Assurance mensuelle", 68),
        ("loyer 900, mensualité 720, charges 600 par an : cash flow ?", "Cash-flow mensuel avant impôt", 130),
        ("PV : acheté 180 000 en 2012, vente 320 000 en 2026. Forfaits 7,5 et 15", "Plus-value brute", 99_500),
        ("loyer nu 9 600, refait la toiture pour 24 000, part sur le revenu global ?", REPORTED, 10_700),
        ("revenu imposable de 45 000, célibataire, impôt ?", "Impôt sur le revenu", 6_604),
        ("Révision loyer 850 : IRL T2 2025 146,68 et IRL T2 2024 145,17", "Loyer révisé", 858.84),
    ],
)
def test_a_clients_case_is_computed_with_the_roles_its_words_give(text: str, label: str, worth: float) -> None:
    _, values, _ = last(text)
    assert values[label] == pytest.approx(worth, rel=1e-5, abs=0.01)


def test_the_age_of_who_receives_and_a_span_of_years_are_no_donors_age() -> None:
    call, _, _ = last(
        "mère de 70 ans, donne la nue-propriété (300 000) à son fils de 40 ans, rien donné depuis 20 ans : droits ?"
    )
    assert call.arguments["age"] == 70


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        (
            "Airbnb non classé, 11 000 de recettes, TMI 30, impôt en micro ?",
            "En meublé de tourisme non classé au micro",
        ),
        (
            "2 700 et 1 900 nets, apport 30 000, 25 ans à 3,6 %. Budget total ?",
            "Budget total, frais d'acquisition compris",
        ),
        (
            "Revenus 4 000, 500 de crédits, 1 000 de mensualité. Il lui reste combien pour vivre ?",
            "Reste à vivre : 2 500 €",
        ),
        (
            "loyer nu 9 600, 24 000 de travaux : déficit imputé et reporté ?",
            "Déficit foncier imputé sur le revenu global",
        ),
    ],
)
def test_the_result_that_is_asked_for_comes_first(text: str, opens: str) -> None:
    _, _, said = last(text)
    assert said.startswith(opens)
