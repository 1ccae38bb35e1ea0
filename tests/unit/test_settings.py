"""The environment is read once, and a wrong value is named with its fix."""

import json

import pytest

from bot.errors import WrongSetting
from bot.installation.flow import SCOPES
from bot.sealing import new_key
from bot.settings import Settings, load_settings
from bot.store.migrations import ROOT
from bot.wiring_models import budgets_of, models_told

NAMES = [name.upper() for name in Settings.model_fields]


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(str(tmp_path))


def test_nothing_set_is_a_valid_setup() -> None:
    """Every setting is optional."""
    assert load_settings().database_url.startswith("sqlite:///")


@pytest.mark.parametrize(
    ("name", "value", "fix"),
    [
        ("SLACK_BOT_TOKEN", "secret-value", "xoxb-"),
        ("SLACK_APP_TOKEN", "xoxb-secret-value", "xapp-"),
        ("PORT", "eighty", "nombre entier"),
        ("PORT", "0", "nombre entier"),
        ("WEAVIATE_URL", "localhost:8080", "http://"),
        ("DATABASE_URL", "mysql://secret-value@host/db", "postgresql://"),
        ("LOCALE", "secret-value", "'fr'"),
        ("CRM_READERS", "secret-value", "conseiller"),
        ("MODEL_PRICES", "gpt=secret-value", "entrée/sortie"),
    ],
)
def test_a_wrong_value_is_named_with_its_fix_and_never_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, fix: str
) -> None:
    """The sentence holds the setting's name and what is expected, not the value, which may be a secret."""
    monkeypatch.setenv(name, value)
    with pytest.raises(WrongSetting) as caught:
        load_settings()
    assert name in str(caught.value)
    assert fix in str(caught.value)
    assert "secret-value" not in str(caught.value)


def test_a_hosted_postgres_url_gets_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Platforms hand out postgres:// addresses; SQLAlchemy wants the driver's name."""
    monkeypatch.setenv("DATABASE_URL", "postgres://u:p@h/db")
    assert load_settings().database_url == "postgresql+psycopg://u:p@h/db"


@pytest.mark.parametrize(
    ("value", "readers"),
    [
        ("", None),
        (" , ", None),
        ("conseiller", frozenset()),
        ("Conseiller, U0INES, Marc.Roy@Cabinet.fr", frozenset({"U0INES", "marc.roy@cabinet.fr"})),
        ("U0INES", frozenset({"U0INES"})),
    ],
)
def test_who_reads_every_deal(monkeypatch: pytest.MonkeyPatch, value: str, readers: frozenset[str] | None) -> None:
    """Nothing set restricts nothing; anything set leaves the others their own deals."""
    monkeypatch.setenv("CRM_READERS", value)
    assert load_settings().deal_readers == readers


def test_an_empty_value_means_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """.env.example holds empty lines; copying it must not break anything."""
    monkeypatch.setenv("HUBSPOT_TOKEN", "")
    monkeypatch.setenv("SLACK_BOT_TOKEN", " ")
    settings = load_settings()
    assert settings.hubspot_token is None
    assert settings.slack_bot_token is None


def test_slack_without_a_way_in_is_refused_with_the_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot token alone can speak but not listen."""
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1")
    with pytest.raises(WrongSetting, match="SLACK_APP_TOKEN"):
        load_settings().require_slack()


def test_a_budget_without_a_price_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It could not be held; the sentence names the model and what to set."""
    monkeypatch.setenv("BUDGET_PER_DAY", "5")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_MODEL", "maison-7b")
    with pytest.raises(WrongSetting, match=r"MODEL_PRICES.*maison-7b"):
        budgets_of(load_settings())
    monkeypatch.setenv("MODEL_PRICES", "maison-7b=0,1/0,2")
    assert budgets_of(load_settings()).day == 5.0


def test_start_up_tells_whether_costs_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The day of a built-in price; a model without one is said to have none."""
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert "prix lu le " in models_told(load_settings())
    monkeypatch.setenv("OPENAI_MODEL", "maison-7b")
    assert "coût non calculé" in models_told(load_settings())


ANY = {
    "SLACK_CLIENT_ID": "1.2",
    "SLACK_CLIENT_SECRET": "s",
    "SLACK_SIGNING_SECRET": "s",
    "TEXT_KEY": new_key(),
    "PUBLIC_URL": "https://qs.example",
}


def test_any_workspace_needs_its_secrets_and_the_key_that_seals_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without TEXT_KEY tokens would stand in clear: no start, and the sentence says how to get one."""
    for name, value in ANY.items():
        monkeypatch.setenv(name, value)
    load_settings().require_slack()
    for name in set(ANY) - {"SLACK_CLIENT_ID"}:
        with monkeypatch.context() as without:
            without.delenv(name)
            with pytest.raises(WrongSetting, match=f"{name} manque.*--new-key"):
                load_settings().require_slack()


@pytest.mark.parametrize("name", ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "HUBSPOT_TOKEN"])
def test_what_belongs_to_one_workspace_is_refused_for_any(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """It would be every team's."""
    for each, value in {**ANY, name: "xapp-1" if "APP" in name else "xoxb-1"}.items():
        monkeypatch.setenv(each, value)
    with pytest.raises(WrongSetting, match=name):
        load_settings().require_slack()


def test_an_installation_asks_for_what_the_manifest_does() -> None:
    """Neither more nor less."""
    manifest = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
    assert sorted(SCOPES) == sorted(manifest["oauth_config"]["scopes"]["bot"])
