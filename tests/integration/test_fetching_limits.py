"""What reading an address may cost, and what its server may answer: each guard has a test that fails without it."""

import asyncio
import gzip
import random
import tracemalloc
import zlib

import pytest

from corpus.errors import UnreadableSource
from corpus.sources.fetching import fetch
from corpus.sources.receiving import HTML, Fetched, Gone, NotModified, Seen
from tests.integration.test_fetching import inside, said
from tests.web_server import redirect, response, web_server


async def test_a_declared_size_over_the_limit_is_not_read() -> None:
    """200 MB announced: refused on its header."""
    async with web_server() as web:
        web.answers["/"] = response(b"", Content_Length="200000000")
        assert "dépasse 5 Mo" in await said(web.url(), inside(web))


async def test_a_body_that_never_ends_is_cut_at_the_limit() -> None:
    """No length is announced, and bytes keep coming."""

    async def endless(_head: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while True:
            writer.write(b"<p>encore</p>" * 1000)
            await writer.drain()

    async with web_server() as web:
        web.answers["/"] = endless
        assert "dépasse 0.1 Mo" in await said(web.url(), inside(web, bytes=100_000))


async def test_a_decompression_bomb_is_never_unpacked() -> None:
    """A gigabyte in a megabyte: unpacking stops at the limit, also within one piece of what was received."""
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(bytes(1_000_000)) for _ in range(1000)) + packer.flush()
    async with web_server() as web:
        web.answers["/"] = response(bomb, Content_Encoding="gzip")
        tracemalloc.start()
        try:
            assert "dépasse 5 Mo" in await said(web.url(), inside(web))
            assert tracemalloc.get_traced_memory()[1] < 30_000_000
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("packing", ["br", "gzip, gzip", "deflate", "zstd"])
async def test_only_the_packing_that_was_asked_for_is_unpacked(packing: str) -> None:
    """Nested ones multiply, the others were not asked for."""
    async with web_server() as web:
        web.answers["/"] = response(gzip.compress(b"<p>x</p>"), Content_Encoding=packing)
        assert "compression" in await said(web.url(), inside(web))


async def test_a_packed_page_is_read() -> None:
    """As most servers send them."""
    async with web_server() as web:
        web.answers["/"] = response(gzip.compress(b"<p>oui</p>" * 1000), Content_Encoding="gzip")
        found = await fetch(web.url(), reach=inside(web), accept=HTML)
        assert isinstance(found, Fetched)
        assert found.body == b"<p>oui</p>" * 1000


@pytest.mark.parametrize(
    "answer",
    [
        response(gzip.compress(b"<p>oui</p>" * 1000)[:-9], Content_Encoding="gzip"),
        response(b"<p>oui</p>", Content_Encoding="gzip"),
        response(b"court", Content_Length="500"),
    ],
    ids=["half a gzip", "no gzip", "half a body"],
)
async def test_half_a_page_is_no_page(answer: bytes) -> None:
    """Cut packing or a body shorter than announced: nothing is kept."""
    async with web_server() as web:
        web.answers["/"] = answer
        assert "coupé la lecture" in await said(web.url(), inside(web))


@pytest.mark.parametrize("silent_after", [b"", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"])
async def test_a_server_that_keeps_silent_is_left(silent_after: bytes) -> None:
    """The time limit covers everything, a trickle included."""

    async def slow(_head: str, writer: asyncio.StreamWriter) -> None:
        writer.write(silent_after)
        await writer.drain()
        while silent_after:
            await asyncio.sleep(0.02)
            writer.write(b".")
            await writer.drain()
        await asyncio.sleep(30)

    async with web_server() as web:
        web.answers["/"] = slow
        assert "n'a pas répondu en 0.3 s" in await said(web.url(), inside(web, seconds=0.3))


@pytest.mark.parametrize("media", ["image/png", "application/octet-stream", "video/mp4"])
async def test_another_kind_of_content_is_not_read(media: str) -> None:
    """Only what the caller can read."""
    async with web_server() as web:
        web.answers["/"] = response(b"\x89PNG", media=media)
        assert media in await said(web.url(), inside(web))


@pytest.mark.parametrize(
    ("status", "words"),
    [("401 Unauthorized", "connexion"), ("403 Forbidden", "connexion"), ("429 Slow", "429"), ("503 Down", "503")],
)
async def test_a_refusal_is_said(status: str, words: str) -> None:
    """A login page, a busy server."""
    async with web_server() as web:
        web.answers["/"] = response(b"non", status=status)
        assert words in await said(web.url(), inside(web))


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone"])
async def test_what_is_gone_is_a_value(status: str) -> None:
    """Its documents are to be retired: not a failure."""
    async with web_server() as web:
        web.answers["/"] = response(b"", status=status)
        assert await fetch(web.url(), reach=inside(web), accept=HTML) == Gone(int(status[:3]))


async def test_a_known_copy_is_not_sent_again() -> None:
    """What the server said of it goes back; 304 is a value, and nonsense without a condition."""
    async with web_server() as web:
        web.answers["/"] = response(b"<p>x</p>", ETag='"v1"', Last_Modified="Sat, 21 Nov 2026 08:00:00 GMT")
        found = await fetch(web.url(), reach=inside(web), accept=HTML)
        assert isinstance(found, Fetched)
        assert found.seen == Seen('"v1"', "Sat, 21 Nov 2026 08:00:00 GMT")
        web.answers["/"] = response(b"", status="304 Not Modified")
        assert await fetch(web.url(), reach=inside(web), accept=HTML, seen=found.seen) == NotModified()
        assert 'If-None-Match: "v1"' in web.requests[1]
        assert "If-Modified-Since: Sat, 21 Nov 2026 08:00:00 GMT" in web.requests[1]
        assert "304" in await said(web.url(), inside(web))


async def test_a_refused_connection_is_said() -> None:
    """Nobody listens there any more."""
    async with web_server() as web:
        address, reach = web.url(), inside(web)
    assert "injoignable" in await said(address, reach)


async def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through a proxy, nobody could say which address was connected to."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    async with web_server() as web:
        web.answers["/"] = response(b"<p>direct</p>")
        assert isinstance(await fetch(web.url(), reach=inside(web), accept=HTML), Fetched)


async def test_no_answer_of_a_server_is_another_error() -> None:
    """Lines cut, doubled, filled with noise or with endless numbers: a value or one sentence, never anything else."""
    chance = random.Random(5)
    good = [
        response(gzip.compress(b"<p>oui</p>" * 50), Content_Encoding="gzip", ETag='"v1"'),
        redirect("/ailleurs?x=1"),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n5\r\n<p>x<\r\n0\r\n\r\n",
    ]
    odd = [
        b"9" * 5_000,
        b"\x00",
        b"\r\n",
        b"\xff\xfe",
        b"-1",
        b"Location: http://[",
        b"chunked",
        b"; charset=",
        b" " * 70_000,
    ]
    async with web_server() as web:
        for _ in range(250):
            answer = bytearray(chance.choice(good))
            for _ in range(chance.randrange(1, 4)):
                start = chance.randrange(len(answer))
                answer[start : start + chance.randrange(9)] = chance.choice([b"", *odd, chance.randbytes(3)])
            web.answers["/"] = bytes(answer)
            try:
                await fetch(web.url(), reach=inside(web, seconds=2, bytes=100_000), accept=HTML)
            except UnreadableSource as reason:
                assert str(reason).endswith(".")  # noqa: PT017
