"""A whole bot that is watched: metrics from its first moment, which match what was said; one trace an answer."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.otlp_backend import Backend, backend
from tests.scenario.stage import Stage, stage

QUESTIONS = (
    "@bot le Pinel est-il encore ouvert aux nouveaux investisseurs ?",
    "@bot quels sont les prix à Toulon ?",
    "@bot quelle est la meilleure recette de cassoulet ?",
)


def scraped(port: int) -> dict[str, float]:
    """`name{label="value"}` of each sample; empty while nobody listens."""
    try:
        answer = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=10, trust_env=False)
    except httpx.TransportError:
        return {}
    assert answer.status_code == 200, answer.text
    found = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}"] = sample.value
    return found


@pytest.fixture(scope="module")
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def told() -> Iterator[Backend]:
    with backend() as found:
        yield found


@pytest.fixture(scope="module")
def first_scrape(port: int) -> Iterator[list[dict[str, float]]]:
    """The first answers of /metrics, asked for from before the process begins."""
    found: list[dict[str, float]] = []
    stopped = threading.Event()

    def ask() -> None:
        while not found and not stopped.is_set():
            if seen := scraped(port):
                found.append(seen)
            time.sleep(0.01)

    asking = threading.Thread(target=ask)
    asking.start()
    yield found
    stopped.set()
    asking.join()


@pytest.fixture(scope="module")
def watched(
    tmp_path_factory: pytest.TempPathFactory, port: int, told: Backend, first_scrape: list[dict[str, float]]
) -> Iterator[Stage]:
    folder: Path = tmp_path_factory.mktemp("watched")
    settings = {"HEALTH_PORT": str(port), "OTEL_EXPORTER_OTLP_ENDPOINT": told.address}
    with stage(folder, **settings) as ready:
        yield ready


def test_metrics_are_there_while_the_process_starts(watched: Stage, first_scrape: list[dict[str, float]]) -> None:
    """Not ready yet, and said so; no figure of a database that nobody has opened."""
    assert first_scrape[0]["quartierscope_part_ready{part=start}"] == 0
    assert "quartierscope_database_up{}" in first_scrape[0]


def test_metrics_match_what_was_said(watched: Stage, port: int) -> None:
    """Each message is kept once, gets its first sign and its answer once; a proposal is counted in its state."""
    threads = [watched.say(question) for question in QUESTIONS]
    for ts in threads:
        watched.answer(ts)
    noted = watched.say("@bot ajoute une note sur le dossier 9001 : relire le bail")
    watched.card(noted)

    def settled() -> dict[str, float] | None:
        seen = scraped(port)
        idle = seen.get("quartierscope_queue_jobs{queue=threads,state=running}") == 0
        return seen if idle and seen.get("quartierscope_proposals{state=offered}") == 1 else None

    seen = watched.until(settled, "metrics of a bot at rest")
    assert seen["quartierscope_messages_total{outcome=kept}"] == len(QUESTIONS) + 1
    assert seen["quartierscope_first_sign_seconds_count{}"] == len(QUESTIONS) + 1
    assert seen["quartierscope_published_seconds_count{}"] == len(QUESTIONS) + 1
    answers = {name: value for name, value in seen.items() if name.startswith("quartierscope_answers_total")}
    assert sum(answers.values()) == len(QUESTIONS) + 1
    assert sum(value for name, value in answers.items() if "outcome=refused" in name) == 1
    assert seen["quartierscope_tool_calls_total{outcome=ok,tool=sales}"] >= 1
    assert seen["quartierscope_gate_sentences_total{fate=kept,reason=}"] >= 1
    assert seen["quartierscope_stage_seconds_count{stage=retrieve}"] >= 1
    assert seen["quartierscope_queue_jobs{queue=threads,state=waiting}"] == 0
    assert seen["quartierscope_jobs_dead{kind=given_up}"] == 0
    assert all(seen[f"quartierscope_part_ready{{part={part}}}"] == 1 for part in ("start", "database", "index"))
    assert seen["quartierscope_database_up{}"] == 1
    assert seen["process_resident_memory_bytes{}"] > 0


def test_each_answer_is_one_whole_trace_without_text(watched: Stage, told: Backend) -> None:
    """From the job to the post, through the durable steps; every parent came too, and no word of a question."""
    spans = told.until(lambda sent: len([s for s in sent if s.name == "job.reply"]) == len(QUESTIONS) + 1)
    for root in (span for span in spans if span.name == "job.reply"):
        trace = [span for span in spans if span.trace == root.trace]
        assert {span.name for span in trace if not span.parent} <= {"job.sign", "job.reply", "job.chart"}
        assert {span.parent for span in trace if span.parent} <= {span.id for span in trace}
        assert {"job.sign", "place", "think", "publish", "invoke_agent QuartierScope"} <= {s.name for s in trace}
        assert str(root.attributes["quartierscope.reference"]).startswith("QS-")
    assert len({span.trace for span in spans if span.name == "job.reply"}) == len(QUESTIONS) + 1
    above = {span.id: span.name for span in spans}
    assert {above[s.parent] for s in spans if s.name == "invoke_agent QuartierScope"} == {"think"}
    assert {above[s.parent] for s in spans if s.name == "execute_tool sales"} == {"evidence"}
    sent = b"".join(told.bodies)
    for word in ("Pinel", "cassoulet", "relire le bail", "U0CAMILLE", "C0TOULON"):
        assert word.encode() not in sent, word
