"""One digest of a full week, reviewed line by line: what it says, and each figure and date in its source."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from bot.digests.content import Found, build
from bot.digests.deals import OpenDeal, deal_entries
from bot.digests.due import Week
from bot.digests.places import place_entry
from bot.digests.prices import price_entry
from bot.digests.rules import rule_changes, rule_entries
from bot.digests.subscriptions import Wanted
from bot.digests.values import Digest, Entry
from pipeline.crm_types import Deal
from pipeline.text.figures import figures, supports
from pipeline.text.wording import in_digits
from tests.digesting import PLACES, prices, toulon

GOLDEN = Path(__file__).with_name("data") / "golden_digest.md"
WEEK, SLOT, SINCE = Week(2026, 50), datetime(2026, 12, 7, 7, tzinfo=UTC), datetime(2026, 11, 30, 7, tzinfo=UTC)
FOLLOWED = frozenset(("taxe-habitation-vacance", "encadrement-loyers"))
RISKS = {
    "tool": "risks", "title": "Géorisques : risques à Toulon", "url": "https://www.georisques.gouv.fr/toulon",
    "as_of": "2026-12-07", "series": [], "read_on": "2026-11-30",
}  # fmt: skip


def orders(count: int) -> dict[str, object]:
    text = f"Arrêtés de catastrophe naturelle recensés à Toulon : {count}, dont 9 pour inondation."
    return RISKS | {"text": text, "figures": [["Arrêtés de catastrophe naturelle", count, "arrêtés"]]}


def entries() -> list[Entry]:
    """A rule to come, a new year of prices, one more order, and the deal that they touch."""
    day = SLOT.date()
    changes = rule_changes(date(2026, 11, 30), date(2027, 1, 6), followed=FOLLOWED)
    told = [*rule_entries(changes, since=SINCE.date(), slot=day, told=frozenset())]
    before = prices(year=2024, median=2491, sales=1691, read_on="2026-11-30")
    price, _ = price_entry(toulon(), prices(), before, slot=day)
    risk = place_entry(toulon(), "risks", orders(14), orders(13), slot=day)
    assert price is not None
    assert risk is not None
    told += [price, risk]
    benali = Deal("9003", "Benali - maison Toulon", stage="Étude", url="https://crm.example/9003")
    deal = OpenDeal(benali, towns=frozenset(("83137",)), schemes=frozenset())
    return [*told, *deal_entries(told, (deal,), PLACES, told=frozenset())]


def golden() -> Digest:
    found = Found("C1", WEEK, SLOT, SINCE, Wanted(communes=("83137",)), tuple(entries()))
    return build(found, PLACES)


def test_it_says_this_and_nothing_else() -> None:
    """The file was read line by line against its sources; a change of it is to be read again."""
    assert golden().text + "\n" == GOLDEN.read_text(encoding="utf-8")


def test_every_figure_and_date_stands_in_the_source_that_its_line_cites() -> None:
    """Counted apart from the gate: each value of each line in the texts and figures of that line's own evidence, or
    computed from them."""
    by_key = {entry.key: entry for entry in entries()}
    for item in golden().items:
        entry = by_key[item.key]
        texts = [f"{r.title} {r.text} {r.url}" for r in entry.evidence]
        texts += [f"{f.value:g} {f.unit}" for r in entry.evidence for f in r.figures]
        texts += [f"{c.figure.value:g}".replace(".", ",") + c.figure.unit for c in entry.computed]
        held = [value for text in texts for value in figures(in_digits(text), generous=True)]
        bare = re.sub(r"\s*\[\d+\]", "", item.text)
        for value in figures(in_digits(bare)):
            assert any(supports(known, value) for known in held), (item.text, value)
        assert item.sources
        assert all(source.url.startswith("https://") for source in item.sources)


def test_a_wrong_figure_would_be_seen() -> None:
    """The second test is worth something: a line with another number finds no support."""
    price = next(entry for entry in entries() if entry.kind == "price")
    wrong = replace(price, text=price.text.replace("2\u202f598", "2\u202f698"))
    held = [v for r in wrong.evidence for v in figures(in_digits(f"{r.title} {r.text}"), generous=True)]
    bare = re.sub(r"\s*\[\d+\]", "", wrong.text)
    assert any(not any(supports(known, value) for known in held) for value in figures(in_digits(bare)))
