"""A sandbox with the real bot as its child, driven through the sandbox's JSON API as a script would."""

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import httpx

from tests.beginnings import indexed, migrated
from tests.scenario.forking import forking

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS, ANSWER_SECONDS = 120.0, 90.0
OURS = re.compile(
    r"PYTHONDONTWRITEBYTECODE|SLACK_|HUBSPOT_|OPENAI_|MISTRAL_|GROQ_|GEMINI_|OLLAMA_|DATABASE_URL|WEAVIATE_|DVF_|TAVILY_|VAR_DIR|TEXT_KEY"
)
WELCOME = re.compile(r"^QuartierScope vous attend sur (\S+)", re.MULTILINE)
CAMILLE, HUGO = "U0CAMILLE", "U0HUGO"
TOULON = "C0TOULON"
_LEAVING: "list[tuple[Path, subprocess.Popen[bytes]]]" = []
_FORKS = contextlib.ExitStack()


@dataclass(frozen=True)
class Stage:
    """`say` and `click` as a person; `answer` and `crm` as what that person sees."""

    http: httpx.Client
    bot: str
    log: Path

    def get(self, path: str, **params: Any) -> Any:
        response = self.http.get(f"/sandbox/{path}", params=params)
        response.raise_for_status()
        return response.json()

    def post(self, path: str, **body: Any) -> Any:
        response = self.http.post(f"/sandbox/{path}", json=body)
        assert response.status_code < 400, response.text
        return response.json()

    def say(self, text: str, *, user: str = CAMILLE, channel: str = TOULON, thread: str | None = None) -> str:
        """Returns the message's ts. `@bot` is written as the mention."""
        body = {"user": user, "channel": channel, "text": text.replace("@bot", f"<@{self.bot}>")}
        return str(self.post("say", **body, **({"thread_ts": thread} if thread else {}))["ts"])

    def drop(
        self,
        *files: dict[str, Any],
        text: str = "",
        user: str = CAMILLE,
        channel: str = TOULON,
        thread: str | None = None,
    ) -> str:
        """Files with or without words, each as `{name, text}` or as the sandbox's `acts` says; the message's ts."""
        body = {"user": user, "channel": channel, "text": text.replace("@bot", f"<@{self.bot}>"), "files": list(files)}
        return str(self.post("say", **body, **({"thread_ts": thread} if thread else {}))["ts"])

    def files(self, ts: str, *, channel: str = TOULON) -> list[dict[str, Any]]:
        """The cards of dropped files."""
        return [m for m in self.thread(ts, channel=channel) if is_file_card(m)]

    def file(self, ts: str, words: str = "", *, channel: str = TOULON, name: str = "") -> dict[str, Any]:
        """Waits for a file's card that says these words."""

        def look() -> dict[str, Any] | None:
            cards = self.files(ts, channel=channel)
            return next((m for m in cards if words in shown(m) and name in shown(m)), None)

        return self.until(look, f"file card « {words} »")

    def thread(self, ts: str, *, channel: str = TOULON) -> list[dict[str, Any]]:
        """The bot's own messages in the thread, oldest first."""
        messages = self.get("messages", channel=channel, thread_ts=ts)["messages"]
        return [m for m in messages if m.get("bot_id") or m.get("user") == self.bot]

    def answers(self, ts: str, *, channel: str = TOULON) -> list[dict[str, Any]]:
        """Finished answers: neither placeholder, nor progress, nor card of any kind, nor picture and its table,
        nor whisper."""
        return [m for m in self.thread(ts, channel=channel) if _finished(m)]

    def answer(self, ts: str, *, channel: str = TOULON, count: int = 1) -> str:
        """Waits until `count` answers stand in the thread; the text of the last one."""
        found = self.until(lambda: self._enough(ts, channel, count), f"{count} answer(s) to {ts}")
        return shown(found[count - 1])

    def _enough(self, ts: str, channel: str, count: int) -> list[dict[str, Any]] | None:
        found = self.answers(ts, channel=channel)
        return found if len(found) >= count else None

    def cards(self, ts: str, *, channel: str = TOULON) -> list[dict[str, Any]]:
        return [m for m in self.thread(ts, channel=channel) if is_card(m)]

    def card(self, ts: str, *, channel: str = TOULON) -> dict[str, Any]:
        return self.until(lambda: next(iter(self.cards(ts, channel=channel)), None), "a proposal card")

    def click(
        self, card: dict[str, Any], action: str, *, user: str = CAMILLE, channel: str = TOULON, **more: Any
    ) -> Any:
        return self.post("click", user=user, channel=channel, ts=card["ts"], action_id=f"proposal_{action}", **more)

    def notes(self) -> list[dict[str, Any]]:
        return list(self.get("crm")["notes"])

    def until(self, look: Callable[[], T | None], what: str, *, seconds: float = ANSWER_SECONDS) -> T:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if found := look():
                return found
            time.sleep(0.05)
        raise AssertionError(f"no {what} within {seconds:.0f} s; see the bot's output:\n{self.log.read_text()[-3000:]}")


def shown(message: dict[str, Any]) -> str:
    """Everything a person reads of the message, with ordinary spaces where a line must not break."""
    blocks = json.dumps(message.get("blocks") or [], ensure_ascii=False)
    return f"{blocks}\n{message.get('text', '')}".replace("\u202f", " ")


def is_card(message: dict[str, Any]) -> bool:
    return "Proposition HubSpot" in str(message.get("text", ""))


def is_batch(message: dict[str, Any]) -> bool:
    """What decides on all proposals of an answer."""
    return "écritures proposées ensemble" in str(message.get("text", ""))


def is_file_card(message: dict[str, Any]) -> bool:
    return ":page_facing_up:" in json.dumps(message.get("blocks") or [])


def is_figures(message: dict[str, Any]) -> bool:
    """The table beside a picture."""
    return str(message.get("text", "")).startswith("Les chiffres de l'image")


def _finished(message: dict[str, Any]) -> bool:
    text = str(message.get("text", "")).strip()
    waiting = text.startswith("_") and text.endswith("…_")
    other = is_card(message) or is_batch(message) or is_file_card(message)
    other = other or is_figures(message)
    return not (waiting or other or message.get("ephemeral_to") or message.get("files"))


@contextlib.contextmanager
def stage(folder: Path, *, options: tuple[str, ...] = (), first: bool = False, **environment: str) -> Iterator[Stage]:
    """Sandbox and bot on a free port, with nothing of the caller's environment that names a service. `first`: as an
    operator starts them, on an empty folder; else tables and articles stand there, as after a start, and the bot is a
    fork of one that was imported before."""
    leave(folder)
    if not first:
        _begun(folder)
        options = options if "--" in options else (*options, "--", *bot_command(), "run")
    env = own_environment(folder, **environment)
    output = folder / "sandbox.log"
    with output.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "sandbox", "--port", "0", *options], cwd=ROOT, env=env, stdout=log, stderr=log
        )
    try:
        with httpx.Client(base_url=_address(output, process), timeout=START_SECONDS) as http:
            yield Stage(http, bot=http.get("/sandbox/state").json()["bot"]["user_id"], log=output)
    finally:
        process.terminate()
        _LEAVING.append((folder, process))


def own_environment(folder: Path, **more: str) -> dict[str, str]:
    """Nothing of the caller's settings: a database and files in that folder."""
    kept = {name: value for name, value in os.environ.items() if not OURS.match(name)}
    ours = {"DATABASE_URL": f"sqlite:///{folder}/bot.sqlite3", "VAR_DIR": str(folder), "OMP_NUM_THREADS": "1"}
    return {**kept, **ours, **more}


@cache
def bot_command() -> tuple[str, ...]:
    """`python -m bot` without its arguments, quicker where the system can wait for a fork."""
    if not hasattr(os, "pidfd_open"):
        return (sys.executable, "-m", "bot")
    return _FORKS.enter_context(forking(own_environment(Path(os.devnull))))


def _begun(folder: Path) -> None:
    if not (folder / "bot.sqlite3").exists():
        migrated(folder / "bot.sqlite3")
    if not (folder / "corpus.sqlite3").exists():
        asyncio.run(indexed(folder / "corpus.sqlite3"))


def _address(output: Path, process: "subprocess.Popen[bytes]") -> str:
    """Where the sandbox listens, once its bot is connected: it says so then."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if found := WELCOME.search(output.read_text(encoding="utf-8", errors="replace")):
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"the bot did not connect:\n{output.read_text()[-3000:]}")


def leave(folder: Path | None = None) -> None:
    """Waits for the stages that were told to stop, or for those of one folder: stopping is no test's time to lose."""
    for left in [left for left in _LEAVING if folder in (None, left[0])]:
        _LEAVING.remove(left)
        try:
            left[1].wait(timeout=START_SECONDS)
        except subprocess.TimeoutExpired:
            left[1].kill()
            raise
    if folder is None:
        _FORKS.close()


def in_thread(run: Callable[[], object]) -> threading.Thread:
    """For what two people do at once."""
    worker = threading.Thread(target=run)
    worker.start()
    return worker
