"""dvf-sync against a small server of our own: whole, resumed, unchanged, redirected, broken and hostile answers."""

import argparse
import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
import respx
import stamina
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from bot.dvf_sync import SyncImpossible, add_arguments, dvf_sync
from bot.settings import Settings
from pipeline.tools.dvf import download
from pipeline.tools.dvf.download import DownloadFailed, Interrupted, Target, fetch
from pipeline.tools.dvf.market import read_market
from pipeline.tools.dvf.reach import ForbiddenRedirect, check_peer, is_public, redirected
from tests.dvf_lines import as_csv, sale
from tests.loopback import served

DATA = gzip.compress(as_csv([sale(n) for n in range(4000)]).encode(), mtime=0)
PATH = "/csv/2024/departements/01.csv.gz"


@dataclass
class Files:
    """A file server that understands ranges, with one fault at a time and the log of what was asked."""

    data: bytes = DATA
    tag: str = '"v1"'
    fault: str = ""
    asked: list[dict[str, str]] = field(default_factory=list)

    async def answer(self, request: Request) -> Response:
        self.asked.append({name: request.headers.get(name, "") for name in ("range", "if-range", "if-none-match")})
        asked = self.asked[-1]
        if self.fault.startswith(("http", "ftp", "//", "/csv")):
            return RedirectResponse(self.fault, status_code=302)
        if self.fault.isdigit():
            return PlainTextResponse("non", status_code=int(self.fault))
        headers = {"etag": self.tag, "content-length": str(len(self.data))}
        if asked["if-none-match"] == self.tag:
            return Response(status_code=304, headers={"etag": self.tag})
        if self.fault == "cut":
            self.fault = ""
            return StreamingResponse(self._half(), headers=headers)
        if asked["range"] and asked["if-range"] == self.tag:
            start = int(asked["range"].removeprefix("bytes=").removesuffix("-"))
            said = f"bytes {start + (1 if self.fault == 'shifted' else 0)}-{len(self.data) - 1}/{len(self.data)}"
            return Response(self.data[start:], status_code=206, headers={"etag": self.tag, "content-range": said})
        return Response(self.data, headers={"etag": self.tag})

    async def _half(self) -> AsyncIterator[bytes]:
        yield self.data[: len(self.data) // 2]
        await asyncio.sleep(0.05)
        raise RuntimeError("the line is cut")


@pytest.fixture(autouse=True)
def quick_retries() -> Iterator[None]:
    """As many attempts as in production, without their waits."""
    with stamina.set_testing(True, attempts=4):
        yield


@contextmanager
def serving(files: Files) -> Iterator[str]:
    with served(Starlette(routes=[Route("/{path:path}", files.answer)])) as base:
        yield base


def target(base: str, folder: Path) -> Target:
    return Target(url=base + PATH, base=base, path=folder / "2024" / "01.csv.gz")


async def sync(base: str, folder: Path, **how: int) -> str:
    async with httpx.AsyncClient(trust_env=False, timeout=5) as client:
        return await fetch(client, target(base, folder), biggest=how.get("biggest", 200_000_000))


async def test_a_file_arrives_whole_and_is_not_asked_twice(tmp_path: Path) -> None:
    """The second run sends the ETag and gets 304; nothing is left beside the file but its tag."""
    files = Files()
    with serving(files) as base:
        assert await sync(base, tmp_path) == "new"
        assert await sync(base, tmp_path) == "unchanged"
        files.tag = '"v2"'
        assert await sync(base, tmp_path) == "new"
    assert [asked["if-none-match"] for asked in files.asked] == ["", '"v1"', '"v1"']
    path = tmp_path / "2024" / "01.csv.gz"
    assert path.read_bytes() == DATA
    assert sorted(p.name for p in path.parent.iterdir()) == ["01.csv.gz", "01.csv.gz.etag"]
    assert read_market([path], insee="01004").price("flat").n > 1000


async def test_a_cut_transfer_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """The part is asked for by Range under the ETag it was begun with, and the result is the whole file."""
    files = Files(fault="cut")
    with serving(files) as base:
        assert await sync(base, tmp_path) == "new"
    assert files.asked[1]["range"].startswith("bytes=")
    assert files.asked[1]["range"] != "bytes=0-"
    assert files.asked[1]["if-range"] == '"v1"'
    assert (tmp_path / "2024" / "01.csv.gz").read_bytes() == DATA


async def test_a_part_of_another_version_is_begun_again(tmp_path: Path) -> None:
    """Two halves of two releases would be a file that never was."""
    files = Files(tag='"v2"')
    part = target("http://x", tmp_path).part
    part.parent.mkdir()
    part.write_bytes(b"old half")
    part.with_name(part.name + ".etag").write_text(json.dumps({"etag": '"v1"'}))
    with serving(files) as base:
        assert await sync(base, tmp_path) == "new"
    assert (tmp_path / "2024" / "01.csv.gz").read_bytes() == DATA


async def test_a_range_at_the_wrong_place_is_not_glued(tmp_path: Path) -> None:
    """The part is dropped and the file fetched whole."""
    files = Files(fault="shifted")
    part = target("http://x", tmp_path).part
    part.parent.mkdir()
    part.write_bytes(DATA[:100])
    part.with_name(part.name + ".etag").write_text(json.dumps({"etag": '"v1"'}))
    with serving(files) as base:
        assert await sync(base, tmp_path) == "new"
    assert (tmp_path / "2024" / "01.csv.gz").read_bytes() == DATA


@pytest.mark.parametrize(
    "data", [b"<html>maintenance</html>", DATA[:-3], DATA[:-8] + bytes(8), gzip.compress(b"a,b\n1,2\n"), b""]
)
async def test_what_is_no_archive_of_sales_replaces_nothing(tmp_path: Path, data: bytes) -> None:
    """A page with code 200, a truncated or corrupt archive, another table: the good file stays."""
    good = tmp_path / "2024" / "01.csv.gz"
    good.parent.mkdir()
    good.write_bytes(DATA)
    with serving(Files(data=data)) as base, pytest.raises(DownloadFailed, match="archive geo-dvf"):
        await sync(base, tmp_path)
    assert good.read_bytes() == DATA
    assert [path.name for path in good.parent.iterdir()] == ["01.csv.gz"]


async def test_a_file_over_the_limit_is_dropped(tmp_path: Path) -> None:
    """Whether the server announces its size or not."""
    with serving(Files()) as base, pytest.raises(DownloadFailed, match="taille"):
        await sync(base, tmp_path, biggest=1000)

    async def unannounced(request: Request) -> Response:
        return StreamingResponse(_pieces(), headers={"etag": '"v1"'})

    app = Starlette(routes=[Route("/{path:path}", unannounced)])
    with served(app) as base, pytest.raises(DownloadFailed, match="taille"):
        await sync(base, tmp_path, biggest=1000)
    assert list((tmp_path / "2024").iterdir()) == []


async def _pieces() -> AsyncIterator[bytes]:
    for start in range(0, len(DATA), 500):
        yield DATA[start : start + 500]


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:9/x.csv.gz",
        "https://127.0.0.1/x.csv.gz",
        "https://localhost/x.csv.gz",
        "https://[::1]/x",
        "https://2130706433/x",
        "http://files.example/x",
        "https://user@files.example/x",
        "https://files.example:8443/x",
        "ftp://files.example/x",
        "https://[broken/x",
        "//127.0.0.1:9/x",
    ],
)
async def test_a_redirect_inside_or_without_https_is_refused(tmp_path: Path, location: str) -> None:
    """The server of files may send us to another public server, never to this network."""
    with serving(Files(fault=location)) as base, pytest.raises(DownloadFailed, match=r"pas publique|illisible"):
        await sync(base, tmp_path)


async def test_a_redirect_to_a_public_https_host_is_followed(tmp_path: Path) -> None:
    """302 to storage is what the official server answers; a private address behind the name is refused."""

    async def public(host: str) -> tuple[str, ...]:
        return ("93.184.216.34",)

    async def mixed(host: str) -> tuple[str, ...]:
        return ("93.184.216.34", "10.0.0.7")

    wanted = target("https://files.example", tmp_path)
    with respx.mock:
        respx.get(wanted.url).respond(302, headers={"location": "https://storage.example/01.csv.gz"})
        respx.get("https://storage.example/01.csv.gz").respond(200, content=DATA)
        async with httpx.AsyncClient() as client:
            assert await fetch(client, wanted, resolve=public) == "new"
            with pytest.raises(DownloadFailed, match="pas publique"):
                await fetch(client, wanted, resolve=mixed)


class Peer:
    """The stream of a connection, as httpx shows it."""

    def __init__(self, address: str) -> None:
        self._address = address

    def get_extra_info(self, info: str) -> object:
        return (self._address, 443) if info == "server_addr" else None


@pytest.mark.parametrize(("address", "refused"), [("10.0.0.7", True), ("::1", True), ("93.184.216.34", False)])
def test_a_name_that_changes_between_check_and_connection_is_caught(address: str, refused: bool) -> None:
    """The address really connected to is looked at before a byte is kept."""
    request = httpx.Request("GET", "https://storage.example/01.csv.gz")
    response = httpx.Response(200, request=request, extensions={"network_stream": Peer(address)})
    with pytest.raises(ForbiddenRedirect) if refused else nullcontext():
        check_peer(response, base="https://files.example")
    check_peer(response, base="https://storage.example")


async def test_an_archive_that_unpacks_beyond_the_limit_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few kilobytes can hide gigabytes."""
    monkeypatch.setattr(download, "BIGGEST_UNPACKED", 100_000)
    with serving(Files()) as base, pytest.raises(DownloadFailed, match="taille"):
        await sync(base, tmp_path)
    assert list((tmp_path / "2024").iterdir()) == []


async def test_a_redirect_on_the_same_server_is_followed_but_not_for_ever(tmp_path: Path) -> None:
    """The configured server may move a file; a loop ends with a sentence."""
    with serving(Files(fault=PATH)) as base, pytest.raises(DownloadFailed, match="sans fin"):
        await sync(base, tmp_path)
    assert await redirected("http://h/a", "/b", base="http://h", resolve=_nobody) == "http://h/b"


async def _nobody(host: str) -> tuple[str, ...]:
    return ()


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "::1", "fe80::1%eth0", "::ffff:10.0.0.1",
                "2002:7f00:1::", "224.0.0.1", "0.0.0.0", "nonsense", ""],
)  # fmt: skip
def test_addresses_of_this_network_are_not_public(address: str) -> None:
    """Loopback, private, link-local, carrier, mapped, 6to4, multicast."""
    assert not is_public(address)
    assert is_public("93.184.216.34")


async def test_errors_of_the_server_are_sentences(tmp_path: Path) -> None:
    """404 is a year that is not published; 500 is retried then kept for later; 403 is final; nobody there is said."""
    files = Files(fault="404")
    with serving(files) as base:
        assert await sync(base, tmp_path) == "absent"
        files.fault, files.asked = "503", []
        with pytest.raises(Interrupted, match="503"):
            await sync(base, tmp_path)
        assert len(files.asked) == 4
        files.fault = "403"
        with pytest.raises(DownloadFailed, match="403"):
            await sync(base, tmp_path)
    with pytest.raises(Interrupted, match="ne répond pas"):
        await sync(base, tmp_path)


async def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`dvf-sync --departement 1 --year 2024` keeps the file where `prices` looks for it."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    with serving(Files()) as base:
        settings = Settings(_env_file=None, var_dir=tmp_path, dvf_files_url=base)
        options = parser.parse_args(["--departement", "1", "--year", "2024"])
        assert await dvf_sync(options, settings) == 0
        assert "2024 : téléchargé." in capsys.readouterr().out
        assert await dvf_sync(options, settings) == 0
        assert "2024 : déjà à jour." in capsys.readouterr().out
    assert (tmp_path / "dvf" / "2024" / "01.csv.gz").read_bytes() == DATA
    assert await dvf_sync(options, settings) == 1
    assert "ce qui est reçu est gardé" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("code", "said"), [("67", "Bas-Rhin"), ("976", "Mayotte"), ("20", "n'existe pas"), ("x", "n'")]
)
async def test_a_department_without_files_is_a_sentence(tmp_path: Path, code: str, said: str) -> None:
    """Nothing is asked of the server for a department that DVF does not cover."""
    options = argparse.Namespace(departement=code, year=None)
    with pytest.raises(SyncImpossible, match=said):
        await dvf_sync(options, Settings(_env_file=None, var_dir=tmp_path))
