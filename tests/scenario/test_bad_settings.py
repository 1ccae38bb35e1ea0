"""A wrong setting stops the start with one French sentence that names it and never shows its value."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.loopback import served
from tests.scenario.stage import ROOT, bot_command, own_environment

SLACK = {"SLACK_BOT_TOKEN": "xoxb-valeur-secrete", "SLACK_APP_TOKEN": "xapp-valeur-secrete"}
NOBODY = "http://127.0.0.1:9"
PATIENCE_S = 120.0


def start(folder: Path, *command: str, **settings: str) -> "subprocess.Popen[str]":
    """The bot with these settings, by `command` instead of a fork of an imported one."""
    return subprocess.Popen(
        [*(command or bot_command()), "run"],
        cwd=ROOT,
        env=own_environment(folder, **settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def refusal(folder: Path, **settings: str) -> str:
    """The one sentence after which the process ended by itself with code 1."""
    process = start(folder, **settings)
    try:
        output, said = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    return sentence(process.returncode, output + said)


def sentence(code: int, said: str) -> str:
    """What a start says that refuses a setting: one line, no value, no trace."""
    assert code == 1, said
    spoken = [line for line in said.splitlines() if not line.startswith("{")]
    assert len(spoken) == 1, said
    assert "valeur-secrete" not in said
    assert "Traceback" not in spoken[0]
    return spoken[0]


def until_slack_is_missed(process: "subprocess.Popen[str]") -> None:
    """Returns once the log says that Slack does not answer; a process that never says so is ended."""
    limit = threading.Timer(PATIENCE_S, process.kill)
    limit.start()
    try:
        assert process.stderr is not None
        assert any("token_not_checked" in line for line in process.stderr), "the process ended before it missed Slack"
    finally:
        limit.cancel()


@pytest.mark.parametrize(
    ("name", "value", "fix"),
    [
        ("PORT", "valeur-secrete", "un nombre entier"),
        ("PORT", "70000", "65535"),
        ("DATABASE_URL", "mysql://u:valeur-secrete@h/d", "sqlite:///"),
        ("DATABASE_URL", "sqlite:////proc/valeur-secrete/b.sqlite3", "base de données"),
        ("DATABASE_URL", "postgresql://u:valeur-secrete@127.0.0.1:9/d", "base de données"),
        ("OPENAI_BASE_URL", "valeur-secrete", "http://"),
        ("HUBSPOT_API_URL", "ftp://valeur-secrete", "http://"),
        ("SLACK_BOT_TOKEN", "valeur-secrete", "xoxb-"),
        ("SLACK_BOT_TOKEN", "", "xoxb-"),
        ("SLACK_APP_TOKEN", "valeur-secrete", "xapp-"),
        ("SLACK_APP_TOKEN", "", "SLACK_SIGNING_SECRET"),
        ("WEB_INTERNAL_HOSTS", "https://valeur-secrete/", "intranet.cabinet.fr"),
        ("MEDIAWIKI_URL", "valeur-secrete", "http://"),
        ("LOCALE", "valeur-secrete", "fr"),
        ("LOG_LEVEL", "valeur-secrete", "WARNING"),
        ("VAR_DIR", "/dev/null/valeur", "écrire"),
    ],
)
def test_a_wrong_setting_is_named_with_its_fix(tmp_path: Path, name: str, value: str, fix: str) -> None:
    """Exit code 1, the setting's name, what would be right."""
    said = refusal(tmp_path, **(SLACK | {name: value}))
    assert name in said
    assert fix in said


@pytest.mark.parametrize(
    ("method", "name"), [("auth.test", "SLACK_BOT_TOKEN"), ("apps.connections.open", "SLACK_APP_TOKEN")]
)
def test_a_token_that_slack_refuses_stops_the_start(tmp_path: Path, method: str, name: str) -> None:
    """A well-formed but wrong token: said at once, instead of a connection that is tried for ever."""

    async def slack(request: Request) -> JSONResponse:
        if request.path_params["method"] == method:
            return JSONResponse({"ok": False, "error": "invalid_auth"})
        return JSONResponse({"ok": True})

    with served(Starlette(routes=[Route("/{method}", slack, methods=["GET", "POST"])])) as url:
        assert name in refusal(tmp_path, **SLACK, SLACK_API_URL=url)


def test_a_bot_that_waits_for_slack_still_stops_when_told(tmp_path: Path) -> None:
    """Slack is away at the start: the process keeps trying, and SIGTERM ends it in good order."""
    process = start(tmp_path, sys.executable, "-m", "bot", **SLACK, SLACK_API_URL=NOBODY)
    try:
        until_slack_is_missed(process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()


def test_a_second_bot_on_the_same_sqlite_is_refused(tmp_path: Path) -> None:
    """Two workers under one name would run each other's jobs."""
    first = start(tmp_path, **SLACK, SLACK_API_URL=NOBODY)
    try:
        until_slack_is_missed(first)
        assert "SQLite" in refusal(tmp_path, **SLACK, SLACK_API_URL=NOBODY)
    finally:
        first.kill()
        first.communicate()
