"""PDF: the text of each page under its own heading, so that a citation names the page."""

import logging
import re
from collections.abc import Iterator
from datetime import date
from io import BytesIO
from typing import Final

from pypdf import PageObject, PdfReader
from pypdf.errors import PyPdfError

from corpus.errors import UnreadableFile
from corpus.sources.files.layout import paragraphs, without_running_lines
from corpus.sources.files.source import Source, finished, numbers_said, sane_date, shown
from corpus.sources.files.values import ReadFile

_BROKEN: Final = (PyPdfError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RuntimeError)
"""What pypdf raises on one bad page; the others are still worth reading."""
FORM: Final = "Ce PDF est un formulaire : ce qui a été saisi dans ses champs n'est pas lu."
_BY_PROGRAM: Final = re.compile(r"^(?:microsoft|untitled|sans titre|document\d*\b)|[\\/]|\.\w{2,5}\b", re.IGNORECASE)
"""Titles that a program left: the file's name says more."""


def read_pdf(source: Source) -> ReadFile:
    """Raises `UnreadableFile` for one behind a password or with no text at all: there is no OCR."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    reader = PdfReader(BytesIO(source.data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise UnreadableFile(
            f"« {shown(source.name)} » est protégé par un mot de passe : l'enregistrer sans, puis l'ajouter."
        )
    count = len(reader.pages)
    texts: list[str] = []
    scanned: list[int] = []
    broken: list[int] = []
    for number in range(1, min(count, source.limits.pages) + 1):
        text = ""
        try:
            page = reader.pages[number - 1]
            text = page.extract_text()
            if not text.strip() and _draws(page):
                scanned.append(number)
        except _BROKEN:
            broken.append(number)
        texts.append(text)
    if not any(text.strip() for text in texts):
        raise UnreadableFile(_nothing(source, scanned, broken))
    title, published = _told(reader)
    form = _is_filled(reader)
    skipped = [*_left_out(scanned, broken, count, source.limits.pages), *([FORM] if form else [])]
    return finished(source, _lines(texts), title=title, pages=count, skipped=skipped, published=published)


def _lines(texts: list[str]) -> Iterator[str]:
    for number, lines in enumerate(without_running_lines(texts), 1):
        found = list(paragraphs(lines))
        if found:
            yield f"## Page {number}"
            for paragraph in found:
                yield ""
                yield paragraph
            yield ""


def _draws(page: PageObject) -> bool:
    """Whether an empty text hides something: a scan, letters drawn as shapes."""
    contents = page.get_contents()
    return contents is not None and bool(contents.get_data().strip())


def _nothing(source: Source, scanned: list[int], broken: list[int]) -> str:
    name = shown(source.name)
    if scanned:
        return f"« {name} » n'a pas de texte à lire : ses pages sont sans doute scannées, et il n'y a pas d'OCR ici."
    if broken:
        return f"« {name} » est un PDF abîmé : aucune page n'a pu être lue."
    return f"« {name} » ne contient aucun texte."


def _left_out(scanned: list[int], broken: list[int], count: int, most: int) -> Iterator[str]:
    if scanned:
        yield f"Pages sans texte à lire, sans doute scannées (pas d'OCR) : {numbers_said(scanned)}."
    if broken:
        yield f"Pages abîmées, non lues : {numbers_said(broken)}."
    if count > most:
        yield f"Pages {most + 1} à {count} non lues : la limite est de {most} pages."


def _is_filled(reader: PdfReader) -> bool:
    try:
        return any(reader.get_form_text_fields().values())
    except _BROKEN:
        return False


def _told(reader: PdfReader) -> tuple[str, date | None]:
    """Title and date of the metadata. Titles are often left by the program: a file's name is better than those."""
    try:
        told = reader.metadata
        title = str(told.title or "").strip() if told else ""
        day = told.modification_date or told.creation_date if told else None
    except _BROKEN:
        return "", None
    return "" if _BY_PROGRAM.search(title) or " " not in title else title, sane_date(day)
