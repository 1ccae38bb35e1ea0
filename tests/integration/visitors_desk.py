"""The bot's own app and jobs in this process, against the sandbox: everything real but the engine, which runs a job
when it is told to. What any visitor says, clicks, types or submits goes over the wire."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from slack_sdk.web.async_client import AsyncWebClient

from bot.engine import Engine
from bot.engine.steps import PATIENCE, StepFunction
from bot.jobs import Services, jobs_of
from bot.ports import JobName
from bot.runtime.app import build_app
from bot.settings import Settings
from bot.store.tables import Row
from bot.wiring import build_services
from sandbox.options import environment
from sandbox.slack import acts, clicks, payloads
from sandbox.slack.delivery import Reply
from sandbox.slack.form_values import state_values
from sandbox.slack.state import Channel, Json, User
from tests.beginnings import indexed, migrated
from tests.integration.sandbox_rig import Rig, in_socket_mode, rigged

TEAM = "T0AUBRAC1"


@dataclass
class Queue:
    """Stands where the engine and its steps stand: keeps what is enqueued, runs a step once."""

    waiting: list[tuple[JobName, str]] = field(default_factory=list)

    def enqueue(self, _connection: object, name: JobName, subject: str, _partition: str, /) -> None:
        self.waiting.append((name, subject))

    async def __call__(self, _name: str, function: StepFunction, subject: str, /, *, patience: float = PATIENCE) -> Any:
        return await function(subject)

    alone = __call__


@dataclass
class VisitorsDesk:
    """`everybody`: who may act, by what they are here."""

    rig: Rig
    services: Services
    queue: Queue
    everybody: dict[str, User]

    def channel(self, key: str) -> Channel:
        return self.rig.sandbox.world.workspace.channels[key]

    async def say(self, who: str, where: str, text: str, *, files: list[Json] | None = None) -> str:
        """The message's ts, once what it led to has run; `@bot` is written as the mention."""
        world, user, channel = self.rig.sandbox.world, self.everybody[who], self.channel(where)
        said = text.replace("@bot", f"<@{world.workspace.app.user_id}>")
        if user.is_bot:
            message = acts.say_as_bot(world, channel, user.name, said)
        else:
            message = acts.say(world, user, channel, said, attached=files)
        while under_way := list(world.outbox._tasks):
            await asyncio.gather(*under_way)
        await self.work()
        return str(message["ts"])

    async def click(self, who: str, where: str, message: Json, action_id: str, *, run: bool = True) -> Reply:
        """`run`: also the jobs that it leads to; else they are dropped."""
        world, user, channel = self.rig.sandbox.world, self.everybody[who], self.channel(where)
        block = next(b for b in message["blocks"] for e in b.get("elements", ()) if e.get("action_id") == action_id)
        click = clicks.Click(action_id=action_id, block_id=block["block_id"])
        reply, _stale = await clicks.on_message(world, user, channel, str(message["ts"]), click)
        if not run:
            self.queue.waiting.clear()
        await self.work()
        return reply

    async def type(self, who: str, where: str, text: str) -> Reply:
        """`/quartier` with these words."""
        world = self.rig.sandbox.world
        return await acts.command(world, self.everybody[who], self.channel(where), "/quartier", text)

    async def submit(self, who: str, view: Json, **values: Any) -> Json:
        """Sends a modal in, also one that is open for somebody else; what the app answered."""
        world, user = self.rig.sandbox.world, self.everybody[who]
        view["state"] = {"values": state_values(view["blocks"], values)}
        payload = {"type": "view_submission", **payloads.actor(world, user), **payloads.trigger(world, user)}
        reply = await world.outbox.ask("interactive", payload | {"view": view, "response_urls": []})
        assert reply.acked
        return reply.body if isinstance(reply.body, dict) else {}

    async def work(self) -> None:
        """Every job to its end."""
        jobs = jobs_of(self.services)
        while self.queue.waiting:
            name, subject = self.queue.waiting.pop(0)
            await jobs[name].run(self.queue, subject)

    async def rows(self, query: str, *values: object) -> list[Row]:
        return await self.services.database.read(
            lambda c: [dict(row) for row in c.exec_driver_sql(query, values).mappings()]
        )

    def modal(self, who: str) -> Json | None:
        """What is open for somebody, taken away."""
        stack = self.rig.sandbox.world.workspace.modals.pop(self.everybody[who].id, [])
        return stack[-1] if stack else None

    def replies(self, where: str, ts: str) -> list[Json]:
        """The bot's own messages in the thread, those for one person alone included."""
        bot = self.rig.sandbox.world.workspace.app.bot_id
        return [m for m in self.channel(where).thread(ts) if m.get("bot_id") == bot]

    def whispers(self, who: str, where: str) -> list[str]:
        """What this person alone sees there, oldest first."""
        mine = [m for m in self.channel(where).messages.values() if m.get("ephemeral_to") == self.everybody[who].id]
        return [f"{m.get('text')} {m.get('blocks')}" for m in mine]

    def asked_of_hubspot(self) -> int:
        """The number of the last request to HubSpot; the log forgets its oldest entries."""
        entries = self.rig.sandbox.world.log.after(0)
        return max((entry["n"] for entry in entries if entry["kind"] == "hubspot"), default=0)


@contextlib.asynccontextmanager
async def visitors_desk(folder: Path, everybody: dict[str, User]) -> AsyncIterator[VisitorsDesk]:
    """A fresh database, the built-in articles, and everybody in every conversation: only who they are may refuse."""
    async with rigged() as rig:
        given = environment(rig.sandbox.options, crm_token=rig.sandbox.crm.token)
        known = {name.lower(): value for name, value in given.items() if name.lower() in Settings.model_fields}
        await indexed(folder / "corpus.sqlite3")
        settings = Settings(_env_file=None, **known, database_url=migrated(folder / "bot.sqlite3"), var_dir=folder)
        _let_in(rig, everybody)
        async with build_services(settings) as services:
            queue = Queue()
            client = AsyncWebClient(token=rig.slack.token, base_url=rig.slack.base_url)
            engine = cast(Engine, queue)
            app = build_app(client=client, signing_secret=None, services=services, engine=engine, parts=())
            async with in_socket_mode(rig, app):
                yield VisitorsDesk(rig, services, queue, everybody)


def _let_in(rig: Rig, everybody: dict[str, User]) -> None:
    workspace = rig.sandbox.world.workspace
    for user in everybody.values():
        workspace.users[user.id] = user
        for channel in workspace.channels.values():
            if user.id not in channel.members:
                channel.members.append(user.id)
