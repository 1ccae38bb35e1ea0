"""One sentence, as if written from one source, after the gate."""

from pipeline.grounding import ground
from pipeline.types import Draft, Evidence, Grounded, ToolCall, ToolResult, Usage


def gated(text: str, source: str, *, question: str = "") -> Grounded:
    """`text`: a sentence without its marker, which cites the source."""
    result = ToolResult(ToolCall("rules", {}), "", source)
    return ground(Draft(f"{text[:-1]} [1].", Usage("x")), Evidence(tool_results=(result,)), question=question)
