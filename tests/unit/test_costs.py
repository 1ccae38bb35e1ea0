"""What an answer's calls cost together."""

from datetime import date

import pytest

from pipeline.metering.costs import Price, known_prices, own_prices, price_of, total
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


def test_each_built_in_price_has_its_day_and_its_source() -> None:
    """Prices change within months: one that does not say when it was read is worth nothing."""
    for name, price in known_prices().items():
        assert date(2026, 1, 1) <= (price.as_of or date.min) <= date(2027, 12, 31), name
        assert price.source, name
        assert 0 < price.input <= price.output, name


def test_a_price_is_found_by_name_and_never_guessed() -> None:
    """A dated version has its model's price; another model has none; the firm's own prices go first."""
    assert price_of("gpt-4.1-mini") == price_of("gpt-4.1-mini-2025-04-14")
    assert price_of("gpt-4.1-mini-turbo") is None
    assert price_of("gpt-4.1-mini", {"gpt-4.1-mini": Price(1.0, 2.0)}) == Price(1.0, 2.0)
    assert Price(1.0, 2.0).of(500_000, 250_000) == 1.0


def test_own_prices_are_read_in_french() -> None:
    """Decimal commas; a name may hold about anything."""
    found = own_prices("mon-modele=0,4/1,6 ; org/autre:7b = 0/0")
    assert found == {"mon-modele": Price(0.4, 1.6), "org/autre:7b": Price(0.0, 0.0)}


@pytest.mark.parametrize("text", ["gpt", "gpt=1", "gpt=1/x", "=1/2", "gpt=-1/2", "gpt=nan/1", "gpt=inf/1"])
def test_a_wrong_price_is_refused(text: str) -> None:
    """Rather than taken for free."""
    with pytest.raises(ValueError):  # noqa: PT011
        own_prices(text)
