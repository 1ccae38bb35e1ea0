"""Plays scenes as people would: says, waits for the whole answer, clicks; the open page is led along."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sandbox.asked import Asked, Control
from sandbox.demo.scenes import Scene, Step, named, read
from sandbox.slack import acts, clicks
from sandbox.slack.form_values import elements
from sandbox.slack.state import Channel, Json, User
from sandbox.slack.world import World
from sandbox.wrong import Wrong

PATIENCE_S: Final = 60.0
TYPING_S: Final = 1.8
READING_S: Final = 5.0
BUSY: Final = "Arrêter"
"""The label of the button that stands under what is not yet an answer."""


@dataclass(slots=True)
class _Place:
    world: World
    scene: Scene
    user: User
    channel: Channel
    thread: str = ""
    last: str = ""

    def bot_messages(self) -> list[Json]:
        """Of the thread, after what was said or clicked last."""
        bot = self.world.workspace.app.user_id
        return [
            message
            for ts, message in self.channel.messages.items()
            if message.get("thread_ts") == self.thread and message.get("user") == bot and ts > self.last
        ]

    def lead(self, *, typed: str = "", home: bool = False) -> None:
        """Takes every open page there."""
        where = {"home": "1"} if home else {"channel": self.channel.id, "thread": self.thread}
        told = {"user": self.user.id, "caption": self.scene.caption, "typed": typed, **where}
        self.world.hub.publish("demo", **told)


async def play(asked: Asked) -> Json:
    """One scene, with `pause` seconds after each step; told once its last answer stands, with where that is."""
    scene, pause = named(read(), asked.text("scene")), asked.values.get("pause", 0)
    if not isinstance(pause, int | float) or not 0 <= pause <= PATIENCE_S:
        raise Wrong(f"« pause » est un nombre de secondes, {PATIENCE_S:.0f} au plus.")
    return await _play(asked.control, scene, pause=pause)


async def play_all(control: Control) -> None:
    """Every scene at a reader's pace; begins once a page is open, and says on the terminal what it plays."""
    await control.world.hub.followed()
    for scene in read():
        print(f"▶ {scene.caption}", flush=True)
        try:
            await _play(control, scene, pause=READING_S)
        except Wrong as wrong:
            print(f"  {wrong.sentence}", flush=True)
    control.world.hub.publish("demo", caption="")


async def _play(control: Control, scene: Scene, *, pause: float) -> Json:
    called = Asked(control, {"user": scene.user, "channel": scene.channel})
    user, channel = called.place()
    place = _Place(control.world, scene, user, channel)
    for step in scene.steps:
        if pause:
            place.lead(typed=step.text)
            await asyncio.sleep(min(pause, TYPING_S))
        await _take(place, step)
        await asyncio.sleep(pause)
    return {"channel": channel.id, "thread_ts": place.thread, "user": user.id, "home": scene.steps[-1].home}


async def _take(place: _Place, step: Step) -> None:
    if step.home:
        acts.open_tab(place.world, place.user, "home")
        await _until(place.world, lambda: place.user.id in place.world.workspace.homes, "l'accueil")
        place.lead(home=True)
        return
    if step.text:
        _say(place, step.text)
    else:
        await _click(place, step.button)
    place.lead()
    await _until(place.world, lambda: _answered(place), "une réponse")
    if step.picture:
        await _until(place.world, lambda: _pictured(place), "une image")


def _say(place: _Place, text: str) -> None:
    wire = text.replace("@QuartierScope", f"<@{place.world.workspace.app.user_id}>")
    said = acts.say(place.world, place.user, place.channel, wire, thread_ts=place.thread or None)
    place.last = said["ts"]
    place.thread = place.thread or said["ts"]


async def _click(place: _Place, label: str) -> None:
    place.last = place.thread
    await _until(place.world, lambda: _button(place, label) is not None, f"un bouton « {label} »")
    found = _button(place, label)
    assert found is not None
    ts, click = found
    messages, before = place.channel.messages, place.channel.messages[ts]["blocks"]
    await clicks.on_message(place.world, place.user, place.channel, ts, click)
    await _until(place.world, lambda: messages[ts]["blocks"] != before or max(messages) > ts, "un effet")


def _button(place: _Place, label: str) -> tuple[str, clicks.Click] | None:
    """The lowest one of that label in the thread."""
    for message in reversed(place.bot_messages()):
        for block, element in elements(message.get("blocks", [])):
            if _label(element) == label:
                return message["ts"], clicks.Click(element["action_id"], element.get("value"), block["block_id"])
    return None


def _label(element: Json) -> str:
    text = element.get("text")
    return str(text.get("text", "")) if isinstance(text, dict) else ""


def _answered(place: _Place) -> bool:
    """Something stands there, and nothing of it is still being made."""
    messages = place.bot_messages()
    growing = any(message.get("streaming_state") == "in_progress" for message in messages)
    busy = any(_label(element) == BUSY for message in messages for _, element in elements(message.get("blocks", [])))
    return bool(messages) and not growing and not busy


def _pictured(place: _Place) -> bool:
    """The picture, and the table of its figures, which comes after it."""
    messages = place.bot_messages()
    tables = (block for message in messages for block in message.get("blocks", []) if block["type"] == "table")
    return any(message.get("files") for message in messages) and any(tables)


async def _until(world: World, look: Callable[[], bool], what: str) -> None:
    """Looks whenever something has changed. Raises `Wrong` when it does not come."""
    try:
        async with asyncio.timeout(PATIENCE_S), contextlib.aclosing(world.hub.stream()) as changes:
            async for _ in changes:
                if look():
                    return
    except TimeoutError:
        raise Wrong(f"Le bot n'a pas donné {what} en {PATIENCE_S:.0f} s.", status=504) from None
