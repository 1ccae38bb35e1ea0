"""What an answer's calls cost together."""

from pipeline.costs import total
from pipeline.types import Usage


def test_every_call_of_an_answer_is_counted() -> None:
    """The reading of the question and a rejected draft were paid for too."""
    spent = total(Usage("large", 100, 20, 0.02), Usage("large", 90, 10, 0.01), Usage("small", 10, 5, 0.001))
    assert (spent.model, spent.prompt_tokens, spent.completion_tokens) == ("large", 200, 35)
    assert spent.euros is not None
    assert round(spent.euros, 6) == 0.031


def test_a_call_without_a_price_leaves_the_sum_unknown() -> None:
    """A partial sum would pass for the whole; a call that never happened has no say."""
    assert total(Usage("large", 100, 20, 0.02), Usage("new", 10, 5)).euros is None
    assert total(Usage("large", 100, 20, 0.02), Usage("")).euros == 0.02
    assert total(Usage("extractif")).euros is None
