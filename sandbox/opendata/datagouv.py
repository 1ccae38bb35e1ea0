"""data.gouv.fr's MCP server on the wire: stateless JSON-RPC over HTTP, server-sent events, results as prose."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sandbox.opendata.communes import Commune, communes, draw
from sandbox.opendata.figures import SOURCE
from sandbox.opendata.state import OpenData, served
from sandbox.opendata.totals import STATISTICS, totals

_DATASET = "64998de5926530ebcecc7b15"
_TABLE = "5a0dec7a-0000-4000-8000-000000000001"
_TOOLS = {
    "search_datasets": "query",
    "search_dataservices": "query",
    "list_dataset_resources": "dataset_id",
    "query_resource_data": "resource_id",
}


def routes(state: OpenData) -> list[BaseRoute]:
    """To be mounted under /datagouv."""
    return [
        Route("/mcp", served(state, "mcp", _rpc), methods=["POST"]),
        Route("/mcp", _refuse, methods=["GET", "DELETE"]),
    ]


async def _refuse(request: Request) -> Response:
    """Stateless: no stream to open, no session to end."""
    return Response(status_code=405)


async def _rpc(request: Request, empty: bool) -> Response:
    try:
        message = json.loads(await request.body())
    except ValueError:
        return Response(status_code=400)
    method, number = message.get("method"), message.get("id")
    if number is None:
        return Response(status_code=202)
    if method == "initialize":
        info = {"name": "datagouv (bac à sable)", "version": "0.2.26"}
        return _event(number, {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info})
    if method == "tools/call":
        return _event(number, _called(message.get("params") or {}, empty))
    if method == "tools/list":
        return _event(number, {"tools": [_tool(name, needed) for name, needed in _TOOLS.items()]})
    return _event(number, None, error={"code": -32601, "message": f"Method not found: {method}"})


def _tool(name: str, needed: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {needed: {"type": "string"}}, "required": [needed]}
    return {"name": name, "description": "Bac à sable", "inputSchema": schema}


def _called(params: dict[str, Any], empty: bool) -> dict[str, Any]:
    arguments = params.get("arguments") or {}
    if params.get("name") == "search_datasets":
        return _text(_datasets(str(arguments.get("query", "")), empty))
    if params.get("name") == "search_dataservices":
        return _text(_services(str(arguments.get("query", "")), empty))
    if params.get("name") == "list_dataset_resources":
        return _text(_resources(str(arguments.get("dataset_id", "")), empty))
    if params.get("name") == "query_resource_data":
        return _text(_data(arguments, empty))
    return _text(f"Unknown tool: {params.get('name')}", failed=True)


def _datasets(query: str, empty: bool) -> str:
    if empty:
        return f"No datasets found for query: '{query}'"
    return (
        f"Found 1 dataset(s) for query: '{query}'\nPage 1 of results:\n\n1. Jeu de données fictif du bac à sable\n"
        f"   ID: {_DATASET}\n   Organization: Bac à sable\n   Resources: 1\n"
        "   URL: https://www.data.gouv.fr/datasets/bac-a-sable/\n"
    )


def _services(query: str, empty: bool) -> str:
    if empty:
        return f"No dataservices found for query: '{query}'"
    return (
        f"Found 1 dataservice(s) for query: '{query}'\nPage 1 of results:\n\n1. API fictive du bac à sable\n"
        "   ID: 672cf67802ef6b1be63b8975\n   Description: Rien n'y est vrai.\n   Organization: Bac à sable\n"
        "   Base API URL: https://api.example.com\n   URL: https://www.data.gouv.fr/dataservices/bac-a-sable/\n"
    )


def _resources(dataset: str, empty: bool) -> str:
    if dataset != _DATASET:
        return f"Error: Dataset with ID '{dataset}' not found."
    head = f"Resources in dataset: Jeu de données fictif du bac à sable\nDataset ID: {dataset}\nTotal resources: "
    if empty:
        return f"{head}0\n\nThis dataset has no resources."
    return (
        f"{head}2\n\n1. Notice\n   Resource ID: 5a0dec7a-0000-4000-8000-000000000000\n   Format: pdf\n\n"
        f"2. Logements vacants (données fictives)\n   Resource ID: {_TABLE}\n   Format: csv\n   Type: main\n"
    )


def _vacancies(arguments: dict[str, Any], empty: bool) -> str:
    """An invented table of every commune; one filter, as the real server takes."""
    head = f"Querying resource: Logements vacants (données fictives)\nResource ID: {_TABLE}\n"
    column, value = arguments.get("filter_column"), str(arguments.get("filter_value"))
    known = communes()
    found = [] if empty else list(known.values()) if column != "CODGEO" else [known[value]] if value in known else []
    if not found:
        return f"{head}\n⚠️  No rows available (resource may be empty or filtered)."
    shown = found[: int(arguments.get("page_size", 20))]
    head += f"\nTotal rows (Tabular API): {len(found)}\nRetrieved: {len(shown)} row(s) from page 1\n"
    lines = [f"\nData ({len(shown)} rows):"]
    for number, each in enumerate(shown, start=1):
        lines.append(
            f"  Row {number}:\n    CODGEO: {each.insee}\n    LIBGEO: {each.name}\n    vacants: {_vacant(each)}"
        )
    return head + "\n".join(lines)


def _vacant(commune: Commune) -> int:
    return int(commune.insee) % 900 if commune.insee.isdigit() else round(draw(f"vacant:{commune.insee}", 0, 900))


def _data(arguments: dict[str, Any], empty: bool) -> str:
    """The "Statistiques DVF" of five years, and one invented table; other resources are not known here."""
    if arguments.get("resource_id") == _TABLE:
        return _vacancies(arguments, empty)
    head = f"Querying resource: Statistiques totales DVF ({SOURCE})\nResource ID: {arguments.get('resource_id')}\n"
    if arguments.get("resource_id") != STATISTICS:
        return f"{head}\n⚠️  Resource not available via Tabular API"
    found = [] if empty else totals(str(arguments.get("filter_value", "")))
    if not found or arguments.get("filter_column") != "code_geo":
        return f"{head}\n⚠️  No rows available (resource may be empty or filtered)."
    parts = [f"{head}\nTotal rows (Tabular API): {len(found)}\nRetrieved: {len(found)} row(s) from page 1\n"]
    parts.append(f"\nData ({len(found)} row{'s' * (len(found) > 1)}):\n")
    for number, row in enumerate(found, start=1):
        parts.append(f"  Row {number}:\n" + "".join(f"    {key}: {value}\n" for key, value in row.items()))
    return "".join(parts).rstrip("\n")


def _text(text: str, *, failed: bool = False) -> dict[str, Any]:
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": {"result": text},
        "isError": failed,
    }


def _event(number: Any, result: Any, *, error: Any = None) -> Response:
    told = {"jsonrpc": "2.0", "id": number} | ({"error": error} if error else {"result": result})
    body = f"event: message\ndata: {json.dumps(told, ensure_ascii=False)}\n\n"
    return Response(body, media_type="text/event-stream")
