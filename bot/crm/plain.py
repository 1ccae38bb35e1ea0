"""Between HubSpot's HTML and plain text: notes read without their tags, notes written without anybody's tags."""

import re
import unicodedata
from html import escape
from html.parser import HTMLParser

_BREAKS = frozenset({"br", "p", "div", "li", "tr", "h1", "h2", "h3", "ul", "ol", "table"})
_SILENT = frozenset({"script", "style", "head", "title"})


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent += 1
        if tag in _BREAKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT and self._silent:
            self._silent -= 1
        if tag in _BREAKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data)


def plain(html: str) -> str:
    """Text of an HTML fragment: one line a block, no tag, no control or direction-changing character."""
    parser = _Text()
    parser.feed(html)
    parser.close()
    lines = (" ".join(visible(line).split()) for line in "".join(parser.parts).split("\n"))
    return "\n".join(line for line in lines if line)


def visible(text: str) -> str:
    """Without characters that change what is seen: controls, bidirectional marks, zero-width characters."""
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs"))


def html_of(text: str) -> str:
    """Plain text as HubSpot stores it: escaped, line breaks kept."""
    return escape(visible(text), quote=False).replace("\n", "<br>")


def marker(proposal_id: str) -> str:
    """What tells a written record apart later, whatever HubSpot's search knows of it."""
    return f"QS-{proposal_id}"


def signed(text: str, *, approver: str, proposal_id: str) -> str:
    """An HTML body that ends with who approved it and the marker, in small grey letters."""
    line = f"Rédigé avec QuartierScope, validé par {visible(approver)} · réf. {marker(proposal_id)}"
    gap = "<br><br>" if text else ""
    return f'{html_of(text)}{gap}<span style="color:#7c8b99;font-size:11px">{escape(line, quote=False)}</span>'


def bears(html: str, proposal_id: str) -> bool:
    """Whether this very marker, not a longer one that begins alike, stands in the body."""
    return re.search(rf"{re.escape(marker(proposal_id))}(?![\w-])", plain(html)) is not None
