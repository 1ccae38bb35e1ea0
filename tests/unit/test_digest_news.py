"""Official publications in a digest: those that the channel cares about, by topic, each line through the gate."""

from dataclasses import replace
from typing import Any

import pytest

from bot.digests.content import build
from bot.digests.news import MOST_TOLD, entry_of, news_entries
from bot.digests.subscriptions import Wanted
from tests.digesting import PLACES, found, toulon


def row(number: int = 1, **other: Any) -> dict[str, Any]:
    return {
        "item_id": f"news:{number}",
        "publisher": "Service-Public",
        "title": "Indice de référence des loyers : hausse de 0,87 % au 3e trimestre",
        "lead": "L'indice s'établit à 145,77 au troisième trimestre 2026. Il sert à réviser les loyers.",
        "url": "https://www.service-public.fr/actualites/A1",
        "topic": "loyers",
        "schemes": ["revision-loyer"],
        "published_on": "2026-11-20",
    } | other


def told(*rows: dict[str, Any], **wanted: Any) -> list[str]:
    entries = news_entries(rows, wanted=Wanted(**wanted), communes=(toulon(),), told=frozenset())
    return [entry.key for entry in entries]


def test_a_line_gives_topic_publisher_day_title_and_source() -> None:
    made = build(found(entry_of(row())), PLACES)
    (item,) = made.items
    assert item.text.startswith("**Loyers et baux** · Service-Public, 20/11/2026\u00a0: Indice de référence des loyers")
    assert "145,77" in item.text
    assert (item.sources[0].url, item.sources[0].as_of) == ("https://www.service-public.fr/actualites/A1", "2026-11-20")
    assert "Publications officielles" in made.text
    assert made.dropped == 0


@pytest.mark.parametrize("wrong", ["145,78", "2025", "hausse de 0,88 %"])
def test_what_the_publisher_did_not_write_is_not_told(wrong: str) -> None:
    """The gate of the answers: its own sentence stands in the place of one that says something else."""
    made = build(found(replace(entry_of(row()), text=f"L'indice est de {wrong} [1].")), PLACES)
    assert wrong not in made.text.replace("\u00a0", " ")


def test_a_channel_that_chose_is_told_what_it_chose() -> None:
    """Its schemes, its topics and its communes; the most wanted first."""
    rows = [
        row(1, topic="marche", schemes=[]),
        row(2, topic="energie", schemes=["dpe"], title="DPE : un nouveau calcul"),
        row(3, topic="marche", schemes=[], title="Les prix à Toulon au printemps"),
        row(4),
    ]
    assert told(*rows, schemes=("revision-loyer",)) == ["news:3", "news:4"]
    assert told(*rows, topics=("energie",)) == ["news:3", "news:2"]
    assert set(told(*rows)) == {"news:1", "news:2", "news:3", "news:4"}


def test_what_an_earlier_digest_said_is_not_said_again() -> None:
    known = frozenset(("news:1",))
    assert news_entries([row()], wanted=Wanted(), communes=(), told=known) == ()


def test_a_flood_of_publications_stays_readable() -> None:
    """The latest, by topic."""
    rows = [row(n, topic=("loyers", "marche")[n % 2]) for n in range(100)]
    keys = told(*rows)
    assert len(keys) == MOST_TOLD
    assert [int(key[5:]) % 2 for key in keys] == [0] * 4 + [1] * 4


def test_a_commune_is_named_word_for_word() -> None:
    """« Toulonnais » is nobody's town."""
    other = row(title="Le rugby toulonnais et le logement", lead="", topic="marche", schemes=[])
    assert told(other, topics=("energie",)) == []
