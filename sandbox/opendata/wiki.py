"""The MediaWiki API's `action=query` in its shape (formatversion 2), with three fictitious articles."""

from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

REDIRECTS = {"Location de pigeonnier": "Bail de pigeonnier"}
DISAMBIGUATION = {"Bail": ("Bail de pigeonnier", "Bail de lavoir")}
ARTICLES: dict[str, tuple[int, str]] = {
    "Bail de pigeonnier": (9001, """Le bail de pigeonnier est un contrat fictif, inventé pour le bac à sable.

== Durée ==
Le bail de pigeonnier fictif est conclu pour onze ans et se renouvelle une fois.

=== Congé ===
Le preneur d'un pigeonnier fictif donne congé par une lettre remise six lunes avant le terme.

== Notes et références ==
Aucune, puisque tout est inventé.

== Voir aussi ==
Bail de lavoir"""),
    "Bail de lavoir": (9002, """Le bail de lavoir est un contrat fictif, inventé pour le bac à sable.

== Loyer ==
Le loyer du lavoir fictif se paie en savon, à terme échu."""),
}  # fmt: skip


async def api(request: Request, empty: bool) -> Any:
    """Titles one at a time, as plain text with its sections; redirects followed when asked."""
    query = request.query_params
    if query.get("action") != "query" or query.get("format") != "json" or query.get("formatversion") != "2":
        return JSONResponse({"error": {"code": "badvalue", "info": "action=query, format=json, formatversion=2"}})
    title = query.get("titles", "").replace("_", " ").strip()
    found: dict[str, Any] = {}
    if query.get("redirects") and title in REDIRECTS:
        found["redirects"] = [{"from": title, "to": REDIRECTS[title]}]
        title = REDIRECTS[title]
    return {"batchcomplete": True, "query": {**found, "pages": [_page(request, title, empty)]}}


def _page(request: Request, title: str, empty: bool) -> dict[str, Any]:
    if title in DISAMBIGUATION:
        links = [{"ns": 0, "title": each} for each in DISAMBIGUATION[title]]
        return {
            **_head(request, title, 9000), "extract": f"{title} peut désigner :", "links": links,
            "pageprops": {"disambiguation": ""},
        }  # fmt: skip
    if title not in ARTICLES or empty:
        return {"ns": 0, "title": title, "missing": True}
    revision, text = ARTICLES[title]
    return {**_head(request, title, revision), "extract": text}


def _head(request: Request, title: str, revision: int) -> dict[str, Any]:
    base = base_of(request)
    return {
        "pageid": revision - 8000, "ns": 0, "title": title, "contentmodel": "wikitext", "pagelanguage": "fr",
        "lastrevid": revision, "fullurl": f"{base}/wiki/{quote(title.replace(' ', '_'))}",
        "revisions": [{"revid": revision, "parentid": revision - 1, "timestamp": "2026-11-15T10:00:00Z"}],
    }  # fmt: skip


def base_of(request: Request) -> str:
    """Where /sites stands, whatever it is mounted under."""
    return f"{request.url.scheme}://{request.url.netloc}{request.scope.get('root_path', '')}"


async def article(request: Request) -> Response:
    """Where a citation leads."""
    title = str(request.path_params["title"]).replace("_", " ")
    if title not in ARTICLES:
        return HTMLResponse("<h1>Cet article fictif n'existe pas</h1>", 404)
    return HTMLResponse(f"<!doctype html><title>{title}</title><h1>{title}</h1><pre>{ARTICLES[title][1]}</pre>")
