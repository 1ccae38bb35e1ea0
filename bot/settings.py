"""The only reader of the environment: every setting, its default, and a plain sentence when one is wrong."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.errors import WrongSetting
from bot.sealing import keys_of
from bot.setting_values import (
    OWNERS,
    Budget,
    OptionalUrl,
    Secret,
    Url,
    header_line,
    host_names,
    key_list,
    prefixed,
    prices_named,
    readers_named,
    sql_address,
    unset,
)
from corpus.sources.addresses import named
from corpus.sources.fetching import Reach
from pipeline.metering.costs import Price, own_prices


class Settings(BaseSettings):
    """Every setting is optional; what is missing switches its part to the embedded default or off."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", hide_input_in_errors=True)

    database_url: Annotated[str, AfterValidator(sql_address)] = "sqlite:///var/quartierscope.sqlite3"
    var_dir: Path = Path("var")
    text_key: Annotated[Annotated[SecretStr, AfterValidator(key_list)] | None, BeforeValidator(unset)] = None

    slack_bot_token: Annotated[Annotated[SecretStr, prefixed("xoxb-")] | None, BeforeValidator(unset)] = None
    slack_app_token: Annotated[Annotated[SecretStr, prefixed("xapp-")] | None, BeforeValidator(unset)] = None
    slack_signing_secret: Secret = None
    slack_api_url: Url = "https://slack.com/api"
    slack_client_id: str = ""
    slack_client_secret: Secret = None
    slack_scopes: str = ""
    public_url: OptionalUrl = None
    forget_team_days: int = Field(default=30, ge=0, le=3_650)
    host: str = "127.0.0.1"
    health_port: int | None = Field(default=None, ge=1, le=65_535)
    otel_exporter_otlp_endpoint: OptionalUrl = None
    otel_exporter_otlp_headers: Secret = None
    otel_service_name: str = "quartierscope"
    otel_texts: bool = False
    api_port: int | None = Field(default=None, ge=1, le=65_535)
    api_per_minute: int = Field(default=60, ge=0, le=100_000)
    port: int = Field(default=3000, ge=1, le=65535)

    weaviate_url: OptionalUrl = None
    weaviate_grpc_port: int = Field(default=50051, ge=1, le=65535)
    weaviate_api_key: Secret = None
    embedder: Literal["local", "openai", "http"] = "local"
    embedder_url: OptionalUrl = None
    embedder_model: str = ""
    embedder_key: Secret = None
    embedder_dimensions: Annotated[Annotated[int, Field(ge=8, le=8_192)] | None, BeforeValidator(unset)] = None
    embedder_prefixes: str = ""
    embedder_files: bool = False
    embedder_batch: int = Field(default=32, ge=1, le=2_048)
    embedder_at_once: int = Field(default=4, ge=1, le=64)
    embedder_seconds: float = Field(default=30.0, ge=1.0, le=300.0)
    embedder_threads: int = Field(default=1, ge=1, le=64)

    reranker_url: OptionalUrl = None
    reranker_api_key: Secret = None
    reranker_model: str = ""

    openai_api_key: Secret = None
    openai_base_url: OptionalUrl = None
    openai_model: str = "gpt-4.1-mini"
    openai_reader_model: str = ""
    openai_judge_model: str = ""
    openai_reasoning_effort: str = ""
    mistral_api_key: Secret = None
    mistral_model: str = "mistral-small-latest"
    groq_api_key: Secret = None
    groq_model: str = "llama-3.3-70b-versatile"
    gemini_api_key: Secret = None
    gemini_model: str = "gemini-2.5-flash"
    ollama_url: OptionalUrl = None
    ollama_model: str = "mistral-small"
    reader_seconds: float = Field(default=6.0, ge=0.5, le=30.0)
    writer_seconds: float = Field(default=45.0, ge=1.0, le=300.0)
    judge_seconds: float = Field(default=10.0, ge=0.5, le=60.0)
    model_judge: bool = True
    model_prices: Annotated[str, AfterValidator(prices_named)] = ""
    budget_per_answer: Budget = None
    budget_per_person: Budget = None
    budget_per_day: Budget = None

    hubspot_token: Secret = None
    hubspot_client_id: str = ""
    hubspot_client_secret: Secret = None
    hubspot_app_url: Url = "https://app.hubspot.com"
    hubspot_api_url: Url = "https://api.hubapi.com"
    tavily_api_key: Secret = None
    tavily_api_url: Url = "https://api.tavily.com"
    dvf_api_url: Url = "https://apidf-preprod.cerema.fr"
    dvf_files_url: Url = "https://files.data.gouv.fr/geo-dvf/latest"
    datagouv_mcp_url: Url = "https://mcp.data.gouv.fr/mcp"
    georisques_url: Url = "https://georisques.gouv.fr"
    geocoding_url: Url = "https://data.geopf.fr/geocodage"
    tabular_api_url: Url = "https://tabular-api.data.gouv.fr"
    ademe_url: Url = "https://data.ademe.fr"
    web_domains: str = ""
    web_internal_hosts: Annotated[str, AfterValidator(host_names)] = ""
    web_contact: Annotated[str, AfterValidator(header_line)] = ""
    news_feeds: str = ""
    news_every: int = Field(default=30, ge=0, le=1440)
    news_days: int = Field(default=90, ge=1, le=730)
    mediawiki_url: Url = "https://fr.wikipedia.org/w/api.php"
    tool_seconds: float = Field(default=6.0, ge=0.5, le=7.0)
    cache_minutes: int = Field(default=0, ge=0, le=1_440)
    tool_cache_seconds: int = Field(default=600, ge=0, le=86_400)

    letterhead: str = ""
    letterhead_logo: Path | None = None
    crm_approvers: str = ""
    crm_readers: Annotated[str, AfterValidator(readers_named)] = ""
    locale: Literal["fr"] = "fr"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    executor_id: str = "worker-1"
    job_days: int = Field(default=30, ge=1, le=3_650)
    retention_days: int = Field(default=0, ge=0, le=36_500)
    clock_offset: int = Field(default=0, ge=-100_000_000, le=100_000_000)

    @property
    def text_keys(self) -> tuple[str, ...]:
        """What texts at rest are sealed under (the first) and opened with (all); empty: they stay as they are."""
        return keys_of(self.text_key.get_secret_value()) if self.text_key else ()

    @property
    def letterhead_lines(self) -> tuple[str, ...]:
        """What stands at the head of an answer's PDF: the firm's name, then its address and registrations."""
        return tuple(line.strip() for line in self.letterhead.split("|") if line.strip())

    @property
    def approvers(self) -> frozenset[str]:
        """Slack user ids who may approve any proposal, besides the person who asked."""
        return frozenset(part.strip() for part in self.crm_approvers.split(",") if part.strip())

    @property
    def deal_readers(self) -> frozenset[str] | None:
        """Slack ids and e-mail addresses (in lower case) of those who read every deal, besides each deal's own adviser;
        None: every member reads every deal."""
        parts = {part.strip() for part in self.crm_readers.split(",") if part.strip()}
        named = {part.lower() if "@" in part else part for part in parts if part.lower() != OWNERS}
        return frozenset(named) if parts else None

    @property
    def official_domains(self) -> tuple[str, ...]:
        """Domains that web search is kept to, instead of the built-in list; empty: the built-in list."""
        return tuple(part.strip().lower() for part in self.web_domains.split(",") if part.strip())

    @property
    def prices(self) -> Mapping[str, Price]:
        """Euros for a million tokens of the models that the firm named; they go before the built-in table."""
        return own_prices(self.model_prices)

    @property
    def reach(self) -> Reach:
        """How far pages and feeds are read."""
        return Reach(internal=named(self.web_internal_hosts), contact=self.web_contact)

    @property
    def any_workspace(self) -> bool:
        """Whether teams install us by themselves, each with a token of its own."""
        return bool(self.slack_client_id)

    @property
    def scopes(self) -> tuple[str, ...]:
        """What we ask for where a team installs us, instead of what the manifest does; empty: the manifest's."""
        return tuple(part.strip() for part in self.slack_scopes.split(",") if part.strip())

    def require_slack(self) -> None:
        """Raises `WrongSetting` when Slack cannot be reached with what is set."""
        if self.any_workspace:
            self._require_installable()
            return
        if self.slack_bot_token is None:
            raise WrongSetting(
                "SLACK_BOT_TOKEN manque : copiez le jeton xoxb-… de votre application Slack, ou lancez `make run`."
            )
        if self.slack_app_token is None and self.slack_signing_secret is None:
            raise WrongSetting(
                "SLACK_APP_TOKEN (Socket Mode) ou SLACK_SIGNING_SECRET (HTTP) manque : renseignez l'un des deux."
            )

    def _require_installable(self) -> None:
        needed: dict[str, object] = {
            "SLACK_CLIENT_SECRET": self.slack_client_secret,
            "SLACK_SIGNING_SECRET": self.slack_signing_secret,
        }
        needed |= {"PUBLIC_URL": self.public_url, "TEXT_KEY": self.text_key}
        needed |= {"HUBSPOT_CLIENT_SECRET": self.hubspot_client_secret} if self.hubspot_client_id else {}
        if missing := [name for name, value in needed.items() if value is None]:
            raise WrongSetting(
                f"{', '.join(missing)} manque : SLACK_CLIENT_ID ouvre l'installation à tout espace Slack, qui veut "
                "aussi le secret et la signature de l'application, l'adresse publique (https://…) et TEXT_KEY, la clé "
                "qui chiffre les jetons (python -m bot reencrypt --new-key)."
            )
        single = {"SLACK_BOT_TOKEN": self.slack_bot_token, "SLACK_APP_TOKEN": self.slack_app_token}
        single |= {"HUBSPOT_TOKEN": self.hubspot_token}
        if named := [name for name, value in single.items() if value is not None]:
            raise WrongSetting(
                f"{', '.join(named)} ne vaut que pour un espace Slack : retirez ce réglage, ou retirez SLACK_CLIENT_ID."
            )


def load_settings() -> Settings:
    """Raises `WrongSetting` naming each wrong setting and its fix; never shows a value."""
    try:
        return Settings()
    except ValidationError as error:
        lines = [f"{'.'.join(str(part) for part in e['loc']).upper()} : attendu {_expected(e)}" for e in error.errors()]
        raise WrongSetting(" ; ".join(lines)) from None


def _expected(error: object) -> str:
    details = error if isinstance(error, dict) else {}
    context = details.get("ctx", {})
    if details.get("type") == "value_error":
        return str(context.get("error", ""))
    if details.get("type") == "literal_error":
        return f"l'une de ces valeurs : {context.get('expected')}"
    if str(details.get("type", "")).startswith(("int", "greater", "less")):
        bounds = {"ge": " d'au moins {}", "le": " d'au plus {}"}
        return "un nombre entier" + "".join(text.format(context[n]) for n, text in bounds.items() if n in context)
    return str(details.get("msg", "une autre valeur"))
