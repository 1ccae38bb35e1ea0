"""What a model thinks aloud is no answer: `<think>…</think>` never leaves the adapter, however its stream is cut."""

import re
from typing import Final

_NAMES: Final = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection")
_OPEN: Final = re.compile(rf"<(?:{'|'.join(_NAMES)})>", re.IGNORECASE)
_CLOSE: Final = re.compile(rf"</(?:{'|'.join(_NAMES)})>", re.IGNORECASE)
_TAGS: Final = tuple(f"<{slash}{name}>" for slash in ("", "/") for name in _NAMES)
_LONGEST: Final = max(map(len, _TAGS))


class ThoughtFilter:
    """Fed with a reply's pieces, gives back what may be shown. `thought`: whether anything was held back."""

    def __init__(self) -> None:
        self._held = ""
        self._inside = False
        self.thought = False

    def feed(self, piece: str) -> str:
        """What is certainly no thought; the beginning of what may become a tag waits for the next piece."""
        self._held += piece
        shown = ""
        while found := (_CLOSE if self._inside else _OPEN).search(self._held):
            shown += "" if self._inside else self._held[: found.start()]
            self._held = self._held[found.end() :]
            self._inside = not self._inside
            self.thought = True
        kept = _possible_tag(self._held)
        shown += "" if self._inside else self._held[: len(self._held) - kept]
        self._held = self._held[len(self._held) - kept :]
        return shown

    def end(self) -> str:
        """What waited. A thought that was never closed stays a thought."""
        held, self._held = self._held, ""
        return "" if self._inside else held


def without_thoughts(text: str) -> str:
    """A whole reply. Some providers send the closing tag alone: all before it was thought."""
    filtered = ThoughtFilter()
    shown = filtered.feed(text) + filtered.end()
    closings = list(_CLOSE.finditer(shown))
    return shown[closings[-1].end() :] if closings else shown


def _possible_tag(text: str) -> int:
    """Length of the end of a text that may be the beginning of a tag."""
    start = text.rfind("<", max(0, len(text) - _LONGEST))
    tail = text[start:].lower() if start >= 0 else ""
    return len(tail) if tail and any(tag.startswith(tail) for tag in _TAGS) else 0
