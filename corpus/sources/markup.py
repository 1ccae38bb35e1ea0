"""A fragment of markup -> lines of text. Runs in the process of `web_child` only: its library parses foreign bytes."""

import re
from typing import Final

import lxml.html

from corpus.sources.decoding import unmarked
from corpus.sources.hidden import drop_hidden

_BLOCKS: Final = re.compile(r"p|div|br|li|ul|ol|h[1-6]|tr|table|section|article|blockquote|pre")


def plain_text(html: str) -> str:
    """A fragment of markup as lines of text, for the entries of a feed."""
    if "<" not in html and "&" not in html:
        return unmarked(" ".join(html.split()))
    try:
        root = lxml.html.fragment_fromstring(html, create_parent="div")
    except (lxml.etree.ParserError, ValueError):
        return ""
    drop_hidden(root)
    for element in list(root.iter("style")):
        element.drop_tree()
    for element in root.iter():
        if isinstance(element.tag, str) and _BLOCKS.fullmatch(element.tag):
            element.tail = f"\n{element.tail or ''}"
            element.text = f"\n{element.text or ''}"
    lines = (" ".join(line.split()) for line in str(root.text_content()).splitlines())
    return unmarked("\n".join(line for line in lines if line))
