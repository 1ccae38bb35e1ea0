"""`python -m sandbox` as people run it: its child, its end, its refusals."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox.options import Options, inherited, secret_values
from sandbox.serving import free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 30.0

# A bot of the simplest kind: it says what it was given, connects, and starts a child of its own.
BOT = """
import asyncio, os, subprocess, sys
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

given = os.environ
client = AsyncWebClient(token=given["SLACK_BOT_TOKEN"], base_url=given["SLACK_API_URL"])
app = AsyncApp(client=client, signing_secret=given.get("SLACK_SIGNING_SECRET"))

@app.event("app_mention")
async def answer(event, say):
    await say(text=f"de {os.getpid()}", thread_ts=event["ts"])

@app.event("message")
async def heard(event):
    pass

print("jetons", given["SLACK_BOT_TOKEN"], "app" if "SLACK_APP_TOKEN" in given else "-", flush=True)
print("dvf", given.get("DVF_API_URL"), flush=True)
print("petit-enfant", subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid, flush=True)

async def listen():
    await AsyncSocketModeHandler(app, given["SLACK_APP_TOKEN"]).start_async()

if "SLACK_APP_TOKEN" in given:
    asyncio.run(listen())
else:
    app.start(port=int(given["PORT"]), host="127.0.0.1")
"""


@dataclass(frozen=True)
class Started:
    """A running `python -m sandbox`."""

    process: subprocess.Popen[bytes]
    http: httpx.Client

    def state(self) -> Any:
        return self.http.get("/sandbox/state").json()

    def act(self, action: str) -> Any:
        return self.http.post("/sandbox/process", json={"action": action}).json()

    def lines(self) -> list[str]:
        entries = self.http.get("/sandbox/log").json()["entries"]
        return [entry["summary"] for entry in entries if entry["kind"] == "bot"]

    def grandchild(self) -> int:
        return int([line for line in self.lines() if line.startswith("petit-enfant ")][-1].split()[1])

    def connected(self) -> bool:
        return bool(self.state()["transport"]["connected"])


@contextlib.contextmanager
def started(tmp_path: Path, *options: str, bot: str = BOT, env: dict[str, str] | None = None) -> Iterator[Started]:
    """The command line with a bot of its own."""
    script, port = tmp_path / "un_bot.py", free_port()
    script.write_text(bot)
    command = [sys.executable, "-m", "sandbox", "--port", str(port), *options, "--", sys.executable, str(script)]
    with (tmp_path / "sortie.txt").open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output, env={**os.environ, **(env or {})})
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False) as http:
            wait(lambda: answers(http))
            yield Started(process, http)
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def answers(http: httpx.Client) -> bool:
    try:
        return http.get("/sandbox/state").is_success
    except httpx.TransportError:
        return False


def wait(true: Callable[[], object]) -> None:
    """Waits for another process; fails after 30 s."""
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline, "nothing happened within 30 s"
        time.sleep(0.05)


def wait_for_an_answer(running: Started) -> None:
    """Hugo mentions the bot, which answers in the thread."""
    question = {"user": "hugo", "channel": "C0MARCHE", "text": "<@U0QUARTIER> ?"}
    said = running.http.post("/sandbox/say", json=question).json()
    query = {"channel": "C0MARCHE", "thread_ts": said["ts"]}
    wait(lambda: len(running.http.get("/sandbox/messages", params=query).json()["messages"]) == 2)


def alive(pid: int) -> bool:
    """False also for a process that ended and waits to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_child_gets_its_environment_and_answers(tmp_path: Path) -> None:
    """Socket Mode: an app token, no secret of the caller's; its output reaches the terminal and the log, masked."""
    with started(tmp_path, env={"SLACK_SIGNING_SECRET": "de-la-coquille", "PORT": "1"}) as running:
        wait(running.connected)
        said = running.http.post(
            "/sandbox/say", json={"user": "hugo", "channel": "C0MARCHE", "text": "<@U0QUARTIER> ?"}
        )
        query = {"channel": "C0MARCHE", "thread_ts": said.json()["ts"]}
        wait(lambda: len(running.http.get("/sandbox/messages", params=query).json()["messages"]) == 2)
        state, lines = running.state(), running.lines()
        output = tmp_path / "sortie.txt"
        wait(lambda: "vous attend sur http://127.0.0.1:" in output.read_text())
    assert (state["process"]["managed"], state["process"]["running"]) == (True, True)
    assert "jetons ••• app" in lines
    assert f"dvf {running.http.base_url}/dvf" in lines
    assert "jetons ••• app" in output.read_text()
    assert running.process.returncode == 0


def test_over_http_the_child_has_a_secret_and_a_port_but_no_app_token(tmp_path: Path) -> None:
    """--http; and --live leaves the open-data addresses alone."""
    with started(tmp_path, "--http", "--live", env={"SLACK_APP_TOKEN": "xapp-de-la-coquille"}) as running:
        wait(running.connected)
        assert running.state()["transport"] == {"mode": "http", "connected": True}
        assert "jetons ••• -" in running.lines()
        assert f"dvf {os.environ.get('DVF_API_URL')}" in running.lines()


def test_over_http_a_token_in_the_env_file_does_not_bring_socket_mode_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot reads `.env` where a variable is absent, so the sandbox hands it a blank one."""
    monkeypatch.chdir(tmp_path)
    assert "SLACK_APP_TOKEN" not in inherited(Options(http=True))
    (tmp_path / ".env").write_text("LOCALE=fr\nSLACK_APP_TOKEN=xapp-du-fichier\n")
    assert inherited(Options(http=True))["SLACK_APP_TOKEN"] == ""
    assert secret_values(inherited(Options(http=True)) | {"A_TOKEN": "x"}).count("") == 0


def test_a_child_that_dies_is_started_again(tmp_path: Path) -> None:
    """kill is a crash: the bot comes back by itself, and what was said meanwhile is answered."""
    with started(tmp_path) as running:
        wait(running.connected)
        before = running.state()["process"]["pid"]
        running.act("kill")
        said = running.http.post(
            "/sandbox/say", json={"user": "hugo", "channel": "C0MARCHE", "text": "<@U0QUARTIER> ?"}
        )
        query = {"channel": "C0MARCHE", "thread_ts": said.json()["ts"]}
        wait(lambda: len(running.http.get("/sandbox/messages", params=query).json()["messages"]) == 2)
        after = running.state()["process"]
        assert (after["restarts"], after["last_exit"], after["pid"] == before) == (1, -9, False)
        assert any("relance dans 1 s" in line for line in running.lines())


def test_stop_keeps_the_child_stopped_and_start_waits_until_it_is_connected(tmp_path: Path) -> None:
    """And nothing that the child has started survives it."""
    with started(tmp_path) as running:
        wait(running.connected)
        grandchild = running.grandchild()
        stopped = running.act("stop")
        wait(lambda: not alive(grandchild))
        time.sleep(1.3)  # longer than the pause before a restart
        assert (stopped["running"], running.state()["process"]["running"]) == (False, False)
        running.act("start")
        assert running.connected()
        assert running.act("restart")["running"] is True
        assert running.connected()


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal is Linux's")
def test_the_child_does_not_outlive_a_killed_sandbox(tmp_path: Path) -> None:
    """SIGKILL leaves the sandbox no time to stop its child; the kernel does it."""
    with started(tmp_path) as running:
        wait(running.connected)
        child = running.state()["process"]["pid"]
        grandchild = running.grandchild()
        running.process.kill()
        wait(lambda: not alive(child))
        with contextlib.suppress(ProcessLookupError):
            os.kill(grandchild, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_child_first_and_exits_with_zero(tmp_path: Path, number: signal.Signals) -> None:
    """Also while a page holds the event stream open."""
    with started(tmp_path) as running:
        wait(running.connected)
        child, grandchild = running.state()["process"]["pid"], running.grandchild()
        with running.http.stream("GET", "/sandbox/stream") as stream:
            next(stream.iter_lines())
            running.process.send_signal(number)
            assert running.process.wait(PATIENCE_S) == 0
    assert not alive(child)
    assert not alive(grandchild)


def test_a_port_that_is_taken_is_said_in_one_sentence() -> None:
    """Exit 2, and how to go on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "sandbox", "--port", str(port)]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert f"127.0.0.1:{port}" in ran.stderr
    assert "--port" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_without_a_bot_the_environment_is_printed(tmp_path: Path) -> None:
    """--no-bot, on a free port: what to export for a bot of one's own."""
    command = [sys.executable, "-m", "sandbox", "--port", "0", "--no-bot"]
    output = tmp_path / "sortie.txt"
    with output.open("wb") as file:
        process = subprocess.Popen(command, cwd=ROOT, stdout=file)
    wait(lambda: "export DVF_API_URL=" in output.read_text())
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == 0
    text = output.read_text()
    assert "export SLACK_API_URL=http://127.0.0.1:" in text
    assert "export SLACK_APP_TOKEN=xapp-" in text
    assert ":0/" not in text
