"""Articles of one's own that are broken: each is named with a reason, and the good ones beside them are indexed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scenario.stage import OURS, ROOT

GOOD = (ROOT / "corpus/articles/denormandie.md").read_text()
BROKEN = {
    "vide.md": b"",
    "yaml.md": b"---\ntitle: [pas ferm\n---\nTexte.",
    "liste.md": b"---\n- a\n- b\n---\nTexte.",
    "latin1.md": "---\ntitle: Été\n---\nTexte.".encode("latin-1"),
    "octets.md": bytes(range(256)) * 50,
    "date.md": GOOD.replace("review", "reviewed_never", 1).encode(),
    "categorie.md": GOOD.replace("category: ", "category: astrologie-", 1).encode(),
    "rapport.pdf": b"%PDF-1.7",
}


def ingest(folder: Path, *paths: Path) -> "subprocess.CompletedProcess[str]":
    """`python -m bot ingest PATH…` with a corpus of its own."""
    kept = {name: value for name, value in os.environ.items() if not OURS.match(name)}
    ours = {"DATABASE_URL": f"sqlite:///{folder}/b.sqlite3", "VAR_DIR": str(folder / "var"), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "bot", "ingest", *map(str, paths)]
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**kept, **ours, "COLUMNS": "400"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def articles(tmp_path: Path) -> Path:
    folder = tmp_path / "articles"
    folder.mkdir()
    for name, content in BROKEN.items():
        (folder / name).write_bytes(content)
    (folder / "le-bon.md").write_text(GOOD.replace("id: denormandie", "id: le-bon", 1))
    return folder


def test_malformed_articles_are_refused_by_name_and_the_good_one_is_kept(tmp_path: Path, articles: Path) -> None:
    """Exit code 1 because something was refused; nothing of the rest is lost, and no traceback is shown."""
    done = ingest(tmp_path, *sorted(articles.iterdir()))
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "1 ajouté" in done.stderr
    assert f"{len(BROKEN)} refusé" in done.stderr
    for name in BROKEN:
        assert Path(name).stem in done.stderr


def test_a_path_that_is_not_there_is_said(tmp_path: Path) -> None:
    """One sentence, exit code 1."""
    done = ingest(tmp_path, tmp_path / "nulle-part.md")
    assert done.returncode == 1
    assert "nulle-part" in done.stderr
    assert "Traceback" not in done.stderr
