"""The sandbox is a URL: no product code asks whether it runs against it, or under test."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN = ("sandbox", "bac_a_sable", "bac à sable", "pytest", "under_test", "testing", "is_test", "unittest", "mock")
FILES = sorted(path for package in ("bot", "pipeline", "corpus") for path in (ROOT / package).rglob("*.py"))


def words(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name, attribute, import and text in the code, docstrings left out."""
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield line, node.value
        for field in ("id", "attr", "arg", "name", "module"):
            if isinstance(value := getattr(node, field, None), str):
                yield line, value


def test_one_code_path() -> None:
    """No `if sandbox`, no test switch in product code."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {word[:80]}"
        for path in FILES
        for line, word in words(ast.parse(path.read_text(encoding="utf-8")))
        if any(bad in word.lower() for bad in FORBIDDEN)
    ]
    assert FILES
    assert not found, "\n".join(found)


def test_the_search_itself_finds_a_switch() -> None:
    """A test that cannot fail guards nothing."""
    tree = ast.parse('"""Says sandbox."""\nif settings.sandbox_mode or "bac à sable" in url:\n    pass\n')
    assert [line for line, word in words(tree) if "sandbox" in word or "bac à sable" in word] == [2, 2]
