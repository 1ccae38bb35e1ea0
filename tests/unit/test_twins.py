"""A mention's second event asks nobody once the first is kept in this process."""

import asyncio

from bot.listeners.twins import Twins


async def test_the_second_event_knows_at_once_what_was_kept_before() -> None:
    twins = Twins()
    twins.kept("msg:1")
    assert await twins.wait("msg:1", 0.0)


async def test_it_wakes_when_the_first_is_kept() -> None:
    twins = Twins()
    waiting = asyncio.create_task(twins.wait("msg:1", 60.0))
    await asyncio.sleep(0)
    twins.kept("msg:1")
    assert await waiting


async def test_one_that_never_comes_is_not_waited_for_longer() -> None:
    """The mention is then kept by itself."""
    assert not await Twins().wait("msg:1", 0.0)
