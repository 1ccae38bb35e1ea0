"""The list of feeds, and what tells publications of the field and copies from the rest."""

from pathlib import Path

import numpy as np
import pytest

from bot.news.alike import Gallery, address_key, marks_of, sketch_of, title_key
from bot.news.feeds import WrongFeeds, built_in, feeds_of
from bot.news.subjects import subject_of, topics
from pipeline.tools.web import DOMAINS, is_official


def test_each_built_in_feed_is_official_and_says_why() -> None:
    for feed in built_in():
        assert feed.reason.endswith(".")
        assert is_official(feed.url, DOMAINS)
    assert len({feed.url for feed in built_in()}) == len(built_in())


def test_addresses_in_a_setting() -> None:
    """A name before the address, a page instead of a feed; what is known by its address keeps its id."""
    one, two = feeds_of("https://www.anil.org/rss.xml, Insee=page:https://www.insee.fr/fr/?a=1,")
    assert (one.name, one.kind, two.name, two.kind) == ("www.anil.org", "feed", "Insee", "page")
    assert two.url == "https://www.insee.fr/fr/?a=1"
    assert feeds_of("Anil=https://www.anil.org/rss.xml")[0].id == one.id


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("[Anil]\nname='a'\nurl='https://a.fr'", "minuscules"),
        ("[anil]\nurl='https://a.fr'", "name"),
        ("[anil]\nname='a'\nurl='ftp://a.fr'", "https"),
        ("[anil]\nname='a'\nurl='https://a.fr'\nkind='atom'", "kind"),
        ("[anil", "TOML"),
    ],
)
def test_a_list_that_is_wrong_says_where(tmp_path: Path, rows: str, words: str) -> None:
    file = tmp_path / "fils.toml"
    file.write_text(rows, encoding="utf-8")
    with pytest.raises(WrongFeeds, match=words):
        feeds_of(str(file))


def test_a_list_that_is_not_there_says_so() -> None:
    with pytest.raises(WrongFeeds, match=r"absent\.toml"):
        feeds_of("/nowhere/absent.toml")


@pytest.mark.parametrize(
    ("title", "topic"),
    [
        ("Indice de référence des loyers : hausse au 3e trimestre", "loyers"),
        ("Taux d'usure au 1er octobre", "financement"),
        ("MaPrimeRénov' : le guichet rouvre", "energie"),
        ("Le dispositif Denormandie est prolongé", "fiscalite"),
        ("Prix des logements anciens : stabilité au deuxième trimestre", "marche"),
        ("Donations : un abattement exceptionnel", "patrimoine"),
        ("CIF : de nouvelles obligations de formation", "conformite"),
        ("Inondations : la carte des risques évolue", "risques"),
        ("Le permis de chasser en ligne", None),
        ("Real estate in the euro area: the rates of the banks are up", None),
    ],
)
def test_what_a_publication_is_about(title: str, topic: str | None) -> None:
    found = subject_of(title, "")
    assert (found.topic if found else None) == topic


def test_one_word_of_the_field_within_a_text_is_no_subject() -> None:
    assert subject_of("Vacances scolaires", "Le calendrier tient compte des locataires de gîtes.") is None


def test_each_topic_has_a_category_and_words() -> None:
    assert all(topic.words.pattern and topic.category for topic in topics().values())


@pytest.mark.parametrize(
    "other",
    ["http://anil.org/a/b", "https://www.anil.org/a/b/", "https://www.anil.org/a/b?utm_source=x&xtor=RSS-1#haut"],
)
def test_ways_to_write_one_address(other: str) -> None:
    assert address_key(other) == address_key("https://www.anil.org/a/b")


def test_addresses_that_differ_by_what_they_ask_for() -> None:
    assert address_key("https://a.fr/x?id=1") != address_key("https://a.fr/x?id=2")


def test_titles_are_compared_by_their_words() -> None:
    assert title_key("Loyers : l'IRL en hausse !", "2026-11-20") == title_key("LOYERS – L’IRL EN HAUSSE", "2026-11-20")
    assert title_key("Loyers", "2026-11-20") != title_key("Loyers", "2026-11-21")


def test_a_short_text_is_like_no_other() -> None:
    """Three words say too little to be told apart by them."""
    assert len(sketch_of("Loyers", "En hausse.")) == 0
    assert Gallery().twin(np.zeros(0, np.uint32), "") is None


def test_marks_are_numbers_and_names_within_sentences() -> None:
    assert (
        marks_of("Le taux du Var", "La Banque de France publie 4,53 %. Chaque banque suit.") == "4,53 banque france var"
    )
