"""Whom of the CRM a message names."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from math import log
from typing import Final

from corpus.questions.bank import QuestionBank
from pipeline.crm_types import Directory, Mentioned
from pipeline.errors import CrmUnavailable
from pipeline.planning.crm import full_name
from pipeline.ports import CrmReader, Deps
from pipeline.proposal_targets import is_somebody
from pipeline.text.asked_words import IDLE, topics
from pipeline.text.names import all_words, folded
from pipeline.types import Question
from pipeline.understanding.offline.clients import WORD
from pipeline.understanding.own_words import own_words

_CAPITAL: Final = re.compile(r"^\W*\w[\w'’-]+|\b[A-ZÀ-Ý][\w'’-]+")
_MOST_NAMES, _SHORTEST = 4, 2
"""Words that are looked for among the contacts, and letters that are too few for a name."""
MOST_HOLDING: Final = 0.25
"""Share of the deals from which a word tells none of them."""
NEARLY: Final = 0.7
"""Of the best deal's score, from which a second one may be meant as well."""
_ROOT, _ENDING = 5, 4
_ENDS: Final = re.compile(r" ?(?:[,.:;?!]|$)")


async def with_names(question: Question, *, deps: Deps) -> Question:
    """The question with whom and what of the CRM it names. A word that our articles use too (« petit », « fontaine »)
    is a surname where it has its capital, and does not begin the message unless a comma or the like follows."""
    if deps.crm is None or question.mentioned.clients:
        return question
    try:
        known = await deps.crm.directory()
    except CrmUnavailable:
        return question
    text = own_words(question.text).text
    ordinary = _ordinary(deps.bank) if deps.bank is not None else IDLE
    said = [word for word in WORD.finditer(text) if folded(word[0]) in known.surnames]
    meant = {folded(word[0]) for word in said if _is_name(word, text, ordinary)}
    told = {folded(word) for word in WORD.findall(text) if word[0].isupper()}
    deal, words = (None, frozenset[str]()) if meant else pointed_at(text, known, ordinary)
    colleagues = (known.colleagues & told) - meant
    clients = {word: known.surnames[word] for word in meant}
    return replace(question, mentioned=Mentioned(clients, colleagues, deal, words))


def pointed_at(text: str, known: Directory, ordinary: frozenset[str]) -> tuple[str | None, frozenset[str]]:
    """The one deal that a message describes without its name (« le restaurateur toulousain », « l'immeuble de la
    Guillotière »), and its words that do: two of them, or one that is no word of our articles and of no other deal.
    Rare words weigh more; a second deal that fits nearly as well leaves it open."""
    words = {folded(word) for word in topics(text) if len(word) > _SHORTEST} - known.colleagues
    holding = {
        word: [deal.id for deal in known.deals if any(_alike(word, own) for own in deal.words)] for word in words
    }
    scores: dict[str, float] = {}
    for ids in holding.values():
        for deal in ids if len(ids) <= MOST_HOLDING * len(known.deals) else ():
            scores[deal] = scores.get(deal, 0.0) + log(len(known.deals) / len(ids))
    if not scores:
        return None, frozenset()
    best, *others = sorted(scores, key=lambda deal: -scores[deal])
    matched = frozenset(word for word, ids in holding.items() if best in ids)
    alone = any(len(holding[word]) == 1 and word not in ordinary for word in matched)
    clear = not others or scores[others[0]] <= NEARLY * scores[best]
    return (best, matched) if clear and (alone or len(matched) > 1) else (None, frozenset())


def _alike(said: str, own: str) -> bool:
    """One word, its plural, a form of the same root, or of a town: « toulousain », « lilloise »."""
    if said == own or said.rstrip("sx") == own.rstrip("sx"):
        return True
    if min(len(said), len(own)) > _ROOT and said[:_ROOT] == own[:_ROOT]:
        return True
    return len(own) == _ROOT and said.startswith(own[:-1]) and 0 < len(said) - len(own) <= _ENDING


def _is_name(word: re.Match[str], text: str, ordinary: frozenset[str]) -> bool:
    if folded(word[0]) not in ordinary:
        return True
    begins = not text[: word.start()].strip(" \t\n«\"'")
    return word[0][0].isupper() and (not begins or _ENDS.match(text, word.end()) is not None)


@lru_cache(maxsize=2)
def _ordinary(bank: QuestionBank) -> frozenset[str]:
    """The words of our articles and of asking, without accents."""
    texts: Iterable[str] = (text for entry in bank.entries for text in (*entry.ways[:1], entry.passage.text))
    return IDLE | {folded(word) for text in texts for word in all_words(text)}


async def client_of(text: str, crm: CrmReader | None) -> str:
    """The client whom the message names anywhere: a word with its capital, or that begins it, which a contact of the
    CRM bears; "" where there is none, and where the CRM is not to be read."""
    if crm is None:
        return ""
    words = [word for word in _CAPITAL.findall(text) if len(word) > _SHORTEST and folded(word) not in IDLE]
    for word in words[:_MOST_NAMES]:
        try:
            if await is_somebody(word.lower(), crm):
                return full_name(word, text)
        except CrmUnavailable:
            return ""
    return ""
