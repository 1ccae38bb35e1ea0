"""A message after a calculation of its thread: what brings it nothing new and asks for none of its results is a
question of rules, and what names one of them asks for that line."""

import re
from dataclasses import replace
from typing import Final

from pipeline.planning.calculation import calculator_call
from pipeline.planning.subjects import let, subject_of
from pipeline.reading import CALCULATIONS, WRITES, Reading
from pipeline.schemes import having
from pipeline.thread_state import CRITERIA, Frame, ThreadState
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat
from pipeline.understanding.thread.dialogue import TALK, UNSURE, Task, resolve
from pipeline.understanding.thread.frames import complete, moved

WORD: Final = re.compile(r"[a-z]{4,}")
STEM: Final = 5
"""Letters by which « prélèvement » is « prélèvements »."""
SURE: Final = 0.8
"""Confidence of a reading that is held to."""
RESULTS: Final = frozenset(("left_to_live", "per_year", "cost", "cash_flow", "gross", "net", "net_net", "budget"))
"""Options that ask for a result, beside those that say so in their name."""


def task_of(reading: Reading, state: ThreadState) -> Task:
    """The task of one message, knowing what the thread's calculations have told already."""
    task, held = resolve(reading, state), state.last(*CALCULATIONS)
    if held is None or task.compared or task.unclear or reading.has(*WRITES):
        return task
    frame = task.frame
    if frame is None:
        return _leaning(task, held, state) if _hardly_talk(task, held, state) else task
    told = frame.calculates and task.inherited and told_already(frame, state)
    if (told or frame.kind == "rules") and (line := line_asked(reading, held)):
        return Task(reading.leading(held.kind), held, inherited=True, line=line)
    if (told and not asks_again(reading, held)) or _of_a_rule(reading, task, held, state):
        return _leaning(task, held, state)
    return task


def line_asked(reading: Reading, held: Frame) -> str:
    """The label of the result that a message names and asks nothing else of: « dont combien de prélèvements sociaux ? »
    Of several the one that it says most of, and no answer that was told first."""
    said = _words(_in_full(reading.text))
    if reading.quantities or not said or _asks_otherwise(reading.text):
        return ""
    labels = [figure.label for figure in held.results]
    fitting = [label for label in dict.fromkeys(labels) if said <= _words(label)]
    told, heads = tuple(CRITERIA), {label: _words(label.split()[0]) for label in fitting}
    return min(
        fitting,
        key=lambda label: (label.startswith(told), not heads[label] & said, len(_words(label) - said)),
        default="",
    )


def asks_again(reading: Reading, held: Frame) -> bool:
    """Whether a message wants what was computed: « ça leur coûte combien ? », « c'est quoi la formule ? », and nothing
    that it does not say. What asks nothing at all may be anything."""
    low = flat(reading.text)
    if cue("standing.again").search(low) or "?" not in reading.text:
        return True
    known = _words(" ".join(figure.label for figure in held.results))
    return not _asks_otherwise(reading.text) and not _words(_in_full(reading.text)) - known


def told_already(frame: Frame, state: ThreadState, *, but: str = "") -> bool:
    """Whether the thread has this very calculation, with its results; `but`: an argument that may differ."""

    def of(one: Frame) -> dict[str, object]:
        return {name: value for name, value in calculator_call(one).arguments.items() if name != but}

    wanted = of(frame)
    return any(of(f) == wanted for f in state.frames if f.calculates and f.results)


def as_rule(task: Task, state: ThreadState) -> Task | None:
    """A calculation in a thread, as a question of rules on what that is about; None of any other message."""
    if task.frame is None or not task.frame.calculates or task.line:
        return None
    about = next((f for f in reversed(state.frames) if f.calculates or f.kind == "rules"), None)
    return _leaning(task, about, state) if about is not None else None


def _of_a_rule(reading: Reading, task: Task, held: Frame, state: ThreadState) -> bool:
    """Whether a message is a question of rules on the calculation: one right behind it that goes on with it or names no
    subject, one that asks for no amount and gives none, or what was unsurely read as another calculation."""
    frame = task.frame
    if frame is None or not (frame.kind == "rules" or frame.calculates):
        return False
    if frame.kind == "rules":
        links = cue("corrected.link").match(flat(reading.text)) and not reading.schemes and not reading.places
        return state.focus is held and (task.inherited or bool(links))
    if reading.quantities or not task.inherited:
        return False
    if reading.main == "rules" and reading.confidence >= SURE and _asks_otherwise(reading.text):
        return not any(option in RESULTS or option.startswith("wants_") for option in reading.options)
    return frame.kind != held.kind and reading.confidence < UNSURE and not complete(frame.slots, frame.kind)


def _hardly_talk(task: Task, held: Frame, state: ThreadState) -> bool:
    """« ça se recharge au bout de combien ? », read unsurely as a question about the conversation."""
    reading = task.reading
    return state.focus is held and reading.main in TALK and reading.confidence < UNSURE and "?" in reading.text


def _leaning(task: Task, held: Frame, state: ThreadState) -> Task:
    """The message as a question of rules on what the thread is about; the calculation stays the thread's."""
    reading, focus = task.reading, state.focus
    others = tuple((n, s) for n, s in reading.intents if n not in (*CALCULATIONS, *TALK, "rules"))
    read = replace(reading, intents=(("rules", reading.confidence), *others))
    before = focus if focus is not None and focus.kind == "rules" else held
    base = before if before.kind == "rules" else _subject(before)
    frame = moved(replace(base, kind="rules", slots={}, options=frozenset(), also=()), reading)
    kept = tuple(name for name in frame.schemes if name in base.schemes or name not in having("facet"))
    return Task(read, replace(frame, communes=reading.communes, schemes=kept), inherited=True)


def _subject(held: Frame) -> Frame:
    """The calculation under the name of what it is about; how a home is let says more with its schemes."""
    schemes = tuple(name for name in held.schemes if name not in having("facet")) if let(held) else ()
    return replace(held, query=subject_of(held), schemes=schemes)


def _asks_otherwise(text: str) -> bool:
    """When, who, whether: no amount."""
    return cue("standing.otherwise").search(flat(text)) is not None


def _in_full(text: str) -> str:
    """« PS », « par tête » by the words that the results are named with."""
    low = flat(text)
    for name, pattern in cues.patterns("result_words").items():
        low = pattern.sub(f" {name} ", low)
    return low


def _words(text: str) -> set[str]:
    """The stems of its telling words."""
    left = cue("standing.idle").sub(" ", flat(text))
    return {word[:STEM] for word in WORD.findall(left)}
