"""What a message orders, and what it only reports: quoted and pasted words, negations and questions ask for no
write."""

import re
from typing import Final

from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat

CLAUSE: Final = re.compile(r"[,;:.!?\n]+\s")


def outside_quotes(text: str) -> str:
    """The message without the words that it quotes or pastes; itself when it quotes nothing."""
    kept = cue("orders.quoted").sub(" ", text)
    pasted = cue("orders.pasted").search(flat(kept))
    return (kept[: pasted.end()] if pasted else kept).strip()


def orders_in_quotes(text: str) -> bool:
    """Whether an order stands in words that are quoted or pasted."""
    pasted = cue("orders.pasted").search(flat(text))
    theirs = " ".join((*cue("orders.quoted").findall(text), text[pasted.end() :] if pasted else ""))
    return cue("orders.verb").search(flat(theirs)) is not None


def orders_nothing(text: str) -> bool:
    """Whether a message that speaks of a write forbids it, asks about it, or says that it is done; another part of it
    may still order one: « j'ai bien eu le client, note-le »."""
    first, *others = CLAUSE.split(flat(text))
    idle = cue("orders.negated").search(first) is not None or cue("orders.asked").match(first) is not None
    return idle and not any(
        cue("orders.verb").search(part) and not cue("orders.negated").search(part) for part in others
    )


def cancels(text: str) -> bool:
    """Whether what was just asked for is not wanted any more."""
    return cue("orders.cancelled").search(flat(text)) is not None
