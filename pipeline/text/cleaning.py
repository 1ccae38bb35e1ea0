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
_MARKDOWN_LINK: Final = re.compile(r"(\[[^\[\]\n]*\]\([^()\s]*\))")
_SIGNS: Final = str.maketrans("[]<>|`*#", "()" + " " * 6)
_AROUND_WORDS: Final = re.compile(r"~~|(?<!\w)_+|_+(?!\w)|\\")
_SHOUT: Final = re.compile(r"@(channel|here|everyone)\b", re.IGNORECASE)


def hosts_of(urls: Iterable[str]) -> frozenset[str]:
    """Host names that text may mention, since this answer's own links lead there."""
    hosts = (urlsplit(url).hostname or "" for url in urls)
    return frozenset(host.removeprefix("www.") for host in hosts if host)


def harmless(text: str, *, hosts: frozenset[str] = frozenset()) -> str:
    """The text without links (labels stay), mentions, tags, control and bidi characters. A bare host name stays only
    if it is one of `hosts`. Text that has nothing of this comes back unchanged, but for its outer blanks."""
    kept = text.translate(_SEEN)
    stripped = _LINK.sub(_label, kept)
    stripped = _ANGLED.sub("", _SLACK_LINK.sub(r"\1", stripped))
    stripped = _HOST.sub(lambda found: _mentioned(found, hosts), _URL.sub("", stripped))
    stripped = _SHOUT.sub(r"\1", stripped)
    return (stripped if stripped == kept else _tidy(stripped)).strip()


def linked(text: str, urls: Iterable[str]) -> str:
    """`harmless`, but for Markdown links to exactly one of `urls`, and for the names of their hosts."""
    known = frozenset(url for url in urls if url)
    hosts = hosts_of(known)
    parts = _MARKDOWN_LINK.split(text)
    if not any(_leads_to(part, known) for part in parts):
        return harmless(text, hosts=hosts)
    return "".join(part if _leads_to(part, known) else _within(part, hosts) for part in parts)


def _leads_to(part: str, urls: frozenset[str]) -> bool:
    return bool(_MARKDOWN_LINK.fullmatch(part)) and part.rpartition("](")[2][:-1] in urls


def _within(part: str, hosts: frozenset[str]) -> str:
    """`harmless` with the blanks around it kept: it stands between links."""
    said = harmless(part, hosts=hosts)
    if not said:
        return " " if part[:1].isspace() else ""
    before = part[: len(part) - len(part.lstrip())]
    return before + said + part[len(part.rstrip()) :]


def inert(text: str, *, hosts: frozenset[str] = frozenset()) -> str:
    """One line that is text and nothing else: no link, no mark-up, no bracket that could pass for a citation. A bare
    host name stays only if it is one of `hosts`."""
    plain = harmless(text, hosts=hosts).translate(_SIGNS)
    return " ".join(harmless(_AROUND_WORDS.sub(" ", plain), hosts=hosts).split())


_KEPT: Final = 0x3000


class _Seen(dict[int, str]):
    """`_visible` as a translation; characters of alphabets in use are kept as they are met."""

    def __missing__(self, code: int) -> str:
        seen = _visible(chr(code))
        if code < _KEPT:
            self[code] = seen
        return seen


_SEEN: Final = _Seen()


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
