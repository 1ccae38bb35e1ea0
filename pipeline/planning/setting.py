"""What a plan depends on besides the message: the thread, who may ask what, the day."""

from dataclasses import dataclass
from datetime import date

from corpus.places import Gazetteer
from pipeline.thread_state import ThreadState
from pipeline.types import Question
from pipeline.understanding.dates import PARIS


@dataclass(frozen=True, slots=True)
class Setting:
    """`crm_available`: whether this person, here, may ask the CRM."""

    question: Question
    state: ThreadState
    places: Gazetteer
    crm_available: bool = True

    @property
    def today(self) -> date:
        asked_at = self.question.asked_at
        return asked_at.astimezone(PARIS).date() if asked_at.tzinfo else asked_at.date()
