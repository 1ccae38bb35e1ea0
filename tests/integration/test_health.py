"""What a supervisor is told: alive from the first moment, ready only while all parts answer."""

import asyncio
import socket
from typing import Any

import httpx
import pytest
from starlette.responses import JSONResponse

from bot.errors import WrongSetting
from bot.runtime import health as module
from bot.runtime.doors import doors_on
from bot.runtime.health import Health, told_on


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def asked(port: int, path: str) -> tuple[int, Any]:
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"http://127.0.0.1:{port}/{path}")
    return answer.status_code, answer.json()


async def test_it_lives_before_it_is_ready_and_is_ready_only_as_a_whole(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part that fails, or does not answer in time, is named."""
    monkeypatch.setattr(module, "FRESH", 0.0)
    monkeypatch.setattr(module, "SECONDS", 0.05)
    up = {"database": True, "index": True}

    async def database() -> bool:
        if not up["database"]:
            raise ConnectionError
        return True

    async def index() -> bool:
        await asyncio.sleep(0 if up["index"] else 60)
        return True

    health = Health()
    async with told_on(health, host="127.0.0.1", port=port):
        assert await asked(port, "healthz") == (200, {"status": "ok"})
        assert await asked(port, "readyz") == (503, {"ready": False, "parts": {"start": False}})
        health.parts |= {"database": database, "index": index}
        health.started = True
        assert await asked(port, "readyz") == (
            200, {"ready": True, "parts": {"start": True, "database": True, "index": True}}
        )  # fmt: skip
        up["database"] = False
        assert (await asked(port, "readyz"))[1]["parts"] == {"start": True, "database": False, "index": True}
        up.update(database=True, index=False)
        assert await asked(port, "readyz") == (
            503, {"ready": False, "parts": {"start": True, "database": True, "index": False}}
        )  # fmt: skip
        assert await asked(port, "healthz") == (200, {"status": "ok"})
        with pytest.raises(WrongSetting, match="HEALTH_PORT"):
            async with told_on(Health(), host="127.0.0.1", port=port):
                pass


async def test_without_a_port_nothing_is_told() -> None:
    async with told_on(Health(), host="127.0.0.1", port=None):
        pass


async def test_programs_are_told_to_come_back_until_their_way_in_is_there(port: int) -> None:
    """On a port that health shares, where both are asked for; metrics only where they belong."""
    health = Health()
    async with doors_on(health, host="127.0.0.1", health_port=port, api_port=port, scrape=Told()) as programs:
        assert await asked(port, "healthz") == (200, {"status": "ok"})
        status, problem = await asked(port, "v1/openapi.json")
        assert (status, problem["status"], "démarre" in problem["detail"]) == (503, 503, True)
        programs.app = JSONResponse({"way": "in"})
        assert await asked(port, "v1/openapi.json") == (200, {"way": "in"})
        assert await asked(port, "metrics") == (200, {"metrics": 1})
        assert await asked(port, "readyz") == (503, {"ready": False, "parts": {"start": False}})
    async with doors_on(health, host="127.0.0.1", health_port=None, api_port=port, scrape=Told()) as programs:
        programs.app = JSONResponse({"way": "in"})
        assert await asked(port, "metrics") == (200, {"way": "in"})
    with pytest.raises(WrongSetting, match="API_PORT"):
        async with (
            told_on(health, host="127.0.0.1", port=port),
            doors_on(health, host="127.0.0.1", health_port=None, api_port=port),
        ):
            pass


class Told:
    async def exposed(self) -> bytes:
        return b'{"metrics": 1}'
