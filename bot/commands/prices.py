"""python -m bot prices: what homes sell for in a commune, computed from geo-dvf files, for a person or for scripts."""

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.settings import Settings
from corpus.places import load_gazetteer
from pipeline.tools.communes import Commune, outside_dvf, resolve
from pipeline.tools.dvf.local import files_of
from pipeline.tools.dvf.market import NAMES, Market, Outcome, read_market, size_name
from pipeline.tools.dvf.text import sentence, trend_sentence
from pipeline.tools.dvf.values import RULE, SOURCE, Kind, NoPrice, Price, UnreadableFile
from pipeline.tools.french import at, count

KINDS: tuple[Kind, ...] = ("flat", "house")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("commune", metavar="COMMUNE", help="nom ou code INSEE")
    parser.add_argument("--year", type=int, help="une année ; sans elle, la dernière qui a un prix")
    parser.add_argument("--type", choices=KINDS, help="flat : appartements, house : maisons ; sans elle, les deux")
    parser.add_argument("--file", type=Path, help="un fichier geo-dvf (.csv ou .csv.gz) au lieu de ceux de dvf-sync")
    parser.add_argument("--json", action="store_true", help="le résultat en JSON, pour les scripts")


async def prices(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 0, also when the answer is a reason; 1 when a file cannot be read. Raises `PlacesUnreadable`."""
    commune = await asyncio.to_thread(resolve, options.commune, load_gazetteer())
    reason = commune if isinstance(commune, str) else outside_dvf(commune.place)
    if isinstance(commune, str) or reason:
        return _say_reason(reason or "", options, code=0)
    insee = commune.place.insee
    paths = (options.file,) if options.file else await asyncio.to_thread(files_of, settings.var_dir / "dvf", insee)
    if not paths:
        return _say_reason(
            f"Aucun fichier DVF pour le département {commune.place.department} : lancez « python -m bot dvf-sync "
            f"--departement {commune.place.department} », ou donnez un fichier avec --file.",
            options,
            code=0,
        )
    try:
        market = await asyncio.to_thread(read_market, paths, insee=insee)
    except UnreadableFile as error:
        return _say_reason(str(error), options, code=1)
    if options.json:
        print(json.dumps(as_json(market, commune, kind=options.type, year=options.year), ensure_ascii=False, indent=2))
    else:
        show(market, commune, kind=options.type, year=options.year, console=Console())
    return 0


def as_json(market: Market, commune: Commune, *, kind: Kind | None, year: int | None) -> dict[str, Any]:
    """The price of the asked type; without one, of flats when they have a price, and `other` holds the other type."""
    first: Kind = kind or "flat"
    if kind is None and isinstance(market.price("flat", year=year), NoPrice):
        first = "house" if isinstance(market.price("house", year=year), Price) else "flat"
    found = {**_outcome_json(market.price(first, year=year)), "name": commune.place.name}
    if commune.remark:
        found["remark"] = commune.remark
    chosen = market.price(first, year=year)
    if first == "flat" and isinstance(chosen, Price):
        sizes = [market.price("flat", year=chosen.year, rooms=rooms) for rooms in range(1, 6)]
        found["by_rooms"] = {size_name(rooms): _outcome_json(size) for rooms, size in enumerate(sizes, 1)}
    found["years"] = [_outcome_json(price) for price in market.trend(first)]
    if kind is None:
        found["other"] = _outcome_json(market.price("house" if first == "flat" else "flat", year=year))
    return found


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    about = {"insee": outcome.insee, "year": outcome.year, "type": outcome.kind, "n": outcome.n}
    if isinstance(outcome, NoPrice):
        return {**about, "reason": outcome.reason}
    return {
        **about,
        "median": round(outcome.median),
        "q1": round(outcome.q1),
        "q3": round(outcome.q3),
        "rule": outcome.rule,
        "source": outcome.source,
        "as_of": outcome.last_sale.isoformat(),
        "confidence": "low" if outcome.fragile else "normal",
    }


def show(market: Market, commune: Commune, *, kind: Kind | None, year: int | None, console: Console) -> None:
    if commune.remark:
        console.print(Text(commune.remark, style="dim"), soft_wrap=True)
    outcomes = {each: market.price(each, year=year) for each in ((kind,) if kind else KINDS)}
    for reason in dict.fromkeys(outcome.reason for outcome in outcomes.values() if isinstance(outcome, NoPrice)):
        console.print(Text(reason), soft_wrap=True)
    for each, outcome in outcomes.items():
        if isinstance(outcome, NoPrice):
            continue
        console.print(Text(sentence(outcome, where=at(commune.place.name))), soft_wrap=True)
        if text := trend_sentence(market.trend(each)):
            console.print(Text(text), soft_wrap=True)
        sizes = range(1, 6) if each == "flat" else ()
        rows = [market.price(each, year=outcome.year, rooms=rooms) for rooms in sizes]
        console.print(_table([*market.trend(each), *(row for row in rows if isinstance(row, Price))]))
    if any(isinstance(outcome, Price) for outcome in outcomes.values()):
        console.print(Text(f"Calcul : {RULE}.\n{SOURCE}.", style="dim"), soft_wrap=True)


def _table(listed: list[Price]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("année", "logements", "ventes", "1er quartile", "médiane", "3e quartile"):
        table.add_column(column, justify="right" if column != "logements" else "left")
    for price in listed:
        homes = NAMES[price.kind] if price.rooms is None else size_name(price.rooms)
        values = (count(price.n), *(count(round(value)) for value in (price.q1, price.median, price.q3)))
        table.add_row(str(price.year), homes, *values)
    return table


def _say_reason(reason: str, options: argparse.Namespace, *, code: int) -> int:
    print(json.dumps({"reason": reason}, ensure_ascii=False) if options.json else reason)
    return code
