"""The rules' route: a table of questions of our own, and what no input may do."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.places import load_gazetteer
from pipeline.router import route
from pipeline.types import Question, Route, Turn

PLACES = load_gazetteer()
ASKED_AT = datetime(2026, 11, 21, 15, 0, tzinfo=ZoneInfo("Europe/Paris"))  # a Saturday
CASES = Path(__file__).with_name("data") / "routes.jsonl"


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def ask(text: str, *, history: tuple[Turn, ...] = (), deal: str | None = None, crm: bool = True) -> Route:
    question = Question(text=text, asked_by="U1", asked_at=ASKED_AT, history=history, deal_id=deal)
    return route(question, places=PLACES, crm_available=crm)


def turns(rows: list[dict[str, Any]]) -> tuple[Turn, ...]:
    return tuple(
        Turn(
            author=row["author"],
            text=row["text"],
            communes=tuple(row.get("communes", ())),
            schemes=tuple(row.get("schemes", ())),
            query=row.get("query", ""),
        )
        for row in rows
    )


def seen(found: Route) -> dict[str, Any]:
    """The fields of a route as the table writes them."""
    sales = [c.arguments for c in found.tool_calls if c.tool == "sales"]
    crm = [c.arguments["deal_id"] for c in found.tool_calls if c.tool == "crm"]
    first = found.actions[0] if found.actions else None
    return {
        "mode": found.mode,
        "intent": found.intent,
        "communes": list(found.communes),
        "schemes": list(found.schemes),
        "aspects": list(found.aspects),
        "tool_calls": [c.tool for c in found.tool_calls],
        "sales": [[a["insee"], a["type"], a["year"]] for a in sales],
        "crm_call": crm[0] if crm else None,
        "actions": [a.kind for a in found.actions],
        "kinds": [a.kind for a in found.actions],
        "deal_id": found.deal_id,
        "deal_name": found.deal_name,
        "refusal": found.refusal,
        "refused": found.refusal is not None,
        "body": first.body if first else None,
        "due": first.due.isoformat() if first and first.due else None,
        "property": first.property if first else None,
        "value": first.value if first else None,
    }


def misses(found: Route, expected: dict[str, Any]) -> list[str]:
    """Every expectation that the route does not meet."""
    facts = seen(found)
    wrong = []
    for field, value in expected.items():
        if field.endswith("_has") and field != "query_has":
            ok = set(value) <= set(facts[field.removesuffix("_has")])
        elif field.endswith("_hasnt") and field != "query_hasnt":
            ok = not set(value) & set(facts[field.removesuffix("_hasnt")])
        elif field == "query_has":
            ok = all(part in found.query for part in value)
        elif field == "query_hasnt":
            ok = not any(part in found.query for part in value)
        elif field == "sub_queries_min":
            ok = value <= len(found.sub_queries) <= 4
        elif field == "ppri":
            ok = any("PPRI" in sub and value in sub for sub in found.sub_queries)
        elif field == "clarify":
            ok = value in (found.clarification or "")
        else:
            ok = facts[field] == value
        if not ok:
            wrong.append(
                f"{field}: expected {value!r}, found {facts.get(field, (found.query, found.sub_queries, found.clarification))!r}"
            )
    return wrong


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["text"][:60] or "empty")
def test_route_of(case: dict[str, Any]) -> None:
    """One line of the table: the expected subset of the route's fields."""
    history = turns(case.get("history", []))
    found = ask(case["text"], history=history, deal=case.get("deal"), crm=case.get("crm", True))
    assert not (wrong := misses(found, case["expect"])), "\n".join([*wrong, repr(found)])
