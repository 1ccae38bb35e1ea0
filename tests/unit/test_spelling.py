"""Words one letter away from a known one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.communes.spelling import by_shortening, nearest, one_edit


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("foncie", "foncier", True),
        ("pinnel", "pinel", True),
        ("marsielle", "marseille", True),
        ("passoire", "passoire", False),
        ("pinel", "tunnel", False),
        ("", "a", True),
        ("ab", "ba", True),
        ("abc", "cba", False),
    ],
)
def test_one_edit(first: str, second: str, expected: bool) -> None:
    """Added, dropped, changed or swapped: one edit. Equal words and two edits are not."""
    assert one_edit(first, second) is expected
    assert one_edit(second, first) is expected


def test_two_equally_near_words_give_none() -> None:
    """A tie is not guessed."""
    table = by_shortening(["cannes", "vannes"])
    assert nearest("annes", table) is None
    assert nearest("cannse", table) == "cannes"


@given(st.text("abc", min_size=1, max_size=8), st.text("abc", max_size=8))
def test_the_table_finds_what_one_edit_says(known: str, said: str) -> None:
    """The lookup loses no word one edit away."""
    assert (nearest(said, by_shortening([known])) == known) is one_edit(said, known)
