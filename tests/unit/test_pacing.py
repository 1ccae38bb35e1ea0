"""Posts of one channel wait for each other, those of two do not, and Slack's Retry-After holds for the channel."""

from bot.slack.pacing import BURST, Pace


class Time:
    """A clock that sleeping moves."""

    def __init__(self) -> None:
        self.now = 100.0

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


async def _taken(pace: Pace, time: Time, channel: str, count: int) -> list[float]:
    moments = []
    for _ in range(count):
        await pace.take(channel)
        moments.append(round(time.now - 100.0, 3))
    return moments


async def test_a_few_at_once_then_one_a_second() -> None:
    time = Time()
    pace = Pace(now=lambda: time.now, sleep=time.sleep)
    assert await _taken(pace, time, "C1", BURST + 2) == [0.0] * BURST + [1.0, 2.0]


async def test_a_channel_waits_for_no_other() -> None:
    time = Time()
    pace = Pace(now=lambda: time.now, sleep=time.sleep)
    await _taken(pace, time, "C1", BURST)
    assert await _taken(pace, time, "C2", 1) == [0.0]


async def test_what_slack_asks_for_is_waited_for_there() -> None:
    """And no burst comes after it."""
    time = Time()
    pace = Pace(now=lambda: time.now, sleep=time.sleep)
    pace.hold("C1", 7.0)
    assert await _taken(pace, time, "C2", 1) == [0.0]
    assert await _taken(pace, time, "C1", 2) == [7.0, 8.0]
