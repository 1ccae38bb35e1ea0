"""What a file is, by its content; its name only tells one text from another."""

import re
import struct
from io import BytesIO
from pathlib import PurePath
from typing import Final
from zipfile import BadZipFile, ZipFile

from corpus.errors import UnreadableFile
from corpus.sources.files.encoding import decoded
from corpus.sources.files.source import Source, shown
from corpus.sources.files.values import Limits, ReadFile

ACCEPTED: Final = "types lus : PDF, Word (.docx), Excel (.xlsx, .xls), CSV, texte, Markdown et HTML"
SAID: Final = {
    "pdf": "un PDF",
    "docx": "un document Word",
    "xlsx": "un classeur Excel (.xlsx)",
    "xls": "un ancien classeur Excel (.xls)",
    "csv": "un tableau en texte (CSV)",
    "txt": "un fichier texte",
    "md": "du Markdown",
    "html": "une page HTML",
}
_OF_SUFFIX: Final = {
    ".pdf": "pdf", ".docx": "docx", ".docm": "docx", ".xlsx": "xlsx", ".xlsm": "xlsx", ".xls": "xls", ".csv": "csv",
    ".tsv": "csv", ".txt": "txt", ".text": "txt", ".md": "md", ".markdown": "md", ".html": "html", ".htm": "html",
    ".xhtml": "html",
}  # fmt: skip
_REFUSED: Final = (
    (rb"\x89PNG|\xff\xd8\xff|GIF8|II\*\x00|MM\x00\*|RIFF....WEBP|BM....\x00\x00\x00\x00|....ftyp(?:heic|heix|mif1|avif)",
     "est une image : le texte d'une image n'est pas lu (pas d'OCR)"),
    (rb"MZ|\x7fELF|\xcf\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf]|\xca\xfe\xba\xbe", "est un programme, pas un document"),
    (rb"\x1f\x8b|7z\xbc\xaf|Rar!|BZh|\xfd7zXZ|\x28\xb5\x2f\xfd",
     "est une archive : ajouter plutôt les fichiers qu'elle contient"),
    (rb"\{\\rtf", "est un document RTF, qui n'est pas lu : l'enregistrer en .docx"),
    (rb"SQLite format 3\x00", "est une base de données, pas un document"),
    (rb"ID3|OggS|fLaC|RIFF....(?:WAVE|AVI )|....ftyp|\x1aE\xdf\xa3", "est un son ou une vidéo, pas un document"),
)  # fmt: skip
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BARE_XLS: Final = re.compile(rb"\x09(?:\x00[\x04\x06]|\x02\x06|\x04\x06|\x08[\x08\x10])\x00")
_PAGE: Final = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|table|meta|div)\b",
    re.IGNORECASE | re.DOTALL,
)
_XML: Final = re.compile(r"\s*<\?xml\b")
_MAILED_PAGE: Final = re.compile(r"(?:[\w-]+:.*\n(?:[ \t].*\n)*)*Content-Type:\s*multipart/related", re.IGNORECASE)


def recognised(data: bytes, *, name: str, limits: Limits) -> Source:
    """The file with its kind. Raises `UnreadableFile` for what is no document of a kind read here."""
    named = _OF_SUFFIX.get(PurePath(name.lower()).suffix)
    kind, text = _kind(data, name, named)
    alike = kind == named or named is None or {kind, named} in ({"txt", "md"}, {"txt", "csv"})
    note = "" if alike else f"Ce {PurePath(name).suffix.lower()} est en fait {SAID[kind]}, et a été lu ainsi."
    return Source(data=data, name=name, kind=kind, limits=limits, text=text, note=note)


def read(source: Source) -> ReadFile:
    """Each kind's libraries are imported for that kind only: a text must not wait for a PDF's."""
    match source.kind:
        case "pdf":
            from corpus.sources.files.pdf import read_pdf as reader
        case "docx":
            from corpus.sources.files.word import read_docx as reader
        case "xlsx":
            from corpus.sources.files.workbook import read_xlsx as reader
        case "xls":
            from corpus.sources.files.old_workbook import read_xls as reader
        case "html":
            from corpus.sources.files.html import read_html as reader
        case "csv":
            from corpus.sources.files.delimited import read_csv as reader
        case "md":
            from corpus.sources.files.markdown import read_markdown as reader
        case _:
            from corpus.sources.files.text import read_text as reader
    return reader(source)


def _kind(data: bytes, name: str, named: str | None) -> tuple[str, str]:
    """The kind and, for a kind of text, the text."""
    if data.lstrip().startswith(b"%PDF-") or (named == "pdf" and b"%PDF-" in data[:1024]):  # some begin with a mail
        return "pdf", ""
    if data.startswith(b"PK\x03\x04"):
        return _zipped(data, name), ""
    if data.startswith(_OLE):
        return _compound(data, name), ""
    if _BARE_XLS.match(data):
        return "xls", ""
    for shape, sentence in _REFUSED:
        if re.match(shape, data, re.DOTALL):
            raise UnreadableFile(f"« {shown(name)} » {sentence}.")
    text = decoded(data)
    if text is None:
        raise UnreadableFile(f"« {shown(name)} » n'est ni un texte ni un document connu ({ACCEPTED}).")
    if not text.strip():
        raise UnreadableFile(f"« {shown(name)} » ne contient aucun texte.")
    return _of_text(text, name, named), text


def _of_text(text: str, name: str, named: str | None) -> str:
    if named == "md":
        return "md"
    if _PAGE.match(text) or named == "html":
        return "html"
    if _XML.match(text):
        raise UnreadableFile(f"« {shown(name)} » est du XML, qui n'est pas lu ({ACCEPTED}).")
    if _MAILED_PAGE.match(text[:4000]):
        raise UnreadableFile(
            f"« {shown(name)} » est une page archivée (.mht), qui n'est pas lue : l'enregistrer en PDF."
        )
    if named == "csv":
        return "csv"
    if named in ("xls", "xlsx"):  # exports that other programs call so
        return "csv" if re.match(r"[^\n]*[\t;]", text) else "txt"
    return "txt"


def _zipped(data: bytes, name: str) -> str:
    names = _names(data)
    for part, kind in (("word/document", "docx"), ("xl/workbook.xml", "xlsx")):
        if f"\n{part}" in names:
            return kind
    if "\nppt/presentation.xml" in names:
        what = "est une présentation PowerPoint, qui n'est pas lue : l'enregistrer en PDF"
    elif "\nxl/workbook.bin" in names:
        what = "est un classeur binaire (.xlsb), qui n'est pas lu : l'enregistrer en .xlsx"
    elif b"mimetypeapplication/vnd.oasis.opendocument" in data[:200]:
        what = "est un document OpenDocument, qui n'est pas lu : l'enregistrer en .docx, .xlsx ou PDF"
    else:
        what = "est une archive : ajouter plutôt les fichiers qu'elle contient"
    raise UnreadableFile(f"« {shown(name)} » {what}.")


def _names(data: bytes) -> str:
    """Each after a line end. A zip without its directory tells nothing but the names that stand in it."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            return "\n" + "\n".join(archive.namelist())
    # zipfile's own NotImplementedError: a version of zip that it does not know.
    except (BadZipFile, NotImplementedError, UnicodeDecodeError, EOFError, OSError, ValueError, struct.error):
        return re.sub(r"PK\x03\x04.{26}", "\n", data.decode("latin-1"), flags=re.DOTALL)


def _compound(data: bytes, name: str) -> str:
    """Names of streams in a compound file's directory are UTF-16."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise UnreadableFile(f"« {shown(name)} » est protégé par un mot de passe : l'enregistrer sans, puis l'ajouter.")
    if "WordDocument".encode("utf-16-le") in data:
        raise UnreadableFile(f"« {shown(name)} » est un ancien document Word (.doc) : l'enregistrer en .docx.")
    if any(stream.encode("utf-16-le") in data for stream in ("Workbook", "Book")):
        return "xls"
    raise UnreadableFile(f"« {shown(name)} » n'est pas un document connu ({ACCEPTED}).")
