"""Names of spans and attributes: OpenTelemetry's GenAI conventions where they have a word, our own prefix where not."""

from collections.abc import Mapping
from typing import Final

from pipeline.metering.telemetry import CallKind

AGENT: Final = "QuartierScope"
OWN: Final = "quartierscope."
PROVIDERS: Final = {
    "api.openai.com": "openai",
    "api.mistral.ai": "mistral_ai",
    "api.groq.com": "groq",
    "generativelanguage.googleapis.com": "gcp.gemini",
}
"""The conventions' names; any other host is known by its address alone."""
_NAMES: Final[Mapping[str, str]] = {
    "tokens_in": "gen_ai.usage.input_tokens",
    "tokens_out": "gen_ai.usage.output_tokens",
    "max_tokens": "gen_ai.request.max_tokens",
    "output": "gen_ai.output.type",
    "host": "server.address",
    "conversation": "gen_ai.conversation.id",
    "euros": f"{OWN}cost.euros",
}
_TEXTS: Final[Mapping[str, str]] = {"asked": "gen_ai.input.messages", "said": "gen_ai.output.messages"}


def attribute_of(name: str) -> str:
    """`tokens_in` -> `gen_ai.usage.input_tokens`; `passages` -> `quartierscope.passages`."""
    return _NAMES.get(name) or _TEXTS.get(name) or f"{OWN}{name}"


def stage_named(name: str) -> tuple[str, dict[str, str]]:
    """A span's name and what its kind of stage says of itself."""
    if name == "answer":
        return f"invoke_agent {AGENT}", {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": AGENT}
    if name == "retrieve":
        return "retrieval corpus", {"gen_ai.operation.name": "retrieval", "gen_ai.data_source.id": "corpus"}
    return name, {}


def call_named(kind: CallKind, name: str, host: object) -> tuple[str, dict[str, str]]:
    if kind == "tool":
        told = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.type": "datastore"}
        return f"execute_tool {name}", told
    told = {"gen_ai.operation.name": "chat", "gen_ai.request.model": name, "gen_ai.response.model": name}
    return f"chat {name}", told | {"gen_ai.provider.name": PROVIDERS.get(str(host), "openai_compatible")}
