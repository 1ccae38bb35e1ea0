"""A scripted provider of the OpenAI chat API on loopback: it cites the evidence it sees, and misbehaves by model name.

By hand: `python -m tests.scripted_openai --port 9999`, then
`OPENAI_BASE_URL=http://127.0.0.1:9999/v1 OPENAI_API_KEY=x`.
Models: any name answers; `fail-429`, `fail-500`, `hang`, `malformed`, `empty`, `cut`, `no-schema`, `no-format`,
`no-options`, `strict` misbehave; `slow` takes its time between pieces, `endless` never ends; `thinks` spends a small
budget on thoughts; `plain` writes no JSON; `obedient` does whatever text inside the evidence tells it, which is the
worst a model can do.
"""

import argparse
import asyncio
import itertools
import json
import re
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

_SOURCE = re.compile(r'<source-(\w+) id="(\d+)"[^>]*>\n(.*?)\n</source-\1>', re.DOTALL)
_SECTIONS = re.compile(r"^Titres de section proposés : (.+)$", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.](?=\d)[^.!?\n]+)*[.!?]")


@dataclass(slots=True)
class Log:
    """Every request body, in order. `reads`, `writes`, `rewrites`, `judges`: what is said to each kind of request,
    instead of what the model would say, one after the other where it is a list; `finish`: with which reason it ends;
    `misbehaves`: whose misbehaviour is shown, whatever model is asked for."""

    requests: list[dict[str, Any]] = field(default_factory=list)
    reads: str | None = None
    writes: str | list[str] | None = None
    rewrites: str | None = None
    judges: str | None = None
    finish: str = "stop"
    misbehaves: str = ""

    @property
    def readings(self) -> list[dict[str, Any]]:
        """What each request for a reading told of the message and its thread."""
        return [json.loads(sent["messages"][-1]["content"]) for sent in self.requests if "premiere" in str(sent)]

    def asked_to(self, kind: str) -> list[dict[str, Any]]:
        """The requests of a kind: reads, writes, rewrites, judges."""
        return [sent for sent in self.requests if kind_of(sent) == kind]


def application(log: Log | None = None) -> Starlette:
    """`POST /v1/chat/completions`, plain and streamed."""
    kept = log or Log()

    async def completions(request: Request) -> Response:
        body = await request.json()
        kept.requests.append(body)
        body = body | {"model": kept.misbehaves or body["model"]}
        if (fault := await _fault(body, request)) is not None:
            return fault
        said = getattr(kept, kind_of(body))
        said = said.pop(0) if isinstance(said, list) else said
        text = said if said is not None else _reply(body)
        finish = kept.finish
        if body["model"] == "empty":
            text = ""
        if body["model"] == "thinks" and body["max_tokens"] < 4_000:
            text, finish = "<think>Alors, voyons", "length"
        if body.get("stream"):
            return StreamingResponse(_events(body, text, finish), media_type="text/event-stream")
        return JSONResponse(_whole(body, text, finish))

    return Starlette(routes=[Route("/v1/chat/completions", completions, methods=["POST"])])


def kind_of(body: dict[str, Any]) -> str:
    """What a request asks for: reads, writes, rewrites or judges."""
    asked = str(body["messages"][-1]["content"])
    if "premiere_lecture" in asked:
        return "reads"
    if "Ton premier jet a été vérifié" in asked:
        return "rewrites"
    return "judges" if asked.startswith("Phrase 1 :") else "writes"


def _reply(body: dict[str, Any]) -> str:
    kind, asks_json = kind_of(body), "response_format" in body or _wants_json(body)
    if kind == "judges":
        count = len(re.findall(r"^Phrase \d+ :", body["messages"][-1]["content"], re.MULTILINE))
        rows = [{"number": number, "verdict": "supported"} for number in range(1, count + 1)]
        return json.dumps({"verdicts": rows})
    if kind == "rewrites":
        return json.dumps({"sentences": []})
    if kind == "reads":
        return _schema_reply(body)
    return _claims(body) if asks_json and body["model"] not in ("plain", "obedient") else _cited_text(body)


async def _fault(body: dict[str, Any], request: Request) -> Response | None:
    model = body["model"]
    if model in ("fail-429", "fail-500"):
        return JSONResponse({"error": {"message": "scripted"}}, int(model[-3:]), {"retry-after-ms": "1"})
    if model == "hang":
        while (await request.receive())["type"] != "http.disconnect":
            pass
        return Response(status_code=499)
    if model == "malformed":
        return Response("<html>bad gateway</html>", media_type="application/json")
    asked = body.get("response_format", {}).get("type")
    if model == "no-schema" and asked == "json_schema":
        return JSONResponse({"error": {"message": "response_format json_schema is not supported"}}, 400)
    if model == "no-format" and asked is not None:
        return JSONResponse({"error": {"message": "extra inputs are not permitted: response_format"}}, 422)
    if model == "no-options" and "stream_options" in body:
        return JSONResponse({"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"]}]}, 422)
    if model == "strict" and "max_tokens" in body:
        return JSONResponse({"error": {"message": "use max_completion_tokens instead of max_tokens"}}, 400)
    if model == "strict" and "temperature" in body:
        return JSONResponse({"error": {"message": "temperature is not supported"}}, 400)
    return None


def _wants_json(body: dict[str, Any]) -> bool:
    return "conforme à ce schéma" in str(body["messages"][0]["content"])


def _whole(body: dict[str, Any], text: str, finish: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {
        "id": "s-1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [choice],
        "usage": _usage(body, text),
    }


def _usage(body: dict[str, Any], text: str) -> dict[str, int]:
    asked = sum(len(str(message["content"])) for message in body["messages"]) // 4
    return {"prompt_tokens": asked, "completion_tokens": len(text) // 4, "total_tokens": asked + len(text) // 4}


async def _events(body: dict[str, Any], text: str, finish: str) -> AsyncIterator[str]:
    pieces: Iterable[str] = re.findall(r".{1,40}", text, re.DOTALL)
    if body["model"] == "endless":
        pieces = itertools.repeat("Le Pinel est fermé [1]. ")
    chunk = {"id": "s-1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
    for position, piece in enumerate(pieces):
        if body["model"] == "cut" and position == 1:
            yield 'data: {"id": "s-1", "choices": [{"delta"'
            return
        if body["model"] in ("slow", "endless"):
            await asyncio.sleep(0.01)
        choice = {"index": 0, "delta": {"content": piece}, "finish_reason": None}
        yield f"data: {json.dumps(chunk | {'choices': [choice]})}\n\n"
    end = {"index": 0, "delta": {}, "finish_reason": finish}
    yield f"data: {json.dumps(chunk | {'choices': [end]})}\n\n"
    if body.get("stream_options", {}).get("include_usage"):
        yield f"data: {json.dumps(chunk | {'choices': [], 'usage': _usage(body, text)})}\n\n"
    yield "data: [DONE]\n\n"


def _cited_text(body: dict[str, Any]) -> str:
    """The first sentences of each source under the sections asked for, each with its id, as a model would."""
    sections = _sections(body)
    said = [f"{sentence.rstrip('.!?')} [{number}]." for number, sentence in _sentences(body)]
    if body["model"] == "obedient":
        said.append(str(body["messages"][-1]["content"]).replace("<", " ").replace(">", " "))
    if not sections or not said:
        return " ".join(said) or "Les sources disponibles ne permettent pas de répondre sur ce point."
    parts = _shared_out(said, sections)
    return "\n\n".join(f"### {name}\n{_body(name, lines)}" for name, lines in parts if lines)


def _claims(body: dict[str, Any]) -> str:
    """The same as the claims that a writer is asked for."""
    rows = [
        {"text": sentence, "sources": [int(number)], "quote": sentence, "operation": "none", "operands": []}
        for number, sentence in _sentences(body)
    ]
    opening, *others = _shared_out(rows, _sections(body))
    sections = [{"title": n, "form": "list", "columns": [], "claims": found} for n, found in others if found]
    return json.dumps({"answer": opening[1], "sections": sections, "missing": []}, ensure_ascii=False)


def _sections(body: dict[str, Any]) -> list[str]:
    found = _SECTIONS.search(str(body["messages"][-1]["content"]))
    return found.group(1).split(" | ") if found else []


def _sentences(body: dict[str, Any]) -> list[tuple[str, str]]:
    """The first sentences of each source, with its number."""
    return [
        (number, sentence.strip())
        for _, number, text in _SOURCE.findall(str(body["messages"][-1]["content"]))
        for sentence in _SENTENCE.findall(text)[:2]
        if len(sentence.split()) > 4
    ]


def _shared_out(said: list[Any], sections: list[str]) -> list[tuple[str, list[Any]]]:
    share = max(1, -(-len(said) // len(sections)))
    return [(name, said[i * share : (i + 1) * share]) for i, name in enumerate(sections)]


def _body(name: str, lines: list[str]) -> str:
    return " ".join(lines) if name == "En bref" else "\n".join(f"- {line}" for line in lines)


def _schema_reply(body: dict[str, Any]) -> str:
    """The reading that the offline reader gave, else the smallest value of the schema."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
    if schema is None:
        schema = json.loads(body["messages"][0]["content"].partition("schéma : ")[2])
    try:
        asked = json.loads(body["messages"][-1]["content"])
        first = asked["premiere_lecture"]
    except (json.JSONDecodeError, KeyError, TypeError):
        return json.dumps(_smallest(schema))
    return json.dumps(_smallest(schema) | first | {"query": asked["message"]})


def _smallest(schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: _smallest(part) for name, part in schema.get("properties", {}).items()}
    return {"string": "x", "integer": 0, "number": 0, "boolean": False, "array": []}.get(schema.get("type", ""), "x")


if __name__ == "__main__":
    import uvicorn

    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--port", type=int, default=9999)
    uvicorn.run(application(), host="127.0.0.1", port=arguments.parse_args().port)
