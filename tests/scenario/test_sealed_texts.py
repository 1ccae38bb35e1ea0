"""A bot with a key: a whole conversation, and no byte of what was said in any of its files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.sealing import new_key
from tests.scenario.stage import CAMILLE, ROOT, leave, stage
from tests.scenario.test_forgetting import CANARY, fill, holding

OLD, NEW = new_key(), new_key()


def bot(folder: Path, *arguments: str, keys: str) -> "subprocess.CompletedProcess[str]":
    env = {"PATH": os.environ["PATH"], "DATABASE_URL": f"sqlite:///{folder}/bot.sqlite3", "VAR_DIR": str(folder),
           "OMP_NUM_THREADS": "1", "TEXT_KEY": keys}  # fmt: skip
    command = [sys.executable, "-m", "bot", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A question, a note written, a verdict, a file that was added: all under the key."""
    made = tmp_path_factory.mktemp("sealed")
    with stage(made, TEXT_KEY=OLD) as here:
        fill(here)
    leave(made)
    return made


def exported(folder: Path, keys: str) -> str:
    file = folder / "registre.csv"
    done = bot(folder, "export", "--from", "2020-01-01", "--to", "2099-01-01", "--csv", str(file), keys=keys)
    assert done.returncode == 0, done.stderr
    text = file.read_text(encoding="utf-8-sig")
    file.unlink()
    return text


def test_what_was_said_is_kept_and_in_no_byte(folder: Path) -> None:
    """The database with its journal, the index, the engine's tables; the record tells it to who has the key."""
    assert holding(folder, CANARY) == []
    assert CANARY in exported(folder, OLD)
    refused = bot(folder, "export", "--from", "2020-01-01", "--to", "2099-01-01", "--csv", "/dev/null", keys="")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("quartierscope : TEXT_KEY manque")


def test_the_key_is_changed_and_then_somebody_forgotten(folder: Path) -> None:
    """By the new key alone."""
    changed = bot(folder, "reencrypt", keys=f"{NEW},{OLD}")
    assert changed.returncode == 0, changed.stderr
    assert "passages : 1" in changed.stdout
    assert CANARY in exported(folder, NEW)
    gone = bot(folder, "forget", "--user", CAMILLE, keys=NEW)
    assert gone.stdout.startswith("Effacé. "), gone.stderr
    assert CANARY not in exported(folder, NEW)
    assert holding(folder, CAMILLE.lower()) == []
