"""A calculation asked again with something else: what is changed, what is asked of it, and what that changes."""

import pytest

from tests.calculating import computed, last

GAP = "Écart avec le calcul précédent"


@pytest.mark.parametrize(
    ("messages", "argument", "value"),
    [
        (("coût total d'un prêt de 172 000 à 3,1 sur 18 ans", "et la mensualité ?"), "wanted", "instalment"),
        (("mensualité de 172 000 à 3,1 sur 18 ans", "et au total ?"), "wanted", "cost"),
        (
            ("138 000 tout compris loué 640, charges 900, nu, tmi 30 : net-net ?", "avec un loyer de 690, brut ?"),
            "wanted",
            "gross",
        ),
        (
            ("vendu 310 000, acheté 205 000, détenu 8 ans : impôt de plus-value ?", "et dans 4 ans ?"),
            "holding_years",
            12,
        ),
        (("usufruit d'une dame de 66 ans sur 180 000 ?", "pour un bien de 220 000"), "amount", 220_000),
        (
            ("quel loyer pour 6 % brut sur 120 000 tout compris ?", "et si le prix est de 132 000 ?"),
            "total_cost",
            132_000,
        ),
        (("donation de 350 000 d'une mère à ses 2 enfants : droits ?", "et s'ils sont quatre ?"), "heirs", 4),
    ],
)
def test_what_a_later_message_asks_of_the_same_calculation(
    messages: tuple[str, ...], argument: str, value: object
) -> None:
    call, *_ = last(*messages)
    assert call.arguments[argument] == value


def test_the_duties_are_asked_of_the_usufruct_that_was_told() -> None:
    turns = ("un père de 58 ans donne la nue-propriété d'un bien de 260 000 à son fils : sa valeur ?",)
    call, *_ = last(*turns, "et quels droits pour cette donation ?")
    assert (call.arguments["kind"], call.arguments["amount"], call.arguments["age"]) == ("duties", 260_000, 58)
    call, *_ = last(*turns, "et quels droits pour cette donation ?", "et s'il avait 63 ans ?")
    assert call.arguments["age"] == 63


def test_an_indemnity_is_asked_of_the_loan_that_was_told() -> None:
    call, values, _ = last("prêt 160 000, 15 ans, 1,9 %, capital restant dû après 5 ans ?", "et l'IRA à ce moment-là ?")
    assert call.arguments["kind"] == "early_repayment"
    assert values["Indemnité au plus"] == pytest.approx(values["Capital restant dû"] * 0.0095, abs=0.02)


def test_a_rule_says_of_which_regime_the_next_sum_is() -> None:
    call, *_ = last("quel est l'abattement du micro-foncier ?", "donc avec 7 200 de loyers, tranche à 11 ?")
    assert call.arguments["furnished"] is False
    assert call.arguments["wanted"] == "micro"


def test_what_a_changed_input_changes_is_told_behind_the_new_result() -> None:
    _, values, said = last("mensualité de 205 000 sur 20 ans à 3,5 ?", "et à 3,2 ?")
    assert values[GAP] == pytest.approx(31.36, abs=0.01)
    assert said.startswith("Mensualité : 1 157,56 €")
    assert f"{GAP} : 31,36 € par mois de moins, soit 1 157,56 € au lieu de 1 188,92 €." in said


def test_what_it_changes_comes_first_where_that_is_asked_and_only_there() -> None:
    turns = ("mensualité de 205 000 sur 20 ans à 3,5 ?", "si le taux tombe à 3,2, ça change quoi par mois ?")
    assert last(*turns)[2].startswith(f"{GAP} : 31,36 € par mois de moins")
    assert last(*turns, "et sur 22 ans ?")[2].startswith("Mensualité")


def test_another_calculation_is_no_change_of_the_last_one() -> None:
    call, values, _ = last("rendement brut de 150 000 tout compris loué 700", "et un autre à 172 000 loué 790")
    assert GAP not in values
    assert "earlier" not in call.arguments


def test_ones_own_sum_needs_no_article() -> None:
    """A word of another subject beside it, « loué », sends to no rule."""
    ((route, _, _),) = computed("je revends 265 000 une maison louée payée 198 000 il y a 9 ans, impôt total ?")
    assert route.mode == "tools"


@pytest.mark.parametrize(
    ("messages", "arguments"),
    [
        (("mensualité max avec 3 900 de revenus ?", "à 3,2 sur 22 ans il emprunte combien au total ?"),
         {"kind": "capacity", "rate": 3.2, "months": 264}),
        (("achat 118 000 tout compris, loyer 590 : brut ?", "il est à 11 %, net-net en LMNP micro ?"),
         {"kind": "yield", "tmi": 11.0, "furnished": True, "wanted": "net_net"}),
        (("frais de notaire pour 190 000 dans l'ancien", "et si c'est un neuf"),
         {"kind": "fees", "new": True, "transfer_rate": None}),
        (("soulte maison 280 000 crédit 70 000 divorce", "et s'ils n'étaient pas mariés ?"),
         {"amount": 280_000, "debt": [70_000]}),
        (("célibataire, 44 000 imposables, un enfant : impôt ?", "et avec un deuxième enfant ?", "et la TMI ?"),
         {"parts": 2, "wanted": None}),
        (("loyers nus 9 600, charges 2 400, tmi 30 : micro ou réel ?", "et à 11 ?"), {"tmi": 11.0, "wanted": None}),
        (("loyers nus 9 600, charges 2 400, tmi 30 : micro ou réel ?", "et au réel seul ?"), {"wanted": "real"}),
        (("capital restant dû de 140 000 sur 12 ans à 2 %, après 4 ans ?", "s'il le rembourse, quelle pénalité ?"),
         {"kind": "early_repayment", "after_months": 48}),
        (("mensualité de 140 000 à 3 sur 15 ans", "total du crédit ?"), {"wanted": "cost"}),
    ],
)  # fmt: skip
def test_a_thread_s_sum_goes_on(messages: tuple[str, ...], arguments: dict[str, object]) -> None:
    call, *_ = last(*messages)
    assert {name: call.arguments.get(name) for name in arguments} == arguments


def test_an_unmarried_couple_pays_the_common_duty() -> None:
    turns = ("soulte maison 280 000 crédit 70 000 divorce", "et s'ils n'étaient pas mariés ?")
    assert last(*turns[:1])[1]["Montant du droit de partage"] == 2_310
    assert last(*turns)[1]["Montant du droit de partage"] == 5_250


def test_the_difference_that_is_asked_is_told_first_and_the_earlier_gap_is_no_case() -> None:
    _, _, said = last("prêt 150 000 sur 15 ans à 3", "et à 3,4 ?", "et à 3,2 ?", "quelle différence de coût ?")
    assert said.startswith("Écart de coût total du crédit :")
    assert "calcul précédent" not in said


def test_a_down_payment_that_comes_later_is_borrowed_no_more() -> None:
    call, *_ = last("prêt de 240 000 à 3,2 sur 20 ans, coût total ?", "et s'il met 30 000 d'apport ?")
    assert call.arguments["loan_amount"] == 210_000
    assert "down_payment" not in call.arguments


def test_of_a_price_the_down_payment_is_taken_off_once() -> None:
    call, *_ = last(
        "prix d'achat 240 000, frais 18 000, prêt sur 20 ans à 3,2 : mensualité ?", "et avec 30 000 d'apport ?"
    )
    assert (call.arguments["purchase_price"], call.arguments["down_payment"]) == (240_000, 30_000)


def test_duties_follow_a_usufruct_without_the_word_for_a_gift() -> None:
    call, *_ = last("usufruit à 69 ans sur 320 000 ?", "la nue-propriété alors ?", "et les droits pour son fils ?")
    assert (call.arguments["kind"], call.arguments["amount"], call.arguments["relation"]) == (
        "duties", 320_000, "child",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("messages", "arguments"),
    [
        (("elle donne 60 000 à chacun de ses 2 enfants, droits ?", "et si elle donnait 120 000 chacun ?"),
         {"amount": 240_000, "heirs": 2}),
        (("capital restant dû de 260 000 sur 25 ans à 1,7 après 36 mensualités", "et après 96 ?"),
         {"loan_amount": 260_000, "after_months": 96}),
        (("il gagne 3 100 et a 400 de crédit, capacité sur 20 ans à 3,2 ?", "s'il finit son crédit de 400 avant ?"),
         {"debts_monthly": None}),
    ],
)  # fmt: skip
def test_what_is_said_of_each_in_its_own_unit_or_is_over(
    messages: tuple[str, ...], arguments: dict[str, object]
) -> None:
    call, *_ = last(*messages)
    assert {name: call.arguments.get(name) for name in arguments} == arguments


def test_the_gap_is_that_of_the_result_which_opens() -> None:
    """Of 250 000 as well: the usufruct."""
    _, values, _ = last("nue-propriété d'un bien de 500 000 à 63 ans ?", "et à 57 ans ?")
    assert values[GAP] == 50_000
    assert "au lieu de 300 000 €" in last("nue-propriété d'un bien de 500 000 à 63 ans ?", "et à 57 ans ?")[2]


def test_a_comparison_begins_with_what_the_thread_asked() -> None:
    turns = ("intérêts totaux d'un prêt de 130 000 à 3 sur 15 ans ?", "et sur 20 ans", "donc combien de plus ?")
    assert last(*turns)[2].startswith("Écart de coût total du crédit")


def test_a_supposition_changes_the_sum_of_the_thread() -> None:
    turns = ("soulte entre concubins, maison 240 000, crédit 40 000", "et s'ils étaient mariés et divorçaient ?")
    assert last(*turns)[0].arguments["couple_ends"] is True


def test_an_insurance_that_is_added_moves_no_capital() -> None:
    call, *_ = last("mensualité pour 133 000 à 3,2 % sur 18 ans ?", "avec une assurance de 31 par mois en plus ?")
    assert (call.arguments["loan_amount"], call.arguments["insurance_monthly"]) == (133_000, 31)


def test_an_indemnity_is_asked_of_who_pays_off() -> None:
    turns = ("prêt de 90 000 sur 10 ans à 2 %, capital restant dû au bout de 3 ans ?", "et l'indemnité s'il solde là ?")
    assert last(*turns)[0].arguments["kind"] == "early_repayment"


def test_a_small_share_is_the_insurance_s_in_a_capacity_too() -> None:
    call, *_ = last("4 700 nets, ils visent 230 000 sur 25 ans à 3,4 et l'assurance est à 0,3 % : taux d'endettement ?")
    assert (call.arguments["rate"], call.arguments["insurance_rate"]) == (3.4, 0.3)
