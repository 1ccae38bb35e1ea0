"""What a reader is given, and how it hands back what it read: clean, within limits, with what was left out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import PurePath
from typing import Final

from corpus.errors import UnreadableFile
from corpus.sources.files.language import language_said
from corpus.sources.files.values import Limits, ReadFile

_UNFIT: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2060\ufeff\ufffc-\uffff\ud800-\udfff]")
_LIGATURES: Final = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
_FIRST_YEAR: Final = 1990
_TEMPLATES: Final = frozenset({datetime(2013, 12, 23, 23, 15)})
"""What python-docx's template says of itself in every file made from it."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file in memory. `text` is set where the bytes are text; `note` says that its name misleads."""

    data: bytes
    name: str
    kind: str
    limits: Limits
    text: str = ""
    note: str = ""


def shown(name: str) -> str:
    """A file's name fit for a sentence: one line, without control characters, at most 80 characters."""
    kept = "".join(sign if sign.isprintable() else " " for sign in PurePath(name.replace("\\", "/")).name)
    kept = " ".join(kept.split())
    return kept if len(kept) <= 80 else f"{kept[:60]}…{kept[-15:]}"


def clean(text: str) -> str:
    """Without NULs, control characters, half characters, ligatures."""
    return _UNFIT.sub("", text.replace("\u00ad", "").translate(_LIGATURES))


def finished(
    source: Source,
    lines: Iterable[str],
    *,
    title: str = "",
    pages: int | None = None,
    skipped: Iterable[str] = (),
    published: date | None = None,
) -> ReadFile:
    """The lines as one text, cut at the limit of characters. Raises `UnreadableFile` where nothing is left."""
    text, cut = _joined(lines, source.limits.characters)
    if not re.search(r"\w", re.sub(r"(?m)^#.*$", "", text)):
        raise UnreadableFile(f"« {shown(source.name)} » ne contient aucun texte.")
    notes = [source.note, *skipped]
    if cut:
        notes.append(f"Le texte a été coupé après {grouped(source.limits.characters)} caractères.")
    notes.append(language_said(text))
    name = PurePath(shown(source.name)).stem.replace("_", " ").strip() or "Document"
    return ReadFile(
        kind=source.kind,
        title=" ".join(clean(title).split())[:200] or name,
        text=text,
        pages=pages,
        skipped=tuple(dict.fromkeys(note for note in notes if note)),
        published=published,
    )


def _joined(lines: Iterable[str], most: int) -> tuple[str, bool]:
    kept: list[str] = []
    size = 0
    for line in lines:
        kept.append(clean(line))
        size += len(kept[-1]) + 1
        if size > most:
            return re.sub(r"\s\S{0,200}\Z", "", "\n".join(kept)[:most].strip()), True  # not within a word
    return "\n".join(kept).strip(), False


def grouped(number: int) -> str:
    """12345 -> « 12 345 »."""
    return f"{number:,}".replace(",", " ")


def sane_date(day: datetime | date | None) -> date | None:
    """A date that a document can have: neither before PCs wrote any nor in the future."""
    if day is None or (isinstance(day, datetime) and day.replace(tzinfo=None) in _TEMPLATES):
        return None
    day = day.date() if isinstance(day, datetime) else day
    return day if day.year >= _FIRST_YEAR and day <= datetime.now(UTC).date() else None


def numbers_said(numbers: list[int]) -> str:
    """[2, 5, 6, 7] -> « 2, 5 à 7 »."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [str(run[0]) if len(run) == 1 else f"{run[0]} à {run[-1]}" for run in runs]
    return ", ".join(parts[:30]) + ("…" if len(parts) > 30 else "")
