"""The house rules that a reader relies on, checked on every file."""

import ast
import re
from pathlib import Path

import pytest

from bot.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("bot", "pipeline", "corpus", "sandbox", "bench", "migrations", "tests")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
FILE_LINES, FUNCTION_LINES = 300, 50
CATCH_ALL = {"utils", "helpers", "common", "manager", "service", "base"}
BROAD_EXCEPT = {"bot/engine.py", "bot/store/database.py", "pipeline/toolbox.py"}
"""The jobs' error listener, the writer thread that hands errors to its callers, the tool runner."""


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_a_file_can_be_read_in_one_sitting(path: Path) -> None:
    """No file over 300 lines, no function over 50, no catch-all name, and a docstring that says what the file is."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    assert len(source.splitlines()) <= FILE_LINES
    assert path.stem not in CATCH_ALL
    assert not source.strip() or ast.get_docstring(tree), "the module says nothing of its responsibility"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < FUNCTION_LINES, node.name


@pytest.mark.parametrize(
    "path", [p for p in FILES if _name(p).split("/")[0] in {"bot", "pipeline", "corpus"}], ids=_name
)
def test_errors_are_caught_broadly_only_where_someone_is_told(path: Path) -> None:
    """`except Exception` stands in the files named here, each with its reason, and nowhere else."""
    broad = re.findall(r"except (?:Base)?Exception\b|except:", path.read_text(encoding="utf-8"))
    assert not broad or _name(path) in BROAD_EXCEPT


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_is_documented(name: str) -> None:
    """A setting that nobody can find does not exist: each stands in .env.example and in the README."""
    for document in (".env.example", "README.md"):
        assert re.search(rf"\b{name.upper()}\b", (ROOT / document).read_text(encoding="utf-8")), document


def test_only_settings_reads_the_environment() -> None:
    """`os.environ` has one reader; the launcher sets OMP_NUM_THREADS before numpy loads, and reads nothing."""
    readers = [
        _name(path)
        for path in FILES
        if _name(path).split("/")[0] in {"bot", "pipeline", "corpus"}
        and re.search(r"os\.getenv|os\.environ(?!\.setdefault\(\"OMP_)", path.read_text(encoding="utf-8"))
    ]
    assert readers == []
