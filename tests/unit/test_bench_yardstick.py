"""The yardstick: speeds as ratios to the time of one embedding, the same on a slow machine and a fast one."""

from pathlib import Path
from typing import Any

import pytest

from bench.speed import beside
from bench.speed.beside import compared
from bench.yardstick import QUESTION, Yardstick, ratio_of, ratios


def test_the_question_has_ten_words() -> None:
    """Whoever measures elsewhere embeds as much."""
    assert len(QUESTION.replace("?", "").split()) == 10


@pytest.mark.parametrize(("machine", "factor"), [("quick", 1), ("slow", 2.6)])
def test_a_machine_that_is_slower_throughout_has_the_same_ratios(machine: str, factor: float) -> None:
    """Seconds and milliseconds alike; what is no speed has no ratio."""
    figures = {"overhead_p95_s": 0.1 * factor, "communes_p95_ms": 5 * factor, "rss_mb": 300.0, "questions": 30}
    assert ratios(figures, 0.025 * factor) == {"overhead_p95_ratio": 4.0, "communes_p95_ratio": 0.2}, machine


def test_a_short_time_has_a_ratio_too() -> None:
    """A hundredth of a yardstick is not none."""
    assert ratios({"communes_p95_ms": 0.12}, 0.031) == {"communes_p95_ratio": 0.00387}


def test_figures_stand_beside_their_ratios() -> None:
    """In what is stored and in what is shown."""
    yardstick = Yardstick()
    yardstick.take(5)
    found = yardstick.beside({"p95_s": 10 * yardstick.seconds, "rss_mb": 300.0})
    assert found["p95_ratio"] == 10
    assert found["yardstick_count"] == 5
    assert found["yardstick_p95_ms"] >= found["yardstick_ms"] > 0
    computed = yardstick.beside({"cpu_p95_s": 10.0})
    assert computed["cpu_p95_ratio"] == pytest.approx(10_000 / computed["yardstick_cpu_ms"], rel=0.02)
    assert ratio_of("p95_s", found) == "10"
    assert ratio_of("rss_mb", found) == ""


def test_two_trees_are_compared_round_by_round() -> None:
    """What slows a machine for one round weighs on both sides of its ratio."""
    names = beside.MEASURES
    here, there = (0.1, 0.4, 0.12), (0.2, 0.8, 0.3)
    runs = {
        side: [dict.fromkeys(names, seconds) for seconds in each]
        for side, each in ((beside.HERE, here), (beside.THERE, there))
    }
    del runs[beside.THERE][0]["cpu_p50_s"]  # an older commit does not measure it
    found = compared(runs)
    assert set(found) == set(names) - {"cpu_p50_s"}
    assert found["overhead_p95_s"] == {
        "here": 0.12, "there": 0.3, "ratio": 0.5, "ratio_lowest": 0.4, "ratio_highest": 0.5,
        "ratio_of_best": 0.5,
    }  # fmt: skip


def test_both_trees_run_in_turn_and_neither_always_first() -> None:
    """A B, B A: a machine that grows slower throughout favours neither; the runs that warm up do not count."""
    order: list[str] = []

    def measure(tree: Path) -> dict[str, Any]:
        order.append(tree.name)
        return {"overhead_p95_s": float(len(order))}

    runs = beside.alternated({"a": Path("a"), "b": Path("b")}, rounds=2, measure=measure)
    assert order == ["a", "b", "a", "b", "b", "a"]
    assert {side: [r["overhead_p95_s"] for r in found] for side, found in runs.items()} == {"a": [3, 6], "b": [4, 5]}
