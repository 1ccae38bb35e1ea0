"""python -m bot digest: prints a channel's digest without posting it, or sets what it is about."""

import argparse
import json

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from bot.digests.content import build
from bot.digests.due import Week, latest_slot, slot_in
from bot.digests.gathering import Order, Sources, gather
from bot.digests.subscriptions import Refused, Wanted, checked, communes_in, said, wanted_of
from bot.digests.values import Digest
from bot.errors import BotError
from bot.settings import Settings
from bot.store import subscriptions
from bot.store.database import Database
from bot.store.opening import open_database
from bot.store.tables import Row
from bot.wiring import build_deps, digest_sources
from bot.wiring_slack import slack_team

TEAM, CLI = "local", "cli"


class NotPossible(BotError):
    """La commande ne peut pas aboutir."""


async def digest(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 1 with one French sentence for an unknown channel, commune, scheme, hour or week."""
    if options.preview and not options.channel:
        raise NotPossible("Précisez le canal : --channel C0123456.")
    database = open_database(settings.database_url, settings.text_keys)
    try:
        async with build_deps(settings) as deps:
            sources = digest_sources(settings, database, deps)
            if options.subscribe:
                return await _subscribe(options, sources, team=await slack_team(settings) or TEAM)
            made = await preview(sources, await _row(database, options.channel, options.team), options.week)
    except Refused as refused:
        raise NotPossible(str(refused)) from refused
    finally:
        database.close()
    if options.json:
        print(json.dumps(made.shown(), ensure_ascii=False, indent=2))
    else:
        show(made, console=Console())
    return 0


async def preview(sources: Sources, row: Row, label: str | None) -> Digest:
    """The digest of the week in which we are, or of another one, as things stand now. Raises `NotPossible`."""
    wanted, now = wanted_of(row), sources.clock()
    week, slot = latest_slot(now, weekday=wanted.weekday, at=wanted.at)
    if label:
        try:
            week = Week.read(label)
        except ValueError:
            raise NotPossible(f"« {label} » n'est pas une semaine ISO comme 2026-W47.") from None
        slot = slot_in(week, weekday=wanted.weekday, at=wanted.at)
    found, _snapshots = await gather(sources, Order(row["team_id"], row["channel"], week, slot, wanted))
    return build(found, sources.deps.places)


async def _subscribe(options: argparse.Namespace, sources: Sources, *, team: str) -> int:
    places, channel = sources.deps.places, options.subscribe
    wanted = checked(
        Wanted(
            communes=communes_in(options.communes, places),
            schemes=_listed(options.schemes),
            topics=_listed(options.topics),
            weekday=options.weekday,
            at=options.at,
            length=options.length,
        ),
        places,
    )
    rows = await sources.database.read(lambda c: subscriptions.of_channel(c, channel))
    team = options.team or (rows[0]["team_id"] if len(rows) == 1 else team)
    moment = sources.clock().isoformat(timespec="milliseconds")
    await sources.database.write(
        lambda c: subscriptions.put(c, team_id=team, channel=channel, by=CLI, moment=moment, **wanted.columns())
    )
    print(f"Point du canal {channel} réglé : {said(wanted, places) or 'tout le champ'}, à {wanted.at}.")
    return 0


async def _row(database: Database, channel: str, team: str | None) -> Row:
    rows = await database.read(lambda c: subscriptions.of_channel(c, channel))
    found = [row for row in rows if team in (None, row["team_id"])]
    if not found:
        raise NotPossible(f"Aucun point n'est réglé pour le canal {channel} : --subscribe {channel} le fait.")
    if len(found) > 1:
        raise NotPossible(f"Plusieurs espaces ont un canal {channel} : précisez --team.")
    return found[0]


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def show(made: Digest, *, console: Console) -> None:
    """For a person."""
    console.print(Text(made.title, style="bold"))
    console.print(Markdown(made.text))
    sources = {source.id: source for item in made.items for source in item.sources}
    for number in sorted(sources):
        source = sources[number]
        dated = f"  (au {source.as_of})" if source.as_of else ""
        console.print(Text(f"[{number}] {source.title}  {source.url}{dated}", style="dim"))
    for remark in (*made.remarks, *made.missing):
        console.print(Text(f"· {remark}", style="dim"))
