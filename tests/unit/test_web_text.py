"""Bytes of pages and feeds as text, and what their parsers make of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import UnreadableSource
from corpus.sources.decoding import text_of, unmarked
from corpus.sources.feed_text import Entries, feed_text
from corpus.sources.files.values import Limits
from corpus.sources.markup import plain_text
from corpus.sources.page_text import page_text
from corpus.sources.parsing import MOST_ENTRIES
from corpus.sources.urls import same_site

URL = "https://pages.example/zone"
PAGE = """<!doctype html><html lang="fr"><head><title>La zone tendue</title>{head}</head><body>
<nav><a href="/">Accueil</a> <a href="/menu">Menu du site</a></nav>
<main><h1>La zone tendue</h1><p>Une zone tendue est une commune où l'offre de logements est inférieure à la
demande [1].</p>
<h2>Conséquences</h2><p>Le préavis du locataire est d'un mois.
<a href="https://ailleurs.example/x">Lire la suite</a>.</p>
<table><tr><th>Zone</th><th>Préavis</th></tr><tr><td>tendue</td><td>1 mois</td></tr></table>{body}</main>
<footer>Mentions légales du site, plan du site, nous contacter.</footer></body></html>"""


def page(*, head: str = "", body: str = "") -> str:
    return PAGE.format(head=head, body=body)


def entries_of(xml: str) -> Entries:
    return feed_text(xml, most=MOST_ENTRIES)


def item(body: str, *, name: str = "1") -> str:
    return f"<item><guid>{name}</guid><title>Titre {name}</title><description>{body}</description></item>"


def rss(*items: str) -> str:
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>Actes</title>{"".join(items)}</channel></rss>'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_accents_survive_whatever_the_encoding(encoding: str) -> None:
    """With a mark, by its own validity, or as French Windows writes."""
    assert text_of("où l'été coûte 3 €".encode(encoding)) == "où l'été coûte 3 €"


def test_a_wrong_announcement_is_not_believed() -> None:
    """UTF-8 sent as ISO-8859-1, and the other way round."""
    assert text_of("été".encode(), charset="iso-8859-1") == "été"
    assert text_of("été".encode("latin-1"), charset="utf-8") == "été"
    assert text_of('<?xml encoding="zip"?>été'.encode("latin-1")) == '<?xml encoding="zip"?>été'
    assert text_of("été".encode("latin-1"), charset="hex") == "été"


def test_an_announced_eastern_table_is_used() -> None:
    """What is announced counts where the bytes are not UTF-8."""
    assert text_of("заём".encode("cp1251"), charset="windows-1251") == "заём"


def test_a_text_that_changes_its_encoding_half_way_keeps_its_accents() -> None:
    """The start in UTF-8, the rest in Windows-1252."""
    assert text_of("début été ".encode() + "fin été €".encode("cp1252")) == "début été fin été €"


def test_octets_are_no_text() -> None:
    """A picture under a page's name."""
    assert text_of(bytes(range(256)) * 20) is None


def test_a_page_is_its_main_text() -> None:
    """Title, headings, rows as sentences; neither menu, footer, link nor anything that could pass for a citation."""
    found = page_text(page(), url=URL, limits=Limits())
    assert found.title == "La zone tendue"
    assert "## Conséquences" in found.text
    assert "Zone : tendue ; Préavis : 1 mois." in found.text
    assert "demande (1)." in found.text
    for absent in ("Menu du site", "Mentions légales", "https://", "[1]"):
        assert absent not in found.text


def test_a_page_says_its_date_and_its_address() -> None:
    """Only in so many words, and never a future date."""
    head = '<link rel="canonical" href="https://pages.example/z"><meta property="article:modified_time" content="{}">'
    found = page_text(page(head=head.format("2026-10-02T08:00:00+02:00")), url=URL, limits=Limits())
    assert (found.published, found.canonical) == ("2026-10-02", "https://pages.example/z")
    assert page_text(page(head=head.format("2099-01-01")), url=URL, limits=Limits()).published == ""
    assert page_text(page(body="<p>Le 3 mars 2019, rien.</p>"), url=URL, limits=Limits()).published == ""


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<html><body><form><input name=u><input type='password'></form><p>Connectez-vous pour lire.</p></body></html>",
         "connexion"),
        ("<html><body><div id=root></div><noscript>Activez JavaScript.</noscript></body></html>", "JavaScript"),
        ("", "JavaScript"),
    ],
)  # fmt: skip
def test_a_page_without_text_to_read_is_refused(html: str, words: str) -> None:
    """A login form, an application, nothing."""
    with pytest.raises(UnreadableSource, match=words):
        page_text(html, url=URL, limits=Limits())


def test_a_feed_becomes_entries_of_plain_text() -> None:
    """Markup gone, scripts gone, entries without words counted."""
    feed = entries_of(
        rss(item("&lt;p&gt;Un &lt;b&gt;décret&lt;/b&gt; [2].&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;"), "<item/>")
    )
    assert feed.title == "Actes"
    assert [entry.text for entry in feed.entries] == ["Un décret (2)."]
    assert feed.skipped == ("1 entrée(s) du flux sans texte.",)


def test_an_entry_that_comes_twice_is_one() -> None:
    """The first one stands, as feeds show the newest first."""
    feed = entries_of(rss(item("neuf"), item("ancien")))
    assert [entry.text for entry in feed.entries] == ["neuf"]


def test_a_very_long_feed_is_cut_and_says_so() -> None:
    """Its newest entries."""
    feed = entries_of(rss(*(item("texte", name=str(n)) for n in range(300))))
    assert len(feed.entries) == 200
    assert "200" in feed.skipped[0]


def test_entities_do_not_multiply_in_a_feed() -> None:
    """The "billion laughs" of XML."""
    bomb = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "ha" * 10}">' for n in range(9))
    feed = entries_of(f"<?xml version='1.0'?><!DOCTYPE rss [{bomb}]>" + rss(item("rire &a8;")).partition("?>")[2])
    assert sum(len(entry.text) for entry in feed.entries) < 10_000


def test_no_entity_reads_a_file_of_ours(tmp_path: pytest.TempPathFactory) -> None:
    """External entities stay unread."""
    secret = tmp_path / "secret.txt"  # type: ignore[operator]
    secret.write_text("motdepasse")
    xml = rss(item("lu : &x;")).replace("?>", f'?><!DOCTYPE rss [<!ENTITY x SYSTEM "file://{secret}">]>', 1)
    assert "motdepasse" not in str(entries_of(xml))


def test_a_page_is_no_feed() -> None:
    """HTML at a feed's address."""
    with pytest.raises(UnreadableSource, match="flux"):
        entries_of(page())


def test_a_short_text_is_no_address_to_a_feed_reader() -> None:
    """feedparser fetches what looks like an address: it never gets one."""
    with pytest.raises(UnreadableSource, match="flux"):
        entries_of("http://127.0.0.1:9/")


def test_a_link_counts_only_on_its_own_site() -> None:
    """https, the same host with or without www, no user."""
    assert same_site("https://www.pages.example/a", URL)
    for link in ("https://ailleurs.example/a", "http://pages.example/a", "https://x@pages.example/", "javascript:1",
                 "", "https://pages.example.ailleurs.example/", "https://pages.example:8443/"):  # fmt: skip
        assert not same_site(link, URL)


def test_citation_marks_are_unmade() -> None:
    """Also several in one pair of brackets; other brackets stay."""
    assert unmarked("vrai [1, 2] [3] [a]") == "vrai (1, 2) (3) [a]"


@given(st.text(max_size=400))
def test_no_markup_breaks_the_readers(markup: str) -> None:
    """Anything inside a page, an entry or a fragment gives text or a reason."""
    plain_text(markup)
    for read in (lambda: entries_of(rss(markup)), lambda: page_text(page(body=markup), url=URL, limits=Limits())):
        try:
            read()
        except UnreadableSource as reason:
            assert str(reason)  # noqa: PT017


@given(st.binary(max_size=400), st.text(max_size=12))
def test_no_bytes_break_the_decoder(body: bytes, charset: str) -> None:
    """Text or None, for any bytes and any announcement."""
    text = text_of(body, charset=charset)
    assert text is None or isinstance(text, str)
