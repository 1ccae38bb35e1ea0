"""A message and its thread: which frame it starts, changes, compares or goes back to."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from pipeline.reading import CALCULATIONS, PLACE_INTENTS, WRITES, Intent, Reading, Role
from pipeline.text.asked_words import topics
from pipeline.thread_state import Frame, ThreadState
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat
from pipeline.understanding.thread.acts import SHORT, SURE, act_of, continues
from pipeline.understanding.thread.corrections import corrected, corrects, on_deal
from pipeline.understanding.thread.frames import chosen, complete, completed, joined, moved, started, with_choice
from pipeline.understanding.thread.inputs import another_input
from pipeline.understanding.thread.picking import beyond, follows_list, picked
from pipeline.understanding.thread.places import asking, both_places, namesake, part_of_city, placed, sides
from pipeline.understanding.thread.rules import asks_basis, follow_up, of_the_rule
from pipeline.understanding.thread.slots import changed, given
from pipeline.understanding.thread.versions import behind_a_deal, comparable, gone_back, taken_up, with_results

UNSURE: Final = 0.3
"""Confidence under which a message may as well be about anything else than the conversation."""
TALK: Final = ("smalltalk", "recall", "complaint", "unsafe", "capabilities")


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done for a message. `frame` None: nothing but talk; `compared`: frames whose results are set side
    by side; `carried`: roles taken over from the thread; `deepens`: the last subject, in more detail; `unclear`: a
    correction that changes nothing, or a rank that the list has not; `line`: the result of the frame that is asked
    for."""

    reading: Reading
    frame: Frame | None = None
    compared: tuple[Frame, ...] = ()
    carried: tuple[Role, ...] = ()
    deepens: bool = False
    inherited: bool = False
    unclear: bool = False
    line: str = ""

    @property
    def intent(self) -> Intent:
        return self.frame.kind if self.frame and not self.reading.has(*WRITES) else self.reading.main


def resolve(reading: Reading, state: ThreadState) -> Task:
    """The task of one message; a pure function. The thread's state is not changed here: see `remembered`."""
    reading = _led(reading, state)
    if (frame := another_input(reading, state)) is not None:
        return Task(replace(reading, intents=((frame.kind, 1.0),), act="change"), frame, inherited=True)
    return _resolved(of_the_rule(reading, state), state)


def _resolved(reading: Reading, state: ThreadState) -> Task:
    focus = state.focus
    if focus is None:
        return Task(reading, started(reading))
    if (part := part_of_city(reading, focus) or namesake(reading, state)) is not None:
        return Task(asking(reading, part), part, inherited=True)
    if reading.cancels and focus.kind in WRITES and not reading.has("crm_read"):
        return Task(replace(reading, intents=(("smalltalk", 1.0),), writes=()))
    if follows_list(reading, state):
        about = replace(reading, intents=(("crm_read", 1.0),), writes=())
        return Task(about, started(about), inherited=True)
    if beyond(reading, state):
        return Task(reading.leading("crm_read"), focus, inherited=True, unclear=True)
    if (deal := picked(reading, state)) is not None:
        return _about_deal(reading, focus, deal, waits=state.waits_for_deal)
    if chosen(reading, focus):
        local = focus.kind in PLACE_INTENTS
        return Task(asking(reading, focus) if local else reading, with_choice(focus, reading), inherited=True)
    if focus.kind == "rules" and asks_basis(reading.text):
        return Task(replace(reading, intents=(("rules", 1.0),), writes=()), replace(focus, results=()), inherited=True)
    if _deepens(reading, focus):
        return _deeper(reading, focus)
    act = act_of(reading, state, focus)
    if act == "aside" or (reading.main in TALK and not continues(reading, act)):
        return Task(reading)
    if reading.has(*WRITES):
        return _write(reading, state, act)
    if (act == "compare" or cue("corrected.plural").search(flat(reading.text))) and (
        both := both_places(reading, state)
    ):
        known = sides(both, state) if act == "compare" and not reading.has("calc_yield") else ()
        return Task(asking(reading, both), both, compared=known, inherited=True)
    if act == "compare" and (several := comparable(reading, state)):
        return Task(reading.leading(several[-1].kind), several[-1], compared=several, inherited=True)
    if _goes_back_by_name(reading):
        return Task(reading, started(reading))
    if act == "return" and (back := gone_back(reading, state)):
        return _returned(back, reading, state)
    if (rule := follow_up(reading, state)) is not None:
        return Task(reading.leading("rules"), rule, inherited=True)
    if _goes_on(reading, focus, act) and (held := taken_up(reading, state, act)):
        return Task(reading, changed(held, reading, earlier=state.frames), inherited=True)
    if act in ("change", "fill", "same", "compare", "return") or reading.main in TALK:
        return _continued(reading, state, focus, anew=act == "same")
    if act == "refer":
        return _referring(reading, state, focus)
    frame, carried = _anew(reading, state, linked=cue("corrected.link").search(flat(reading.text)) is not None)
    return Task(reading, frame, carried=carried, inherited=bool(carried))


def _goes_on(reading: Reading, focus: Frame, act: str) -> bool:
    """Whether a calculation may be an earlier one of the thread with other values: it lacks what it needs, is short, or
    comes after something else."""
    if reading.main not in CALCULATIONS:
        return False
    short = act in ("new", "refer") and len(reading.text.split()) <= SHORT
    return reading.main != focus.kind or short or not complete(given(reading, reading.main), reading.main)


def _goes_back_by_name(reading: Reading) -> bool:
    """« pour revenir au congé : quelle forme ? »: the last subject before it would lead elsewhere."""
    names = reading.main == "rules" and len(topics(reading.text)) >= NAMED
    return names and cue("corrected.back_to").match(flat(reading.text)) is not None


def _anew(reading: Reading, state: ThreadState, *, linked: bool) -> tuple[Frame, tuple[Role, ...]]:
    """A new frame with what it takes over from the thread, results too where it is linked to it."""
    frame, carried = completed(replace(started(reading), root=state.next_root), state, linked=linked)
    return (with_results(frame, state) if linked else frame), carried


OF_KIND: Final[Mapping[str, Intent]] = {
    "per_year": "calc_loan", "left_to_live": "calc_capacity", "buys": "calc_capacity",
}  # fmt: skip
"""What only one kind of calculation can be asked."""
NAMED: Final = 3
"""Words of a message that says itself to what it goes back."""
DEEPER: Final = 8
"""Words up to which « approfondis », « développe la partie fiscale » go on with the last subject."""


def _deepens(reading: Reading, focus: Frame) -> bool:
    """« approfondis ce point »: the same question in more detail; a value, a place or a write makes it another one."""
    own = reading.quantities or reading.places or reading.deal_names or reading.deal_id or reading.has(*WRITES)
    short = len(reading.text.split()) <= DEEPER
    searched = not focus.calculates and focus.kind not in ("crm_read", *WRITES)
    return bool(searched and short and not own and cues.said("deepen", flat(reading.text)))


def _deeper(reading: Reading, focus: Frame) -> Task:
    asked = ((focus.kind, 1.0), *((name, 1.0) for name in focus.also))
    query = joined(focus, reading) if _narrows(reading.text) else focus.query
    again = replace(focus, query=query, results=())
    return Task(replace(reading, intents=asked), again, deepens=True, inherited=True)


def _narrows(text: str) -> bool:
    """« développe la partie fiscale » says which part; « approfondis ce point » says none."""
    low = cues.patterns("deepen")["deepen"].sub(" ", flat(text))
    return bool(set(re.findall(r"[a-z]{4,}", low)) - {"point", "sujet", "cela", "reponse", "plus", "partie", "peux"})


def _led(reading: Reading, state: ThreadState) -> Reading:
    """« avec 40 000 d'apport, quel prix je peux viser ? »: a place's prices without any place are a calculation;
    « et par an ? » is of the loan."""
    again = state.focus is not None and state.focus.calculates and cue("corrected.recap").match(flat(reading.text))
    recalls = dict(reading.intents).get("recall", 0.0) >= UNSURE
    if (again or recalls) and not (reading.quantities or reading.places or reading.deal_names or reading.deal_id):
        return replace(reading, intents=(("recall", 1.0),))  # « récapitule » after a calculation
    for option, kind in OF_KIND.items():
        if option in reading.options and state.last(kind) and not reading.quantities and reading.main not in WRITES:
            return replace(reading.leading(kind), act="change")
    if reading.main not in PLACE_INTENTS or reading.places or reading.unknown_place or state.communes:
        return reading
    counted = next((name for name in reading.names if name in CALCULATIONS), None)
    return reading.leading(counted) if counted else reading


def _about_deal(reading: Reading, focus: Frame, deal: str, *, waits: bool) -> Task:
    """What was waiting for a deal goes on with it; else the message itself is about the deal that was picked."""
    meant = replace(reading, deal_id=deal, deal_names=())
    again = waits or cue("corrected.same").match(flat(reading.text)) is not None
    if again and focus.kind in WRITES and not any(request.body for request in reading.writes):
        return Task(replace(meant.leading(focus.kind), writes=()), on_deal(focus, deal), inherited=True)
    if reading.has(*WRITES):
        writes = tuple(replace(request, deal_id=deal, deal_name=None) for request in reading.writes)
        kind: Intent = next(name for name in reading.names if name in WRITES)
        meant = replace(meant, writes=writes)
        return Task(meant, Frame(kind=kind, query=reading.query, writes=writes, crm={"deal_id": deal}), inherited=True)
    view = focus.crm.get("view") if waits else None
    about = {"deal_id": deal, **({"view": view} if view else {})}
    return Task(meant.leading("crm_read"), Frame(kind="crm_read", query=reading.query, crm=about), inherited=True)


def remembered(state: ThreadState, task: Task) -> ThreadState:
    """The thread after the message; its results come later."""
    frames = (task.frame,) if task.frame is not None and task.frame != state.focus else ()
    reading = task.reading
    intent = task.intent if task.frame or reading.has(*WRITES) else reading.main
    if intent in ("smalltalk", "recall", "complaint") and state.intents:
        intent = state.intents[-1]  # thanks and complaints do not change the subject
    deal = reading.deal_id or (task.frame.crm.get("deal_id") if task.frame else None)
    client = reading.clients[-1] if reading.clients else state.client
    return replace(state, deal_id=str(deal) if deal else state.deal_id, client=client).after(
        reading.text, intent, *frames
    )


def _continued(reading: Reading, state: ThreadState, focus: Frame, *, anew: bool = False) -> Task:
    """A correction, a missing value, or the same for another object."""
    target = focus
    if (reading.main in CALCULATIONS and focus.kind not in CALCULATIONS and (held := state.last(reading.main))) or (
        reading.main != focus.kind
        and reading.confidence >= SURE
        and (held := state.last(reading.main))
        and not reading.quantities
    ):
        target = held
    if target.calculates:
        frame = changed(target, reading, earlier=state.frames)
        whole = complete(given(reading, target.kind), target.kind)
        frame = replace(frame, root=state.next_root) if anew or whole else frame  # « et un autre à 172 000 loué 790 »
        places = reading.communes or target.communes
        return Task(reading.leading(frame.kind), replace(frame, communes=places), inherited=True)
    if target.kind in WRITES:
        return _corrected(reading, target, state)
    if target.kind in PLACE_INTENTS:
        return _placed(target, reading)
    return Task(reading.leading(target.kind), moved(target, reading), inherited=True)


def _returned(back: Frame, reading: Reading, state: ThreadState) -> Task:
    """An earlier subject again, with what the message changes of it."""
    if back.kind in PLACE_INTENTS:
        return _placed(back, reading)
    frame = changed(back, reading, earlier=state.frames) if back.calculates else moved(back, reading)
    return Task(reading.leading(frame.kind), frame, inherited=True)


def _placed(frame: Frame, reading: Reading) -> Task:
    """The same of another place, home or year, or something else of the same place."""
    again = placed(frame, reading)
    return Task(asking(reading, again), again, inherited=True)


def _referring(reading: Reading, state: ThreadState, focus: Frame) -> Task:
    """A new request that works on what the thread holds: a yield on the price, a rule about the scheme, more detail."""
    if reading.main in CALCULATIONS and (reading.main != focus.kind or reading.quantities):
        if reading.main == focus.kind:
            return _continued(reading, state, focus)
        frame, carried = _anew(reading, state, linked=True)
        return Task(reading, frame, carried=carried, inherited=True)
    if reading.main in PLACE_INTENTS:
        fresh = started(reading)
        places = fresh.communes or (() if fresh.candidates else state.communes)
        home = fresh.dwelling if fresh.dwelling.kind or fresh.dwelling.rooms else focus.dwelling
        return Task(reading, replace(fresh, communes=places, dwelling=home), inherited=True)
    if reading.main == "crm_read":
        return Task(reading, started(reading), inherited=True)
    if focus.kind == "crm_read":
        ruled, goes_on = behind_a_deal(reading, state)
        return Task(reading.leading("rules"), ruled, inherited=goes_on)
    frame = moved(replace(focus, kind="rules" if not focus.calculates else focus.kind), reading)
    # « et ce qui dépasse, c'est perdu ? » changes nothing in what was computed.
    changes = reading.quantities or reading.zeroed or reading.options
    if reading.main == "rules" and (reading.confidence >= SURE or not changes):
        frame = replace(frame, kind="rules")
    adds = not frame.calculates and frame.query.endswith(reading.text.strip())
    return Task(reading.leading(frame.kind), frame, deepens=not adds, inherited=True)


def _write(reading: Reading, state: ThreadState, act: str) -> Task:
    """Writes, alone or beside a question; « plutôt lundi » and « pareil pour Martin » change the last ones."""
    focus = state.focus
    rest = [name for name in reading.names if name not in WRITES and name not in ("smalltalk", "recall", "complaint")]
    low = flat(reading.text)
    same = cue("corrected.same").match(low) is not None
    if same:  # « même tâche pour lui », after a question about him
        focus = state.last(*(name for name in reading.names if name in WRITES)) or state.last(*WRITES) or focus
    idle = not any(r.body or r.value or r.kind == "create_note" for r in reading.writes)
    again = act in ("change", "same", "fill") or same or idle or cue("corrected.again").match(low)
    if focus and focus.kind in WRITES and again and corrects(reading, focus):
        return _corrected(reading, focus, state)
    if rest and rest[0] in (*CALCULATIONS, *PLACE_INTENTS, "rules", "crm_read", "datasets"):
        asked = resolve(replace(reading, intents=tuple((n, s) for n, s in reading.intents if n not in WRITES)), state)
        if asked.frame is not None:
            return replace(asked, reading=reading, frame=replace(asked.frame, writes=reading.writes))
    kind: Intent = next(name for name in reading.names if name in WRITES)
    writes = reading.writes
    if state.waits_for_deal and focus and focus.writes and not any(r.deal_id or r.deal_name for r in writes):
        # which deal is still open: both requests wait for it
        writes = (*focus.writes, *(replace(r, deal_name=focus.writes[-1].deal_name) for r in writes))
        reading = replace(reading, writes=writes)
    return Task(
        reading, Frame(kind=kind, query=reading.query, writes=writes, communes=reading.communes), inherited=True
    )


def _corrected(reading: Reading, focus: Frame, state: ThreadState) -> Task:
    """The last writes changed; what changes nothing is asked back, never shown again as if it had been understood."""
    frame = corrected(focus, reading, state)
    return Task(reading.leading(focus.kind), frame, inherited=True, unclear=frame is focus)
