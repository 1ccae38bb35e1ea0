"""How the sandbox runs, and the environment that it hands to the bot."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from sandbox import seed
from sandbox.faults import USUAL_DELAYS
from sandbox.hubspot.oauth import CLIENT_ID as HUBSPOT_ID
from sandbox.hubspot.oauth import CLIENT_SECRET as HUBSPOT_SECRET
from sandbox.opendata.newsroom import PUBLISHERS
from sandbox.slack.grants import CLIENT_ID, CLIENT_SECRET

DEFAULT_COMMAND = (sys.executable, "-m", "bot", "run")
OPEN_DATA = {
    "DVF_API_URL": "/dvf",
    "DVF_FILES_URL": "/geo-dvf",
    "GEORISQUES_URL": "/georisques",
    "GEOCODING_URL": "/geocodage",
    "TABULAR_API_URL": "/tabular",
    "ADEME_URL": "/ademe",
    "DATAGOUV_MCP_URL": "/datagouv/mcp",
    "TAVILY_API_URL": "/tavily",
    "MEDIAWIKI_URL": "/sites/w/api.php",
}
TEXT_KEY = "YmFjLWEtc2FibGUtYmFjLWEtc2FibGUtYmFjLWEtc2E="
"""For tokens at rest, where workspaces install the app by themselves. It opens nothing but the sandbox's own."""
_SECRET_NAMES = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "DATABASE_URL")


@dataclass(frozen=True, slots=True)
class Options:
    """How to run. `port` is the real one; `events_port` is where the bot listens in HTTP mode; `news_every`: minutes
    between two readings of the pretend news, 0 for none; `manifest` says which scopes the app has, None: all;
    `oauth`: workspaces install the app by themselves, over HTTP."""

    host: str = "127.0.0.1"
    port: int = 8080
    http: bool = False
    events_port: int = 0
    live: bool = False
    retry_delays: tuple[float, ...] = USUAL_DELAYS
    command: Sequence[str] = DEFAULT_COMMAND
    rooms: int = 0
    news_every: int = 0
    manifest: Path | None = None
    oauth: bool = False

    @property
    def base_url(self) -> str:
        """Where the bot and the browser of this machine find the sandbox."""
        host = "127.0.0.1" if self.host in ("", "0.0.0.0", "::") else self.host
        return f"http://{host}:{self.port}"


def environment(options: Options, *, crm_token: str) -> dict[str, str]:
    """What a bot needs to talk to this sandbox."""
    app = seed.APP
    given = {"SLACK_API_URL": f"{options.base_url}/api/", "HUBSPOT_API_URL": f"{options.base_url}/hubspot"}
    if options.oauth:
        given |= {"SLACK_CLIENT_ID": CLIENT_ID, "SLACK_CLIENT_SECRET": CLIENT_SECRET, "TEXT_KEY": TEXT_KEY}
        given |= {"PUBLIC_URL": f"http://127.0.0.1:{options.events_port}"}
        given |= {"HUBSPOT_CLIENT_ID": HUBSPOT_ID, "HUBSPOT_CLIENT_SECRET": HUBSPOT_SECRET}
        given |= {"HUBSPOT_APP_URL": f"{options.base_url}/hubspot"}
    else:
        given |= {"SLACK_BOT_TOKEN": app.bot_token, "HUBSPOT_TOKEN": crm_token}
    if options.http:
        given |= {"SLACK_SIGNING_SECRET": app.signing_secret, "PORT": str(options.events_port)}
    else:
        given |= {"SLACK_APP_TOKEN": app.app_token}
    if not options.live:
        given |= {name: f"{options.base_url}{path}" for name, path in OPEN_DATA.items()}
        given |= {"NEWS_EVERY": str(options.news_every), "NEWS_FEEDS": _news_feeds(options)}
        given |= {"TAVILY_API_KEY": "tvly-bac-a-sable", "TOOL_CACHE_SECONDS": "0"}
        place = urlsplit(options.base_url)
        given |= {"WEB_INTERNAL_HOSTS": place.netloc, "WEB_DOMAINS": str(place.hostname)}
    return given


def _news_feeds(options: Options) -> str:
    feeds = [f"{name}={options.base_url}/sites/flux/actualites/{key}.xml" for key, name in PUBLISHERS.items()]
    page = f"Taux fictifs=page:{options.base_url}/sites/pages/taux-usure"
    return ",".join([*feeds, page])


def inherited(options: Options) -> dict[str, str]:
    """The rest of the environment, without what would make the bot choose the other transport."""
    other: tuple[str, ...] = ("SLACK_APP_TOKEN",) if options.http else ("SLACK_SIGNING_SECRET", "PORT")
    other += ("SLACK_BOT_TOKEN", "HUBSPOT_TOKEN") if options.oauth else ("SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET")
    kept = {name: value for name, value in os.environ.items() if name not in other}
    return kept | {name: "" for name in other if _in_env_file(name)} | {"PYTHONUNBUFFERED": "1"}


def _in_env_file(name: str) -> bool:
    """Whether the bot would read it from the `.env` beside it; only then is it set, blank, to outrank that file."""
    file = Path(".env")
    return file.is_file() and any(line.strip().startswith(f"{name}=") for line in file.read_text("utf-8").splitlines())


def secret_values(values: Mapping[str, str]) -> list[str]:
    """What must never be shown: keys, tokens, passwords, and addresses that carry one."""
    return [value for name, value in values.items() if value and name.endswith(_SECRET_NAMES)]
