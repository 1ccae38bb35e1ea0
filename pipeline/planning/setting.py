"""What a plan depends on besides the message: the thread, who may ask what, the day."""

from dataclasses import dataclass
from datetime import date

from corpus.places import Gazetteer
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding.dates import day_of


@dataclass(frozen=True, slots=True)
class Setting:
    """`crm_available`: whether this person, here, may ask the CRM; `recognised`: the message is a question that our
    articles answer, beyond doubt."""

    question: Question
    state: ThreadState
    places: Gazetteer
    crm_available: bool = True
    recognised: bool = False

    @property
    def today(self) -> date:
        return day_of(self.question.asked_at)
