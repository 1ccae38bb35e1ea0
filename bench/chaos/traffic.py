"""What people do meanwhile: questions with follow-ups, notes approved by two clicks at once, some of them undone."""

import asyncio
import contextlib
import random
from dataclasses import dataclass, field
from typing import Any

import httpx

CAMILLE, HUGO = "U0CAMILLE", "U0HUGO"
CHANNELS = ("C0MARCHE", "C0TOULON")
QUESTIONS = (
    "le Pinel est-il encore ouvert ?",
    "qu'est-ce que le LMNP ?",
    "quelle durée pour un bail meublé ?",
    "prix des appartements à Toulon ?",
)
FOLLOW_UPS = ("et en nu ?", "tes sources ?", "et à Toulon ?")
CLICK_S = 90.0


@dataclass(slots=True)
class Talk:
    """One thread. `asked`: the times of its questions, oldest first; `mark`: the note's own word."""

    channel: str
    asked: list[str] = field(default_factory=list)
    mark: str = ""


@dataclass(slots=True)
class Traffic:
    """So many threads at once, until it is stopped; what was asked is kept for the count."""

    http: httpx.AsyncClient
    bot: str
    chance: random.Random
    at_once: int = 6
    talks: list[Talk] = field(default_factory=list)
    _stopped: bool = False

    async def run(self) -> None:
        await asyncio.gather(*(self._someone(number) for number in range(self.at_once)))

    def stop(self) -> None:
        """No new threads; those that wait for a card end when it has come."""
        self._stopped = True

    async def _someone(self, number: int) -> None:
        while not self._stopped:
            talk = Talk(self.chance.choice(CHANNELS))
            self.talks.append(talk)
            await (self._note(talk) if number % 2 else self._questions(talk))
            await asyncio.sleep(self.chance.uniform(0.2, 1.5))

    async def _questions(self, talk: Talk) -> None:
        """The follow-ups come within the moment in which deliveries overtake each other."""
        root = await self._say(talk, f"<@{self.bot}> {self.chance.choice(QUESTIONS)}")
        for said in self.chance.sample(FOLLOW_UPS, self.chance.randrange(3)):
            await asyncio.sleep(self.chance.choice((0.0, 0.05, 0.1, 1.0)))
            mention = f"<@{self.bot}> " if self.chance.random() < 0.5 else ""
            await self._say(talk, f"{mention}{said}", thread=root)
        await self._until(talk, lambda texts: len(texts) > len(talk.asked), seconds=10.0)

    async def _note(self, talk: Talk) -> None:
        talk.mark = f"repère{self.chance.randrange(1 << 40):x}"
        root = await self._say(talk, f"<@{self.bot}> ajoute une note sur le dossier 9001 : relire le bail {talk.mark}")
        ends = ("écrite", "annulée", "échou", "HubSpot n'a pas", "rejetée")
        await self._click(talk, root, "proposal_approve", ends)
        if self.chance.random() < 0.7:
            await self._click(talk, root, "proposal_undo", ("annulée", "échou", "HubSpot n'a pas", "impossible"))

    async def _click(self, talk: Talk, root: str, action: str, ends: tuple[str, ...]) -> None:
        """Twice at once, and again until the card says what came of it."""
        deadline = asyncio.get_running_loop().time() + CLICK_S
        while asyncio.get_running_loop().time() < deadline and not self._stopped:
            card = await self._card(talk, root)
            if card is not None:
                if any(end in str(card) for end in ends):
                    return
                clicks = [self._press(talk, root, action) for _ in range(2)]
                if action == "proposal_approve" and self.chance.random() < 0.4:
                    clicks.append(self._change_mind(talk, root))
                await asyncio.gather(*clicks)
            await asyncio.sleep(1.0)

    async def _change_mind(self, talk: Talk, root: str) -> None:
        """Too late, or just in time: what was written must not be told as rejected."""
        await asyncio.sleep(self.chance.uniform(0.0, 0.8))
        await self._press(talk, root, "proposal_reject")

    async def _press(self, talk: Talk, root: str, action: str) -> None:
        card = await self._card(talk, root)
        if card is not None:
            body = {"user": CAMILLE, "channel": talk.channel, "ts": card["ts"], "action_id": action}
            with contextlib.suppress(httpx.HTTPError):  # the button is gone, or nobody listens
                await self.http.post("/sandbox/click", json=body)

    async def _card(self, talk: Talk, root: str) -> dict[str, Any] | None:
        found = await self.thread(talk.channel, root)
        return next((each for each in found if "Proposition HubSpot" in str(each.get("text"))), None)

    async def _say(self, talk: Talk, text: str, *, thread: str | None = None) -> str:
        body = {"user": CAMILLE, "channel": talk.channel, "text": text, **({"thread_ts": thread} if thread else {})}
        ts = str((await self.http.post("/sandbox/say", json=body)).json()["ts"])
        talk.asked.append(ts)
        return ts

    async def _until(self, talk: Talk, enough: Any, *, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not (self._stopped or enough(await self.thread(talk.channel, talk.asked[0]))):  # noqa: ASYNC110
                    await asyncio.sleep(0.3)

    async def thread(self, channel: str, root: str) -> list[dict[str, Any]]:
        """The messages of the thread, as Slack has them."""
        answer = await self.http.get("/sandbox/messages", params={"channel": channel, "thread_ts": root})
        return list(answer.json()["messages"])
