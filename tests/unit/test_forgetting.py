"""Every table that keeps something of a team has been thought of: what happens to it when somebody is forgotten."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.store import tables as t
from bot.store.columns import SealedJson, SealedText
from bot.store.forgetting import GONE, KEPT, forget, forget_before, under_way
from tests.beginnings import migrated

USER, OTHER = "U0PERSONNE", "U0AUTRE"
WORD = "ptérodactyle"
PUBLIC = {"news_feed", "news_item", "commune_snapshot", "text_key", "slack_oauth_state", "workspace"}
"""Of official publications, communes and keys: nobody's."""
OWN_DECISION = {"subscription", "digest", "alert", "channel_setting", "api_key"}
"""A channel's or an administrator's: they stay, without the person's id."""
ERASED = {
    "answer",
    "kept_answer",
    "proposal",
    "thread",
    "feedback",
    "source",
    "spending",
    "watch",
    "audit",
    "crm_ticket",
}
TOKENS = {"slack_installation", "slack_bot", "crm_account"}
"""Of the team, sealed; who gave them is renamed."""


@pytest.fixture
def engine(tmp_path: Path) -> Any:
    made = sa.create_engine(migrated(tmp_path / "bot.sqlite3"))
    yield made
    made.dispose()


def row(table: sa.Table, **given: Any) -> dict[str, Any]:
    """Something in every column; the word in those of free text, the person in those that name somebody."""
    told: dict[str, Any] = {}
    for column in table.columns:
        if column.name in given:
            told[column.name] = given[column.name]
        elif isinstance(column.type, sa.JSON | SealedJson):
            told[column.name] = {"text": WORD, "by": USER}
        elif isinstance(column.type, sa.Text | SealedText):
            told[column.name] = WORD
        elif isinstance(column.type, sa.String):
            told[column.name] = USER if column.name.endswith("_by") or column.name in ("person", "user_id") else "x"
        elif isinstance(column.type, sa.DateTime):
            told[column.name] = datetime(2026, 1, 1)
        else:
            told[column.name] = b"x" if isinstance(column.type, sa.LargeBinary) else 1
    return told


def fill(connection: sa.Connection) -> None:
    key = {"team_id": "T1", "thread_key": "C1:1", "channel": "C1", "thread_ts": "1", "answer_id": "msg:T1:C1:1"}
    for table in t.metadata.sorted_tables:
        if table is t.text_key:
            continue
        more = {"proposal_id": "p1", "subject": "p1", "source_id": "file:1", "state": "published"}
        connection.execute(table.insert().values(row(table, **key, **more)))
    theirs = {**key, "thread_key": "C1:2", "thread_ts": "2", "answer_id": "msg:T1:C1:2", "asked_by": OTHER}
    told = {name: v if WORD not in str(v) else None for name, v in row(t.answer, **theirs, state="published").items()}
    connection.execute(t.answer.insert().values({**told, "question": "autre"}))


def test_every_table_has_been_thought_of() -> None:
    """A new one belongs in one of the sets above, and its erasure in `forget`."""
    assert {table.name for table in t.metadata.sorted_tables} == PUBLIC | OWN_DECISION | ERASED | KEPT | TOKENS


def test_a_person_leaves_neither_words_nor_id(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        fill(connection)
        forget(connection, "user", USER)
        for table in t.metadata.sorted_tables:
            if table.name in PUBLIC:
                continue
            said = str(connection.execute(sa.select(table)).all())
            assert USER not in said, table.name
            assert WORD not in said or table.name in OWN_DECISION | TOKENS, table.name
        (other,) = connection.execute(sa.select(t.answer.c.asked_by)).scalars()
        assert other == OTHER
        assert GONE in str(connection.execute(sa.select(t.channel_setting.c.changed_by)).all())


def test_another_team_keeps_what_is_its_own(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        fill(connection)
        gone = forget(connection, "user", USER, team_id="T2")
        assert (gone.threads, gone.sources, gone.rows) == ((), (), {})
        assert WORD in str(connection.execute(sa.select(t.answer)).all())


def test_an_answer_that_is_being_made_is_waited_for(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        fill(connection)
        assert not under_way(connection, "user", USER)
        connection.execute(t.answer.update().values(state="placed"))
        assert under_way(connection, "user", USER)
        assert not under_way(connection, "deal", "4242")


def test_old_threads_go_whole_and_one_that_goes_on_stays(engine: sa.Engine) -> None:
    """The day of its last message counts."""
    with engine.begin() as connection:
        fill(connection)
        connection.execute(t.answer.update().values(asked_at="2026-01-01T00:00:00.000+00:00"))
        connection.execute(
            t.answer.update().where(t.answer.c.asked_by == OTHER).values(asked_at="2026-06-01T00:00:00.000+00:00")
        )
        assert forget_before(connection, "2026-03-01").threads == (("T1", "C1:1"),)
        assert list(connection.execute(sa.select(t.answer.c.asked_by)).scalars()) == [OTHER]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (t.answer, {"record": {"route": {"deal": "4242"}}}),
        (t.answer, {"memory": {"offered": [["4242", "Martin"]]}}),
        (t.answer, {"text": "Dossier Martin (n° 4242) : à relancer"}),
        (t.proposal, {"action": {"target": {"id": "4242"}}}),
    ],
    ids=["record", "memory", "text", "proposal"],
)
def test_a_deal_is_found_wherever_it_is_named(engine: sa.Engine, table: sa.Table, said: dict[str, Any]) -> None:
    """In a thread that is tied to no deal, too; a number that only contains it is another's."""
    with engine.begin() as connection:
        fill(connection)
        connection.execute(table.update().where(table.c.answer_id == "msg:T1:C1:1").values(**said))
        assert forget(connection, "deal", "242").threads == ()
        assert forget(connection, "deal", "4242").threads == (("T1", "C1:1"),)


def test_what_was_sent_about_a_deal_keeps_its_row_alone(engine: sa.Engine) -> None:
    """It must not be sent a second time."""
    with engine.begin() as connection:
        fill(connection)
        connection.execute(t.digest.update().values(content={"deals": ["4242"]}))
        assert forget(connection, "deal", "4242").rows == {"digest": 1}
        assert connection.execute(sa.select(t.digest.c.content)).scalar_one() == {}
        assert WORD in str(connection.execute(sa.select(t.alert.c.content)).scalar_one())
