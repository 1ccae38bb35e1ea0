"""From a question to its route: deterministic French rules, which a language model may refine but never extend."""

import re
from dataclasses import replace

from corpus.places import Gazetteer
from pipeline.routing import sentences
from pipeline.routing.asks import UNSUPPORTED, Asked, find_deal, read_asks
from pipeline.routing.calculating import calculation_of, is_asked, with_calculation
from pipeline.routing.due import PARIS
from pipeline.routing.follow_ups import DEEPEN, Subject, Topic, last_topic, resolve
from pipeline.routing.lexicon import FIELD, OFF_FIELD
from pipeline.routing.plan import as_route, planned
from pipeline.routing.reading import Reading, read, respelt
from pipeline.routing.refining import refine
from pipeline.routing.searching import asks_for_data
from pipeline.routing.talk_cues import is_recall, is_small_talk, without_greeting
from pipeline.routing.words import OwnWords, flat, own_words, says_something
from pipeline.types import Intent, Mode, Question, Route, ToolCall

__all__ = ["refine", "route"]


def route(question: Question, *, places: Gazetteer, crm_available: bool = True) -> Route:
    """How a question will be answered. Deterministic, never raises for any text.

    Only the user's own words count: quoted, forwarded and code text neither asks for a write nor names a deal.
    """
    if len(question.text) > sentences.LONGEST:
        refusal = sentences.TOO_LONG
        return Route("none", "clarify", question.text[:200], refusal=refusal, reasons=("message trop long",))
    mine = own_words(question.text)
    if not says_something(mine.text):
        return _nothing_said(question, mine)
    asked = read_asks(mine.text, asked_at=question.asked_at)
    asked = replace(asked, deal_id=asked.deal_id or _deal_said_before(question, asked))
    if asked.actions and not says_something(asked.rest):
        return _with_asked(Route("none", "crm_write", mine.text, reasons=("demande d'écriture dans le CRM",)), asked)
    if not asked.actions and UNSUPPORTED.search(flat(mine.text)):
        return Route("none", "clarify", mine.text, clarification=sentences.CANNOT_DO, reasons=("action non proposée",))
    said = asked.rest if asked.actions else mine.text
    text = said if is_small_talk(said) else without_greeting(said)
    if is_recall(text) or is_small_talk(text):
        recall = is_recall(text)
        intent: Intent = "crm_write" if asked.actions else "recall" if recall else "smalltalk"
        why = "question sur cet échange" if recall else "politesse ou question sur l'assistant"
        return _with_asked(Route("none", intent, text, reasons=(why,)), asked)
    return _with_asked(_about(text, question, asked, places=places, crm_available=crm_available), asked)


def _nothing_said(question: Question, mine: OwnWords) -> Route:
    said = sentences.EMPTY
    if mine.only_code:
        said = sentences.ONLY_CODE
    elif mine.only_quote:
        said = sentences.ONLY_QUOTE
    elif question.text.strip():
        said = sentences.ONLY_EMOJI
    return Route("none", "clarify", mine.text[:200], clarification=said, reasons=("aucune question lisible",))


def _with_asked(found: Route, asked: Asked) -> Route:
    reasons = found.reasons
    if asked.actions and found.intent != "crm_write":
        reasons = (*reasons, "demande d'écriture dans le CRM")
    return replace(found, actions=asked.actions, deal_id=asked.deal_id, deal_name=asked.deal_name, reasons=reasons)


def _deal_said_before(question: Question, asked: Asked) -> str | None:
    """The last deal number that a user named in this thread, when nothing nearer says one."""
    if asked.deal_name or question.deal_id or not (asked.actions or asked.reads_crm):
        return None
    said = (find_deal(own_words(turn.text).text)[0] for turn in reversed(question.history) if turn.author == "user")
    return next((deal for deal in said if deal), None)


def _about(text: str, question: Question, asked: Asked, *, places: Gazetteer, crm_available: bool) -> Route:
    """The route of a real question: its subject, its thread, then its plan."""
    today = question.asked_at.astimezone(PARIS).date() if question.asked_at.tzinfo else question.asked_at.date()
    text = re.sub(r"\s*--deal[ =]+#?\d+", "", text).strip()
    topic = last_topic(question.history, places=places, today=today)
    own = read(text, places=places, today=today, hints=topic.communes if topic else ())
    deal = asked.deal_id or (question.deal_id if asked.reads_crm and not asked.deal_name else None)
    if asked.reads_crm and (deal or asked.deal_name):
        subject = resolve(own, topic, places=places, today=today)
        call = ToolCall("crm", {"deal_id": deal} if deal else {"deal_name": asked.deal_name or ""})
        return _crm_reading(subject, call, places=places, crm_available=crm_available)
    subject = resolve(own, topic, places=places, today=today)
    reading = calculation_of(text, question.history, deepen=subject.deepen)
    if reading is not None and is_asked(reading, subject):
        return with_calculation(as_route(subject, planned(subject, places=places)), reading, subject)
    if not subject.inherited and (off := _off_field(own, topic)):
        return off
    return as_route(subject, planned(subject, places=places))


def _off_field(own: Reading, topic: Topic | None) -> Route | None:
    """The refusal of a question outside the field, or a question back when it says next to nothing; else None."""
    lone_place = bool(own.mentions) and len(re.findall(r"\w+", own.low)) <= 7
    if OFF_FIELD.search(respelt(own.low)) and not own.schemes and not own.asks_prices:
        why = ("sujet étranger à l'immobilier patrimonial",)
        return Route("none", "out_of_field", own.text, refusal=sentences.OUT_OF_FIELD, reasons=why)
    if own.schemes or own.said_aspects or FIELD.search(respelt(own.low)) or lone_place or asks_for_data(own.text):
        return None
    if DEEPEN.search(own.low):
        back = sentences.WHAT_TO_DEEPEN if topic is None else sentences.WHAT_QUESTION
        return Route("none", "clarify", own.text, clarification=back, reasons=("suite sans sujet",))
    if len(re.findall(r"\w+", own.low)) <= 2:
        reasons = ("message trop court pour être compris",)
        return Route("none", "clarify", own.text, clarification=sentences.WHAT_QUESTION, reasons=reasons)
    why = ("aucun terme du domaine",)
    return Route("none", "out_of_field", own.text, refusal=sentences.OUT_OF_FIELD, reasons=why)


def _crm_reading(subject: Subject, call: ToolCall, *, places: Gazetteer, crm_available: bool) -> Route:
    """A reading of one deal, alone or beside a question of rules or prices."""
    own, text = subject.own, subject.own.text
    if not crm_available:
        return Route("none", "clarify", text, clarification=sentences.NO_CRM, reasons=("CRM non connecté",))
    if not own.schemes and not own.said_aspects and not own.communes:
        return Route("tools", "ask", text, (text,), tool_calls=(call,), reasons=("lecture du CRM",))
    found = as_route(subject, planned(subject, places=places))
    if found.clarification:
        return Route("tools", "ask", text, (text,), tool_calls=(call,), reasons=("lecture du CRM",))
    mode: Mode = "tools" if found.mode == "tools" else "rag+tools"
    return replace(found, mode=mode, tool_calls=(call, *found.tool_calls), reasons=(*found.reasons, "lecture du CRM"))
