"""What is told of an answer's way while it runs, for whoever operates the bot; to nobody by default."""

import json
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final, Literal, Protocol

CallKind = Literal["tool", "model"]


@dataclass(frozen=True, slots=True)
class Text:
    """Words of a person or of a model, told apart from all that is not: `persons`, names of clients it may hold."""

    value: str
    persons: tuple[str, ...] = ()


def as_messages(said: Iterable[tuple[str, str]], persons: tuple[str, ...] = ()) -> Text:
    """(role, content) of each, as OpenTelemetry's GenAI conventions write messages."""
    rows = [{"role": role, "parts": [{"type": "text", "content": content}]} for role, content in said]
    return Text(json.dumps(rows, ensure_ascii=False), persons)


Told = str | int | float | bool | Text | None
"""Plain strings are names from short lists of ours (a tool, an outcome), never words that somebody wrote."""


class Tell(Protocol):
    """What is known of a stage or call only while it runs."""

    def __call__(self, **told: Told) -> None: ...


class Telemetry(Protocol):
    """No method raises, waits for anything, or changes what it watches."""

    @property
    def texts(self) -> bool:
        """Whether a `Text` is looked at: where not, none need be made."""

    def stage(self, name: str, /, *, key: str = "", **told: Told) -> AbstractContextManager[Tell]:
        """A part of the way, with others inside it. `key`: what the whole way is about, where this is a
        beginning of it: several beginnings of one key belong together."""

    def call(self, kind: CallKind, name: str, /, **told: Told) -> AbstractContextManager[Tell]:
        """A question to a tool or a model, with nothing inside it; may stay open over a generator's yields."""

    def event(self, name: str, /, **told: Told) -> None:
        """Something that happened once."""


def _tell_nobody(**_told: Told) -> None:
    """Nobody listens."""


class Silent:
    """Tells nobody."""

    texts: Final = False

    @contextmanager
    def stage(self, _name: str, /, *, key: str = "", **_told: Told) -> Iterator[Tell]:
        yield _tell_nobody

    @contextmanager
    def call(self, _kind: CallKind, _name: str, /, **_told: Told) -> Iterator[Tell]:
        yield _tell_nobody

    def event(self, _name: str, /, **_told: Told) -> None:
        """Nobody listens."""


SILENT: Final = Silent()


@dataclass(frozen=True, slots=True)
class Together:
    """Tells each of several."""

    parts: tuple[Telemetry, ...]

    @property
    def texts(self) -> bool:
        return any(part.texts for part in self.parts)

    @contextmanager
    def stage(self, name: str, /, *, key: str = "", **told: Told) -> Iterator[Tell]:
        with ExitStack() as stack:
            yield _to_each([stack.enter_context(part.stage(name, key=key, **told)) for part in self.parts])

    @contextmanager
    def call(self, kind: CallKind, name: str, /, **told: Told) -> Iterator[Tell]:
        with ExitStack() as stack:
            yield _to_each([stack.enter_context(part.call(kind, name, **told)) for part in self.parts])

    def event(self, name: str, /, **told: Told) -> None:
        for part in self.parts:
            part.event(name, **told)


def _to_each(tells: list[Tell]) -> Tell:
    def tell(**told: Told) -> None:
        for each in tells:
            each(**told)

    return tell
