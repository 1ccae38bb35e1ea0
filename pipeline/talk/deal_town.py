"""The place that is meant where a message names none: the town of the deal that its thread is about (« les prix dans
son quartier »), else what was chosen for its channel."""

from collections.abc import Sequence
from dataclasses import replace

from corpus.places import Gazetteer, Place
from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader
from pipeline.reading import PLACE_INTENTS, Reading
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding.thread.dialogue import Task

FAR_LARGER = 4
"""Times the people of any other commune of the name: who says « Aix » means Aix-en-Provence."""
READ_AS = "Commune lue comme {town} : dites-moi si vous pensiez à une autre."
ASSUMED = "Commune supposée : {town}, de loin la plus peuplée de ce nom. Donnez le département pour une autre."
SAID = "Commune prise dans le nom du dossier : {town}."
USUAL = "Commune par défaut du canal : {towns}."
USUAL_SEVERAL = "Communes par défaut du canal : {towns}."


async def in_known_place(
    task: Task, question: Question, state: ThreadState, *, crm: CrmReader | None, places: Gazetteer
) -> tuple[Task, str]:
    """The task about that place, and the sentence that says so; as it is where none is known."""
    named = task.reading.unknown_place or (task.frame is not None and task.frame.candidates)
    if named and (meant := in_town_meant(task, places))[1]:
        return meant
    found, said = await in_deals_town(task, question, state, crm=crm, places=places)
    found, said = (found, said) if said else in_usual_communes(task, question, places)
    return (found, said) if said else in_town_meant(task, places)


def in_town_meant(task: Task, places: Gazetteer) -> tuple[Task, str]:
    """The task about the only town that a misspelt name looks like, or about the one of a name that is far larger than
    the others; as it is where several may be meant."""
    frame, reading = task.frame, task.reading
    if frame is None or frame.kind not in PLACE_INTENTS or frame.communes:
        return task, ""
    if frame.candidates:
        town, told = _far_larger([place for code in frame.candidates if (place := places.get(code))]), ASSUMED
    else:
        town, told = _alike(reading, places), READ_AS
    if town is None:
        return task, ""
    about = replace(frame, communes=(town.insee,), candidates=())
    return replace(task, reading=replace(reading, unknown_place=""), frame=about), told.format(town=town.label)


def _far_larger(known: Sequence[Place]) -> Place | None:
    """The one that everybody means."""
    largest = sorted(known, key=lambda place: -place.population)
    alone = all(largest[0].population >= FAR_LARGER * place.population for place in largest[1:])
    return largest[0] if largest and alone else None


def _alike(reading: Reading, places: Gazetteer) -> Place | None:
    """The town that a name which is no commune's is meant for, where it is one alone."""
    if reading.unknown_place and (town := places.misspelt(reading.unknown_place)):
        return town
    _, towns = places.alike(reading.text)
    return towns[0] if len(towns) == 1 else None


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
