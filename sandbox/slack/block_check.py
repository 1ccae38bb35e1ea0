"""Checks blocks against the tables of `block_rules` and says what is wrong in Slack's words and pointers."""

import copy
import uuid
from collections.abc import Iterator
from typing import Any

from sandbox.slack import block_rules as rules
from sandbox.slack.state import Json


def problems(blocks: list[Any], *, surface: str, pointer: str) -> list[str]:
    """Every problem as `must be less than 3001 characters [json-pointer:/blocks/0/text/text]`; empty when fine."""
    most = rules.MAX_BLOCKS[surface]
    if len(blocks) > most:
        return [f"no more than {most} items allowed [json-pointer:{pointer}]"]
    found: list[str] = []
    seen_ids: set[str] = set()
    for index, block in enumerate(blocks):
        at = f"{pointer}/{index}"
        if not isinstance(block, dict):
            found.append(f"must be an object [json-pointer:{at}]")
        elif block.get("type") not in rules.BLOCKS_OF[surface]:
            found.append(f"unsupported type: {block.get('type')} [json-pointer:{at}/type]")
        else:
            found += [problem for where, part in typed(block, at) for problem in _part(part, where)]
            block_id = block.get("block_id")
            if block_id and block_id in seen_ids:
                found.append(f"`block_id` `{block_id}` already exists [json-pointer:{at}/block_id]")
            seen_ids.add(block_id or "")
    return found


def with_ids(blocks: list[Json]) -> list[Json]:
    """A copy in which every block has a block_id and every interactive element an action_id."""
    complete = copy.deepcopy(blocks)
    for block in complete:
        block.setdefault("block_id", uuid.uuid4().hex[:5])
        for _, part in typed(block, ""):
            if part["type"] in rules.INTERACTIVE:
                part.setdefault("action_id", uuid.uuid4().hex[:5])
    return complete


def typed(value: Any, at: str) -> Iterator[tuple[str, Json]]:
    """Every object with a `type` inside a block, the block first, each with its pointer."""
    if isinstance(value, dict):
        if isinstance(value.get("type"), str):
            yield at, value
        for name, item in value.items():
            yield from typed(item, f"{at}/{name}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from typed(item, f"{at}/{index}")


def along(value: Any, path: str, at: str) -> Iterator[tuple[str, Any]]:
    """The values at a path of `block_rules`, each with its pointer; nothing where the path leads nowhere."""
    if not path:
        yield at, value
        return
    step, _, rest = path.partition("/")
    if step == "*" and isinstance(value, list):
        for index, item in enumerate(value):
            yield from along(item, rest, f"{at}/{index}")
    elif isinstance(value, dict) and value.get(step) is not None:
        yield from along(value[step], rest, f"{at}/{step}")


def _part(part: Json, at: str) -> Iterator[str]:
    kind = part["type"]
    for group in rules.REQUIRED.get(kind, ()):
        if not any(part.get(name) for name in group):
            yield f"missing required field: {group[0]} [json-pointer:{at}]"
    yield from _sizes(part, at)
    for owner, path in rules.PLAIN_TEXT_ONLY:
        if owner == kind:
            for where, text in along(part, path, at):
                if not isinstance(text, dict) or text.get("type") != "plain_text":
                    yield f"must be a plain_text object [json-pointer:{where}]"
    for (owner, path), allowed in rules.ELEMENTS_OF.items():
        if owner == kind:
            for where, item in along(part, path, at):
                if not isinstance(item, dict) or item.get("type") not in allowed:
                    found = item.get("type") if isinstance(item, dict) else type(item).__name__
                    yield f"unsupported type: {found} [json-pointer:{where}]"
    if kind == "actions":
        yield from _same_action(part, at)


def _sizes(part: Json, at: str) -> Iterator[str]:
    limits = [(limit.path, limit.at_most) for limit in rules.LIMITS if limit.type == part["type"]]
    for path, most in (*limits, *rules.EVERYWHERE):
        for where, value in along(part, path, at):
            if isinstance(value, str) and len(value) > most:
                yield f"must be less than {most + 1} characters [json-pointer:{where}]"
            elif isinstance(value, list) and len(value) > most:
                yield f"no more than {most} items allowed [json-pointer:{where}]"
    for path in rules.NEVER_EMPTY:
        for where, value in along(part, path, at):
            if value == "":
                yield f"must be more than 0 characters [json-pointer:{where}]"


def _same_action(part: Json, at: str) -> Iterator[str]:
    seen: set[str] = set()
    for where, action_id in along(part, "elements/*/action_id", at):
        if action_id in seen:
            yield f"`action_id` `{action_id}` already exists for this block [json-pointer:{where}]"
        seen.add(action_id)
