"""The town of the deal that a thread is about: « les prix dans son quartier »."""

from dataclasses import replace

from corpus.places import Gazetteer
from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader
from pipeline.reading import PLACE_INTENTS
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding.thread.dialogue import Task

SAID = "Commune prise dans le nom du dossier : {town}."


async def in_deals_town(
    task: Task, question: Question, state: ThreadState, *, crm: CrmReader | None, places: Gazetteer
) -> tuple[Task, str]:
    """The task about the commune that the deal's name holds, where the message names none, and the sentence that says
    so; as it is where there is no deal, no town in its name, or several."""
    frame, deal_id = task.frame, task.reading.deal_id or question.deal_id or state.deal_id
    if frame is None or frame.kind not in PLACE_INTENTS or frame.communes or frame.candidates:
        return task, ""
    if crm is None or not deal_id or task.reading.unknown_place:
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
