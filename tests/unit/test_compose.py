"""`compose.yaml` against the settings, the Dockerfile and the server that the tests run. No container is started."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.settings import Settings
from tests.server_weaviate import VERSION

ROOT = Path(__file__).parents[2]
COMPOSED: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSED["services"]


def test_the_bot_gets_settings_that_exist_and_are_valid() -> None:
    """Each variable is one of the settings, and together they are accepted as the bot reads them."""
    given: Any = {name.lower(): _filled(value) for name, value in SERVICES["bot"]["environment"].items()}
    assert set(given) <= set(Settings.model_fields)
    settings = Settings(**given, _env_file=None)
    assert settings.weaviate_url == "http://weaviate:8080"
    assert settings.database_url == "postgresql+psycopg://quartier:secret@postgres/quartier"


def _filled(value: str) -> str:
    """As compose does, with `secret` for what the user gives."""
    return re.sub(r"\$\{[A-Z_]+(?::[-?][^}]*)?\}", "secret", value)


def test_what_is_asked_of_the_user_is_explained() -> None:
    """A variable without a default stands in .env.example."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    for name in set(re.findall(r"\$\{([A-Z_]+)", text)):
        assert re.search(rf"^{name}=", example, re.MULTILINE), name


def test_the_servers_are_out_of_reach() -> None:
    """No port of theirs is published, their network leads nowhere, and Weaviate asks for a key."""
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["bot"]
    assert all(port.startswith("127.0.0.1:") for port in SERVICES["bot"]["ports"])
    for name in ("weaviate", "postgres"):
        assert SERVICES[name]["networks"] == ["inside"]
        assert "healthcheck" in SERVICES[name]
    assert COMPOSED["networks"]["inside"] == {"internal": True}
    assert SERVICES["weaviate"]["environment"]["AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED"] == "false"


def test_what_must_survive_is_in_a_volume() -> None:
    """Every service keeps its data in a volume that is declared; the bot's is where its image expects it."""
    for service in SERVICES.values():
        assert {volume.split(":")[0] for volume in service["volumes"]} <= set(COMPOSED["volumes"])
    assert SERVICES["bot"]["volumes"] == [f"bot:{SERVICES['bot']['environment']['VAR_DIR']}"]
    assert f"VOLUME {SERVICES['bot']['environment']['VAR_DIR']}" in (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["weaviate", "postgres"])
def test_images_are_those_that_the_tests_run(name: str) -> None:
    """The same release of Weaviate, and a fixed major version of PostgreSQL."""
    wanted = {"weaviate": f"semitechnologies/weaviate:{VERSION.removeprefix('v')}", "postgres": "postgres:15"}
    assert SERVICES[name]["image"] == wanted[name]
