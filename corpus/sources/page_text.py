"""Markup -> title, date and main text. Runs in the process of `web_child` only: its libraries parse foreign bytes."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

import trafilatura

from corpus.errors import UnreadableSource
from corpus.sources.decoding import unmarked
from corpus.sources.files.markdown import read_markdown
from corpus.sources.files.source import Source, sane_date
from corpus.sources.files.values import Limits
from corpus.sources.hidden import without_hidden

LEAST: Final = 40
"""Letters of a main text; fewer are a menu, a notice that JavaScript is needed, a cookie banner."""
LOGIN_MOST: Final = 1_500
"""Letters of a page that is its login form: longer ones hold something to read beside the form."""
_ESCAPED: Final = re.compile(r"\\([\[\]().!#*_+-])")
_DATES: Final = {"extensive_search": False, "original_date": False}
"""Only a date that the page gives itself in so many words; the rest would be guessed."""
LOGIN: Final = "demande une connexion : la page n'est pas publique"
EMPTY: Final = "ne donne pas de texte lisible (page vide, image, ou page qui a besoin de JavaScript)"


@dataclass(frozen=True, slots=True)
class Extracted:
    """`text`: Markdown. `canonical`: the address that the page gives itself, unchecked. `published`: ISO day or ""."""

    title: str
    text: str
    published: str = ""
    canonical: str = ""
    skipped: tuple[str, ...] = ()


def page_text(html: str, *, url: str, limits: Limits) -> Extracted:
    """Without menus, footers, links and what is not shown. Raises `UnreadableSource`: what follows the site's name."""
    text = unmarked(_markdown(without_hidden(html), url))
    letters = sum(character.isalpha() for character in text)
    if letters < LOGIN_MOST and _asks_password(html):
        raise UnreadableSource(LOGIN)
    if letters < LEAST:
        raise UnreadableSource(EMPTY)
    facts = trafilatura.extract_metadata(html, default_url=url, date_config=_DATES)
    title = " ".join(str(facts.title or "").split())
    text = re.sub(rf"\A# {re.escape(title)}\n", "", text) if title else text
    read = read_markdown(Source(b"", title, "html", limits, text=text))
    return Extracted(
        title=unmarked(title)[:200],
        text=read.text,
        published=_day(facts.date),
        canonical=str(facts.url or ""),
        skipped=read.skipped,
    )


def _markdown(html: str, url: str) -> str:
    text = trafilatura.extract(
        html, url=url, output_format="markdown", include_comments=False, include_tables=True, include_formatting=True
    )
    return _ESCAPED.sub(r"\1", text or "")


def _asks_password(html: str) -> bool:
    return re.search(r"<input\b[^>]{0,300}\btype\s*=\s*[\"']?password", html, re.IGNORECASE) is not None


def _day(said: object) -> str:
    try:
        day = sane_date(date.fromisoformat(str(said)[:10]))
    except ValueError:
        return ""
    return day.isoformat() if day else ""
