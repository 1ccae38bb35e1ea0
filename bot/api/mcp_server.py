"""The MCP server, whatever carries it: the tools, each call checked, its errors French sentences with a reference."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

import mcp.types as wire
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from pydantic import ValidationError

from bot.api.asking import Asking
from bot.api.problems import Problem, problem_of
from bot.api.reading import said_of
from bot.api.tools import TOOLS, ApiTool
from bot.store.keys import Key

VERSION: Final = "1.0.0"
INSTRUCTIONS: Final = (
    "QuartierScope répond en français sur l'immobilier résidentiel en France, chaque phrase avec sa source datée. "
    "`ask` pour une question entière ; les autres outils pour un fait précis. Rien n'est jamais écrit : `propose_note` "
    "montre une carte sur laquelle un membre de l'équipe clique."
)
Context = ServerRequestContext[Any, Any]


def mcp_server(asking: Asking, holder: Callable[[Context], Key]) -> Server[Any]:
    """`holder`: whose call it is."""

    async def listed(_context: Context, _params: object) -> wire.ListToolsResult:
        return wire.ListToolsResult(tools=[_told(tool) for tool in TOOLS.values()])

    async def called(context: Context, params: wire.CallToolRequestParams) -> wire.CallToolResult:
        if (tool := TOOLS.get(params.name)) is None:
            return _refused(Problem(404, f"Outil inconnu ; au choix : {', '.join(TOOLS)}."))
        step = 0

        async def tell(said: str) -> None:
            nonlocal step
            step += 1
            await context.session.report_progress(step, message=said)

        try:
            asked = tool.takes.model_validate(params.arguments or {})
        except ValidationError as error:
            return _refused(Problem(400, said_of(error)))
        return await _run(tool, tool.run(asking, holder(context), asked, tell))

    return Server(
        "quartierscope",
        version=VERSION,
        title="QuartierScope",
        instructions=INSTRUCTIONS,
        on_list_tools=listed,
        on_call_tool=called,
    )


async def _run(tool: ApiTool, work: Awaitable[dict[str, Any]]) -> wire.CallToolResult:
    running = asyncio.ensure_future(work)
    try:
        await asyncio.wait({running})
    finally:
        running.cancel()  # the client gave it up; an answer under way ends and is stored all the same
    if error := running.exception():
        return _refused(problem_of(error, where=f"mcp:{tool.name}"))
    found = running.result()
    text = found["answer"] if "answer" in found else json.dumps(found, ensure_ascii=False)
    return wire.CallToolResult(content=[wire.TextContent(type="text", text=text)], structured_content=found)


def _told(tool: ApiTool) -> wire.Tool:
    return wire.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.takes.model_json_schema(),
        output_schema=tool.gives.model_json_schema(),
        annotations=wire.ToolAnnotations(read_only_hint=tool.reads, destructive_hint=False),
    )


def _refused(problem: Problem) -> wire.CallToolResult:
    said = f"{problem.detail} (référence {problem.reference})"
    return wire.CallToolResult(content=[wire.TextContent(type="text", text=said)], is_error=True)
