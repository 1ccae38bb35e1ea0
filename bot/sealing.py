"""Texts at rest: encrypted under the keys of the environment, or as they are where there is none."""

import base64
import binascii
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from bot.errors import TextsSealed

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

MARK: Final = "scellé:"
"""Before a token, so that texts of before and after a key was set stand side by side."""
_PLAIN: Final = "-"
"""After the mark, where somebody's own text begins with it; a token begins with another letter."""
_KEY_BYTES: Final = 32


class Sealing:
    """Fernet: AES-128-CBC and HMAC-SHA256 (https://github.com/fernet/spec). `keys`: the first seals, all open; none:
    texts stay as they are."""

    def __init__(self, keys: Sequence[str] = ()) -> None:
        self._keys = _opener(keys) if keys else None

    @property
    def active(self) -> bool:
        return self._keys is not None

    def sealed(self, text: str) -> str:
        """As it is to be stored; never twice the same under a key."""
        if self._keys is None:
            return f"{MARK}{_PLAIN}{text}" if text.startswith(MARK) else text
        return MARK + self._keys.encrypt(text.encode("utf-8", "surrogatepass")).decode("ascii")

    def opened(self, stored: str) -> str:
        """As it was written. Raises `TextsSealed` where no key opens it."""
        if not stored.startswith(MARK):
            return stored
        token = stored.removeprefix(MARK)
        if token.startswith(_PLAIN):
            return token.removeprefix(_PLAIN)
        if self._keys is None:
            raise TextsSealed
        from cryptography.fernet import InvalidToken

        try:
            return self._keys.decrypt(token).decode("utf-8", "surrogatepass")
        except InvalidToken:
            raise TextsSealed from None


OPEN: Final = Sealing()
"""Without a key."""


def _opener(keys: Sequence[str]) -> "MultiFernet":
    from cryptography.fernet import Fernet, MultiFernet  # only its users pay for the import

    return MultiFernet([Fernet(key) for key in keys])


def new_key() -> str:
    """For TEXT_KEY."""
    return base64.urlsafe_b64encode(secrets.token_bytes(_KEY_BYTES)).decode("ascii")


def keys_of(value: str) -> tuple[str, ...]:
    """The keys of a setting, comma-separated. Raises ValueError for one that is no key."""
    keys = tuple(part.strip() for part in value.split(",") if part.strip())
    for key in keys:
        try:
            size = len(base64.urlsafe_b64decode(key))
        except (binascii.Error, ValueError):
            size = 0
        if size != _KEY_BYTES:
            raise ValueError(f"{_KEY_BYTES} bytes in URL-safe base64")
    return keys
