"""dvf-sync against a small server of our own: whole, resumed, unchanged, broken and refused files."""

import argparse
import gzip
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import stamina
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from bot.commands.dvf_sync import SyncImpossible, add_arguments, dvf_sync
from bot.settings import Settings
from pipeline.tools.dvf import download
from pipeline.tools.dvf.download import DownloadFailed, Interrupted
from pipeline.tools.dvf.market import read_market
from tests.dvf_server import DATA, Files, serving, sync, target
from tests.loopback import served


@pytest.fixture(autouse=True)
def quick_retries() -> Iterator[None]:
    """As many attempts as in production, without their waits."""
    with stamina.set_testing(True, attempts=4):
        yield


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
    "data", [b"<html>maintenance</html>", DATA[:-3], DATA[:-8] + bytes(8), gzip.compress(b"a,b\n1,2\n", mtime=0), b""]
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


async def test_an_archive_that_unpacks_beyond_the_limit_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few kilobytes can hide gigabytes."""
    monkeypatch.setattr(download, "BIGGEST_UNPACKED", 100_000)
    with serving(Files()) as base, pytest.raises(DownloadFailed, match="taille"):
        await sync(base, tmp_path)
    assert list((tmp_path / "2024").iterdir()) == []
