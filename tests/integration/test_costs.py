"""`python -m bot costs`: what answers cost, by team, person and model, and answer by answer."""

import argparse
import csv
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bot.commands.costs import costs
from bot.commands.export import WrongPeriod
from bot.settings import Settings
from bot.store import inbox, spending
from bot.store import tables as t
from bot.store.database import Database
from bot.store.inbox import Inbound
from tests.beginnings import migrated

DAY = date(2026, 11, 20)


async def remembered(database: Database, ts: str, person: str, day: date = DAY, **values: Any) -> None:
    """An answered question, with what its record says of its cost."""
    tokens = {"prompt_tokens": values.pop("tokens", 0), "completion_tokens": 7}
    values |= {"state": "published", "record": {"cost": tokens if values.get("model") else None}, "seconds": 1.5}
    message = Inbound(team_id="T1", event_id=ts, channel="C1", channel_type="channel", ts=ts, thread_ts=ts,
                      user_id=person, text="?")  # fmt: skip

    def write(connection: Any) -> None:
        inbox.accept(connection, message, enqueue=lambda *_: None)
        connection.execute(t.answer.update().where(t.answer.c.answer_id == message.answer_id).values(**values))
        if values.get("euros"):
            spending.add(connection, team_id="T1", day=day, person=person, euros=values["euros"])

    await database.write(write)


@pytest.fixture
async def settings(tmp_path: Path) -> Settings:
    """U1 asked a model twice and went without once; U2 asked one of unknown price; one answer is of another day; one
    is erased, and stands in the budgets alone."""
    url = migrated(tmp_path / "store.sqlite3")
    database = Database(url)
    noon = {"answered_at": "2026-11-20T12:00:00.000+00:00"}
    await remembered(database, "1.1", "U1", model="gpt-4.1-mini", euros=0.02, tokens=100, **noon)
    await remembered(database, "1.2", "U1", model="gpt-4.1-mini", euros=0.04, tokens=200, **noon)
    await remembered(database, "1.3", "U1", **noon)
    await remembered(database, "1.4", "U2", model="mystery", **noon)
    late = {"answered_at": "2026-11-20T23:30:00.000+00:00"}  # the 21st in Paris
    await remembered(database, "1.5", "U2", date(2026, 11, 21), model="gpt-4.1-mini", euros=5.0, **late)
    await database.write(lambda c: spending.add(c, team_id="T1", day=DAY, person="U3", euros=0.5))
    database.close()
    return Settings(_env_file=None, database_url=url, var_dir=tmp_path)


def period(tmp_path: Path, **more: Any) -> argparse.Namespace:
    return argparse.Namespace(**{"since": DAY, "to": DAY, "team": None, "csv": tmp_path / "costs.csv", **more})


async def test_a_day_by_person_and_answer_by_answer(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A day of Paris; unknown prices are counted apart, erased answers named as a sum."""
    assert await costs(period(tmp_path), settings) == 0
    shown = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert ["U1", "3", "300", "14", "0,0600", "0,0200", "0"] in shown
    assert ["U2", "1", "0", "7", "0,0000", "-", "1"] in shown
    assert ["4", "réponses,", "0,0600", "€."] in shown
    assert ["Réponses", "effacées", "depuis", ":", "0,5000", "€", "de", "plus."] in shown
    with (tmp_path / "costs.csv").open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    assert [(row["personne"], row["modèle"], row["euros"]) for row in rows] == [
        ("U1", "gpt-4.1-mini", "0,020000"),
        ("U1", "gpt-4.1-mini", "0,040000"),
        ("U1", "", "0,000000"),
        ("U2", "mystery", ""),
    ]
    assert rows[0]["date"] == "2026-11-20 13:00:00"
    assert rows[0]["référence"].startswith("QS-")


async def test_another_team_has_none_of_it(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await costs(period(tmp_path, team="T2", csv=None), settings)
    assert "0 réponses, 0,0000 €." in capsys.readouterr().out


async def test_a_period_the_wrong_way_round_is_said(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(WrongPeriod):
        await costs(period(tmp_path, to=date(2026, 11, 1)), settings)
