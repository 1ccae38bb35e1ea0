"""Untrusted text made harmless: no link, no mention, no invisible character (invariants I1, I2, I4 of the design)."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

_LINK: Final = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_ANGLED: Final = re.compile(r"<(?:[!@#/a-zA-Z])[^<>\n]{0,500}>")
_SLACK_LINK: Final = re.compile(r"<[a-z][a-z0-9+.-]*:[^<>|\n]*\|([^<>\n]*)>", re.IGNORECASE)
_URL: Final = re.compile(
    r"(?:\b[a-z][a-z0-9+.-]{1,15}://|\bwww\.|\b(?:mailto|javascript|data|tel|file|slack):(?=\S))\S*[^\s.,;:!?)\]»\"']",
    re.IGNORECASE,
)
_HOST: Final = re.compile(
    r"(?<![\w@.-])((?:[\w-]+\.)+(?:com|net|org|fr|io|eu|info|biz|co|app|dev|xyz|ru|cn|ly|ai|immo|site|online|shop|click|"
    r"link|top|tk|zip|example|test))(?![\w-])(?:/\S*[^\s.,;:!?)\]»\"'])?",
    re.IGNORECASE,
)
_SHOUT: Final = re.compile(r"@(channel|here|everyone)\b", re.IGNORECASE)


def hosts_of(urls: Iterable[str]) -> frozenset[str]:
    """Host names that text may mention, since this answer's own links lead there."""
    hosts = (urlsplit(url).hostname or "" for url in urls)
    return frozenset(host.removeprefix("www.") for host in hosts if host)


def harmless(text: str, *, hosts: frozenset[str] = frozenset()) -> str:
    """The text without links (labels stay), mentions, tags, control and bidi characters. A bare host name stays only
    if it is one of `hosts`. Text that has nothing of this comes back unchanged, but for its outer blanks."""
    kept = "".join(_visible(character) for character in text)
    stripped = _LINK.sub(_label, kept)
    stripped = _ANGLED.sub("", _SLACK_LINK.sub(r"\1", stripped))
    stripped = _HOST.sub(lambda found: _mentioned(found, hosts), _URL.sub("", stripped))
    stripped = _SHOUT.sub(r"\1", stripped)
    return (stripped if stripped == kept else _tidy(stripped)).strip()


def _visible(character: str) -> str:
    if character in "\n\u2028\u2029":
        return "\n"
    if character == "\t":
        return " "
    return "" if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn") else character


def _label(found: re.Match[str]) -> str:
    return f"[{found.group(1)}]" if re.fullmatch(r"[\d\s,]+", found.group(1)) else found.group(1)


def _mentioned(found: re.Match[str], hosts: frozenset[str]) -> str:
    name = found.group(1).lower().removeprefix("www.")
    if any(host == name or host.endswith(f".{name}") for host in hosts):
        return found.group(1)
    return ""


def _tidy(text: str) -> str:
    """Closes the gaps that a removal leaves; line breaks stay."""
    text = re.sub(r"\(\s*\)|«\s*»", "", text)
    text = re.sub(r"[ ]{2,}", " ", text)
    return re.sub(r" +([.,)])", r"\1", text)
