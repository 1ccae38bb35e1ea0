"""Bytes -> text: UTF-8, UTF-16 and what French Windows writes."""

import codecs
import re
from typing import Final

from charset_normalizer import from_bytes

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
SAMPLE: Final = 200_000
FEW_CONTROLS: Final = 0.005


def decoded(data: bytes) -> str | None:
    """The text, or None where the bytes are none. Line ends become \\n."""
    text = _by_mark(data) or _by_shape(data) or _as_utf8(data) or _guessed(data)
    if text is None or len(_CONTROL.findall(text[:SAMPLE])) > FEW_CONTROLS * min(len(text), SAMPLE):
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _by_mark(data: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    return None


def _by_shape(data: bytes) -> str | None:
    """UTF-16 without its mark: in Latin text every other byte is zero."""
    head = data[:SAMPLE]
    if len(head) < 8 or head.count(0) < 0.3 * len(head):
        return None
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if head[start::2].count(0) > 0.6 * len(head[start::2]) and not head[1 - start :: 2].count(0):
            return data.decode(encoding, "replace")
    return None


def _as_utf8(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _guessed(data: bytes) -> str | None:
    """cp1252 unless another Latin table reads it better: a guess on little text is worse than the usual one."""
    if b"\x00" in data[:SAMPLE]:
        return None
    try:
        western: str | None = data.decode("cp1252")
    except UnicodeDecodeError:
        western = None
    if western is not None and re.search(r"[\xe0\xe8\xe9\xea\xe7\xf4\xee\xfb\u20ac]", western):
        return western
    best = from_bytes(data[:SAMPLE]).best()
    return data.decode(best.encoding, "replace") if best else western
