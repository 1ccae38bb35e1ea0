"""The built-in articles: Markdown with a YAML front matter, one file a document."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final, get_args

import yaml

from corpus.errors import MalformedArticle
from corpus.types import Category, Document, Link

ARTICLES: Final = Path(__file__).parents[1] / "articles"

_FRONT: Final = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)(.*)\Z", re.DOTALL)
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe one; in C, where the library has it, reading all articles takes a tenth of the time."""
_SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def read_articles(folder: Path = ARTICLES) -> Iterator[Document | MalformedArticle]:
    """Every `*.md` of the folder by name; a malformed one comes as its error, so that the others still count."""
    for path in sorted(folder.glob("*.md")):
        try:
            yield read_article(path)
        except MalformedArticle as error:
            yield error


def read_article(path: Path) -> Document:
    """Raises `MalformedArticle`: a French sentence with the file, the field and what it should hold."""
    try:
        raw = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _malformed(path, "le fichier est illisible ou n'est pas en UTF-8") from error
    parts = _FRONT.match(raw.replace("\r\n", "\n"))
    if parts is None:
        raise _malformed(path, "l'en-tête YAML entre deux lignes « --- » manque")
    try:
        front = _LOADER(parts.group(1)).get_single_data()
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a date such as 2026-02-31
        raise _malformed(path, "l'en-tête n'est pas du YAML valide") from error
    if not isinstance(front, dict):
        raise _malformed(path, "l'en-tête doit être une liste de champs « nom: valeur »")
    return _document(path, front, parts.group(2).strip())


def _document(path: Path, front: Mapping[str, Any], text: str) -> Document:
    links = _links(path, front)
    identifier = _words(path, front, "id")
    category = _words(path, front, "category")
    starts, ends = _day(path, front, "effective_from"), _day(path, front, "effective_to")
    if identifier != path.stem or not _SLUG.fullmatch(identifier):
        raise _malformed(
            path, f"le champ « id » doit être le nom du fichier, « {path.stem} », en minuscules sans accent"
        )
    if category not in get_args(Category):
        raise _malformed(path, f"le champ « category » doit être l'un de : {', '.join(get_args(Category))}")
    if starts and ends and ends < starts:
        raise _malformed(path, "le champ « effective_to » précède « effective_from »")
    if not text:
        raise _malformed(path, "le texte après l'en-tête est vide")
    return Document(
        id=identifier,
        title=_words(path, front, "title"),
        url=links[0].url,
        text=text,
        category=next(known for known in get_args(Category) if known == category),
        published=_day(path, front, "reviewed", required=True),
        effective_from=starts,
        effective_to=ends,
        entities=_entities(path, front),
        links=links,
    )


def _words(path: Path, front: Mapping[str, Any], name: str) -> str:
    value = front.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _malformed(path, f"le champ « {name} » manque ou n'est pas un texte")
    return value.strip()


def _day(path: Path, front: Mapping[str, Any], name: str, *, required: bool = False) -> date | None:
    value = front.get(name)
    if value is None and not required:
        return None
    if type(value) is not date:  # a datetime is a date too, and would not compare with one
        raise _malformed(path, f"le champ « {name} » doit être une date AAAA-MM-JJ")
    return value


def _entities(path: Path, front: Mapping[str, Any]) -> tuple[str, ...]:
    value = front.get("entities")
    if not isinstance(value, list) or not all(isinstance(item, str) and _SLUG.fullmatch(item) for item in value):
        raise _malformed(path, "le champ « entities » doit être une liste de mots en minuscules sans accent")
    return tuple(dict.fromkeys(value))


def _links(path: Path, front: Mapping[str, Any]) -> tuple[Link, ...]:
    value = front.get("links")
    if not isinstance(value, list) or not value:
        raise _malformed(path, "le champ « links » doit citer au moins une page officielle")
    return tuple(_link(path, item) for item in value)


def _link(path: Path, item: object) -> Link:
    title, url = (item.get("title"), item.get("url")) if isinstance(item, dict) else (None, None)
    if not isinstance(title, str) or not title.strip() or not isinstance(url, str) or not url.startswith("https://"):
        raise _malformed(path, "chaque lien de « links » doit avoir un « title » et une « url » en https://")
    return Link(title=title.strip(), url=url.strip())


def _malformed(path: Path, reason: str) -> MalformedArticle:
    return MalformedArticle(f"Article {path.name} : {reason}.", document_id=path.stem)
