"""What a process counts: by names of ours alone, in no more series than it is worth."""

import asyncio
from typing import Any

import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from bot.telemetry.labels import MOST_VALUES, OTHER, name_of, slug_of
from bot.telemetry.metrics import Metrics
from pipeline.metering.telemetry import SILENT, Text, Together
from pipeline.ports import Tool
from pipeline.toolbox import run_tools
from pipeline.types import ToolCall, ToolResult

HOSTILE = (
    "Mon client Jean Martin a 3 000 € de revenu",
    'x"} 1\nfaked_metric{a="b',
    "naïve",
    "jean.martin@cabinet.fr ",
    "a" * 400,
    "",
    "0612345678",
    "\x00",
)


def samples(metrics: Metrics) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample by its name and labels, as a scraper reads them."""
    families = text_string_to_metric_families(metrics.exposed().decode())
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


@pytest.mark.parametrize("value", HOSTILE)
def test_no_words_become_a_label(value: str) -> None:
    """Whatever is said, a scrape holds none of it and stays readable."""
    metrics = Metrics()
    metrics.event("answered", mode=value, intent=value, outcome=value)
    metrics.event("sentences", fate="dropped", reason=f"{value} 12", count=1)
    with metrics.call("tool", value) as tell:
        tell(outcome=value)
    with metrics.call("model", value, job=value) as tell:
        tell(outcome=value, tokens_in=3, asked=Text(value))
    with metrics.stage(value, asked=Text(value)):
        pass
    labels = {value for _, told in samples(metrics) for name, value in told if name != "le"}
    assert labels <= {OTHER, "dropped", "in", "out"}


def test_a_label_has_no_more_values_than_its_bound() -> None:
    """A provider that names a new model each time makes one series of all later ones."""
    metrics = Metrics()
    for number in range(3 * MOST_VALUES):
        with metrics.call("model", f"model-{number}", job="write") as tell:
            tell(outcome="ok")
    models = {dict(told)["model"] for name, told in samples(metrics) if name == "quartierscope_model_calls_total"}
    assert len(models) == MOST_VALUES + 1
    assert OTHER in models


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("chiffre d'une autre tranche de la source : 3 000 €", "chiffre_d_une_autre_tranche_de_la_source"),
        ("contredite par sa source, à la relecture", "contredite_par_sa_source_a_la_relecture"),
        ("le client gagne 3000 euros", OTHER),
        ("<b>absent</b>", OTHER),
    ],
)
def test_a_reason_is_its_fixed_words(said: str, kept: str) -> None:
    assert slug_of(said) == kept


def test_names_of_models_stay_readable() -> None:
    assert [name_of(n) for n in ("gpt-4.1-mini", "org/model:7b", "rag+tools")] == [
        "gpt-4.1-mini", "org/model:7b", "rag+tools"
    ]  # fmt: skip


async def test_tools_are_counted_by_what_came_of_them() -> None:
    """Found, nothing to say, its own fault, crashed, too slow, not there at all: each call once, each timed."""
    metrics = Metrics()
    tools: dict[str, Any] = {name: Pretend(name) for name in ("sales", "risks", "web", "dpe", "rents")}
    calls = [ToolCall(name, {}) for name in (*tools, "crm")]
    await run_tools(calls, tools=tools, call_seconds=0.2, telemetry=Together((SILENT, metrics)))
    found = samples(metrics)

    def count(tool: str, outcome: str) -> float:
        return found["quartierscope_tool_calls_total", (("outcome", outcome), ("tool", tool))]

    assert count("sales", "ok") == count("risks", "nothing") == count("web", "failed") == 1
    assert count("dpe", "failed") == count("rents", "failed") == count("crm", "not_connected") == 1
    assert found["quartierscope_tool_seconds_count", (("tool", "sales"),)] == 1


class Pretend(Tool):
    """A source that does what its name stands for here."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    async def run(self, call: ToolCall) -> ToolResult:
        if self._name == "dpe":
            raise ValueError
        if self._name == "rents":
            await asyncio.sleep(60)
        error = {"sales": None, "risks": "rien", "web": "en panne"}[self._name]
        return ToolResult(call=call, error=error, outage=self._name == "web")


def test_nothing_of_ours_stands_in_the_global_registry() -> None:
    """Two processes' worth of metrics in one process do not meet."""
    first, second = Metrics(), Metrics()
    first.event("received", outcome="kept")
    assert samples(first)["quartierscope_messages_total", (("outcome", "kept"),)] == 1
    assert not [name for name, _ in samples(second) if name == "quartierscope_messages_total"]
    assert not [m.name for m in REGISTRY.collect() if m.name.startswith("quartierscope")]
