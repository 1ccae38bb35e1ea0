"""Which messages of a thread are read behind those before them, and which are a sum then."""

from dataclasses import replace

import pytest

from pipeline.reading import Intent, Quantity, Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.understanding.offline.behind import asks_behind, hardly_a_sum, lines_behind

BEFORE = "usufruitier de 67 ans, quel pourcentage ?"
RULE = ThreadState(frames=(Frame("rules", query=BEFORE),), intents=("rules",), said=(BEFORE,))
AGE = Quantity(67, "years", "67 ans", 15, role="age")
HOME = Quantity(380_000, "", "380 000", 28, role="amount")


def message(text: str, main: Intent = "rules", **more: object) -> Reading:
    return replace(Reading(text=text, intents=((main, 0.9),)), **more)  # type: ignore[arg-type]


ASKED = message("donc la nue-propriété d'un bien de 380 000 ?", quantities=(HOME,))
DIVORCE = message("et si c'était un divorce ?", act="change", options=frozenset(("couple_ends",)))


@pytest.mark.parametrize("reading", [ASKED, DIVORCE, message("et ça lui coûte combien ?", "calc_gain")])
def test_what_may_belong_to_a_sum_is_read_behind_the_rule(reading: Reading) -> None:
    assert list(lines_behind(reading, RULE)) == [f"{BEFORE} {reading.text}"]


@pytest.mark.parametrize(
    ("reading", "state"),
    [
        (message("et c'est prévu où ?"), RULE),
        (replace(ASKED, text="il peut encore donner 380 000 ?"), RULE),  # asks a rule
        (replace(ASKED, text=f"{ASKED.text} {'mot ' * 20}"), RULE),  # says itself what it asks
        (replace(DIVORCE, text="divorce : qui paie ?"), RULE),
        (ASKED, replace(RULE, frames=(Frame("calc_gain"),))),  # the thread's own sum takes it
        (ASKED, replace(RULE, intents=("calc_gain",))),
        (ASKED, ThreadState()),
        (replace(ASKED, deal_id="9001"), RULE),
    ],
)
def test_anything_else_is_read_alone(reading: Reading, state: ThreadState) -> None:
    assert not list(lines_behind(reading, state))


def whole(reading: Reading, *, sure: float = 0.97, options: tuple[str, ...] = ("usufruct",)) -> tuple[Reading, str]:
    line = f"{BEFORE} {reading.text}"
    told = (AGE, replace(HOME, start=len(BEFORE) + 1 + HOME.start))
    return Reading(text=line, intents=(("calc_gain", sure),), quantities=told, options=frozenset(options)), line


def test_both_together_are_a_sum_where_the_message_has_its_part_in_it() -> None:
    both, line = whole(ASKED)
    assert asks_behind(both, ASKED, line)
    assert asks_behind(whole(ASKED, sure=0.85)[0], ASKED, line)
    assert not asks_behind(whole(ASKED, sure=0.7)[0], ASKED, line)
    elsewhere = replace(both, quantities=(AGE, replace(HOME, start=3)))  # told before, and not in the message
    assert not asks_behind(elsewhere, ASKED, line)


def test_a_switch_makes_a_sum_where_it_contradicts_none_before_it() -> None:
    told = replace(whole(DIVORCE)[0], quantities=(AGE, replace(HOME, start=0)))
    line = f"{BEFORE} {DIVORCE.text}"
    assert asks_behind(told, DIVORCE, line)
    assert not asks_behind(replace(told, intents=(("calc_gain", 0.9),)), DIVORCE, line)
    for rivals in (("couple_ends", "not_couple"), ("relation_niece", "relation_sibling")):
        assert not asks_behind(replace(told, options=told.options | set(rivals)), DIVORCE, line)


LOT = message(
    "pour un budget de 48 000 et un lot de 85/1 000, elle paie combien ?",
    quantities=(
        Quantity(48_000, "€", "48 000", 18, role="purchase_price"),
        Quantity(1_000, "", "1 000", 43, role="rent"),
    ),
)


def test_a_sum_that_is_unsure_and_that_nothing_prepares_is_read_again() -> None:
    unsure = replace(LOT, intents=(("calc_yield", 0.7),))
    assert hardly_a_sum(unsure, RULE)
    assert not hardly_a_sum(replace(LOT, intents=(("calc_yield", 0.9),)), RULE)
    assert not hardly_a_sum(replace(unsure, quantities=()), RULE)
    yields = Frame("calc_yield", slots={"rent": (AGE,)})
    assert not hardly_a_sum(unsure, replace(RULE, frames=(yields, *RULE.frames)))
    assert not hardly_a_sum(unsure, replace(RULE, frames=(*RULE.frames, Frame("calc_loan"))))
