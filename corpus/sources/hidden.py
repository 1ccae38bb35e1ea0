"""What a page holds and does not show: found by its own markup and style sheet, and taken out before anything is read.

Runs where foreign markup is parsed. A style sheet that the page would load from elsewhere is not known here.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import lxml.html
from lxml import etree

Node = Any  # lxml's elements: its stubs are not among our types

_UNSHOWN: Final = frozenset({"template", "noscript", "script", "datalist"})
_HIDDEN: Final = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|content-visibility:hidden|"
    r"font(?:-size)?:0*(?:\.0*)?(?:0|[12]px|1pt)(?:em|rem|px|pt|%|/|;|!|$)|font-size:0*\.[01]\d*r?em|"
    r"text-indent:-(?:\d{4,}|[5-9]\d\d)|"
    r"(?:left|right|top|bottom|margin-left|margin-top):-(?:\d{4,}|[5-9]\d\dpx|\d{3}r?em|\d{3}v[wh])|"
    r"clip:rect\([01]|clip-path:(?:inset\((?:50|100)%|circle\(0)|transform:scale\(0|"
    r"(?:color|-webkit-text-fill-color):transparent|color:rgba\([^)]*,0(?:\.0+)?\))"
)
_NO_ROOM: Final = re.compile(r"(?:^|;)(?:max-)?(?:height|width):(?:0(?:\.0+)?[a-z%]*|1px)(?:;|!|$)")
_CLIPPED: Final = re.compile(r"(?:^|;)overflow(?:-[xy])?:(?:hidden|clip)")
_INK: Final = re.compile(r"(?:^|;)color:([^;!]+)")
_PAPER: Final = re.compile(r"(?:^|;)background(?:-color)?:([^;!]+)")
_RULE: Final = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE: Final = re.compile(r"(?:[a-z][a-z0-9]*)?[.#]([\w-]+)", re.IGNORECASE)
_LONGEST_SHEET: Final = 200_000
_NAMED: Final = {"black": (0, 0, 0), "white": (255, 255, 255), "snow": (255, 250, 250), "ivory": (255, 255, 240)} | {
    "whitesmoke": (245, 245, 245), "ghostwhite": (248, 248, 255), "floralwhite": (255, 250, 240),
}  # fmt: skip
_TOO_CLOSE: Final = 24
"""Of 255, in each of red, green and blue: ink that nobody tells from its paper."""


@dataclass(slots=True)
class _Sheet:
    """Of the page's own style sheets, by the name of a class or id: what hides, and what colours the paper."""

    hiding: set[str] = field(default_factory=set)
    inks: dict[str, str] = field(default_factory=dict)
    papers: dict[str, str] = field(default_factory=dict)


def drop_hidden(page: Node) -> None:
    """Takes out comments, what is never shown, and what the page's own style makes invisible."""
    sheet = _read_sheets(page)
    for node in list(page.iter()):
        if node.getparent() is None:
            continue
        if not isinstance(node.tag, str) or node.tag in _UNSHOWN or _is_hidden(node, sheet):
            _drop(node)


def without_hidden(html: str) -> str:
    """A page's markup without what it does not show; as it is where it cannot be parsed."""
    try:
        parser = lxml.html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
        page = lxml.html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return html
    drop_hidden(page)
    return str(lxml.html.tostring(page, encoding="unicode"))


def _drop(node: Node) -> None:
    """With all that it holds; what follows it stays."""
    parent, before = node.getparent(), node.getprevious()
    if node.tail and before is None:
        parent.text = (parent.text or "") + node.tail
    elif node.tail:
        before.tail = (before.tail or "") + node.tail
    parent.remove(node)


def _is_hidden(node: Node, sheet: _Sheet) -> bool:
    if node.get("hidden", "until-found").lower() != "until-found":
        return True
    if node.get("aria-hidden", "").strip().lower() == "true":
        return True
    if any(name in sheet.hiding for name in _names(node)):
        return True
    style = _plain(node.get("style", ""))
    if style and _hides(style):
        return True
    ink = _colour(_ink(node, style, sheet))
    return ink is not None and _alike(ink, _colour(_paper(node, sheet)))


def _hides(style: str) -> bool:
    return bool(_HIDDEN.search(style) or (_NO_ROOM.search(style) and _CLIPPED.search(style)))


def _names(node: Node) -> tuple[str, ...]:
    return (*node.get("class", "").split(), node.get("id", ""))


def _ink(node: Node, style: str, sheet: _Sheet) -> str:
    """The colour that the node gives its own text; "" where it gives none."""
    if found := _INK.search(style):
        return found[1]
    if node.tag == "font" and node.get("color"):
        return _plain(node.get("color"))
    return _named(node, sheet.inks)


def _paper(node: Node, sheet: _Sheet) -> str:
    """The background of the node, or of what it stands in; white where none is given."""
    for each in (node, *node.iterancestors()):
        if found := _PAPER.search(_plain(each.get("style", ""))):
            return found[1]
        if shown := _plain(each.get("bgcolor", "")) or _named(each, sheet.papers):
            return shown
    return "white"


def _named(node: Node, known: Mapping[str, str]) -> str:
    return next((known[name] for name in _names(node) if name in known), "")


def _read_sheets(page: Node) -> _Sheet:
    sheet = _Sheet()
    for name, style in _rules(page):
        if _hides(style):
            sheet.hiding.add(name)
        if ink := _INK.search(style):
            sheet.inks[name] = ink[1]
        if paper := _PAPER.search(style):
            sheet.papers[name] = paper[1]
    return sheet


def _rules(page: Node) -> Iterator[tuple[str, str]]:
    """(class or id, style) of the rules that hold on any screen, for one name alone."""
    for node in page.iter("style"):
        text = re.sub(r"/\*.*?\*/", "", str(node.text or "")[:_LONGEST_SHEET], flags=re.DOTALL)
        text = re.sub(r"@[^{;]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", text)
        for selectors, rules in _RULE.findall(text):
            for selector in selectors.split(","):
                if found := _SIMPLE.fullmatch(selector.strip()):
                    yield found[1], _plain(rules)


def _plain(style: str) -> str:
    """A style without blanks, in small letters; escaped letters as letters."""
    text = re.sub(r"\\([0-9a-fA-F]{1,6})\s?", lambda found: _letter(int(found[1], 16)), style)
    return re.sub(r"\s+|/\*.*?\*/", "", text).lower()


def _letter(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def _colour(said: str) -> tuple[int, int, int] | None:
    """Red, green and blue, 0 to 255; None for what is no plain colour."""
    if said in _NAMED:
        return _NAMED[said]
    if found := re.match(r"#([0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-f])", said):
        digits = found[1] if len(found[1]) == 6 else "".join(digit * 2 for digit in found[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if found := re.match(r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})\b", said):
        return int(found[1]), int(found[2]), int(found[3])
    return None


def _alike(ink: tuple[int, int, int], paper: tuple[int, int, int] | None) -> bool:
    return paper is not None and all(abs(one - other) < _TOO_CLOSE for one, other in zip(ink, paper, strict=True))
