"""Which words of a message ask for a rule beside its sum."""

import pytest

from pipeline.understanding.offline.rule_beside import pieces, rule_beside
from pipeline.understanding.situations import asks

SALE = "vendu 300 000, acheté 180 000 il y a 12 ans : quel impôt sur la plus-value, {}"


@pytest.mark.parametrize(
    "rule",
    [
        "et qui dépose la déclaration ?",
        "et on a combien de temps pour la payer ?",
        "et c'est quel article ?",
        "et sur quel imprimé il le déclare ?",
    ],
)
def test_the_words_that_ask_for_a_rule_are_found(rule: str) -> None:
    text = SALE.format(rule)
    assert rule_beside(text, text) == (rule, SALE.format("").rstrip())


@pytest.mark.parametrize(
    "text",
    [
        "mensualité pour 200 000 sur 20 ans à 3,5, et combien coûtent les intérêts ?",
        "loyer 640, prix 145 000, charges 900 : rendement net ?",
        "et c'est quel article ?",
        "",
    ],
)
def test_none_is_found_where_a_message_asks_for_one_thing_or_for_sums(text: str) -> None:
    assert rule_beside(text, text) == ("", text)


def test_what_is_left_may_ask_nothing() -> None:
    """A rule behind a client's figures: there is no sum beside it."""
    text = "vendu 300 000, acheté 180 000 il y a 12 ans, il a combien de temps pour déclarer ?"
    _, rest = rule_beside(text, text)
    assert not asks(rest)
    assert asks("quel impôt, acheté 180 000")
    assert asks("vendu 300 000. Combien d'impôt")


def test_pieces_are_cut_where_one_more_thing_may_be_asked() -> None:
    assert pieces("Combien d'impôt ? Et qui paie, puis quand ? Merci") == (
        "Combien d'impôt ?",
        "Et qui paie",
        "puis quand ?",
    )
