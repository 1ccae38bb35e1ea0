"""What of the chat API one provider understands: learned from what it answers 400 or 422 to, and not sent again."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pipeline.ports import Message

ROOM: Final = 4_096
"""Tokens more for a model that thinks before it speaks: its thoughts count as output."""
MOST_LESSONS: Final = 6
_NAMED: Final = ("stream_options", "reasoning_effort", "temperature", "max_completion_tokens", "max_tokens")
_TOO_LONG: Final = re.compile(
    r"context.?(?:length|window|size)|maximum context|too many tokens|prompt is too long", re.IGNORECASE
)
_OF_FORMAT: Final = re.compile(r"response_format|json|schema|grammar", re.IGNORECASE)


@dataclass(slots=True)
class Dialect:
    """`refused`: parts of a request that the provider does not know; `thinks`: the model was seen thinking."""

    effort: str = ""
    refused: set[str] = field(default_factory=set)
    thinks: bool = False

    def request(
        self,
        model: str,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None,
        max_tokens: int,
        stream: bool,
    ) -> dict[str, Any]:
        """The arguments of one call, in the subset that the provider is known or hoped to understand."""
        said = [{"role": message.role, "content": message.content} for message in messages]
        request: dict[str, Any] = {"model": model, "messages": said}
        limit = next((name for name in ("max_tokens", "max_completion_tokens") if name not in self.refused), None)
        if limit is not None:
            request[limit] = max_tokens + (ROOM if self.thinks else 0)
        if "temperature" not in self.refused:
            request["temperature"] = 0.0
        if self.effort and "reasoning_effort" not in self.refused:
            request["reasoning_effort"] = self.effort
        if stream:
            request["stream"] = True
            if "stream_options" not in self.refused:
                request["stream_options"] = {"include_usage": True}
        return request | self._format(schema, said) if schema is not None else request

    def _format(self, schema: Mapping[str, Any], said: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        """The schema by the strictest means left: enforced, asked for as JSON, or asked for in words."""
        if "json_schema" not in self.refused:
            named = {"name": "reply", "schema": dict(schema), "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        wanted = f"Réponds par un seul objet JSON conforme à ce schéma : {json.dumps(schema, ensure_ascii=False)}"
        told: dict[str, Any] = {"messages": [{"role": "system", "content": wanted}, *said]}
        return told if "json_object" in self.refused else told | {"response_format": {"type": "json_object"}}

    def learn(self, complaint: str, request: Mapping[str, Any]) -> bool:
        """Notes which part of the request the provider does not know; False when it is nothing of ours. A complaint
        that names nothing is laid to what fewest providers know."""
        if _TOO_LONG.search(complaint):
            return False
        kind = request.get("response_format", {}).get("type")
        named = next((part for part in _NAMED if part in request and part in complaint), None)
        if named is None and kind is not None and _OF_FORMAT.search(complaint):
            named = kind
        part = named or kind or next((part for part in _NAMED[:3] if part in request), None)
        if part is None or part in self.refused:
            return False
        self.refused.add(part)
        return True
