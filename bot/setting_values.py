"""What a setting may hold: each kind of value, and what is said of one that is none."""

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from bot.sealing import keys_of
from corpus.sources.addresses import named
from pipeline.metering.costs import own_prices

OWNERS = "conseiller"
"""The word of CRM_READERS for each deal's own adviser: alone, it names nobody else."""


def http_url(value: str) -> str:
    """Without a slash at its end."""
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("une adresse qui commence par http:// ou https://")
    return value.rstrip("/")


def sql_address(value: str) -> str:
    """As SQLAlchemy names its driver."""
    if value.startswith(("postgres://", "postgresql://")):
        return "postgresql+psycopg://" + value.split("://", 1)[1]
    if not value.startswith(("sqlite:///", "postgresql+psycopg://")):
        raise ValueError("sqlite:///chemin/fichier.sqlite3 ou postgresql://utilisateur:mot-de-passe@hote/base")
    return value


def header_line(value: str) -> str:
    """What fits into a header."""
    if not value.isascii() or not value.isprintable() or len(value) > 120:
        raise ValueError("une adresse e-mail ou de page, sans accent, de 120 caractères au plus")
    return value.strip()


def prices_named(value: str) -> str:
    """Euros a million tokens, by model."""
    try:
        own_prices(value)
    except ValueError:
        raise ValueError("des prix en euros par million de jetons, entrée/sortie, comme mon-modele=0,4/1,6") from None
    return value


def readers_named(value: str) -> str:
    """Who reads which deals."""
    parts = [part.strip() for part in value.split(",") if part.strip()]
    if all(part.lower() == OWNERS or "@" in part or re.fullmatch(r"[UW][A-Z0-9]{2,}", part) for part in parts):
        return value
    raise ValueError(f"« {OWNERS} », ou des identifiants Slack et des adresses e-mail séparés par des virgules")


def host_names(value: str) -> str:
    """Comma-separated."""
    try:
        named(value)
    except ValueError:
        raise ValueError("des hôtes séparés par des virgules, comme intranet.cabinet.fr ou 10.0.0.5:8080") from None
    return value


def key_list(value: SecretStr) -> SecretStr:
    """What texts are sealed and opened with."""
    try:
        keys_of(value.get_secret_value())
    except ValueError:
        raise ValueError(
            "une clé de « python -m bot reencrypt --new-key », ou plusieurs séparées par des virgules, la neuve en tête"
        ) from None
    return value


def prefixed(*prefixes: str) -> AfterValidator:
    """For a token of a known kind."""

    def check(value: SecretStr) -> SecretStr:
        if not value.get_secret_value().startswith(prefixes):
            raise ValueError("un jeton qui commence par " + " ou ".join(prefixes))
        return value

    return AfterValidator(check)


def unset(value: object) -> object:
    """An empty value means not set."""
    return None if isinstance(value, str) and not value.strip() else value


Url = Annotated[str, AfterValidator(http_url)]
Secret = Annotated[SecretStr | None, BeforeValidator(unset)]
Budget = Annotated[Annotated[float, Field(ge=0.0)] | None, BeforeValidator(unset)]
OptionalUrl = Annotated[Url | None, BeforeValidator(unset)]
