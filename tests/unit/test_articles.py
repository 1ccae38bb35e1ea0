"""Reading the built-in articles."""

from datetime import date
from pathlib import Path

import pytest

from corpus.build_vectors import built_in_passages
from corpus.errors import MalformedArticle
from corpus.questions.bank import entries_of
from corpus.sources.articles import read_article, read_articles
from corpus.types import Document
from pipeline.extractive.candidates import quotable
from pipeline.text.sentences import passage_sentences

GOOD = """---
id: pinel
title: "Dispositif Pinel : extinction"
category: regulation
entities: [pinel, defiscalisation]
effective_from: 2014-09-01
effective_to: 2024-12-31
reviewed: 2026-11-21
links:
  - title: "service-public.gouv.fr"
    url: "https://www.service-public.gouv.fr"
---
## En bref

Le Pinel est fermé.
"""


def write(folder: Path, text: str, name: str = "pinel.md") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_an_article_becomes_a_document(tmp_path: Path) -> None:
    """The first link is its address, the review date its date."""
    found = read_article(write(tmp_path, GOOD))
    assert (found.id, found.category, found.entities) == ("pinel", "regulation", ("pinel", "defiscalisation"))
    assert (found.url, found.published) == ("https://www.service-public.gouv.fr", date(2026, 11, 21))
    assert (found.effective_from, found.effective_to) == (date(2014, 9, 1), date(2024, 12, 31))
    assert found.text.startswith("## En bref")


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("---\nid", "id", "en-tête"),
        ("id: pinel", "id: autre", "« id »"),
        ("id: pinel\n", "", "« id »"),
        ('title: "Dispositif Pinel : extinction"', "title: 12", "« title »"),
        ("category: regulation", "category: tax", "« category »"),
        ("entities: [pinel, defiscalisation]", "entities: [Pinel]", "« entities »"),
        ("entities: [pinel, defiscalisation]", "entities: pinel", "« entities »"),
        ("reviewed: 2026-11-21", "reviewed: hier", "« reviewed »"),
        ("reviewed: 2026-11-21\n", "", "« reviewed »"),
        ("reviewed: 2026-11-21", "reviewed: 2026-11-31", "YAML"),
        ("reviewed: 2026-11-21", "reviewed: 2026-11-21 10:00:00", "« reviewed »"),
        ("effective_to: 2024-12-31", "effective_to: 2013-12-31", "« effective_to »"),
        ("https://www", "http://www", "https://"),
        ("links:\n", "liens:\n", "« links »"),
        ("## En bref\n\nLe Pinel est fermé.", "", "vide"),
        ("category: regulation", "category: [", "YAML"),
    ],
)
def test_a_malformed_article_says_what_is_wrong(tmp_path: Path, old: str, new: str, named: str) -> None:
    """One French sentence names the file and the field."""
    assert old in GOOD
    with pytest.raises(MalformedArticle) as caught:
        read_article(write(tmp_path, GOOD.replace(old, new)))
    assert "pinel.md" in str(caught.value)
    assert named in str(caught.value)
    assert caught.value.document_id == "pinel"


def test_a_file_that_is_no_text_is_malformed(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are reported like any other fault."""
    path = tmp_path / "pinel.md"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MalformedArticle, match="UTF-8"):
        read_article(path)


def test_one_bad_article_leaves_the_others(tmp_path: Path) -> None:
    """The folder's other articles still come, and the bad one comes as its error."""
    write(tmp_path, GOOD)
    write(tmp_path, "rien", name="bad.md")
    first, second = read_articles(tmp_path)
    assert isinstance(first, MalformedArticle)
    assert isinstance(second, Document)


def test_the_shipped_articles_are_well_formed() -> None:
    """At least 14 articles of at least five kinds, none malformed."""
    found = list(read_articles())
    assert [str(article) for article in found if isinstance(article, MalformedArticle)] == []
    assert len(found) >= 14
    assert {a.category for a in found if isinstance(a, Document)} >= {"regulation", "risk", "methodology", "compliance"}


def test_the_first_sentence_of_every_entry_can_be_quoted() -> None:
    """It answers by itself: with a link, an asterisk or too many words in it, the second would open the answer."""
    first = [(entry.ways[0], passage_sentences(entry.passage.text)[0]) for entry in entries_of(built_in_passages(), [])]
    assert [question for question, sentence in first if not quotable(sentence)] == []
