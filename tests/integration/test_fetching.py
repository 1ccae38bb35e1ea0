"""The guard of every address that somebody gives: each test fails when its guard is taken away."""

import ssl
from pathlib import Path

import pytest

from corpus.errors import UnreadableSource
from corpus.sources.fetching import Reach, _authorities, _checked, fetch
from corpus.sources.receiving import HTML, Fetched, FetchLimits
from corpus.sources.urls import checked_url
from tests.web_server import WebServer, certificate, redirect, response, web_server

PUBLIC = ("185.24.184.10",)


def resolving(*answers: tuple[str, ...]) -> tuple[list[str], "Reach"]:
    """Names asked for, and a reach whose resolver gives one answer after the other, the last one for ever."""
    asked: list[str] = []

    async def resolve(host: str, port: int) -> tuple[str, ...]:
        asked.append(host)
        return answers[min(len(asked), len(answers)) - 1]

    return asked, Reach(resolve=resolve, limits=FetchLimits(seconds=60))


def inside(web: WebServer, **limits: float) -> Reach:
    """The server as a host of the firm's own network."""
    return Reach(internal=web.inside, limits=FetchLimits(**limits))  # type: ignore[arg-type]


async def said(address: str, reach: Reach) -> str:
    """The sentence with which the address is refused."""
    with pytest.raises(UnreadableSource) as refused:
        await fetch(address, reach=reach, accept=HTML)
    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://anil.org/", "https://"),
        ("ftp://anil.org/", "illisible"),
        ("file:///etc/passwd", "illisible"),
        ("javascript:alert(1)", "illisible"),
        ("https://", "illisible"),
        ("https:///chemin", "illisible"),
        ("https://anil.org\\@exemple.fr/", "illisible"),
        ("https://anil.org /", "illisible"),
        ("https://ani\tl.org/", "illisible"),
        ("https://moi:secret@anil.org/", "identifiant"),
        ("https://anil.org@exemple.fr/", "identifiant"),
        ("https://anil.org:8443/", "port"),
        ("https://anil.org:22/", "port"),
        ("https://[fe80::1%25eth0]/", "illisible"),
        ("https://１２７.0.0.1/", "illisible"),
        (f"https://anil.org/{'a' * 3000}", "illisible"),
        ("pas une adresse", "illisible"),
        ("", "illisible"),
    ],
)
async def test_a_tricky_address_is_refused_before_its_name_is_asked(address: str, words: str) -> None:
    """Scheme, user, port, characters that two parsers read differently: one sentence, no look-up."""
    asked, reach = resolving(PUBLIC)
    assert words in await said(address, reach)
    assert asked == []


@pytest.mark.parametrize(
    "addresses",
    [
        ("127.0.0.1",), ("169.254.169.254",), ("10.0.0.7",), ("100.64.1.1",), ("::1",), ("::ffff:10.0.0.1",),
        ("64:ff9b::7f00:1",), ("fd00:ec2::254",), (*PUBLIC, "192.168.0.1"), ("192.168.0.1", *PUBLIC),
    ],
)  # fmt: skip
async def test_a_name_with_one_address_inside_a_network_is_refused(addresses: tuple[str, ...]) -> None:
    """Every address that the name has is checked, not the first one."""
    _, reach = resolving(addresses)
    assert "n'est pas une adresse publique" in await said("https://anil.org/", reach)


async def test_an_unknown_host_is_said() -> None:
    """A name without an address."""
    _, reach = resolving(())
    assert "introuvable" in await said("https://nulle-part.example/", reach)


async def test_a_name_in_another_script_is_asked_in_its_ascii_form() -> None:
    """The name that is looked up, checked and sent is one and the same."""
    asked, reach = resolving(("10.0.0.1",))
    assert "xn--caf-dma.fr" in await said("https://CAFÉ.fr/", reach)
    assert asked == ["xn--caf-dma.fr"]


async def test_the_connection_goes_to_the_address_that_was_checked(tmp_path: Path) -> None:
    """A second answer of the resolver changes nothing: the name is asked once, and its certificate still counts."""
    serving, trust = certificate(tmp_path, "pages.example.test")
    async with web_server(tls=serving) as web:
        web.answers["/fiche"] = response("<p>Écrit</p>".encode())
        asked, reach = resolving(("127.0.0.1",), ("127.0.0.9",))
        reach = Reach(internal=frozenset({("pages.example.test", web.port)}), resolve=reach.resolve, trust=trust)
        found = await fetch(web.url("/fiche", scheme="https", host="pages.example.test"), reach=reach, accept=HTML)
        assert isinstance(found, Fetched)
        assert found.body.decode() == "<p>Écrit</p>"
        assert (found.media, found.charset) == ("text/html", "utf-8")
        assert f"Host: pages.example.test:{web.port}" in web.requests[0]
        assert "User-Agent: QuartierScope/" in web.requests[0]
        assert asked == ["pages.example.test"]


async def test_a_certificate_of_another_name_is_refused(tmp_path: Path) -> None:
    """Being connected to a checked address does not make it the site."""
    serving, trust = certificate(tmp_path, "autre.example.test")
    async with web_server(tls=serving) as web:
        _, reach = resolving(("127.0.0.1",))
        reach = Reach(internal=frozenset({("pages.example.test", web.port)}), resolve=reach.resolve, trust=trust)
        sentence = await said(web.url(scheme="https", host="pages.example.test"), reach)
        assert "certificat" in sentence
        assert web.requests == []


async def test_an_unknown_authority_is_refused(tmp_path: Path) -> None:
    """Without a trust of one's own, the usual authorities decide."""
    serving, _ = certificate(tmp_path, "pages.example.test")
    async with web_server(tls=serving) as web:
        _, reach = resolving(("127.0.0.1",))
        reach = Reach(internal=frozenset({("pages.example.test", web.port)}), resolve=reach.resolve)
        assert "certificat" in await said(web.url(scheme="https", host="pages.example.test"), reach)


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("http://169.254.169.254/latest/meta-data/", "https://"),
        ("https://169.254.169.254/latest/meta-data/", "n'est pas une adresse publique"),
        ("https://[::ffff:7f00:1]/", "n'est pas une adresse publique"),
        ("file:///etc/passwd", "illisible"),
        ("https://moi:secret@anil.org/", "identifiant"),
        ("https://anil.org:22/", "port"),
    ],
)
async def test_each_redirect_is_checked_again(location: str, words: str) -> None:
    """A page that may be read leads to nothing that may not."""
    async with web_server() as web:
        web.answers["/"] = redirect(location)
        assert words in await said(web.url(), inside(web))


async def test_a_public_page_does_not_lead_into_the_firms_own_network() -> None:
    """Internal hosts are for people who name them, not for pages that point to them."""
    async with web_server() as intranet:
        address = checked_url(intranet.url("/salaires"))
        with pytest.raises(UnreadableSource, match="réseau interne"):
            await _checked(address, Reach(internal=intranet.inside), inside=False)
        assert await _checked(address, Reach(internal=intranet.inside), inside=True) == ("127.0.0.1",)


async def test_who_reads_is_said_with_a_way_to_reach_them() -> None:
    """Wikipedia turns away programs that do not say whose they are."""
    async with web_server() as web:
        web.answers["/"] = response(b"<p>oui</p>")
        await fetch(web.url(), reach=Reach(internal=web.inside, contact="web@cabinet.example"), accept=HTML)
        assert "User-Agent: QuartierScope/0.1 (" in web.requests[0]
        assert "; web@cabinet.example)" in web.requests[0]


async def test_a_redirect_is_followed_and_the_last_address_told() -> None:
    """Relative ones too."""
    async with web_server() as web:
        web.answers |= {"/a": redirect("/b?x=1"), "/b?x=1": response(b"<p>oui</p>")}
        found = await fetch(web.url("/a"), reach=inside(web), accept=HTML)
        assert isinstance(found, Fetched)
        assert found.url == web.url("/b?x=1")


async def test_a_loop_and_an_endless_chain_are_said() -> None:
    """Two pages that send to one another, and one that always sends further."""
    async with web_server() as web:
        web.answers |= {"/a": redirect("/b"), "/b": redirect("/a")}
        assert "en boucle" in await said(web.url("/a"), inside(web))
        web.answers |= {f"/{n}": redirect(f"/{n + 1}") for n in range(50)}
        web.requests.clear()
        assert "plus de 5 renvois" in await said(web.url("/0"), inside(web))
        assert len(web.requests) == 6


async def test_only_allowed_addresses_are_asked_on_the_way() -> None:
    """A page of a known site that leads elsewhere is not read, and the other server hears nothing."""
    async with web_server() as web, web_server() as other:
        web.answers["/"] = redirect(other.url("/"))
        other.answers["/"] = response(b"<p>ailleurs</p>")
        reach = Reach(internal=web.inside | other.inside)
        with pytest.raises(UnreadableSource, match="sites admis"):
            await fetch(web.url(), reach=reach, accept=HTML, allowed=lambda url: url.startswith(web.url()))
        assert other.requests == []


def test_the_usual_authorities_are_believed_and_names_are_checked() -> None:
    """The context that stands when no trust of one's own is given."""
    context = _authorities()
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
