"""Tavily's search in its shape: one fictitious page, which says that it is."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from sandbox.opendata.state import OpenData, served


def routes(state: OpenData) -> list[BaseRoute]:
    """To be mounted under /tavily."""
    return [Route("/search", served(state, "web", _search), methods=["POST"])]


async def _search(request: Request, empty: bool) -> Any:
    """Bearer key required; the first included domain is where the page pretends to stand."""
    if not request.headers.get("authorization", "").startswith("Bearer tvly-"):
        return JSONResponse({"detail": {"error": "Unauthorized: missing or invalid API key."}}, 401)
    try:
        asked = json.loads(await request.body())
    except ValueError:
        return JSONResponse({"detail": "invalid JSON"}, 422)
    query, domains = str(asked.get("query", "")), asked.get("include_domains") or ["gouv.fr"]
    results = [
        {
            "title": "Page fictive du bac à sable",
            "url": f"https://bac-a-sable.{domains[0]}/page-fictive",
            "content": "Cette page fictive du bac à sable tient lieu de page officielle et n'énonce aucune règle.",
            "score": 0.82,
            "raw_content": None,
        },
        {
            "title": "Page hors liste",
            "url": "https://blog.example.com/conseils",
            "content": "Cette page ne vient pas d'un domaine officiel et ne doit jamais être citée.",
            "score": 0.99,
            "raw_content": None,
        },
    ]
    return {
        "query": query, "answer": None, "images": [], "results": [] if empty else results,
        "response_time": 0.1, "request_id": "bac-a-sable",
    }  # fmt: skip
