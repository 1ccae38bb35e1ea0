"""Writers of one process stand in line before they ask SQLite; readers and other processes are not held up by it."""

import sqlite3
import threading
from pathlib import Path

from bot.write_line import InLine


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, factory=InLine, isolation_level="IMMEDIATE", check_same_thread=False, timeout=0)


def test_a_second_writer_waits_in_line_and_is_never_told_that_the_file_is_locked(tmp_path: Path) -> None:
    """With no patience of SQLite's own, each would fail at once without the line."""
    file = tmp_path / "line.sqlite3"
    first = _opened(file)  # stays open: the first to set the journal and the last to leave it lock all others out
    first.execute("PRAGMA journal_mode=WAL")
    with first:
        first.execute("CREATE TABLE counted (n INTEGER)")
    failures: list[Exception] = []

    def write() -> None:
        connection = _opened(file)
        try:
            for _ in range(50):
                connection.cursor().execute("INSERT INTO counted VALUES (1)")
                connection.commit()
        except sqlite3.Error as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert first.execute("SELECT count(*) FROM counted").fetchone() == (200,)
    first.close()


def test_whoever_fails_or_leaves_gives_the_place_up(tmp_path: Path) -> None:
    file = tmp_path / "line.sqlite3"
    first, second = _opened(file), _opened(file)
    first.cursor().execute("CREATE TABLE t (n INTEGER PRIMARY KEY)")
    first.cursor().execute("INSERT INTO t VALUES (1)")
    first.rollback()
    second.cursor().execute("INSERT INTO t VALUES (1)")
    second.commit()
    try:
        first.cursor().execute("INSERT INTO t VALUES (1)")
    except sqlite3.IntegrityError:
        first.rollback()
    first.cursor().execute("INSERT INTO t VALUES (2)")
    first.close()
    second.cursor().execute("INSERT INTO t VALUES (2)")
    second.commit()
    second.close()
