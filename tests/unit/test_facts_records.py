"""The records of facts: what is read, what is refused with its file and record, and how they are looked up."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from corpus.facts.book import FactBook, fact_book, ranked
from corpus.facts.loading import FactsUnreadable, load_facts, load_vocabulary
from corpus.facts.values import Fact
from pipeline.schemes import schemes

TODAY = date(2026, 11, 22)
VOCABULARY = """
[attributes.taux]
title = "Taux"
[attributes.plafond]
title = "Plafond"
[units]
"%" = { one = "%", many = "%" }
"""
SOURCES = '[cgi]\ntitle = "Code"\nurl = "https://www.legifrance.gouv.fr"\n'
GROUP = 'scheme = "pinel"\nattribute = "taux"\nlabel = "le taux"\nunit = "%"\nsource = "cgi"\n'


def _folder(tmp_path: Path, group: str, *, sources: str = SOURCES) -> Path:
    (tmp_path / "vocabulary.toml").write_text(VOCABULARY, encoding="utf-8")
    (tmp_path / "sources.toml").write_text(sources, encoding="utf-8")
    (tmp_path / "made.toml").write_text(f"consulted_on = 2026-11-21\n[[group]]\n{group}", encoding="utf-8")
    return tmp_path


def test_the_built_in_records_are_many_dated_and_sourced() -> None:
    facts = load_facts()
    assert len(facts) >= 400
    assert all(fact.source.url.startswith("https://") for fact in facts)
    assert {fact.scheme for fact in facts} <= set(schemes())
    assert {name for fact in facts for name in fact.also} <= set(schemes())
    assert {status: sum(f.status == status for f in facts) > 10 for status in ("sure", "to_verify")} == {
        "sure": True,
        "to_verify": True,
    }


def test_each_record_names_an_article_of_the_corpus() -> None:
    folder = Path(__file__).parents[2] / "corpus" / "articles"
    known = {path.stem for path in folder.glob("*.md")}
    pages = {"zone-tendue": "zones-tendues", "zonage-abc": "zones-tendues", "locavantages": "deficit-foncier"}
    missing = {f.article for f in load_facts() if pages.get(f.article, f.article) not in known}
    assert missing == set()


def test_every_attribute_and_unit_of_the_vocabulary_is_used() -> None:
    facts, vocabulary = load_facts(), load_vocabulary()
    assert set(vocabulary.attributes) == {fact.attribute for fact in facts}
    assert set(vocabulary.units) - {fact.unit for fact in facts} == set()


@pytest.mark.parametrize(
    ("group", "said"),
    [
        (GROUP, "aucun enregistrement"),
        (GROUP + "records = [{ value = 3 }]\ncolour = 1\n", "clé inconnue colour"),
        (GROUP + "records = [{ value = 3, hue = 1 }]\n", "enregistrement 1 : clé inconnue hue"),
        (GROUP.replace("taux", "humeur", 1) + "records = [{ value = 3 }]\n", "attribut inconnu : humeur"),
        (GROUP + 'records = [{ value = 3, of = "lune" }]\n', "une part en % d'une base connue : lune"),
        (GROUP + 'since = "le décès"\nrecords = [{ value = 3 }]\n', "un délai se compte en jours"),
        (GROUP.replace('"%"', '"pouces"') + "records = [{ value = 3 }]\n", "unité inconnue : pouces"),
        (GROUP.replace('"cgi"', '"rumeur"') + "records = [{ value = 3 }]\n", "source inconnue : rumeur"),
        (GROUP.replace('unit = "%"\n', "") + "records = [{ value = 3 }]\n", "un nombre demande une unité"),
        (GROUP + "records = [{ value = [5, 2] }]\n", "la fourchette est à l'envers"),
        (GROUP + 'records = [{ value = 3, status = "certain" }]\n', "statut ou borne inconnus"),
        (GROUP + 'records = [{ value = 3, status = "disputed" }]\n', "un fait disputé dit par qui"),
        (GROUP + "records = [{ value = 3, from = 2026-02-01, to = 2026-01-01 }]\n", "la période est à l'envers"),
        (GROUP + 'records = [{ value = 3, from = "2026" }]\n', "une date s'écrit"),
        (GROUP + "records = [{ value = 3 }, { value = 4 }]\n", "deux valeurs à la même date"),
        (GROUP + 'records = [{ id = "a", value = 3 }, { id = "a", value = 4, from = 2027-01-01 }]\n', "double : a"),
        (GROUP + "records = [{ condition = 'x' }]\n", "il manque value"),
        ("scheme = [", "made.toml n'a pas pu être lu"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_file_or_record(tmp_path: Path, group: str, said: str) -> None:
    with pytest.raises(FactsUnreadable) as caught:
        load_facts(_folder(tmp_path, group))
    assert said in str(caught.value)


def test_a_source_needs_a_safe_address(tmp_path: Path) -> None:
    folder = _folder(tmp_path, GROUP + "records = [{ value = 3 }]\n", sources=SOURCES.replace("https", "http"))
    with pytest.raises(FactsUnreadable, match="adresse https"):
        load_facts(folder)


def test_the_day_decides_what_is_current() -> None:
    book = fact_book()
    then = book.find(scheme="lmnp", attribute="plafond", on=date(2025, 6, 1))
    now = book.find(scheme="lmnp", attribute="plafond", on=TODAY)
    assert [f.value for f in then if f.id.startswith("micro-bic")] == [77_700.0, 15_000.0]
    assert [f.value for f in now if f.id.startswith("micro-bic")] == [83_600.0, 15_000.0]
    assert book.by_id["pinel.fin"] not in book.current(TODAY)


def test_a_zone_is_found_where_a_record_names_several() -> None:
    found = fact_book().find(scheme="relance-logement", attribute="plafond", zone="B2")
    assert {fact.value for fact in found} == {10.26, 32_530.0}


def test_a_value_knows_the_one_before_and_the_one_after() -> None:
    book = fact_book()
    old, new = book.by_id["micro-bic.2025"], book.by_id["micro-bic"]
    assert book.successor(old) is new
    assert book.predecessor(new) is old
    assert book.successor(new) is None


def test_changes_of_a_span_carry_old_and_new_values_once() -> None:
    told = fact_book().changes_between(date(2026, 12, 1), date(2027, 1, 31))
    days = [change.day for change in told]
    assert days == sorted(days)
    ended = {change.old.id for change in told if change.old is not None and change.new is None}
    assert "don-logement.fin" in ended
    begun = [change.new for change in told if change.new is not None]
    assert any("TVLH" in fact.label for fact in begun)
    turned = fact_book().changes_between(date(2025, 12, 1), date(2026, 1, 2))
    (turn,) = (change for change in turned if change.new and change.new.id == "pfu")
    assert (turn.day, turn.old and turn.old.value, turn.new and turn.new.value) == (date(2026, 1, 1), 30.0, 31.4)


def test_sources_that_disagree_stand_side_by_side_the_more_official_first() -> None:
    conflicts = fact_book().conflicts()
    dates = next(group for group in conflicts if group[0].id == "lmnp.reprise")
    assert [fact.official for fact in dates] == [True, False]
    assert all(len(group) > 1 and all(fact.said_by for fact in group) for group in conflicts)


def test_among_equally_official_sources_the_later_comes_first() -> None:
    first = fact_book().by_id["lmnp.reprise"]
    older, newer = _said(first, 2024), _said(first, 2026)
    assert ranked([older, newer]) == (newer, older)


def _said(fact: Fact, year: int) -> Fact:
    return replace(fact, id=str(year), seen=date(year, 1, 1))


def test_a_book_of_other_records_is_read_from_another_folder(tmp_path: Path) -> None:
    book = FactBook(load_facts(_folder(tmp_path, GROUP + "records = [{ value = 3, to = 2026-01-01 }]\n")))
    assert [fact.value for fact in book.facts] == [3.0]
    assert book.current(TODAY) == ()
