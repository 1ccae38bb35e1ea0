"""What is dictated: the text of a note or of a task, cut out of the message and tidied."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from pipeline.action_types import ActionKind
from pipeline.understanding.cues import cue
from pipeline.understanding.dates import find_due
from pipeline.understanding.offline.fields import Field
from pipeline.understanding.own_words import flat

TASK: Final = "create_task"
LEADING: Final = re.compile(
    r"^(?:(?:moi|nous|lui|-moi|stp|svp|une?|la|le|sur|dans|chez|au|dossier|deal|fiche|client|pour|de|d['’]|que|qu['’]|qui|dit|a|à|et|"
    r"tache|tâche|rappel|note|relance)\b[ ,:'’-]*)+",
    re.IGNORECASE,
)
TRAILING: Final = re.compile(
    r"(?:[ ,]+(?:stp|svp|merci|pour|sur|le|la|au|du|de|dans|chez|dossier|deal|avant|et))+$", re.IGNORECASE
)
FILLERS: Final = re.compile(
    r"^(?:(?:euh|bon|alors|ben|bah|voila|donc)\b[ ,]*)+|(?:[ ,]+(?:voila|quoi|stp|svp|merci))+$", re.IGNORECASE
)


def _only_told(text: str, bodies: Sequence[Field]) -> bool:
    """« note : relance envoyée ce jour » tells of a reminder, and asks for none."""
    asked = [match.start() for match in cue(f"write.{TASK}").finditer(flat(text))]
    return len(bodies) == 1 and bool(asked) and all(bodies[0].start <= at < bodies[0].end for at in asked)


def rest_of(text: str, kind: ActionKind, found: Sequence[Field], *, asked_at: datetime, goes_on: bool) -> str:
    """What remains behind the word that asks for a note or a task, without the day and the deal, where no body was
    cut out; "" when it only points at what was said (« note ça »)."""
    order = cue(f"write.{kind}").search(flat(text))
    if order is None and not goes_on:
        return ""
    begins, asked = (order.end(), order[0]) if order else (0, "")
    spans = [(f.start, f.end) for f in found if f.name in ("date", "deal_name", "deal_id")]
    if due := find_due(text, asked_at=asked_at):
        spans.append((due.start, due.end))
    tail = "".join(" " if any(s <= i < e for s, e in spans) else c for i, c in enumerate(text) if i >= begins)
    words = LEADING.sub("", re.sub(r"\s+", " ", tail).strip(" ,.:;!?"))
    words = TRAILING.sub("", words).strip(" ,.:;!?")
    low = flat(words)
    told = [w for w in re.findall(r"[a-z]{3,}", low) if not cue("dictated.idle").fullmatch(w) and w != asked]
    return "" if not told or cue("dictated.refers").match(low) else words


def undated(said: str, *, asked_at: datetime) -> str:
    """« rappeler jeudi » is « rappeler »: the day is the task's, and may change."""
    due = find_due(said, asked_at=asked_at)
    if due is None:
        return TRAILING.sub("", said)
    rest = re.sub(r"\s+", " ", f"{said[: due.start]} {said[due.end :]}")
    rest = re.sub(r"\b(?:a |à )?\d{1,2} ?[hH] ?\d{0,2}\b", "", rest)
    return TRAILING.sub("", tidy(rest)) or said


def bodies_of(text: str, wanted: Sequence[ActionKind], found: Sequence[Field]) -> list[tuple[ActionKind, Field | None]]:
    """Which body belongs to which write: the nearest word for a note or a task before it."""
    simple: list[ActionKind] = [kind for kind in wanted if kind != "update_property"]
    bodies = [part for f in found if f.name == "body" for part in (_halves(f) if len(simple) > 1 else [f])]
    if len(simple) > 1 and _only_told(text, bodies):
        simple.remove(TASK)
    if len(simple) == 1:
        return [(simple[0], body) for body in bodies[:3]] or [(simple[0], None)]
    low, given, left = flat(text), [], list(bodies)
    for kind in simple:
        order = cue(f"write.{kind}").search(low)
        at = order.start() if order else 0
        best = min(left, key=lambda f: (f.start < at - 30, abs(f.start - at)), default=None)
        if best is not None:
            left.remove(best)
        given.append((kind, best))
    return given


def _halves(body: Field) -> list[Field]:
    """A note and the task behind it, cut out as one: « client ok et relancer l'artisan »."""
    second = cue("dictated.second").search(flat(body.text))
    if second is None:
        return [body]
    at = second.end()
    return [Field("body", body.text[: second.start()], body.start), Field("body", body.text[at:], body.start + at)]


def tidy(text: str) -> str:
    """What was dictated, without the words around it and what lips say while they think."""
    said = re.sub(r"\s+", " ", text).strip(' .,:;«»"“”-').strip()
    said = FILLERS.sub("", said)
    return re.sub(
        r"^(?:(?:et|que) |qu['’]|de (?=\w+er\b)|d['’](?=\w+er\b)|comme quoi |disant que )|"
        r"(?:[ ,;]+(?:et|puis|ainsi que))+$",
        "",
        said,
        flags=re.IGNORECASE,
    )
