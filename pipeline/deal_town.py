"""The place that is meant where a message names none: the town of the deal that its thread is about (« les prix dans
son quartier »), else what was chosen for its channel."""

from dataclasses import replace

from corpus.places import Gazetteer
from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader
from pipeline.reading import PLACE_INTENTS
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding.thread.dialogue import Task

SAID = "Commune prise dans le nom du dossier : {town}."
USUAL = "Commune par défaut du canal : {towns}."
USUAL_SEVERAL = "Communes par défaut du canal : {towns}."


async def in_known_place(
    task: Task, question: Question, state: ThreadState, *, crm: CrmReader | None, places: Gazetteer
) -> tuple[Task, str]:
    """The task about that place, and the sentence that says so; as it is where none is known."""
    found, said = await in_deals_town(task, question, state, crm=crm, places=places)
    return (found, said) if said else in_usual_communes(task, question, places)


def in_usual_communes(task: Task, question: Question, places: Gazetteer) -> tuple[Task, str]:
    """What a thread has spoken of, what a message names and a name that is not known go before."""
    known = [place for insee in question.usual_communes if (place := places.get(insee)) is not None]
    if not known or not _lacks_place(task):
        return task, ""
    assert task.frame is not None
    about = replace(task.frame, communes=tuple(place.insee for place in known))
    said = (USUAL if len(known) == 1 else USUAL_SEVERAL).format(towns=", ".join(place.label for place in known))
    return replace(task, frame=about, inherited=True), said


def _lacks_place(task: Task) -> bool:
    frame = task.frame
    asked = frame is not None and frame.kind in PLACE_INTENTS and not frame.communes and not frame.candidates
    return asked and not task.reading.unknown_place


async def in_deals_town(
    task: Task, question: Question, state: ThreadState, *, crm: CrmReader | None, places: Gazetteer
) -> tuple[Task, str]:
    """The task about the commune that the deal's name holds, where the message names none, and the sentence that says
    so; as it is where there is no deal, no town in its name, or several."""
    frame, deal_id = task.frame, task.reading.deal_id or question.deal_id or state.deal_id
    if frame is None or not _lacks_place(task) or crm is None or not deal_id:
        return task, ""
    try:
        deal = await crm.deal(deal_id)
    except CrmUnavailable:
        return task, ""
    named = places.find_expected(deal.name) if deal else ()
    if len(named) != 1 or named[0].ambiguous:
        return task, ""
    (town, *_) = named[0].places
    about = replace(task, frame=replace(frame, communes=(town.insee,)), inherited=True)
    return about, SAID.format(town=town.label)
