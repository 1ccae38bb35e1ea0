"""When a digest is due: DST days, ISO week 53, clocks that jump, subscriptions that begin or come back."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest

from bot.digests.due import Week, clock_objection, is_too_late, latest_slot, next_slot, owed, slot_in


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


MONDAY_8 = {"weekday": 1, "at": "08:00"}


@pytest.mark.parametrize(
    ("now", "week", "slot"),
    [
        ("2026-11-23T06:59:59", "2026-W47", "2026-11-16T07:00:00"),
        ("2026-11-23T07:00:00", "2026-W48", "2026-11-23T07:00:00"),
        ("2026-11-29T22:59:00", "2026-W48", "2026-11-23T07:00:00"),
        ("2026-12-28T07:00:00", "2026-W53", "2026-12-28T07:00:00"),
        ("2027-01-03T12:00:00", "2026-W53", "2026-12-28T07:00:00"),
        ("2027-01-04T07:00:00", "2027-W01", "2027-01-04T07:00:00"),
        ("2026-07-06T06:00:00", "2026-W28", "2026-07-06T06:00:00"),
    ],
)
def test_the_latest_slot_and_the_week_that_it_belongs_to(now: str, week: str, slot: str) -> None:
    """Winter is UTC+1, summer UTC+2; the last days of 2026 and the first of 2027 are its week 53."""
    found, moment = latest_slot(at(now), **MONDAY_8)
    assert (found.label, moment) == (week, at(slot))


@pytest.mark.parametrize(
    ("week", "clock", "slot"),
    [
        ("2026-W43", "08:00", "2026-10-25T07:00:00"),
        ("2026-W13", "08:00", "2026-03-29T06:00:00"),
        ("2026-W43", "01:30", "2026-10-24T23:30:00"),
        ("2026-W43", "03:00", "2026-10-25T02:00:00"),
        ("2026-W13", "01:59", "2026-03-29T00:59:00"),
        ("2026-W13", "03:00", "2026-03-29T01:00:00"),
    ],
)
def test_both_change_days_have_each_slot_once(week: str, clock: str, slot: str) -> None:
    """Sundays on which Paris changes its clocks: what is due is due at one moment."""
    assert slot_in(Week.read(week), weekday=7, at=clock) == at(slot)


def test_a_whole_year_of_minutes_has_one_slot_a_week() -> None:
    """Every hour of two years, both changes and week 53 among them: each ISO week is owed once, seven days apart."""
    now, seen = at("2026-01-05T00:00:00"), dict[str, datetime]()
    while now < at("2028-01-03T00:00:00"):
        week, slot = latest_slot(now, **MONDAY_8)
        assert seen.setdefault(week.label, slot) == slot
        now += timedelta(hours=1)
    days = sorted(slot.date() for slot in seen.values())
    assert len(seen) == 105
    assert {later - earlier for earlier, later in pairwise(days)} == {timedelta(days=7)}


def test_nothing_is_owed_from_before_the_subscription() -> None:
    """Who subscribes on Monday at nine does not get the digest of eight."""
    subscription = {**MONDAY_8, "active_since": "2026-11-23T08:00:00.000+00:00"}
    assert owed(subscription, at("2026-11-23T08:01:00")) is None
    due = owed(subscription, at("2026-11-30T07:00:00"))
    assert due is not None
    assert due[0].label == "2026-W49"


def test_later_than_a_day_is_too_late() -> None:
    slot = at("2026-11-23T07:00:00")
    assert not is_too_late(slot, slot + timedelta(hours=24))
    assert is_too_late(slot, slot + timedelta(hours=24, seconds=1))


def test_the_next_slot_crosses_the_change_of_hour() -> None:
    """From summer to winter: eight o'clock stays eight o'clock."""
    assert next_slot(at("2026-10-19T06:00:00"), **MONDAY_8) == at("2026-10-26T07:00:00")


@pytest.mark.parametrize("clock", ["02:00", "02:30", "02:59"])
def test_the_hour_that_happens_twice_or_never_is_refused(clock: str) -> None:
    assert "autre heure" in clock_objection(clock)


@pytest.mark.parametrize("clock", ["24:00", "8:00", "08h00", "", "08:60"])
def test_what_is_no_time_of_day_is_refused(clock: str) -> None:
    assert clock_objection(clock)


@pytest.mark.parametrize("label", ["2026-W54", "2025-W53", "2026-47", "W47", "2026-W00"])
def test_a_week_that_does_not_exist_is_refused(label: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Week.read(label)


def test_week_53_exists_in_2026() -> None:
    assert Week.read("2026-W53").day(7) == date(2027, 1, 3)
    assert Week.of(date(2027, 1, 3)).label == "2026-W53"
