"""What is asked of a place that none of our sources holds: said in a sentence, beside the rest or instead of it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pipeline.planning import sentences
from pipeline.reading import PLACE_INTENTS, WRITES, Reading
from pipeline.schemes import having
from pipeline.thread_state import Frame
from pipeline.types import Route, ToolCall
from pipeline.understanding import cues
from pipeline.understanding.own_words import flat
from pipeline.understanding.thread.dialogue import Task
from pipeline.understanding.thread.places import asking, topics

BESIDE: Final = frozenset(("vacancy", "rent_ceiling", "advice"))
"""Of these the corpus or the lists know something, which is told as well."""
NO_PLACE: Final = frozenset(("ranking",))
"""Asked of no place at all."""
ANYWHERE: Final = frozenset(("forecast", "tradespeople", "offers"))
"""Not held of any place, nor without one; nothing else of the question is answered."""
SURE_DEAL: Final = 0.5
"""Of a question to the CRM that names no deal."""
ONE_YEAR: Final = frozenset(("rents", "dpe"))
"""Tools that know their latest year alone."""


def missing(reading: Reading, frame: Frame) -> tuple[str, ...]:
    """The names of what is asked for and not held."""
    named_deal = reading.deal_id or reading.deal_names
    of_a_deal = reading.has("crm_read") and (named_deal or reading.confidence >= SURE_DEAL)
    if reading.has(*WRITES):
        return ()
    placed = bool(frame.communes or frame.candidates or reading.places)
    named = cues.said("not_held", flat(reading.text))
    if of_a_deal:  # « vous nous conseillez quelle banque ? » is asked of no deal
        named = () if named_deal else tuple(name for name in named if name in ANYWHERE)
    if frame.calculates:  # « où investir avec 150 000 € ? » has a number and nothing to compute
        named = tuple(name for name in named if name in NO_PLACE)
    return tuple(name for name in named if name in ANYWHERE or (name in NO_PLACE) != placed)


def said_instead(reading: Reading, frame: Frame) -> Route | None:
    """The whole answer, where nothing else is asked."""
    names = missing(reading, frame)
    named = topics(reading) or set(reading.schemes) - having("priceless")
    beside = BESIDE & set(names) - ({"vacancy"} if frame.kind in PLACE_INTENTS else set())
    only = bool({"commercial", *ANYWHERE} & set(names)) or not (named or beside)
    if not names or not only:
        return None
    alone = [name for name in names if name in ANYWHERE] or names
    told = " ".join(sentences.not_held(name) for name in alone)
    return Route("none", "clarify", frame.query, communes=frame.communes, clarification=told)


def with_missing(task: Task, frame: Frame) -> tuple[Task, Frame]:
    """Looked up in place of what is not held: whether rents are capped for a ceiling, the facts for a decision."""
    names = missing(task.reading, frame)
    of_a_scheme = set(frame.schemes) & having("capped")
    if "rent_ceiling" in names and "rents" not in topics(task.reading) and not of_a_scheme:
        frame = replace(frame, kind="status", also=(), schemes=("encadrement-loyers",))
        task = replace(task, reading=asking(task.reading, frame))
    if "advice" in names:
        frame = replace(frame, schemes=tuple(dict.fromkeys((*frame.schemes, "investissement-locatif"))))
    return task, frame


def said_beside(reading: Reading, frame: Frame, calls: Sequence[ToolCall]) -> tuple[str, ...]:
    """One sentence for each part that the answer cannot have."""
    told = [sentences.not_held(name) for name in missing(reading, frame)]
    home, tools = frame.dwelling, {call.tool for call in calls}
    if (home.year or home.since is not None) and tools & ONE_YEAR and frame.kind in PLACE_INTENTS:
        told.append(sentences.LATEST_ONLY)
    return tuple(told)
