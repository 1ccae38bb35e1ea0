"""What one process counts and times, in a registry of its own, as Prometheus reads it."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, Metric, ProcessCollector, generate_latest

from bot.telemetry.labels import Bounded, name_of, slug_of
from pipeline.metering.telemetry import CallKind, Tell, Text, Told

PREFIX: Final = "quartierscope"
STEPS: Final = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds: from a search to a model that writes."""
WAITS: Final = (0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0)
"""Seconds that a person waits."""


class Registry(CollectorRegistry):
    """Without the moments at which each series began: a third of all samples, which nothing here asks for."""

    def collect(self) -> Iterator[Metric]:
        for metric in super().collect():
            metric.samples = [sample for sample in metric.samples if not sample.name.endswith("_created")]
            yield metric


class Metrics:
    """`Telemetry` that counts. A label goes through `name_of` or `slug_of`, and a bound on how many values it has."""

    texts: Final = False

    def __init__(self) -> None:
        self.registry = Registry()
        ProcessCollector(registry=self.registry)
        self._bounded = Bounded()
        of = self.registry
        self.stages = Histogram(
            f"{PREFIX}_stage_seconds", "Of a part of the way.", ["stage"], registry=of, buckets=STEPS
        )
        self.first_sign = Histogram(
            f"{PREFIX}_first_sign_seconds",
            "Message received to sign of life in its thread.",
            registry=of,
            buckets=WAITS,
        )
        self.published = Histogram(
            f"{PREFIX}_published_seconds", "Message received to answer in its thread.", registry=of, buckets=WAITS
        )
        self.answers = Counter(
            f"{PREFIX}_answers", "Answers by route and outcome.", ["mode", "intent", "outcome"], registry=of
        )
        self.messages = Counter(
            f"{PREFIX}_messages", "Messages that were kept to be answered, or left alone.", ["outcome"], registry=of
        )
        self.tools = Counter(f"{PREFIX}_tool_calls", "Calls of tools.", ["tool", "outcome"], registry=of)
        self.tool_seconds = Histogram(
            f"{PREFIX}_tool_seconds", "Of a call of a tool.", ["tool"], registry=of, buckets=STEPS
        )
        self.sentences = Counter(f"{PREFIX}_gate_sentences", "Fates at the gate.", ["fate", "reason"], registry=of)
        self.models = Counter(f"{PREFIX}_model_calls", "Calls of models.", ["model", "job", "outcome"], registry=of)
        self.model_seconds = Histogram(
            f"{PREFIX}_model_seconds", "Of a call of a model.", ["model", "job"], registry=of, buckets=STEPS
        )
        self.tokens = Counter(f"{PREFIX}_model_tokens", "Tokens.", ["model", "direction"], registry=of)
        self.euros = Counter(f"{PREFIX}_model_cost_euros", "What models cost.", ["model"], registry=of)
        self.cache = Counter(f"{PREFIX}_cache", "Answers given again, or made.", ["outcome"], registry=of)
        self.stops = Counter(
            f"{PREFIX}_budget_stops", "Answers that a budget kept from a model.", ["limit"], registry=of
        )

    def exposed(self) -> bytes:
        """Prometheus's text format."""
        return generate_latest(self.registry)

    @contextmanager
    def stage(self, name: str, /, *, key: str = "", **_told: Told) -> Iterator[Tell]:
        began = time.perf_counter()
        try:
            yield _nothing
        finally:
            self.stages.labels(self._name("stage", name)).observe(time.perf_counter() - began)

    @contextmanager
    def call(self, kind: CallKind, name: str, /, **told: Told) -> Iterator[Tell]:
        known: dict[str, Told] = {"outcome": "broken_off", **told}

        def tell(**more: Told) -> None:
            known.update(more)

        began = time.perf_counter()
        try:
            yield tell
        finally:
            ended = self._tool_called if kind == "tool" else self._model_called
            ended(name, known, time.perf_counter() - began)

    def event(self, name: str, /, **told: Told) -> None:
        if name == "received":
            self.messages.labels(self._name("outcome", told.get("outcome"))).inc()
        elif name in {"first_sign", "published"} and told.get("seconds") is not None:
            (self.first_sign if name == "first_sign" else self.published).observe(_number(told["seconds"]))
        elif name == "answered":
            self.answers.labels(*(self._name(label, told.get(label)) for label in ("mode", "intent", "outcome"))).inc()
        elif name == "sentences":
            fate = self._name("fate", told.get("fate"))
            reason = self._bounded("reason", slug_of(told["reason"])) if "reason" in told else ""
            self.sentences.labels(fate, reason).inc(_number(told.get("count")))
        elif name == "cache":
            self.cache.labels(self._name("outcome", told.get("outcome"))).inc()
        elif name == "budget_stop":
            self.stops.labels(self._name("limit", told.get("limit"))).inc()

    def _tool_called(self, name: str, known: Mapping[str, Told], seconds: float) -> None:
        tool = self._name("tool", name)
        self.tools.labels(tool, self._name("outcome", known["outcome"])).inc()
        self.tool_seconds.labels(tool).observe(seconds)

    def _model_called(self, name: str, known: Mapping[str, Told], seconds: float) -> None:
        model, job = self._name("model", name), self._name("job", known.get("job"))
        self.models.labels(model, job, self._name("outcome", known["outcome"])).inc()
        self.model_seconds.labels(model, job).observe(seconds)
        self.tokens.labels(model, "in").inc(_number(known.get("tokens_in")))
        self.tokens.labels(model, "out").inc(_number(known.get("tokens_out")))
        self.euros.labels(model).inc(_number(known.get("euros")))

    def _name(self, label: str, value: object) -> str:
        return self._bounded(label, name_of(value))


def _nothing(**_told: Told) -> None:
    """A stage is timed alone."""


def _number(value: Told) -> float:
    return 0.0 if value is None or isinstance(value, str | Text) else max(0.0, float(value))
