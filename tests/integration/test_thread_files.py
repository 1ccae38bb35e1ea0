"""A file of ours stands in a thread once, however long the thread is."""

from bot.slack.delivery import PAGE, ThreadRef
from bot.slack.thread_files import is_there, put
from tests.integration.sandbox_rig import MARCHE, rigged
from tests.integration.test_delivery import slack_at


async def made() -> bytes:
    return b"%PDF-1.4"


async def test_a_file_is_found_behind_a_full_page_of_messages() -> None:
    async with rigged() as rig:
        slack = slack_at(f"{rig.sandbox.options.base_url}/api", str(rig.slack.token))
        root = (await rig.slack.chat_postMessage(channel=MARCHE, text="Question"))["ts"]
        place = ThreadRef(MARCHE, root)
        for number in range(PAGE + 1):
            await rig.slack.chat_postMessage(channel=MARCHE, thread_ts=root, text=f"message {number}")
        assert not await is_there(slack, place, "note.pdf")
        await put(slack, place, "note.pdf", made, title="Note")
        assert await is_there(slack, place, "note.pdf")
        assert not await is_there(slack, place, "autre.pdf")
