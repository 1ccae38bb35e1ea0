"""Which feeds and pages are read: the built-in list, the firm's own file, or addresses in a setting."""

import hashlib
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args

from corpus.errors import UnreadableSource
from corpus.sources.urls import checked_url, shown

Kind = Literal["feed", "page"]
BUILT_IN: Final = Path(__file__).with_name("feeds.toml")
_ID: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_NAMED: Final = re.compile(r"[^=:/]+=(?:page:)?https?://")
LONGEST_ID: Final = 40


class WrongFeeds(ValueError):
    """A French phrase on what the list of feeds lacks: what a wrong setting is told with."""


@dataclass(frozen=True, slots=True)
class Feed:
    """One address that is read again and again. `name`: of its publisher; `reason`: why it is read."""

    id: str
    name: str
    url: str
    kind: Kind = "feed"
    reason: str = ""

    @property
    def host(self) -> str:
        return shown(self.url)


@cache
def built_in() -> tuple[Feed, ...]:
    """The official ones, in the order of their file."""
    return read_list(BUILT_IN)


def feeds_of(setting: str) -> tuple[Feed, ...]:
    """Of NEWS_FEEDS: nothing (the built-in ones), a file of the same form, or addresses between commas, each alone
    or as `Nom=https://…`. Raises `WrongFeeds`."""
    if not setting.strip():
        return built_in()
    if setting.strip().endswith(".toml"):
        return read_list(Path(setting.strip()))
    return tuple(_named(part.strip()) for part in setting.split(",") if part.strip())


def read_list(path: Path) -> tuple[Feed, ...]:
    """Raises `WrongFeeds` with what is wrong, and where."""
    try:
        with path.open("rb") as file:
            rows = tomllib.load(file)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WrongFeeds(f"le fichier {path.name} lisible et en TOML") from error
    return tuple(_row(name, row) for name, row in rows.items())


def _row(name: str, row: Any) -> Feed:
    if not _ID.fullmatch(name) or len(name) > LONGEST_ID or not isinstance(row, dict):
        raise WrongFeeds(f"une section au nom en minuscules, pas [{name[:LONGEST_ID]}]")
    said = {key: row.get(key, "") for key in ("name", "url", "kind", "reason")}
    if not all(isinstance(value, str) for value in said.values()) or not said["name"].strip():
        raise WrongFeeds(f"dans [{name}], name et url entre guillemets")
    kind = next((known for known in get_args(Kind) if known == (said["kind"] or "feed")), None)
    if kind is None:
        raise WrongFeeds(f"dans [{name}], kind égal à feed ou à page")
    return Feed(name, said["name"].strip(), _address(said["url"]), kind, said["reason"].strip())


def _named(part: str) -> Feed:
    """`Nom=https://…`, or the address alone; `page:https://…` is a page, everything else a feed."""
    name, _, address = part.partition("=") if _NAMED.match(part) else ("", "", part)
    kind: Kind = "page" if address.startswith("page:") else "feed"
    url = _address(address.removeprefix("page:"))
    return Feed(f"a-{hashlib.sha256(url.encode()).hexdigest()[:16]}", name.strip() or shown(url), url, kind)


def _address(address: str) -> str:
    try:
        return str(checked_url(address))
    except UnreadableSource:
        raise WrongFeeds(f"des adresses en https://, pas « {address[:80]} »") from None
