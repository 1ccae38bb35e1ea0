"""Keys of programs on both databases: shown once, kept as a hash, refused when wrong or revoked, told in the audit."""

from argparse import Namespace
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.commands.keys import keys as command
from bot.errors import BotError
from bot.ports import Visitor
from bot.rights import STRANGERS, DealReaders, crm_closed, why_not
from bot.settings import Settings
from bot.store import keys
from bot.store import tables as t
from bot.store.database import Database
from tests.beginnings import migrated

pytest_plugins = ["tests.contract.databases"]


async def made(database: Database, name: str = "tableau", *, team_id: str = "T1", deals: bool = False) -> str:
    shown = await database.write(lambda c: keys.add(c, team_id=team_id, name=name, deals=deals))
    assert shown is not None
    return shown


async def test_a_key_opens_what_it_was_made_for_until_it_is_revoked(database: Database) -> None:
    """Anything else opens nothing: another secret, another id, its beginning, its hash, none at all."""
    shown = await made(database, deals=True)
    key = await database.read(lambda c: keys.holder(c, shown))
    assert key is not None
    assert (key.team_id, key.name, key.deals) == ("T1", "tableau", True)
    row = (await database.read(keys.listed))[0]
    wrong = ["", "qs_", shown[:-1], shown + "x", f"qs_{'0' * 12}_{shown[16:]}", f"qs_{key.key_id}_", shown[3:]]
    for other in (*wrong, f"qs_{key.key_id}_{row['secret_hash']}", row["secret_hash"], "é" * 4_000):
        assert await database.read(lambda c, o=other: keys.holder(c, o)) is None, other  # type: ignore[misc]
    assert await database.write(lambda c: keys.used(c, key, what="ask", subject="msg:1"))
    assert await database.write(lambda c: keys.revoke(c, "tableau")) == key
    assert await database.read(lambda c: keys.holder(c, shown)) is None
    assert not await database.write(lambda c: keys.used(c, key, what="ask", subject="msg:2"))
    assert await database.write(lambda c: keys.revoke(c, "tableau")) is None


async def test_the_key_itself_is_kept_nowhere_and_each_use_is_told(database: Database) -> None:
    """Rows hold a hash; the audit says who did what, and when."""
    shown = await made(database)
    key = await database.read(lambda c: keys.of_name(c, "tableau"))
    assert key is not None
    await database.write(lambda c: keys.used(c, key, what="ask", subject="msg:1"))
    secret = shown.split("_", 2)[2]  # may hold the sign itself

    def everything(connection: sa.Connection) -> str:
        return str([connection.execute(sa.select(table)).all() for table in (t.api_key, t.audit)])

    told = await database.read(everything)
    assert secret not in told
    rows = await database.read(
        lambda c: c.execute(sa.select(t.audit.c.actor, t.audit.c.event, t.audit.c.subject)).all()
    )
    assert [tuple(row) for row in rows] == [
        ("operator", "key_added", key.key_id), (key.user_id, "api_ask", "msg:1"),
    ]  # fmt: skip


async def test_two_keys_in_use_do_not_share_a_name(database: Database) -> None:
    """Whoever revokes one by its name means that one."""
    await made(database)
    assert await database.write(lambda c: keys.add(c, team_id="T2", name="tableau", deals=True)) is None
    await database.write(lambda c: keys.revoke(c, "tableau"))
    await made(database, team_id="T2")


async def test_what_a_key_may_is_explicit(database: Database) -> None:
    """Without `--deals` it reads the team's files and no deal; what it proposes any member of its team decides, and
    nobody else."""
    for name, deals, reason in (("sans", False, STRANGERS["program"]), ("avec", True, "")):
        await made(database, name, deals=deals)
        key = await database.read(lambda c, n=name: keys.of_name(c, n))  # type: ignore[misc]
        assert key is not None
        assert key.visitor.reads_files
        assert key.visitor.trusted is deals
        place = {"team_id": "T1", "channel": key.place, "channel_type": "api"}
        for readers in (DealReaders(), DealReaders(frozenset())):
            closed = await database.read(
                lambda c, v=key.visitor, p=place, r=readers: crm_closed(c, v, **p, readers=r)  # type: ignore[misc]
            )
            assert closed == reason
        here = {"team_id": "T1", "channel": "C1", "concerned": (key.user_id,), "approvers": ()}
        for by, said in (
            (Visitor("member", "U1", "T1", shared_channel=False), None),
            (Visitor("member", "U2", "T2", shared_channel=False), "stranger"),
            (Visitor("guest", "U3", "T1", shared_channel=False), "stranger"),
            (key.visitor, None if deals else "stranger"),
        ):
            assert await database.read(lambda c, b=by, h=here: why_not(c, by=b, **h)) == said  # type: ignore[misc]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"name": "a/b"}, "Un nom de clé"),
        ({"channel": "#general", "deals": True, "team": "T1"}, "--channel attend"),
        ({"channel": "C0123", "team": "T1"}, "ne servent qu'avec --deals"),
        ({"channel": "C0123", "deals": True}, "--channel demande --team"),
        ({"adviser": "ines", "deals": True}, "--adviser attend"),
    ],
    ids=["name", "channel", "channel without deals", "channel without team", "adviser"],
)
async def test_a_key_that_makes_no_sense_is_refused(tmp_path: Path, options: dict[str, object], said: str) -> None:
    """In one French sentence, and nothing is made."""
    settings = Settings(_env_file=None, database_url=migrated(tmp_path / "bot.sqlite3"))
    given = {"verb": "add", "name": "n", "team": "local", "deals": False, "adviser": "", "channel": "", **options}
    with pytest.raises(BotError, match=said):
        await command(Namespace(**given), settings)


async def test_the_command_shows_a_key_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Alone on stdout, for scripts; the list never shows it again."""
    settings = Settings(_env_file=None, database_url=migrated(tmp_path / "bot.sqlite3"))
    given = {"verb": "add", "name": "tableau", "team": "T1", "deals": True, "adviser": "Ines@cabinet.fr", "channel": ""}
    await command(Namespace(**given), settings)
    shown = capsys.readouterr().out.strip()
    mark, key_id, secret = shown.split("_", 2)  # the secret may hold the separator itself
    assert (mark, len(key_id), len(secret)) == ("qs", 12, 43)
    await command(Namespace(verb="list"), settings)
    listed = capsys.readouterr().out
    assert "dossiers de ines@cabinet.fr" in listed
    assert "jamais servie" in listed
    assert key_id in listed
    assert secret not in listed
    await command(Namespace(verb="revoke", name="tableau"), settings)
    with pytest.raises(BotError, match="Aucune clé en service"):
        await command(Namespace(verb="revoke", name="tableau"), settings)
