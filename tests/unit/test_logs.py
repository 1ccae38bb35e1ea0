"""Secrets, personal data and what people wrote never reach a log line."""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog
from pydantic import TypeAdapter, ValidationError

from bot.logs import configure_logs, hide_names, redact

SECRETS = [
    "xoxb-12345-abcdef",
    "xapp-1-A0-123",
    "pat-eu1-0a1b2c3d4e",
    "sk-proj-abcdefgh",
    "Bearer abcdefgh.ijkl",
    "gsk_abcdefghij",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_inside_any_value_is_taken_out(secret: str) -> None:
    """Wherever it stands: nested, in a list, in an exception's text."""
    shown = json.dumps(redact({"a": [f"avant {secret} après"], "error": ValueError(secret).args}))
    assert secret.removeprefix("Bearer ") not in shown


def test_a_database_password_is_taken_out_of_its_url() -> None:
    """Connection errors like to quote the whole address."""
    assert "s3cret" not in redact("could not connect to postgresql://u:s3cret@host/db")


def test_keys_that_name_a_secret_and_texts_are_not_shown() -> None:
    """A token's value is replaced whatever it looks like; a text by its length."""
    shown = redact({"api_key": "plain", "question": "Mon client Jean Martin", "count": 3})
    assert shown == {"api_key": "[secret]", "question": "[22 caractères]", "count": 3}


def test_a_line_of_ours_and_of_a_library_are_json_and_redacted(capsys: pytest.CaptureFixture[str]) -> None:
    """The processor sits on the root handler, so nothing passes beside it."""
    configure_logs("INFO")
    structlog.get_logger().info("answered", email="a.martin@example.com", token="xoxb-1-2")
    logging.getLogger("some.vendor").warning("sent %s", "xoxb-99-secret")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["level"] for line in lines] == ["info", "warning"]
    assert "example.com" not in str(lines)
    assert "xoxb" not in str(lines)


NIR, IBAN = "1 85 05 78 006 084 91", "FR14 2004 1010 0505 0001 3M02 606"
CLIENT = ("Quetzal", "amélie.quetzal@exemple.fr", "06 12 34 56 78", NIR, IBAN)
SAID = f"Madame Amélie QUETZAL, {', '.join(CLIENT[1:])}"


@pytest.fixture
def loud() -> Iterator[Callable[[], None]]:
    """Begins DEBUG with every library let loose, and a client that the CRM has told of."""
    levels = {name: logging.getLogger(name).level for name in LIBRARIES}

    def begin() -> None:
        configure_logs("DEBUG")
        hide_names(["Amélie", "Quetzal"])
        for name in LIBRARIES:
            logging.getLogger(name).setLevel(logging.DEBUG)

    yield begin
    configure_logs("INFO")
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def _lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def _tells(line: object) -> list[str]:
    """What of the client stands in it, also with spaces taken out."""
    said = str(line).casefold()
    return [what for what in (*CLIENT, "amélie") if what.casefold() in said or what.replace(" ", "") in said]


def test_nothing_of_a_client_is_in_our_lines(loud: Callable[[], None], capsys: pytest.CaptureFixture[str]) -> None:
    """In the message, the fields, an error's text and its traceback, and in the error that it came from."""
    loud()
    log = structlog.get_logger()
    log.debug(SAID, name=SAID, nested={"who": [SAID, {"deal": SAID}]}, error=ValueError(SAID))
    try:
        try:
            raise KeyError(SAID)
        except KeyError as error:
            raise ValueError(f"pas de {SAID}") from error
    except ValueError:
        log.exception("failed", question=SAID)
    first, second = _lines(capsys)
    assert (_tells(first), _tells(second)) == ([], [])
    assert "[nom masqué]" in first["event"]
    assert "ValueError: pas de Madame [nom masqué]" in second["exception"]
    assert second["question"] == f"[{len(SAID)} caractères]"


LIBRARIES = ("httpx", "slack_sdk.web", "hubspot", "urllib3", "dbos", "sqlalchemy.engine", "openai", "mcp", "asyncio")


@pytest.mark.parametrize("library", LIBRARIES)
def test_nothing_of_a_client_or_of_a_text_is_in_a_librarys_lines(
    library: str, loud: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Below a warning nothing that anybody wrote; above, all that is known of clients is masked."""
    loud()
    told = logging.getLogger(library)
    told.debug("POST %s with %s in %d ms", f"/v1?q={SAID}", {"text": "mon secret"}, 12)
    told.info(f"sent {SAID} mon secret")
    try:
        raise RuntimeError(f"{SAID} mon secret")
    except RuntimeError:
        told.debug("broke", exc_info=True)
        told.error("broke off %s", SAID, exc_info=True)
    shown = _lines(capsys)
    assert [_tells(line) for line in shown] == [[], [], [], []]
    assert "mon secret" not in str(shown[:3])
    assert shown[0]["event"] == "POST %s with %s in %d ms"
    assert shown[1]["at"].startswith("test_logs:")
    assert "RuntimeError" in shown[3]["exception"]


def test_a_name_is_hidden_as_a_word_and_a_word_of_the_language_is_not() -> None:
    hide_names(["Rose Brun"])
    assert redact("Rose et M. BRUN, façade rose, Brunoy") == "[nom masqué] et M. [nom masqué], façade rose, Brunoy"


def test_what_a_validator_quotes_is_left_out() -> None:
    """A model's reply that does not fit quotes the client's words."""
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(int).validate_python("mon secret")
    assert "mon secret" not in redact(str(refused.value))
    assert "int_parsing" in redact(str(refused.value))


def test_what_postgresql_quotes_of_a_row_is_left_out() -> None:
    """Over lines, as people write."""
    said = (
        "null value violates\nDETAIL:  Failing row contains (a1, mon\nsecret (ici), null).\n[SQL: insert into answer]"
    )
    assert "secret" not in redact(said)
    assert "[SQL: insert into answer]" in redact(said)
    assert "secret" not in redact(said.partition("\n[SQL")[0])


def test_a_line_that_cannot_be_written_shows_nothing_of_itself(
    loud: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """logging prints the message and its arguments as they are, on lines of their own."""
    loud()

    class Broken:
        def __str__(self) -> str:
            raise ValueError(SAID)

    logging.getLogger("httpx").error("%s", Broken())
    structlog.get_logger().info("sent", what=Broken())
    shown = _lines(capsys)
    assert [line["event"] for line in shown] == ["log_line_failed", "log_line_failed"]
    assert [_tells(line) for line in shown] == [[], []]


def test_the_letters_of_an_id_are_nobodys_name() -> None:
    """« U0CAMILLE » says who clicked, and is what a line is searched by."""
    hide_names(["Camille Bernard"])
    assert redact("U0CAMILLE et T0CAMILLE2 : Camille, CAMILLE2026.pdf") == (
        "U0CAMILLE et T0CAMILLE2 : [nom masqué], [nom masqué]2026.pdf"
    )
