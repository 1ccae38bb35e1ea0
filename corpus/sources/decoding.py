"""Bytes of a page or feed -> text, also where what they say of their encoding is wrong or changes on the way."""

import codecs
import re
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAID: Final = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9._-]{2,40})""")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UTF8: Final = re.compile(
    rb"(?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+"
)
_MARKER: Final = re.compile(r"\[(\d[\d\s,]*)\]")
_HEAD: Final = 4_096
_LETTERS: Final = ("iso8859", "cp12", "mac-", "koi8", "utf-16", "utf-32", "gb", "big5", "shift_jis", "euc")
"""What an announced encoding may begin with: Python also knows codecs (hex, zip, rot13) that are none of text."""
_FEW: Final = 0.005
"""Share of control characters above which the bytes are no text."""


def text_of(body: bytes, *, charset: str = "") -> str | None:
    """The text, or None where the bytes are none. `charset` is the header's word; the text's own counts after it.

    UTF-8 is tried first whatever was announced: French text is never valid UTF-8 by accident, and servers that announce
    ISO-8859-1 for everything are common. Bytes that are neither UTF-8 nor what was announced are read one by one as
    Windows-1252, so that a text which changes its encoding half-way keeps its accents.
    """
    text = _marked(body) or _as(body, "utf-8") or _announced(body, charset) or _mixed(body)
    if len(_CONTROL.findall(text)) > _FEW * len(text):
        return None
    return _CONTROL.sub("", text).replace("\r\n", "\n").replace("\r", "\n")


def unmarked(text: str) -> str:
    """`[3]` is how an answer cites: in a foreign text it becomes `(3)`."""
    return _MARKER.sub(r"(\1)", text)


def _marked(body: bytes) -> str | None:
    return next((body.decode(encoding, "replace") for mark, encoding in _MARKS if body.startswith(mark)), None)


def _as(body: bytes, encoding: str) -> str | None:
    try:
        return body.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _announced(body: bytes, charset: str) -> str | None:
    said = _SAID.search(body[:_HEAD])
    for name in filter(None, (charset, said[1].decode("ascii") if said else "")):
        try:
            known = codecs.lookup(name)
        except (LookupError, ValueError):
            continue
        wider = "cp1252" if known.name in ("iso8859-1", "ascii") else known.name
        if wider.startswith(_LETTERS) and (text := _as(body, wider)) is not None:
            return text
    return None


def _mixed(body: bytes) -> str:
    pieces, end = [], 0
    for run in _UTF8.finditer(body):
        pieces += [body[end : run.start()].decode("cp1252", "replace"), run.group().decode("utf-8", "replace")]
        end = run.end()
    return "".join((*pieces, body[end:].decode("cp1252", "replace")))
