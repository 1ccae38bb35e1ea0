"""An article of the French Wikipedia through the MediaWiki API, with its revision and its licence.

Licence: CC BY-SA 4.0, said in the title under which the article is cited; text is taken as it is, without its notes.
"""

import json
import re
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from urllib.parse import quote

import httpx

from corpus.errors import UnreadableSource
from corpus.sources.decoding import unmarked
from corpus.sources.fetching import Reach, fetch
from corpus.sources.receiving import JSON, Fetched
from corpus.sources.urls import same_site
from corpus.types import Category, Document

CATEGORY: Final[Category] = "methodology"
LICENCE: Final = "CC BY-SA 4.0"
LONGEST_TITLE: Final = 250
LONGEST: Final = 400_000
UNUSABLE: Final = "Wikipédia a renvoyé une réponse inexploitable : rien n'a été lu."
_SECTION: Final = re.compile(r"^(={2,6})\s*(.+?)\s*\1\s*$")
_BACK_MATTER: Final = frozenset((
    "notes et références", "notes", "références", "voir aussi", "bibliographie", "liens externes", "annexes",
    "articles connexes", "article connexe", "sources",
))  # fmt: skip
_NO_TITLE: Final = re.compile(r"[#<>\[\]|{}\n\t]")


@dataclass(frozen=True, slots=True)
class Article:
    """`revision`: the number of the text as it stands, which changes with every edit; `edited`: its day."""

    title: str
    url: str
    text: str
    revision: str
    edited: date | None


async def read_article(title: str, *, api: str, reach: Reach) -> Article | None:
    """The article of this title, redirects followed; None where there is none (any more).

    Raises `UnreadableSource`, also for a disambiguation page: it says which articles it lists.
    """
    wanted = " ".join(title.replace("_", " ").split())
    if not wanted or len(wanted) > LONGEST_TITLE or _NO_TITLE.search(wanted):
        raise UnreadableSource("Ce titre d'article de Wikipédia est illisible : écrivez wikipedia:Titre de l'article.")
    found = await fetch(str(httpx.URL(api, params=_asked(wanted))), reach=reach, accept=JSON)
    if not isinstance(found, Fetched):
        raise UnreadableSource(UNUSABLE)
    page = _page(found.body)
    if page.get("missing") or page.get("invalid"):
        return None
    shown = _words(page, "title")
    if "disambiguation" in _object(page.get("pageprops")):
        raise UnreadableSource(
            f"« {shown} » est une page d'homonymie de Wikipédia : précisez l'article{_choices(page)}."
        )
    revisions = page.get("revisions")
    revision = _object(revisions[0] if isinstance(revisions, list) and revisions else None)
    text = as_markdown(_words(page, "extract"))
    if not text:
        raise UnreadableSource(f"L'article « {shown} » de Wikipédia n'a pas de texte.")
    url = page.get("fullurl")
    own = f"{api.split('/w/')[0]}/wiki/{quote(shown.replace(' ', '_'))}"
    return Article(
        title=shown,
        url=url if isinstance(url, str) and same_site(url, api) else own,
        text=text,
        revision=str(revision.get("revid") or page.get("lastrevid") or ""),
        edited=_day(revision.get("timestamp")),
    )


def article_document(article: Article) -> Document:
    """The article as one document, cited with its licence."""
    return Document(
        id="",
        title=f"Wikipédia : {article.title} ({LICENCE})",
        url=article.url,
        text=article.text,
        category=CATEGORY,
        published=article.edited,
    )


def as_markdown(extract: str) -> str:
    """`== Titre ==` -> `## Titre`, without the sections that hold no text to read: notes, references, links."""
    lines: list[str] = []
    skipping = 0
    for line in extract[:LONGEST].splitlines():
        section = _SECTION.match(line.strip())
        if section is None:
            if not skipping:
                lines.append(line.strip())
            continue
        level = len(section[1])
        if skipping and level > skipping:
            continue
        skipping = level if section[2].lower() in _BACK_MATTER else 0
        if not skipping:
            lines += ["", f"{'#' * level} {section[2]}"]
    return unmarked(re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip())


def _asked(title: str) -> dict[str, str]:
    return {
        "action": "query", "format": "json", "formatversion": "2", "redirects": "1", "titles": title,
        "prop": "extracts|info|pageprops|revisions|links", "explaintext": "1", "exsectionformat": "wiki",
        "inprop": "url", "ppprop": "disambiguation", "rvprop": "ids|timestamp", "plnamespace": "0", "pllimit": "6",
    }  # fmt: skip


def _page(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise UnreadableSource(UNUSABLE) from None
    pages = _object(_object(answer).get("query")).get("pages")
    if not isinstance(pages, list) or not pages or not isinstance(pages[0], dict):
        raise UnreadableSource(UNUSABLE)
    return _object(pages[0])


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _words(page: dict[str, Any], name: str) -> str:
    value = page.get(name)
    if not isinstance(value, str):
        raise UnreadableSource(UNUSABLE)
    return value.strip()


def _choices(page: dict[str, Any]) -> str:
    links = page.get("links")
    titles = [link.get("title") for link in links if isinstance(link, dict)] if isinstance(links, list) else []
    named = [title for title in titles if isinstance(title, str) and not _NO_TITLE.search(title)][:4]
    return f", par exemple « {' », « '.join(named)} »" if named else ""


def _day(moment: object) -> date | None:
    try:
        return date.fromisoformat(str(moment)[:10])
    except ValueError:
        return None
