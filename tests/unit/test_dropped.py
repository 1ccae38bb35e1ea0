"""Slack's file objects as we need them, and what words beside a file ask."""

from typing import Any

import pytest

from bot.conversations.addressing import Candidate, is_question, read_event
from bot.slack.files import dropped_files, megabytes


def _file(**fields: Any) -> dict[str, Any]:
    return {"id": "F1", "name": "bail.pdf", "size": 10, "mode": "hosted", "permalink": "https://s/f"} | fields


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, "pdf"),
        ({"name": "Bail.PDF"}, "pdf"),
        ({"name": "page.htm"}, "html"),
        ({"name": "sans extension", "filetype": "text"}, "txt"),
        ({"name": "notes v1.2", "filetype": "markdown"}, "md"),
        ({"name": "photo.png", "filetype": "png"}, ""),
        ({"name": "archive.pdf.zip"}, ""),
    ],
)
def test_the_kind_comes_from_the_name_else_from_slack(fields: dict[str, Any], kind: str) -> None:
    """The reader looks at the content itself later; here it only decides whether a card is offered."""
    (file,) = dropped_files([_file(**fields)])
    assert file.kind == kind
    assert (file.trouble is None) == bool(kind)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"mode": "external"}, "hors de Slack"),
        ({"mode": "hosted", "is_external": True}, "hors de Slack"),
        ({"mode": "tombstone"}, "supprimé"),
        ({"mode": "hidden_by_limit"}, "forfait"),
        ({"mode": "quip"}, "canevas"),
        ({"file_access": "check_file_info"}, "autre espace"),
        ({"size": 0}, "vide"),
        ({"size": 50_000_001}, "je lis jusqu'à 50 Mo"),
    ],
)
def test_what_cannot_be_added_says_why(fields: dict[str, Any], words: str) -> None:
    """One plain sentence, known before anything is downloaded."""
    (file,) = dropped_files([_file(**fields)])
    assert words in (file.trouble or "")


def test_only_files_with_an_id_count_and_each_once() -> None:
    """What Slack sends twice or half is no second file; a deleted one has neither name nor size."""
    files = dropped_files([_file(), _file(), {"name": "x"}, "bruit", {"id": "F2", "mode": "tombstone"}])
    assert [file.file_id for file in files] == ["F1", "F2"]
    assert files[1].name == "fichier sans nom"


@pytest.mark.parametrize(("size", "shown"), [(1, "1 Ko"), (245_300, "245 Ko"), (1_234_567, "1,2 Mo"), (5e7, "50 Mo")])
def test_sizes_read_as_people_write_them(size: int, shown: str) -> None:
    """Decimal comma, no empty decimal."""
    assert megabytes(size) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Que dit ce règlement ?", "quel est le loyer", "voici le bail. Résume les clauses", "peux-tu comparer",
        "bonjour, combien de lots", "note ce résultat sur le dossier 9001", "Mon client peut-il louer ?",
    ],
)  # fmt: skip
def test_a_question_beside_a_file_is_heard(text: str) -> None:
    """A question mark, or a sentence that opens as a question or a request."""
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    ["", "voici le règlement de copropriété", "pour info", "Règlement 2024, version signée", "le quitus du syndic"],
)
def test_words_that_present_a_file_are_no_question(text: str) -> None:
    """The card answers them."""
    assert not is_question(text)


def test_a_message_event_is_whole_and_a_mention_is_not() -> None:
    """Only the first carries the files, also without any text."""
    event = {"channel": "C1", "ts": "1.1", "user": "U1", "text": "", "files": [_file()], "subtype": "file_share"}
    whole = read_event({"event": {"type": "message", **event}}, bot_user_id="B")
    mention = read_event({"event": {"type": "app_mention", **event, "files": None}}, bot_user_id="B")
    assert isinstance(whole, Candidate)
    assert isinstance(mention, Candidate)
    assert (whole.whole, len(whole.files)) == (True, 1)
    assert (mention.whole, mention.files) == (False, ())
