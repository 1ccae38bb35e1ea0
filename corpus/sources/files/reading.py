"""A dropped file -> its text: the size is checked here, everything else happens in a process of its own."""

import asyncio
import json
from dataclasses import asdict
from datetime import date
from pathlib import Path

from corpus.errors import UnreadableFile
from corpus.sources.files.isolation import Ended, run_isolated
from corpus.sources.files.source import shown
from corpus.sources.files.values import Limits, ReadFile
from corpus.types import Category, Document

DAMAGED = "« {name} » n'a pas pu être lu : le fichier est abîmé ou n'est pas ce que dit son nom."
TOO_LONG = (
    "« {name} » a demandé plus de {seconds} s de lecture et a été abandonné : le découper ou l'enregistrer à neuf."
)
UNABLE = "« {name} » n'a pas pu être lu : il manque une bibliothèque de lecture à cette installation."
TOO_HEAVY = "« {name} » demande trop de mémoire à la lecture et a été abandonné : le découper."


async def read_file(path: Path, *, name: str, limits: Limits = Limits()) -> ReadFile:  # noqa: B008  (frozen)
    """The file at `path`, called `name` by the person who dropped it; its content decides what it is.

    Raises `UnreadableFile`: one French sentence that says what is wrong and, where there is a way, what to do.
    """
    absolute = await asyncio.to_thread(_checked, path, name, limits)
    message = json.dumps({"path": str(absolute), "name": name, "limits": asdict(limits)})
    ended, output = await run_isolated("corpus.sources.files.child", message.encode(), limits=limits)
    if ended is not Ended.WELL:
        sentence = {Ended.LATE: TOO_LONG, Ended.HEAVY: TOO_HEAVY, Ended.UNABLE: UNABLE}.get(ended, DAMAGED)
        raise UnreadableFile(sentence.format(name=shown(name), seconds=f"{limits.seconds:g}".replace(".", ",")))
    found = json.loads(output)
    if "refused" in found:
        raise UnreadableFile(found["refused"])
    return ReadFile(
        kind=found["kind"],
        title=found["title"],
        text=found["text"],
        pages=found["pages"],
        skipped=tuple(found["skipped"]),
        published=date.fromisoformat(found["published"]) if found["published"] else None,
    )


def upload_document(
    read: ReadFile, *, id: str, url: str, audience: str, published: date | None, category: Category = "methodology"
) -> Document:
    """The file as a document. `published` goes before the date that the file says of itself."""
    return Document(
        id=id,
        title=read.title,
        url=url,
        text=read.text.removeprefix(f"# {read.title}\n").lstrip("\n"),  # else each citation says its title twice
        category=category,
        published=published or read.published,
        audience=audience,
    )


def _checked(path: Path, name: str, limits: Limits) -> Path:
    """Before anything is read."""
    if not path.exists():
        raise UnreadableFile(f"« {shown(name)} » n'existe pas.")
    if not path.is_file():
        raise UnreadableFile(f"« {shown(name)} » n'est pas un fichier.")
    size = path.stat().st_size
    if size == 0:
        raise UnreadableFile(f"« {shown(name)} » est vide.")
    if size > limits.bytes:
        raise UnreadableFile(
            f"« {shown(name)} » pèse {_megabytes(size)} : la limite est de {_megabytes(limits.bytes)} par fichier."
        )
    return path.absolute()


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} Mo".replace(".", ",").replace(",0 Mo", " Mo")
