"""The house rules that a reader relies on, checked on every file."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("bot", "pipeline", "corpus", "sandbox", "bench", "migrations", "tests")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
PRODUCT = [path for path in FILES if path.relative_to(ROOT).parts[0] in {"bot", "pipeline", "corpus"}]
FILE_LINES, FUNCTION_LINES = 300, 50
CATCH_ALL = {"utils", "helpers", "common", "manager", "service", "base"}
BROAD = re.compile(r"except (?:Base)?Exception\b|except:")
BROAD_EXCEPT = {"bot/engine/steps.py", "bot/store/database.py", "pipeline/toolbox.py"}
"""The jobs' error listener, the writer thread that hands errors to its callers, the tool runner."""


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_file_can_be_read_in_one_sitting() -> None:
    """No file over 300 lines, no function over 50, no catch-all name, and a docstring that says what the file is."""
    offences = [f"{_name(path)}: {said}" for path in FILES for said in _hard_to_read(path)]
    assert not offences, "\n".join(offences)


def _hard_to_read(path: Path) -> Iterator[str]:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    if (lines := len(source.splitlines())) > FILE_LINES:
        yield f"{lines} lines"
    if path.stem in CATCH_ALL:
        yield "a name that says nothing of its responsibility"
    if source.strip() and not ast.get_docstring(tree):
        yield "no docstring"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield f"{node.name} has {lines} lines"


@pytest.mark.parametrize(
    ("name", "source", "said"),
    [
        ("long.py", '"""Says."""\n' + "x = 1\n" * 300, "301 lines"),
        ("helpers.py", '"""Says."""\n', "a name that says nothing of its responsibility"),
        ("mute.py", "x = 1\n", "no docstring"),
        ("wide.py", '"""Says."""\ndef long():\n' + "    x = 1\n" * 50, "long has 51 lines"),
    ],
    ids=["lines", "name", "docstring", "function"],
)
def test_what_is_hard_to_read_is_found(tmp_path: Path, name: str, source: str, said: str) -> None:
    """One line over each limit: a search that finds nothing guards nothing."""
    path = tmp_path / name
    path.write_text(source, encoding="utf-8")
    assert list(_hard_to_read(path)) == [said]


def test_errors_are_caught_broadly_only_where_someone_is_told() -> None:
    """`except Exception` stands in the files named here, each with its reason, and nowhere else."""
    broad = {_name(path) for path in PRODUCT if BROAD.search(path.read_text(encoding="utf-8"))}
    assert broad == BROAD_EXCEPT


def test_every_setting_is_documented() -> None:
    """A setting that nobody can find does not exist: each stands in .env.example and in the table of settings."""
    missing = [
        f"{name.upper()} is not in {document}"
        for document in (".env.example", "docs/settings.md")
        for name in sorted(Settings.model_fields)
        if not re.search(rf"\b{name.upper()}\b", (ROOT / document).read_text(encoding="utf-8"))
    ]
    assert not missing, "\n".join(missing)


def test_only_settings_reads_the_environment() -> None:
    """`os.environ` has one reader; the launcher sets OMP_NUM_THREADS before numpy loads, and reads nothing."""
    readers = [
        _name(path)
        for path in PRODUCT
        if re.search(r"os\.getenv|os\.environ(?!\.setdefault\(\"OMP_)", path.read_text(encoding="utf-8"))
    ]
    assert readers == []


def test_no_test_depends_on_the_speed_of_the_machine() -> None:
    """Property tests have no deadline (the profile of tests/conftest.py), and keep slow generation no failure."""
    offences = []
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "settings":
                stated = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
                if stated.get("deadline", "None") != "None" or "too_slow" not in stated.get(
                    "suppress_health_check", "too_slow"
                ):
                    offences.append(f"{_name(path)}:{node.lineno}: {ast.unparse(node)}")
    assert not offences, "\n".join(offences)
