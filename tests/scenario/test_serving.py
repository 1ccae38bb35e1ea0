"""`python -m bot serve`, as an operator starts it: a key, an answer, and a clean end."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import httpx

from tests.beginnings import indexed, migrated
from tests.integration.sandbox_rig import PATIENCE_S
from tests.server_ports import free_port

ROOT: Final = Path(__file__).resolve().parents[2]
NOWHERE: Final = "http://127.0.0.1:9"
SOURCES: Final = ("DVF_API_URL", "DVF_FILES_URL", "GEORISQUES_URL", "TABULAR_API_URL", "ADEME_URL", "GEOCODING_URL")


def bot(environment: dict[str, str], *arguments: str, **options: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bot", *arguments]
    return subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True, **options)


async def test_a_program_asks_a_process_that_knows_no_slack(tmp_path: Path) -> None:
    """Ready, it answers with a key and from the corpus; SIGTERM ends it with 0, and its log holds no text."""
    await indexed(tmp_path / "corpus.sqlite3")
    port = free_port()
    environment = {
        **dict.fromkeys(SOURCES, NOWHERE), "DATAGOUV_MCP_URL": f"{NOWHERE}/mcp", "VAR_DIR": str(tmp_path),
        "DATABASE_URL": migrated(tmp_path / "bot.sqlite3"), "PATH": os.environ["PATH"], "HOME": str(tmp_path),
    }  # fmt: skip
    made = bot(environment, "keys", "add", "tableau", stderr=subprocess.DEVNULL)
    with (tmp_path / "log").open("w") as log:
        serving = bot(environment, "serve", "--port", str(port), stderr=log)
        try:
            key = (await asyncio.to_thread(made.communicate))[0].strip()
            headers = {"Authorization": f"Bearer {key}"}
            async with httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{port}", headers=headers, trust_env=False, timeout=PATIENCE_S
            ) as client:
                await _ready(client, serving)
                answer = await client.post("/v1/ask", json={"text": "Peut-on encore acheter en Pinel ?"})
                assert "31 décembre 2024" in answer.json()["answer"].replace("\u00a0", " ")
                assert answer.json()["citations"]
        finally:
            serving.send_signal(signal.SIGTERM)
            await asyncio.to_thread(serving.communicate)
    assert serving.returncode == 0
    assert key.split("_", 2)[2] not in (tmp_path / "log").read_text()
    assert "Peut-on encore" not in (tmp_path / "log").read_text()


async def _ready(client: httpx.AsyncClient, serving: subprocess.Popen[str]) -> None:
    async with asyncio.timeout(2 * PATIENCE_S):
        while serving.poll() is None:
            with contextlib.suppress(httpx.TransportError):
                if (await client.get("/readyz")).status_code == 200:
                    return
            await asyncio.sleep(0.05)
    raise AssertionError("it ended before it was ready")
