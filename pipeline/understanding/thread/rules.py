"""Short questions about the rule that a thread is about: « plafonds de loyer ? », « jusqu'à quand », « et F ? »."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from pipeline.reading import CALCULATIONS, PLACE_INTENTS, WRITES, Reading
from pipeline.schemes import having, schemes
from pipeline.text.energy_class import classes_said, of_class, rest
from pipeline.thread_state import Frame, ThreadState
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat
from pipeline.understanding.told_by import is_of_the_crm, names_what

SHORT: Final = 11
"""Words up to which a question may leave its subject unsaid."""
LONGEST: Final = 160
SURE: Final = 0.8
_COUNTED: Final = re.compile(
    r"(?<![\w,.])(?P<number>(?!(?:19|20)\d\d\b)\d{1,3}(?:[ \u202f\u00a0]\d{3})*(?:,\d+)?)"
    r"(?:\s?(?P<unit>ans?|mois|jours?|%|k?€|m€|k)(?!\w))?",
    re.IGNORECASE,
)


def with_class(base: str, text: str) -> tuple[str, bool]:
    """The earlier question about the class that the new one names, and whether that is all that it says."""
    old, new = classes_said(base), classes_said(text)
    if len(old) != 1 or len(new) != 1 or old == new:
        return base, False
    (letter,) = new
    return of_class(base, letter), not re.search(r"[a-z]{3,}", flat(rest(text)))


def with_number(base: str, text: str) -> tuple[str, bool]:
    """The earlier question with the number that the new one gives in its place: « et 15 ? » after « 10 ans de
    détention »; and whether that is all that it says. As it is where either has several, or they count other things."""
    old, new = list(_COUNTED.finditer(base)), list(_COUNTED.finditer(text))
    if len(old) != 1 or len(new) != 1 or old[0]["number"] == new[0]["number"]:
        return base, False
    if new[0]["unit"] and _unit(new[0]) != _unit(old[0]):
        return base, False
    start, end = old[0].span("number")
    left = f"{text[: new[0].start()]} {text[new[0].end() :]}"
    return base[:start] + new[0]["number"] + base[end:], not re.search(r"[a-z]{3,}", flat(left))


TOOL_OF: Final[Mapping[str, str]] = {"energy": "dpe"}
"""Intents whose words stand under a tool's name in `told_by.toml`."""


def of_the_rule(reading: Reading, state: ThreadState) -> Reading:
    """In a thread about a rule one more question about it, where the message neither gives nor names what the kind that
    it was read as works on: « et s'il n'avait rien mis dans sa lettre ? » is of no deal, « et s'il vend occupé ? » of
    no tax."""
    focus, main = state.focus, reading.main
    ruled = focus is not None and (focus.kind == "rules" or (focus.kind in PLACE_INTENTS and bool(state.cited)))
    summed = focus is not None and focus.calculates and bool(focus.results) and not state.deal_id
    ruled = ruled or (summed and main == "crm_read")  # « qui la déclare ? » of a gain is of no deal
    if not ruled or main == "rules" or _says_so(reading, state):
        return reading
    return replace(reading, intents=(("rules", reading.confidence),), writes=())


def asks_basis(text: str) -> bool:
    """« c'est quel article ? »: on which text the last answer rests."""
    return cue("asked.basis").match(flat(text)) is not None


def _says_so(reading: Reading, state: ThreadState) -> bool:
    """Whether the message gives or names what its kind works on."""
    main, low = reading.main, flat(reading.text)
    if reading.deal_id or reading.deal_names or reading.colleagues or reading.cancels or main == "unsafe":
        return True
    if main in CALCULATIONS:
        given = bool(reading.quantities or reading.zeroed or state.last(main))
        return given or (reading.confidence >= SURE and names_what(main, reading.text))
    if main in PLACE_INTENTS:
        given = bool(reading.places or reading.unknown_place or reading.address)
        known = main == "prices" or bool(state.communes)  # « loyer baissé de combien ? » is no question of a town
        return given or (known and names_what(TOOL_OF.get(main, main), reading.text))
    if main in WRITES:
        return any(cue(name).search(low) for name in ("orders.verb", "orders.noun"))
    if main == "crm_read":
        return bool(state.offered or state.listed) or is_of_the_crm(reading.text)
    return "?" not in reading.text or reading.confidence >= SURE


def _unit(found: re.Match[str]) -> str:
    return (found["unit"] or "").lower().rstrip("s")


def follow_up(reading: Reading, state: ThreadState) -> Frame | None:
    """The question with the subject of the thread, where it says none: its words fit any scheme."""
    if reading.main != "rules" or reading.places or len(reading.text.split()) > SHORT:
        return None
    if set(reading.schemes) - having("facet") or classes_said(reading.text):
        return None
    held = next((f for f in reversed(state.frames) if set(f.schemes) - having("facet")), None)
    if held is None or held is not (state.last("rules") or held):
        return None
    left = cues.patterns("rule_words")["any"].sub(" ", flat(reading.text))
    if re.search(r"[a-z]{4,}", left):
        return None
    return replace(
        held,
        kind="rules",
        also=(),
        communes=(),
        query=f"{_subject(held, flat(reading.text))} : {reading.text.strip()}",
        results=(),
        pending=(),
    )


def _subject(held: Frame, low: str) -> str:
    """What the question is about: the scheme, or the class; all that was asked before where only a date is missing."""
    parts = re.split(r"\s*[:?]\s*", held.query.strip(" ?.!"))
    bare = cues.patterns("rule_words")["bare"].fullmatch(low.strip(" ?.!"))
    asked = cues.patterns("rule_words")["any"].sub(" ", without_schemes(parts[0], held.schemes))
    if bare and held.kind == "rules" and (parts[-1].startswith("et ") or re.search(r"[a-z]{4,}", asked)):
        return " : ".join(parts if parts[-1].startswith("et ") else parts[:1])[:LONGEST]
    return " et ".join(name.replace("-", " ") for name in held.schemes if name not in having("facet"))


def without_schemes(base: str, names: Iterable[str]) -> str:
    """The earlier question without its scheme: « et le Pinel ? » asks it of another one."""
    low = flat(base)
    for name in names:
        low = schemes()[name].forms.sub(" ", low) if name in schemes() else low
    return " ".join(low.split())
