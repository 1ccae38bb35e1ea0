"""The card of a dropped file and the list of sources: what they say in each state, and that a name stays a name."""

from typing import Any

import pytest

from bot.slack.blocks.answers import answer_blocks
from bot.slack.blocks.sources import SHOWN, read_metadata, sources_view
from bot.slack.blocks.uploads import STATES, file_blocks, file_text

ROW: dict[str, Any] = {
    "source_id": "file:abc", "team_id": "T1", "kind": "pdf", "name": "bail.pdf", "url": "https://slack/bail.pdf",
    "audience": "channel:C1", "state": "offered", "added_by": "U1", "added_at": "2026-11-21T10:00:00+00:00",
    "decided_by": None, "decided_at": None, "channel": "C1", "channel_type": "channel", "thread_ts": "1.1",
    "size": 2_400_000, "pages": None, "passages": 0, "skipped": None, "reason": None, "removed_by": None,
    "removed_at": None,
}  # fmt: skip
READY = ROW | {"state": "ready", "decided_by": "U2", "decided_at": "2026-11-21T10:05:00+00:00", "passages": 41}


def _buttons(row: dict[str, Any]) -> dict[str, Any]:
    return {e["action_id"]: e for b in file_blocks(row) if b["type"] == "actions" for e in b["elements"]}


def test_an_offer_says_what_it_is_and_carries_only_an_opaque_id() -> None:
    """Name, kind, weight; three buttons, each with the source's id and nothing else."""
    text = str(file_blocks(ROW))
    assert "<https://slack/bail.pdf|bail.pdf>* · PDF · 2,4 Mo" in text
    buttons = _buttons(ROW)
    assert list(buttons) == ["file_here", "file_team", "file_decline"]
    assert {button["value"] for button in buttons.values()} == {"file:abc"}
    assert "confirm" not in buttons["file_team"]


@pytest.mark.parametrize("kind", ["im", "group", "mpim", "something new"])
def test_a_private_place_offers_itself_first_and_confirms_the_rest(kind: str) -> None:
    """An unknown kind of conversation counts as private."""
    buttons = _buttons(ROW | {"channel_type": kind})
    assert buttons["file_here"]["text"]["text"] == "Ici seulement"
    assert "conversation privée" in buttons["file_team"]["confirm"]["text"]["text"]
    assert "privée" in str(file_blocks(ROW | {"channel_type": kind}))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pages": 12}, "12 pages, 41 passages"),
        ({"pages": 1, "passages": 1}, "1 page, 1 passage."),
        ({"kind": "xlsx", "pages": 3}, "3 feuilles"),
        ({"skipped": ["La page 4 est une image."]}, "• La page 4 est une image."),
        ({"skipped": [f"point {n}" for n in range(9)]}, "et 3 autres points"),
        ({"audience": "public"}, "toute l'équipe"),
        ({"channel_type": "im"}, "ce message direct"),
        ({"reason": "Le retrait n'a pas abouti"}, ":warning: Le retrait"),
    ],
)
def test_an_added_file_says_what_was_read_for_whom_by_whom(changes: dict[str, Any], words: str) -> None:
    """Pages, passages, what was left out; who and when in Paris; and the way back."""
    text = str(file_blocks(READY | changes).copy())
    assert words in text
    assert "Ajouté par <@U2> le 21/11/2026 à 11\\u202fh\\u202f05" in text
    assert list(_buttons(READY | changes)) == ["file_remove"]


@pytest.mark.parametrize("state", STATES)
def test_every_state_has_its_words(state: str) -> None:
    """None falls through to its internal name, in the card or in the notification."""
    row = READY | {"state": state, "reason": "Raison.", "removed_by": "U1", "removed_at": READY["decided_at"]}
    assert f" - {STATES[state]}" in file_text(row)
    assert f"\n{state}'" not in str(file_blocks(row))


def test_a_duplicate_whose_original_is_gone_says_so() -> None:
    """It promises no passages that are not there."""
    assert "retiré depuis" in str(file_blocks(READY | {"state": "duplicate", "reason": "file:x"}, twin=None))


def test_a_file_name_pings_nobody_and_makes_no_link() -> None:
    """What a person called the file is text, in the card, in its notification, in the list and in its question."""
    row = READY | {"name": "<!channel> <@U9> <https://mal.example|bail>.pdf", "url": "https://slack/f"}
    shown = str([file_blocks(row), file_text(row), _view([row], removable=frozenset({"file:abc"}))])
    assert "<!channel>" not in shown
    assert "<@U9>" not in shown
    assert "<https://mal" not in shown


def _view(rows: list[dict[str, Any]], *, words: str = "", removable: frozenset[str] = frozenset()) -> dict[str, Any]:
    return sources_view(rows, channel="C1", words=words, total=len(rows), built_in=17, removable=removable)


def test_the_list_fits_a_modal_and_says_what_it_leaves_out() -> None:
    """Slack takes 100 blocks; the rest is found by searching."""
    view = _view([READY] * (SHOWN + 5))
    assert len(view["blocks"]) <= 100
    assert "et 5 autres" in str(view["blocks"])
    assert "17 articles datés" in str(view["blocks"][-1])


def test_the_list_counts_what_an_administrator_added() -> None:
    """Nothing of it when there is none."""
    told = sources_view([], channel="C1", words="", total=0, built_in=17, removable=frozenset(), by_command=2)
    assert "2 fichiers ajoutés en ligne de commande" in str(told["blocks"][-1])
    assert "ligne de commande" not in str(_view([])["blocks"][-1])


def test_only_who_may_remove_sees_the_button() -> None:
    """With its question before."""
    assert "source_withdraw" not in str(_view([READY]))
    assert "Retirer cette source" in str(_view([READY], removable=frozenset({"file:abc"})))


def test_an_empty_list_says_how_to_fill_it_and_remembers_its_place() -> None:
    """The place travels in the view, which Slack signs."""
    view = _view([], words="bail")
    assert "Déposez un fichier" in str(view["blocks"])
    assert read_metadata(view) == ("C1", "bail")
    assert read_metadata({"private_metadata": "{abîmé"}) == ("", "")


def test_only_a_files_own_link_may_leave_https() -> None:
    """Its permalink comes from Slack, here on this machine; any other source's address needs a certificate."""
    citation = {"kind": "passage", "title": "T", "quote": "", "as_of": None, "url": "http://127.0.0.1:8080/f"}
    record = {
        "citations": [citation | {"id": 1}, citation | {"id": 2, "title": "U"}],
        "evidence": [{"id": 1, "source": "passage:file:abc#0"}, {"id": 2, "source": "passage:page:def#0"}],
    }
    shown = str(answer_blocks({"text": "x", "record": record}))
    assert "[1] <http://127.0.0.1:8080/f|T> · fichier ajouté par votre équipe" in shown
    assert "[2] U" in shown
