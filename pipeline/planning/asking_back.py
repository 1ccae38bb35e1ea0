"""What has to be settled before anything is looked up: what is meant, which commune, which part of a city."""

import re
from collections.abc import Sequence
from typing import Final

from corpus.places import Place
from pipeline.planning import sentences
from pipeline.planning.choices import (
    homonyms,
    misspelt_place,
    named_deal,
    parts_of,
    readings_of,
    unknown_place,
    wanted_of,
)
from pipeline.planning.setting import Setting
from pipeline.reading import PLACE_INTENTS, Reading
from pipeline.schemes import having
from pipeline.thread_state import Frame
from pipeline.types import Choice, Question, Route
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat, own_words, says_something

UNSURE: Final = 0.3
"""Under it a short message is asked back with the readings that it may have."""
SURE_TALK: Final = 0.6
"""Under it a word or two that look like talk may as well be somebody's name."""
WORD: Final = re.compile(r"[^\W\d_]{2,}")


def unreadable(question: Question) -> Route | None:
    """What is said of a message in which nothing is the user's own request; None when there is something to read."""
    if len(question.text) > sentences.LONGEST:
        return Route("none", "clarify", question.text[:200], clarification=sentences.TOO_LONG, intents=("rules",))
    mine = own_words(question.text)
    if says_something(mine.text):
        return None
    said = sentences.EMPTY
    if mine.only_code:
        said = sentences.ONLY_CODE
    elif mine.only_quote:
        said = sentences.ONLY_QUOTE
    elif question.text.strip():
        said = sentences.ONLY_EMOJI
    return Route("none", "clarify", mine.text[:200], clarification=said, intents=("smalltalk",))


def bare(reading: Reading, setting: Setting) -> Route | None:
    """A town, numbers or a name at the head of a thread, and not a word of what is wanted: asked, with what may be
    wanted as buttons, however sure the reader feels."""
    if setting.state.frames or reading.writes:
        return None
    if reading.schemes and set(reading.schemes) <= having("facet") and len(reading.text.split()) == 1:
        return Route("none", "clarify", reading.text, schemes=reading.schemes, clarification=sentences.WHAT_OF)
    if reading.schemes:
        return None
    spans = [*((p.start, p.end) for p in reading.places), *((q.start, q.end) for q in reading.quantities)]
    left = "".join(" " if any(a <= i < b for a, b in spans) else char for i, char in enumerate(reading.text))

    def back(said: str, choices: tuple[Choice, ...]) -> Route:
        return Route("none", "clarify", reading.text, clarification=said, choices=choices)

    named = bool(reading.places or reading.quantities)
    if (
        not named
        and reading.main in ("rules", "crm_read")
        and not cues.said("crm_view", flat(reading.text))
        and cue("asked.refers").search(flat(reading.text))
        and len(reading.text.split()) <= 8
    ):
        return back(sentences.WHICH_OTHER, ())
    if WORD.search(left) or not named:
        if (
            named
            or len(reading.text.split()) > 3
            or reading.main not in ("complaint", "recall", "smalltalk")
            or reading.confidence >= SURE_TALK
        ):
            return None
        return back(sentences.WHAT_QUESTION, named_deal(reading) if setting.crm_available else ())
    home = reading.dwelling.kind or reading.dwelling.rooms
    if len(reading.places) == 1 and not reading.places[0].ambiguous and not home:
        return back(sentences.WHAT_ABOUT, wanted_of(reading))
    if reading.quantities and not reading.places and all(q.unit == "" or q.text.isdigit() for q in reading.quantities):
        deal = named_deal(reading) if setting.crm_available and len(reading.quantities) == 1 else ()
        return back(sentences.WHAT_FOR, (*deal, *readings_of(reading)))
    return None


def unsure(reading: Reading, frame: Frame, setting: Setting) -> Route | None:
    """A few words that may be several things: the readings as buttons, never a guess."""
    words = len(reading.text.split())
    if (
        reading.deal_id
        or cues.said("crm_view", flat(reading.text))
        or reading.confidence >= (SURE_TALK if words <= 2 else UNSURE)
        or words > 6
        or frame.schemes
        or frame.communes
        or setting.state.frames
    ):
        return None
    if reading.quantities and words <= 3 * len(reading.quantities):
        choices = readings_of(reading)
        return Route("none", "clarify", reading.text, clarification=sentences.WHAT_FOR, choices=choices)
    if words <= 2 and not reading.places:
        deal = named_deal(reading) if setting.crm_available else ()
        return Route("none", "clarify", reading.text, clarification=sentences.WHAT_QUESTION, choices=deal)
    return None


def asked_back(
    reading: Reading, frame: Frame, found: Sequence[Place], aspects: Sequence[str], setting: Setting
) -> Route | None:
    """What has to be settled before anything is looked up: which commune, which part of a city."""
    places = setting.places
    local = frame.kind in PLACE_INTENTS or (bool(set(frame.schemes) & having("place")) and frame.kind != "rules")

    def back(said: str, choices: tuple[Choice, ...] = ()) -> Route:
        return Route(
            "none", "clarify", frame.query, (), tuple(aspects), (), frame.schemes, clarification=said, choices=choices
        )

    if frame.candidates and (local or frame.kind in PLACE_INTENTS):
        return back(sentences.which_of(reading, frame.candidates, places), homonyms(reading, frame, places))
    if frame.kind in PLACE_INTENTS and not found:
        if (meant := misspelt_place(reading, places)) is not None:
            return back(*meant)
        if reading.unknown_place:
            return back(*unknown_place(reading, places))
        if frame.kind == "prices" and cue("asked.unknown_area").search(flat(reading.text)):
            return back(sentences.OUT_OF_DVF)
        if frame.kind == "prices":
            return back(sentences.WHICH_COMMUNE)
        if not frame.schemes and len(reading.text.split()) <= 6:
            return back(sentences.WHICH_PLACE)
    cities = in_parts(found, setting)
    if frame.kind == "prices" and cities and len(cities) == len(found):
        return back(sentences.which_part(cities[0], places), parts_of(reading, cities[0], places))
    return None


def in_parts(found: Sequence[Place], setting: Setting) -> tuple[Place, ...]:
    """Paris, Lyon and Marseille, whose sales are published by arrondissement only."""
    return tuple(place for place in found if setting.places.arrondissements(place.insee))
