"""Forgetting: what somebody said, dropped and decided is in no byte of any file afterwards."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.settings import load_settings
from tests.dumping import dumped
from tests.scenario.dropping import add
from tests.scenario.stage import CAMILLE, HUGO, ROOT, TOULON, Stage, leave, stage
from tests.scenario.strangers import press

CANARY = "quetzalcoatlon"
OTHER = "archaeopteryx"
"""Somebody else's word, which stays."""


def holding(folder: Path, word: str) -> list[str]:
    """The bot's own files that hold the word in any of their bytes; the log is the pretend Slack's."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "sandbox.log"]
    return sorted(path.name for path in files if word.encode() in path.read_bytes().lower())


def forget(folder: Path, *arguments: str, url: str = "") -> str:
    env = {"PATH": os.environ["PATH"], "DATABASE_URL": url or f"sqlite:///{folder}/bot.sqlite3", "VAR_DIR": str(folder),
           "OMP_NUM_THREADS": "1", "SLACK_BOT_TOKEN": "xoxb-fictif", "SLACK_APP_TOKEN": "xapp-fictif"}  # fmt: skip
    command = [sys.executable, "-m", "bot", "forget", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def fill(here: Stage) -> str:
    """A question, a note that was written, a judged answer and a file, by one; a question by another."""
    ts = here.say(f"@bot Quels sont les prix à Toulon pour le projet {CANARY} ?")
    here.answer(ts)
    here.say(f"@bot note sur le dossier 9003 : {CANARY} rappelé", thread=ts)
    here.answer(ts, count=2)
    here.click(here.card(ts), "approve")
    here.until(lambda: [note for note in here.notes() if CANARY in str(note).lower()], "note")
    press(here, here.answers(ts)[0], "feedback_wrong", user=CAMILLE)
    dropped = here.drop(
        {"name": f"{CANARY}.md", "text": f"# Note\n\nLe lot {CANARY} coûte 12 euros par mois."}, text="@bot voici"
    )
    add(here, dropped)
    other = here.say(f"@bot Quels sont les prix à Nantes pour le projet {OTHER} ?", user=HUGO)
    here.answer(other)
    return ts


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The files of a bot that was stopped, and the thread in which the word was said."""
    folder = tmp_path_factory.mktemp("forgetting")
    with stage(folder) as here:
        ts = fill(here)
    leave(folder)
    return folder, ts


def copied(left: tuple[Path, str], to: Path) -> Path:
    for path in left[0].iterdir():
        if path.is_file():
            (to / path.name).write_bytes(path.read_bytes())
    return to


def test_a_person_is_in_no_byte_afterwards(left: tuple[Path, str], tmp_path: Path) -> None:
    """Their words and their id; another person's question stays."""
    folder = copied(left, tmp_path)
    assert {"bot.sqlite3", "corpus.sqlite3"} <= {name.removesuffix("-wal") for name in holding(folder, CANARY)}
    told = forget(folder, "--user", CAMILLE)
    assert told.startswith("Effacé. ")
    assert CANARY not in told
    assert holding(folder, CANARY) == []
    assert holding(folder, CAMILLE.lower()) == []
    assert "bot.sqlite3" in holding(folder, OTHER)
    assert forget(folder, "--user", CAMILLE) == "Rien à effacer.\n"


def test_a_thread_goes_and_the_file_dropped_elsewhere_stays(left: tuple[Path, str], tmp_path: Path) -> None:
    folder = copied(left, tmp_path)
    forget(folder, "--thread", f"{TOULON}:{left[1]}")
    engine = sa.create_engine(f"sqlite:///{folder}/bot.sqlite3")
    with engine.connect() as connection:
        held = {
            table: [
                name
                for name in connection.execute(sa.text(f"select * from {table}")).all()
                if CANARY in str(name).lower()
            ]
            for table in ("answer", "proposal", "audit", "thread", "feedback", "source")
        }
    engine.dispose()
    assert [name for name, rows in held.items() if rows] == ["source"]


def test_a_deal_takes_the_threads_with_it_in_which_it_was_spoken_of(left: tuple[Path, str], tmp_path: Path) -> None:
    """Here the note on 9003; another deal's number finds nothing."""
    folder = copied(left, tmp_path)
    assert forget(folder, "--deal", "9004") == "Rien à effacer.\n"
    assert "réponses" in forget(folder, "--deal", "9003")
    assert CANARY.encode() not in (folder / "bot.sqlite3").read_bytes().lower().replace(f"{CANARY}.md".encode(), b"")


def test_an_index_that_is_away_keeps_nothing_for_good(left: tuple[Path, str], tmp_path: Path) -> None:
    """Nothing is erased then, so that the same command finds the passages by their rows later."""
    folder = copied(left, tmp_path)
    (folder / "corpus.sqlite3").rename(folder / "kept")
    (folder / "corpus.sqlite3").mkdir()
    with pytest.raises(AssertionError, match="base documentaire"):
        forget(folder, "--user", CAMILLE)
    (folder / "corpus.sqlite3").rmdir()
    (folder / "kept").rename(folder / "corpus.sqlite3")
    forget(folder, "--user", CAMILLE)
    assert holding(folder, CANARY) == []


@pytest.fixture
def postgresql() -> Iterator[str]:
    """A database of its own on the server that is given."""
    given = os.environ.get("DATABASE_URL", "")
    if not given.startswith("postgres"):
        pytest.fail("DATABASE_URL names no PostgreSQL: run `make test-servers`")
    server = sa.create_engine(load_settings().database_url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with server.connect() as connection:
        connection.execute(sa.text("create database forgetting"))
        yield sa.make_url(load_settings().database_url).set(database="forgetting").render_as_string(hide_password=False)
        connection.execute(sa.text("drop database forgetting with (force)"))
    server.dispose()


@pytest.mark.servers
def test_a_person_is_in_no_table_of_postgresql_afterwards(postgresql: str, tmp_path: Path) -> None:
    """Every table of every schema is dumped, the engine's own among them."""
    with stage(tmp_path, DATABASE_URL=postgresql) as here:
        fill(here)
    leave(tmp_path)
    before = dumped(postgresql)
    assert {"public.answer", "public.proposal", "public.source"} <= {
        name for name, rows in before.items() if CANARY in rows.lower()
    }
    assert "dbos.workflow_status" in {name for name, rows in before.items() if TOULON in rows}
    forget(tmp_path, "--user", CAMILLE, url=postgresql)
    after = dumped(postgresql)
    assert [name for name, rows in after.items() if CANARY in rows.lower() or CAMILLE in rows] == []
    assert OTHER in after["public.answer"]
    assert holding(tmp_path, CANARY) == []
