"""The documents name files of this repository: what moves takes its mentions along."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("bench", "bot", "corpus", "docs", "migrations", "pipeline", "sandbox", "tests")
KNOWN = tuple(path for room in ROOMS for path in (ROOT / room).rglob("*") if "__pycache__" not in path.parts)
QUOTED = re.compile(r"`((?:[\w.*-]+/)+[\w.*-]*)`")
FILED = re.compile(rf"(?<![\w./-])((?:{'|'.join(ROOMS)})/[\w./*-]+\.(?:py|toml|jsonl|tsv|npz|md|txt))\b")
LINKED = re.compile(r"\]\(((?:[\w.-]+/)*[\w.-]+\.md)(?:#[\w-]+)?\)")
TEST = re.compile(r"(tests/[\w/]+\.py)::(\w+)")
STANDS_FOR = re.compile(r"NAME|\bID\b")
"""A name to be chosen by who follows the instructions."""


def test_every_path_named_in_the_documents_exists() -> None:
    """`room/file.py`, `room/module` and links between documents, each where the document says it is."""
    missing = [
        f"{document.relative_to(ROOT)}: {named}"
        for document in _documents()
        for named in _named(document.read_text(encoding="utf-8"))
        if not _stands(named, document)
    ]
    assert not missing, "\n".join(missing)


def test_every_test_named_in_the_documents_exists() -> None:
    """`tests/room/test_file.py::test_name`."""
    named = [found for document in _documents() for found in TEST.findall(document.read_text(encoding="utf-8"))]
    assert named
    held = {path: (ROOT / path).read_text(encoding="utf-8") for path, _ in named if (ROOT / path).exists()}
    assert [f"{path}::{name}" for path, name in named if f"def {name}(" not in held.get(path, "")] == []


def test_a_path_that_is_gone_is_found() -> None:
    """A file, a module without its suffix, a folder and a link: a search that finds nothing guards nothing."""
    gone = ["bot/gone", "corpus/gone/", "bench/gone*.py", "tests/unit/test_gone.py", "adr/0000-gone.md"]
    text = "`bot/gone`, `corpus/gone/`, `bench/gone*.py`, `pytest tests/unit/test_gone.py`, [why](adr/0000-gone.md)"
    text += "; `pipeline/answer.py`, `bot/listeners`, `bench/*.py`, `pipeline/tools/NAME.py`, `python -m bot`"
    missing = [named for named in _named(text) if not _stands(named, ROOT / "docs" / "architecture.md")]
    assert missing == gone


def _documents() -> list[Path]:
    articles = ROOT / "corpus" / "articles"
    inside = [path for path in KNOWN if path.suffix == ".md" and articles not in path.parents]
    return sorted([*ROOT.glob("*.md"), *inside])


def _named(text: str) -> list[str]:
    """Paths that begin with a room of ours, quoted or with their suffix, and links to other documents."""
    quoted = [name for name in QUOTED.findall(text) if name.split("/")[0] in ROOMS]
    return list(dict.fromkeys([*quoted, *FILED.findall(text), *LINKED.findall(text)]))


def _stands(named: str, document: Path) -> bool:
    """From the root or beside the document; a module without its suffix counts, and so does a pattern that fits."""
    name = named.rstrip("/")
    if "*" in name:
        return any(ROOT.glob(name))
    if STANDS_FOR.search(name):
        return (ROOT / name).parent.is_dir()
    return any(place.exists() for place in (ROOT / name, ROOT / f"{name}.py", document.parent / name))
