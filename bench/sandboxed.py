"""The sandbox on a free port for the length of a measure, with the real bot beside it or alone."""

import contextlib
import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import httpx

from bot.settings import Settings

OUTPUT = "sandbox.out"


@contextlib.contextmanager
def sandbox(
    folder: Path,
    *,
    bot: bool = True,
    rooms: int = 0,
    news_every: int = 0,
    retry_delays: Sequence[float] = (),
    settings: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[httpx.Client]:
    """A client of the sandbox, ready; with `bot`, once the bot has connected. `rooms`: channels besides the usual ones;
    `news_every`: minutes between two readings of the pretend news; `retry_delays`: seconds before each redelivery,
    instead of Slack's own; `settings`: of the bot, by name. Raises `TimeoutError`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = dict(os.environ) | {"DATABASE_URL": f"sqlite:///{folder}/bot.sqlite3", "VAR_DIR": str(folder / "bot")}
    environment |= settings
    command = [
        sys.executable,
        "-m",
        "sandbox",
        "--port",
        str(port),
        "--rooms",
        str(rooms),
        "--news-every",
        str(news_every),
    ]
    command += [] if bot else ["--no-bot"]
    command += ["--retry-delays", ",".join(map(str, retry_delays))] if retry_delays else []
    with (folder / OUTPUT).open("wb") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.DEVNULL)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=15) as http:
            until(lambda: _ready(http, connected=bot), seconds=60)
            yield http
    finally:
        process.terminate()
        process.wait(timeout=20)


def exported(folder: Path) -> dict[str, str]:
    """What a bot of one's own needs in its environment to talk to a sandbox that runs alone. Raises `TimeoutError`."""

    def look() -> dict[str, str]:
        lines = (folder / OUTPUT).read_text(encoding="utf-8").splitlines()
        told = [line.removeprefix("export ").partition("=") for line in lines if line.startswith("export ")]
        return {name: shlex.split(value)[0] if value else "" for name, _, value in told}

    until(look)
    time.sleep(0.2)  # it says all of it at once, a line at a time
    return look()


def settings_of(sandbox_url: str, folder: Path, **more: Any) -> Settings:
    """A bot whose every service is the sandbox's, with no memory of their answers; `more`: other settings by name."""
    given: dict[str, Any] = {
        "dvf_api_url": f"{sandbox_url}/dvf",
        "dvf_files_url": f"{sandbox_url}/geo-dvf",
        "georisques_url": f"{sandbox_url}/georisques",
        "geocoding_url": f"{sandbox_url}/geocodage",
        "tabular_api_url": f"{sandbox_url}/tabular",
        "ademe_url": f"{sandbox_url}/ademe",
        "datagouv_mcp_url": f"{sandbox_url}/datagouv/mcp",
        "tavily_api_url": f"{sandbox_url}/tavily",
        "tavily_api_key": "tvly-bench",
        "web_domains": "127.0.0.1",
        "web_internal_hosts": sandbox_url.removeprefix("http://"),
        "tool_cache_seconds": 0,
        **more,
    }
    return Settings(var_dir=folder, _env_file=None, **given)


def until(look: Callable[[], object], *, seconds: float = 30) -> None:
    """Raises `TimeoutError` when `look` stays false for so long."""
    deadline = time.monotonic() + seconds
    while not look():
        if time.monotonic() > deadline:
            raise TimeoutError(f"nothing came within {seconds:.0f} s")
        time.sleep(0.005)


def _ready(http: httpx.Client, *, connected: bool) -> bool:
    with contextlib.suppress(httpx.TransportError):
        state = http.get("/sandbox/state").json()
        return bool(state["transport"]["connected"]) or not connected
    return False
