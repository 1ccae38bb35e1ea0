"""Tavily's search in its shape: it finds the pretend official pages, and always one that is not official."""

import json
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from sandbox.opendata.sites import MARK, found, summary
from sandbox.opendata.state import OpenData, served

STRANGER = {
    "title": "Page hors liste",
    "url": "https://blog.example.com/conseils",
    "content": "Cette page ne vient pas d'un domaine officiel et ne doit jamais être citée.",
    "score": 0.99,
    "raw_content": None,
}


def routes(state: OpenData) -> list[BaseRoute]:
    """To be mounted under /tavily."""
    return [Route("/search", served(state, "web", partial(_search, state)), methods=["POST"])]


async def _search(state: OpenData, request: Request, empty: bool) -> Any:
    """Bearer key required; pages stand on this very host."""
    if not request.headers.get("authorization", "").startswith("Bearer tvly-"):
        return JSONResponse({"detail": {"error": "Unauthorized: missing or invalid API key."}}, 401)
    try:
        asked = json.loads(await request.body())
    except ValueError:
        return JSONResponse({"detail": "invalid JSON"}, 422)
    query = str(asked.get("query", ""))
    results = [
        {
            "title": f"{page.title} ({MARK})",
            "url": f"{request.url.scheme}://{request.url.netloc}/sites/pages/{page.slug}",
            "content": summary(page),
            "score": 0.82,
            "raw_content": None,
        }
        for page in found(query, state)
    ]
    return {
        "query": query, "answer": None, "images": [], "results": [] if empty else [*results, STRANGER],
        "response_time": 0.1, "request_id": "bac-a-sable",
    }  # fmt: skip
