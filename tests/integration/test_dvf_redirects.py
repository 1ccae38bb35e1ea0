"""Where a download of geo-dvf may be sent on to: public https hosts and the configured server, nothing else."""

from contextlib import nullcontext
from pathlib import Path

import httpx
import pytest
import respx

from corpus.sources.addresses import is_public
from pipeline.tools.dvf.download import DownloadFailed, fetch
from pipeline.tools.dvf.reach import ForbiddenRedirect, check_peer, redirected
from tests.dvf_server import DATA, PATH, Files, serving, sync, target


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
