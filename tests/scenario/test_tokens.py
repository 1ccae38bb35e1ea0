"""A wrong token ends the start with a sentence that names the setting, never with a bot that waits in silence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import seed
from tests.scenario.stage import ROOT, Stage


@pytest.mark.parametrize(
    ("wrong", "named"),
    [({"SLACK_BOT_TOKEN": "xoxb-nobody"}, "SLACK_BOT_TOKEN"), ({"SLACK_APP_TOKEN": "xapp-nobody"}, "SLACK_APP_TOKEN")],
)
def test_a_wrong_token_stops_the_start_with_its_name_and_the_fix(
    on_stage: Stage, tmp_path: Path, wrong: dict[str, str], named: str
) -> None:
    """Exit code 1, one French line, no token shown."""
    env = dict(os.environ) | {
        "SLACK_API_URL": f"{str(on_stage.http.base_url).rstrip('/')}/api/",
        "SLACK_BOT_TOKEN": seed.APP.bot_token,
        "SLACK_APP_TOKEN": seed.APP.app_token,
        "DATABASE_URL": f"sqlite:///{tmp_path}/bot.sqlite3",
        "VAR_DIR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-m", "bot", "run"], cwd=ROOT, env=env | wrong, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1
    assert f"{named} : Slack refuse ce jeton" in done.stderr
    assert "nobody" not in done.stderr
