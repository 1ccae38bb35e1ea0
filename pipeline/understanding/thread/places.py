"""What a message asks of places after others of its thread: the topics that it names, else what was asked before; of
the place that it names, else of the one that was spoken of."""

import re
from dataclasses import replace
from typing import Final, cast

from corpus.communes.table import CITIES
from pipeline.reading import PLACE_INTENTS, Intent, Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat
from pipeline.understanding.thread.frames import joined, moved, with_choice

PART: Final = re.compile(
    r"^\W*(?:(?:et|plutot|dans|pour|disons|a) )*(?:le |la )?(\d{1,2}) ?(?:er|e|eme|ieme)?\W*(?:arr\w*)?\W*$"
)
SURE: Final = 0.8
"""Of a topic that the message does not name: « et c'est inondable ? »."""
SHORT: Final = 7
"""Words up to which a message may merely pick another commune of the same name."""


def topics(reading: Reading) -> tuple[Intent, ...]:
    """What a message names of all that may be asked of a place."""
    low = flat(reading.text)
    for place in reading.places:
        low = low[: place.start] + " " * (place.end - place.start) + low[place.end :]
    return tuple(cast(Intent, name) for name in cues.said("topic", low))


def asked_before(frame: Frame) -> tuple[Intent, ...]:
    """All that the frame asks of its places."""
    return (frame.kind, *(name for name in frame.also if name in PLACE_INTENTS))


def placed(frame: Frame, reading: Reading) -> Frame:
    """The frame with another place, home, year or topic: what is not said again stays as it was."""
    kinds = topics(reading)
    if not kinds and reading.main in PLACE_INTENTS and reading.main != frame.kind and reading.confidence >= SURE:
        kinds = (reading.main,)
    again = moved(frame, reading)
    if not kinds or set(kinds) == set(asked_before(frame)):
        return replace(again, also=asked_before(frame)[1:])
    return replace(again, kind=kinds[0], also=kinds[1:], schemes=reading.schemes, query=reading.text)


def asking(reading: Reading, frame: Frame) -> Reading:
    """The message, asking for what the frame asks for and for nothing beside."""
    return replace(reading, intents=tuple((name, 1.0) for name in asked_before(frame)))


def part_of_city(reading: Reading, focus: Frame) -> Frame | None:
    """« 7e » after a question about Lyon."""
    match = PART.match(flat(reading.text))
    if match is None or focus.kind not in PLACE_INTENTS or len(focus.communes) != 1:
        return None
    code = focus.communes[0]
    if not code.isdigit():
        return None
    held = CITIES.get(code) or next(((b, n) for b, n in CITIES.values() if b < int(code) <= b + n), None)
    if held is None or not 1 <= int(match[1]) <= held[1]:
        return None
    return replace(focus, communes=(str(held[0] + int(match[1])),), results=())


def namesake(reading: Reading, state: ThreadState) -> Frame | None:
    """« et celui de La Réunion ? »: another of the communes that a name could mean, once one was chosen."""
    focus = state.focus
    held = next((frame for frame in reversed(state.frames) if frame.candidates), None)
    if held is None or focus is None or reading.places or len(reading.text.split()) > SHORT:
        return None
    if focus.kind not in PLACE_INTENTS or not set(focus.communes) & set(held.candidates):
        return None
    open_again = replace(focus, candidates=held.candidates, candidate_labels=held.candidate_labels)
    other = with_choice(open_again, reading)
    if other.candidates or other.communes == focus.communes:
        return None
    return replace(placed(other, reading), communes=other.communes, results=())


def both_places(reading: Reading, state: ThreadState) -> Frame | None:
    """The last places of one kind of question, side by side."""
    kinds = topics(reading) or ((reading.main,) if reading.main in PLACE_INTENTS else ())
    frames = [f for f in state.frames if f.kind in PLACE_INTENTS and f.communes]
    if not frames or (state.focus is not None and state.focus.calculates and not kinds):
        return None
    last = frames[-1]
    earlier = [code for f in frames for code in f.communes]
    plural = cue("corrected.plural").search(flat(reading.text))
    most = 3 if plural and plural[1] in ("trois", "3", "toutes", "tous") else max(2, len(last.communes))
    codes = reading.communes if len(reading.communes) > 1 else tuple(dict.fromkeys((*earlier, *last.communes)))[-most:]
    if len(codes) < 2:
        return None
    return replace(placed(last, reading), communes=codes, query=joined(last, reading))


def sides(both: Frame, state: ThreadState) -> tuple[Frame, ...]:
    """What the thread already knows of each of the places, of that kind; empty when something has to be looked up."""
    found = []
    for code in both.communes:
        alike = [f for f in state.frames if f.kind == both.kind and f.dwelling == both.dwelling and f.results]
        held = [f for f in alike if f.communes == (code,)]
        found += held[-1:]
    return tuple(found) if len(found) == len(both.communes) == 2 else ()
