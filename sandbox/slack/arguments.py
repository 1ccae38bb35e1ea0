"""Arguments of a Web API call, whatever way they came: query, form, JSON, or JSON inside a form."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request

from sandbox.slack.errors import SlackError

_TRUE = {True, "1", "true", "True"}  # 1 equals True


@dataclass(frozen=True, slots=True)
class Args:
    """Reads one argument in the type that the method wants."""

    values: Mapping[str, Any]

    def text(self, name: str, *, missing: str = "invalid_arguments") -> str:
        """A required text. Raises `SlackError(missing)`."""
        value = self.optional(name)
        if not value:
            raise SlackError(missing, messages=[f"missing required field: {name}"])
        return value

    def optional(self, name: str) -> str:
        """A text, or an empty one."""
        value = self.values.get(name)
        return "" if value is None else str(value)

    def flag(self, name: str) -> bool:
        """True for true, 1, "1" and "true"."""
        value = self.values.get(name)
        return isinstance(value, str | int) and value in _TRUE

    def number(self, name: str, default: int) -> int:
        """A whole number. Raises `SlackError`."""
        value = self.optional(name)
        if not value:
            return default
        try:
            return int(float(value))
        except ValueError:
            raise SlackError("invalid_arguments", messages=[f"must be a number [json-pointer:/{name}]"]) from None

    def parsed(self, name: str, *, wrong: str = "invalid_arguments") -> Any:
        """A list or an object, sent as JSON or as JSON text; None when absent. Raises `SlackError(wrong)`."""
        value = self.values.get(name)
        if isinstance(value, str):
            if not value:
                return None
            try:
                return json.loads(value)
            except ValueError:
                raise SlackError(wrong) from None
        return value

    def listed(self, name: str) -> list[str]:
        """`a,b` or ["a", "b"]."""
        value = self.values.get(name)
        parts = value if isinstance(value, list) else str(value or "").split(",")
        return [str(part).strip() for part in parts if str(part).strip()]


async def read_args(request: Request) -> Args:
    """Body over query. Raises `SlackError` invalid_json, invalid_form_data."""
    values: dict[str, Any] = dict(request.query_params)
    if request.method != "POST":
        return Args(values)
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    raw = await request.body()
    if kind == "application/json":
        values |= _json_object(raw)
    elif kind in ("application/x-www-form-urlencoded", "multipart/form-data"):
        values |= _texts(await request.form())
    elif raw:
        raise SlackError("invalid_form_data")
    return Args(values)


def client_of(request: Request) -> dict[str, str]:
    """An application's id and secret, of HTTP's Basic scheme; nothing without it."""
    scheme, _, sent = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return {}
    try:
        named, _, secret = base64.b64decode(sent, validate=True).decode().partition(":")
    except ValueError:
        return {}
    return {"client_id": named, "client_secret": secret}


def _json_object(raw: bytes) -> dict[str, Any]:
    if not raw.strip():
        return {}
    try:
        body = json.loads(raw)
    except ValueError:
        raise SlackError("invalid_json") from None
    if not isinstance(body, dict):
        raise SlackError("json_not_object")
    return body


def _texts(form: FormData) -> dict[str, Any]:
    return {name: value for name, value in form.items() if isinstance(value, str)}
