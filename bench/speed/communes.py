"""python -m bench communes --data FILE …: the communes read in labelled messages, by `find` and by `find_expected`."""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.ranking.measures import percentile
from bench.training.marked import unmarked
from corpus.places import Gazetteer, Mention, fold, load_gazetteer
from pipeline.reading import PLACE_INTENTS

Finder = Callable[[str], tuple[Mention, ...]]


@dataclass(slots=True)
class Tally:
    """`seen` rows about a place, of which `exact` gave the labelled communes and no other; `stray`: communes read in
    rows of other intents whose labels hold none of that name; `milliseconds` are of the processor."""

    seen: int = 0
    exact: int = 0
    others: int = 0
    stray: int = 0
    milliseconds: list[float] = field(default_factory=list)
    wrong: list[dict[str, Any]] = field(default_factory=list)


def measured(rows: Sequence[dict[str, Any]], find: Finder, places: Gazetteer) -> Tally:
    """What one way of finding makes of the rows."""
    tally = Tally()
    for row in rows:
        text, _ = unmarked(row["text"])
        begun = time.process_time()
        mentions = find(text)
        tally.milliseconds.append((time.process_time() - begun) * 1_000)
        gold = Counter(row.get("communes") or ())
        missed, extra = _differences(gold, mentions, places)
        about_place = not set(PLACE_INTENTS).isdisjoint(row["intents"])
        if about_place and gold:
            tally.seen += 1
            tally.exact += not missed and not extra
        elif about_place:
            continue
        else:
            tally.others += 1
            tally.stray += len(extra)
            missed = []
        if missed or extra:
            tally.wrong.append({"about_place": about_place, "text": text, "missed": missed, "extra": extra})
    return tally


def _differences(
    gold: Counter[str], mentions: Sequence[Mention], places: Gazetteer
) -> tuple[list[str], list[tuple[str, str]]]:
    """(labelled names that no mention bears, mentions that bear no labelled name)."""
    borne = [(mention, _names(mention, places)) for mention in mentions]
    missed = [name for name in gold if not any(_plain(name) in names for _, names in borne)]
    wanted = {_plain(name) for name in gold}
    return missed, [(m.text, m.places[0].label) for m, names in borne if not names & wanted]


def _names(mention: Mention, places: Gazetteer) -> set[str]:
    """Names and codes of what was read: all the candidates when the reader has to choose."""
    found = mention.places if mention.ambiguous else mention.places[:1]
    cities = (places.city_of(place.insee) for place in found)
    return (
        {_plain(p.name) for p in (*found, *(c for c in cities if c))}
        | {p.insee for p in found}
        | {_plain(mention.text)}
    )


def _plain(name: str) -> str:
    return fold(name).replace("-", " ").replace("’", "'").strip()


def _rows(paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Single messages: a turn of a thread often names its commune earlier."""
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() and "turns" not in (row := json.loads(line)):
                yield row


def main(arguments: Sequence[str]) -> int:
    """Prints one line a finder; returns 0 whatever they are."""
    parser = argparse.ArgumentParser(prog="python -m bench communes")
    parser.add_argument("--data", type=Path, required=True, nargs="+")
    parser.add_argument("--wrong", action="store_true", help="list what was read otherwise: never for a held-out file")
    options = parser.parse_args(arguments)
    places = load_gazetteer()
    places.find("Toulon")
    places.find_expected("prix toulon")
    rows = list(_rows(options.data))
    finders: dict[str, Finder] = {"find": places.find, "find_expected": places.find_expected}
    for name, find in finders.items():
        tally = measured(rows, find, places)
        print(
            f"{name:14} exact {tally.exact}/{tally.seen} of the messages about a place, "
            f"{tally.stray} stray communes in {tally.others} others, "
            f"p50 {percentile(tally.milliseconds, 0.5):.2f} ms, p95 {percentile(tally.milliseconds, 0.95):.2f} ms"
        )
        if options.wrong:
            print("\n".join(json.dumps(wrong, ensure_ascii=False) for wrong in tally.wrong))
    return 0
