"""Secrets, personal data and what people wrote never reach a log line."""

import json
import logging

import pytest
import structlog

from bot.logs import configure_logs, redact

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
