"""The lines that stand -> Markdown again."""

import re
from typing import Final

from pipeline.text.sentences import Line

NOT_FOUND: Final = "Non trouvé dans les sources."


def assembled(body: list[tuple[Line, str]], sections: tuple[str, ...]) -> str:
    """Markdown again, without lead-ins to nothing and without empty headings, but with every mandatory section."""
    mandatory = {_title(section): section for section in sections}
    parts: list[tuple[str, list[tuple[Line, str]]]] = [("", [])]
    for line, kept in body:
        if line.kind == "heading":
            parts.append((mandatory.pop(_title(kept), kept), []))
        else:
            parts[-1][1].append((line, kept))
    if any(_said(content) for _, content in parts[:1]):
        mandatory.pop("en bref", None)
    written: list[str] = []
    for heading, content in [*parts, *((section, []) for section in mandatory.values())]:
        said = _said(content)
        if heading and not said and heading in sections:
            said = NOT_FOUND
        if said:
            written.append(f"### {heading}\n{said}" if heading else said)
    return "\n\n".join(written)


def _title(text: str) -> str:
    return re.sub(r"[\s*_:]+", " ", text).strip().casefold()


def _said(content: list[tuple[Line, str]]) -> str:
    written: list[str] = []
    for index, (line, kept) in enumerate(content):
        following = content[index + 1][0].kind if index + 1 < len(content) else ""
        if kept.endswith(":") and following not in ("bullet", "row", "header") and line.kind == "text":
            continue
        if line.kind == "header":
            if following != "row":
                continue
            columns = kept.strip("|").count("|") + 1
            kept = f"{kept}\n|{'---|' * columns}"
        separator = "\n" if index and line.kind in ("bullet", "row") else "\n\n"
        written.append((separator if written else "") + line.lead + kept)
    return "".join(written)
