"""Bytes become the text that was meant, whatever wrote them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.files.encoding import decoded

TEXT = "Le prêt à taux zéro s'élève à 25 000 € à Nîmes ; « œuvre » comprise.\n" * 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_french_is_read_in_every_usual_encoding(encoding: str) -> None:
    """With a byte order mark and without."""
    assert decoded(TEXT.encode(encoding)) == TEXT


def test_a_short_western_text_is_not_guessed_to_be_asian() -> None:
    """Statistics on few bytes mislead: cp1252 is what French Windows writes."""
    assert decoded("Été à Alès".encode("cp1252")) == "Été à Alès"


def test_old_mac_and_windows_line_ends_become_one() -> None:
    """A carriage return alone ended lines once."""
    assert decoded(b"un\r\ndeux\rtrois") == "un\ndeux\ntrois"


@pytest.mark.parametrize("data", [bytes(range(256)) * 50, b"abc\x00def\x01\x02\x03" * 20, bytes(1000)])
def test_what_is_not_text_is_none(data: bytes) -> None:
    """Control characters are no text."""
    assert decoded(data) is None


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1))
def test_all_utf8_comes_back(text: str) -> None:
    """Decoding loses nothing."""
    assert decoded(text.encode()) == text.removeprefix("\ufeff")


@given(st.binary(max_size=400))
def test_any_bytes_are_a_text_or_none(data: bytes) -> None:
    """Nothing raises."""
    assert decoded(data) is None or isinstance(decoded(data), str)
