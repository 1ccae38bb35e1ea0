"""Official publications that a channel may care about: its schemes, topics and communes first, by topic, each once."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from bot.digests.subscriptions import TOPICS, Wanted
from bot.digests.values import Entry
from bot.store.tables import Row
from corpus.french import words_of
from corpus.places import Place
from corpus.sentences import sentences
from pipeline.types import ToolCall, ToolResult

MOST_TOLD: Final = 8
LONGEST_LEAD: Final = 220
"""Characters of a first sentence that is told with its title."""
LABELS: Final = {**TOPICS, "marche": "Marché"}
"""How a topic is called where its publications are told."""


def news_entries(
    rows: Iterable[Row], *, wanted: Wanted, communes: Sequence[Place], told: frozenset[str]
) -> tuple[Entry, ...]:
    """The most telling of what came to be known, by topic; `rows`: of the store, the latest first; `told`: keys of what
    earlier digests said."""
    ranked: list[tuple[int, Entry, str]] = []
    for row in rows:
        named = tuple(place.insee for place in communes if _names(row, place))
        worth = _worth(row, wanted, named)
        entry = entry_of(row, communes=named)
        if worth and entry.key not in told:
            ranked.append((worth, entry, row["topic"]))
    best = sorted(ranked, key=lambda each: -each[0])[:MOST_TOLD]
    order = {topic: place for place, topic in enumerate(dict.fromkeys(topic for _, _, topic in best))}
    return tuple(entry for _, entry, _topic in sorted(best, key=lambda each: order[each[2]]))


def _worth(row: Row, wanted: Wanted, named: Sequence[str]) -> int:
    """0 for what this channel did not ask for; a channel that chose no scheme and no topic follows all of the field."""
    chosen = set(wanted.schemes) & set(row["schemes"])
    worth = 3 * bool(chosen) + 3 * bool(named) + 2 * (row["topic"] in wanted.topics)
    return worth + (not wanted.schemes and not wanted.topics)


def _names(row: Row, place: Place) -> bool:
    """Whether it names the commune, word for word."""
    said, name = words_of(f"{row['title']} {row['lead']}"), words_of(place.name)
    return any(said[at : at + len(name)] == name for at in range(len(said) - len(name) + 1))


def entry_of(row: Row, *, communes: tuple[str, ...] = ()) -> Entry:
    """Its title under its topic, its publisher's name and its day, and its first sentence; the evidence is what was
    published, under what is known of it."""
    day = date.fromisoformat(row["published_on"])
    topic, dated = LABELS[row["topic"]], f"{row['publisher']}, {day:%d/%m/%Y}"
    title = row["title"].rstrip(" .")
    first = next(iter(sentences(row["lead"])), "").rstrip(" .")
    more = f" {first} [1]." if 0 < len(first) <= LONGEST_LEAD and first != title else ""
    evidence = ToolResult(
        call=ToolCall("news", {}),
        title=f"{row['publisher']} : {title}",
        text=f"{topic} · {dated} : {title}. {row['lead']}",
        url=row["url"],
        as_of=day,
    )
    return Entry(
        kind="news",
        text=f"**{topic}** · {dated} : {title} [1].{more}",
        evidence=(evidence,),
        key=row["item_id"],
        communes=communes,
        schemes=tuple(row["schemes"]),
    )
