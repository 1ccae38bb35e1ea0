"""The lines that stand -> Markdown again."""

from pipeline.text.sentences import Line


def assembled(body: list[tuple[Line, str]]) -> str:
    """Markdown again, without lead-ins to nothing and without empty headings."""
    parts: list[tuple[str, list[tuple[Line, str]]]] = [("", [])]
    for line, kept in body:
        if line.kind == "heading":
            parts.append((kept, []))
        else:
            parts[-1][1].append((line, kept))
    written: list[str] = []
    for heading, content in parts:
        if said := _said(content):
            written.append(f"### {heading}\n{said}" if heading else said)
    return "\n\n".join(written)


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
