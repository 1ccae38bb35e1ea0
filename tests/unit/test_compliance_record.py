"""The compliance record: every answer of the period, what it rests on, who decided; nothing that a spreadsheet runs."""

import csv
from argparse import Namespace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from pypdf import PdfReader

from bot.commands.export import NoFile, WrongPeriod, export
from bot.compliance.entries import COLUMNS
from bot.settings import Settings
from bot.store import tables as t
from tests.beginnings import migrated
from tests.unit.test_forgetting import row

KEY: dict[str, Any] = {"team_id": "T1", "thread_key": "C1:1", "channel": "C1", "thread_ts": "1"}
RECORD = {
    "citations": [
        {"id": 1, "title": "Fiche F10864", "url": "https://www.service-public.gouv.fr", "as_of": "2026-11-21"}
    ],
    "evidence": [{"id": 1, "source": "passage:pv#1", "title": "Plus-values", "sha256": "9b" * 32}],
    "dropped": [{"sentence": "Foncez.", "reason": "conseil"}],
    "figures_checked": 3,
    "prompt": "0123456789ab",
}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Two answers of November, one of them in the last hour of the 30th in Paris, and one of December."""
    url = migrated(tmp_path / "bot.sqlite3")
    engine = sa.create_engine(url)
    moments = ("2026-11-10T09:00:00.000+00:00", "2026-11-30T22:59:00.000+00:00", "2026-11-30T23:00:00.000+00:00")
    with engine.begin() as connection:
        for number, moment in enumerate(moments):
            told = {
                **KEY,
                "answer_id": f"a{number}",
                "asked_at": moment,
                "asked_by": "U1",
                "question": f"=2+{number} ?",
            }
            connection.execute(t.answer.insert().values({**row(t.answer, **told, state="published"), "record": RECORD}))
        given = {"answer_id": "a0", "proposal_id": "p0", "decided_by": "U2", "decided_by_name": "Hugo", "state": "done"}
        told = row(t.proposal, **KEY, **given, action={"summary": "Ajouter une note"}, crm_id="7040")
        connection.execute(t.proposal.insert().values(told))
        told = row(t.audit, team_id="T1", subject="p0", actor="U2", event="proposal_done")
        connection.execute(t.audit.insert().values(told))
    engine.dispose()
    return Settings(database_url=url, var_dir=tmp_path, _env_file=None)


def options(folder: Path, **given: Any) -> Namespace:
    wanted = {"since": date(2026, 11, 1), "to": date(2026, 11, 30), "csv": folder / "r.csv", "pdf": folder / "r.pdf"}
    return Namespace(**{**wanted, "team": None, **given})


async def test_a_period_of_days_in_paris_as_table_and_pages(settings: Settings, tmp_path: Path) -> None:
    """Both files hold the same answers; a question that begins like a formula is text."""
    assert await export(options(tmp_path), settings) == 0
    with (tmp_path / "r.csv").open(encoding="utf-8-sig", newline="") as file:
        head, first, second = csv.reader(file, delimiter=";")
    assert tuple(head) == COLUMNS
    told = dict(zip(head, first, strict=True))
    assert (told["réponse"], second[0], told["question"]) == ("a0", "a1", "'=2+0 ?")
    assert told["sources"] == "[1] Fiche F10864 · https://www.service-public.gouv.fr · 2026-11-21"
    assert told["éléments consultés"] == f"passage:pv#1 : Plus-values (sha256 {'9b' * 32})"
    assert told["propositions"].startswith("Ajouter une note : done, par Hugo le ")
    assert "HubSpot n° 7040" in told["propositions"]
    assert told["décisions"].endswith("U2 : proposal_done")
    assert (told["phrases écartées"], told["consigne"]) == ("Foncez. (conseil)", "0123456789ab")
    pages = "".join(page.extract_text() for page in PdfReader(tmp_path / "r.pdf").pages)
    assert "Registre des réponses du 01/11/2026 au 30/11/2026" in pages
    assert all(word in pages for word in ("a0", "a1", "Ajouter une note", "Éléments consultés"))
    assert "=2+2 ?" not in pages


async def test_what_is_asked_for_wrongly_is_said(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(WrongPeriod):
        await export(options(tmp_path, to=date(2026, 10, 1)), settings)
    with pytest.raises(NoFile):
        await export(options(tmp_path, csv=None, pdf=None), settings)
    assert await export(options(tmp_path, team="T2", pdf=None), settings) == 0
    assert len((tmp_path / "r.csv").read_text(encoding="utf-8-sig").splitlines()) == 1
