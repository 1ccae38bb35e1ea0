"""A question of rules that is asked in the middle of a client's case is answered as that question, and one that is
asked beside a sum after it."""

import asyncio
import re
from dataclasses import replace
from typing import Final

from pipeline.planning.asking_back import unreadable
from pipeline.ports import Deps
from pipeline.reading import CALCULATIONS, PLACE_INTENTS, WRITES, Reading
from pipeline.text.masking import without_identifiers
from pipeline.thread_state import Slots, from_json
from pipeline.types import Question
from pipeline.understanding.offline.cases import computable, ordered
from pipeline.understanding.offline.rule_beside import rule_beside
from pipeline.understanding.own_words import flat, own_words
from pipeline.understanding.situations import alone, asked_of, asks, situation_of
from pipeline.understanding.thread.slots import told

ADDS: Final = re.compile(r"(?:et|puis|sinon|aussi)\b")
"""How a question begins that is asked beside another thing."""
SURE: Final = 0.4
"""Confidence from which a question is read as the CRM's."""


async def as_asked(question: Question, *, deps: Deps) -> tuple[Question, Slots]:
    """The question of a message that tells a case, where it asks for a rule, and the figures that the case tells, for a
    sum that may be asked later; the message as it is and no figures where it computes with the case, asks of a place,
    of the CRM, where a model reads it, and where it tells none."""
    own = own_words(question.text).text
    case = situation_of(without_identifiers(own))
    if case is None or deps.model_reader is not None or unreadable(question) is not None:
        return question, {}
    state = from_json(question.memory)
    texts = (own, case.asked)
    whole, asked = await asyncio.gather(*(deps.reader.read(replace(question, text=text), state) for text in texts))
    if not _asks_a_rule(whole, asked):
        return question, {}
    return replace(question, text=case.asked, case=(case.question, *case.before)), told(whole)


async def with_rule(question: Question, *, deps: Deps) -> tuple[str, ...]:
    """A message that asks for a sum and for a rule beside it: all of it, for its sum, or what is left of it where the
    rule hides that; then what asks for the rule. None of any other, where a model reads it, and where it names
    its deal for a note of the whole answer."""
    own = own_words(question.text).text
    if "--deal" in own or deps.model_reader is not None or unreadable(question) is not None:
        return ()
    rule, rest = rule_beside(own, asked_of(own) or own)
    if not rule or not (asks(rest) or ADDS.match(flat(rule))):
        return ()
    state = from_json(question.memory)
    for text in (own, rest):
        whole = await deps.reader.read(replace(question, text=text), state)
        if whole.main in CALCULATIONS and not ordered(whole) and (text == own or computable(whole)):
            return text, alone(rule, own)
    return ()


def _asks_a_rule(whole: Reading, asked: Reading) -> bool:
    """`whole` says whether it computes."""
    if ordered(whole) or whole.deal_id or asked.has(*WRITES, "unsafe") or whole.main in CALCULATIONS:
        return False
    if asked.main == "crm_read" and (asked.confidence >= SURE or asked.deal_names):
        return False
    return not (asked.main in PLACE_INTENTS and whole.has(asked.main))
