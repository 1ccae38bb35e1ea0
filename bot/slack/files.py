"""Slack's file objects as we need them: what each one is called, weighs and is, and why one cannot be added."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from corpus.sources.files.values import KINDS, Limits

MOST_BYTES: Final = Limits().bytes
NAME_LIMIT: Final = 200
NEW_NAMES: Final = {"text": "txt", "markdown": "md", "htm": "html"}
LABELS: Final = {
    "pdf": "PDF", "docx": "Word", "xlsx": "Excel", "xls": "Excel (ancien)", "csv": "CSV", "txt": "texte",
    "md": "Markdown", "html": "page web",
}  # fmt: skip
READABLE: Final = "pdf, docx, xlsx, xls, csv, txt, md et html"
HELD: Final = {"hosted", "snippet", ""}
"""Modes of a file whose bytes Slack has; the others are links, canvases, or what is left of a deleted file."""
GONE: Final = {
    "tombstone": "Ce fichier a été supprimé de Slack.",
    "hidden_by_limit": "Slack ne donne plus accès à ce fichier (limite de votre forfait).",
    "external": "Ce fichier est hébergé hors de Slack : déposez-le ici pour que je puisse le lire.",
}

WITHHELD: Final = "Ce fichier vient d'un autre espace Slack, qui ne me le donne pas à lire."


@dataclass(frozen=True, slots=True)
class DroppedFile:
    """A file of a message. `kind`: one that we read, else ""; `trouble`: why it cannot be added, in French, or None.
    `untold`: it comes from another workspace, and `files.info` alone says what it is."""

    file_id: str
    name: str
    kind: str
    size: int
    url: str
    trouble: str | None = None
    untold: bool = False


def dropped_files(files: Iterable[Any]) -> tuple[DroppedFile, ...]:
    """A message's `files`, each once, in their order; what has no id is no file."""
    found = [_dropped(file) for file in files if isinstance(file, Mapping) and file.get("id")]
    return tuple({file.file_id: file for file in found}.values())


def _dropped(file: Mapping[str, Any]) -> DroppedFile:
    size = file.get("size")
    weight = size if isinstance(size, int) and size >= 0 else 0
    name = str(file.get("name") or file.get("title") or "fichier sans nom").replace("\x00", "").strip()[:NAME_LIMIT]
    kind = _kind(name, str(file.get("filetype") or ""))
    return DroppedFile(
        file_id=str(file["id"])[:32],
        name=name,
        kind=kind,
        size=weight,
        url=str(file.get("permalink") or ""),
        trouble=_trouble(file, kind, weight),
        untold=_is_untold(file),
    )


def _is_untold(file: Mapping[str, Any]) -> bool:
    """In a channel shared with another company Slack sends `{mode: "file_access", file_access: "check_file_info"}`."""
    return file.get("file_access") == "check_file_info" or file.get("mode") == "file_access"


def _kind(name: str, filetype: str) -> str:
    """By the name's ending, else by what Slack says; the reader looks at the content itself later."""
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    for said in (ending, filetype.lower()):
        known = NEW_NAMES.get(said, said)
        if known in KINDS:
            return known
    return ""


def _trouble(file: Mapping[str, Any], kind: str, size: int) -> str | None:
    if _is_untold(file):
        return WITHHELD
    mode = "external" if file.get("is_external") else str(file.get("mode") or "")
    if mode in GONE:
        return GONE[mode]
    if mode not in HELD:
        return "Ce n'est pas un fichier que Slack me laisse lire (canevas, post ou liste) : exportez-le en PDF."
    if not kind:
        return f"Je ne lis pas ce type de fichier : je lis {READABLE}."
    if size > MOST_BYTES:
        return too_big(size, MOST_BYTES)
    return None if size else "Ce fichier est vide."


def too_big(size: int, most: int) -> str:
    """The one sentence for a file over the limit, in bytes."""
    return f"Ce fichier pèse {megabytes(size)} : je lis jusqu'à {megabytes(most)}."


def megabytes(size: int) -> str:
    """1234567 -> "1,2 Mo"; under a megabyte in Ko."""
    if size < 1_000_000:
        return f"{max(1, round(size / 1_000))} Ko"
    return f"{size / 1_000_000:.1f} Mo".replace(".", ",").replace(",0 Mo", " Mo")
