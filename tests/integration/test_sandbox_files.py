"""Files as Slack has them: bytes for the token, permalinks for people, links and remains, and its sign-in page."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from tests.integration.sandbox_rig import MARCHE, Rig, rigged


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with rigged() as ready:
        yield ready


async def _shared(rig: Rig, **file: Any) -> dict[str, Any]:
    ts = await rig.say("", files=[file])
    messages = (await rig.get("messages", channel=MARCHE))["messages"]
    (found,) = next(message["files"] for message in messages if message["ts"] == ts)
    return dict(found)


async def _download(rig: Rig, file: dict[str, Any], *, token: bool = True) -> str:
    headers = {"Authorization": f"Bearer {rig.slack.token}"} if token else {}
    return str((await rig.http.get(file["url_private_download"], headers=headers)).text)


async def test_a_name_of_any_kind_has_addresses_that_work(rig: Rig) -> None:
    """Accents, blanks and slashes; the permalink is for people, who are signed in, the other for the token."""
    file = await _shared(rig, name="état des lieux/v2.txt", text="loyer 900")
    assert await _download(rig, file) == "loyer 900"
    assert "Sign in" in await _download(rig, file, token=False)
    assert (await rig.http.get(file["permalink"])).text == "loyer 900"
    assert " " not in file["permalink"]


async def test_a_refused_download_is_the_sign_in_page_once(rig: Rig) -> None:
    """What an installation without files:read gets; the fault counts down."""
    file = await _shared(rig, name="bail.txt", text="loyer 900")
    await rig.post("faults", files_sign_in=1)
    assert "Sign in" in await _download(rig, file)
    assert await _download(rig, file) == "loyer 900"


@pytest.mark.parametrize("mode", ["tombstone", "hidden_by_limit"])
async def test_what_is_left_of_a_file_has_nothing_but_its_id(rig: Rig, mode: str) -> None:
    """As in Slack's events; files.info knows it no more."""
    file = await _shared(rig, name="bail.pdf", mode=mode)
    assert set(file) == {"id", "mode", "channels", "user_team"}
    with pytest.raises(SlackApiError, match="file_deleted"):
        await rig.slack.files_info(file=file["id"])


async def test_a_link_and_a_size_are_told_as_scripts_ask(rig: Rig) -> None:
    """A file of another service, and one whose announced size is not its real one."""
    assert (await _shared(rig, name="plan", mode="external"))["is_external"] is True
    assert (await _shared(rig, name="énorme.pdf", text="x", size=200_000_000))["size"] == 200_000_000
