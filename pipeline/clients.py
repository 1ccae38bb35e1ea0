"""Whom of the CRM a message names."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from corpus.questions.bank import QuestionBank
from pipeline.errors import CrmUnavailable
from pipeline.planning.crm import full_name
from pipeline.ports import CrmReader, Deps
from pipeline.proposal_targets import is_somebody
from pipeline.text.asked_words import IDLE
from pipeline.text.names import all_words, folded
from pipeline.types import Question
from pipeline.understanding.offline.clients import WORD
from pipeline.understanding.own_words import own_words

_CAPITAL: Final = re.compile(r"^\W*\w[\w'’-]+|\b[A-ZÀ-Ý][\w'’-]+")
_MOST_NAMES, _SHORTEST = 4, 2
"""Words that are looked for among the contacts, and letters that are too few for a name."""
_ENDS: Final = re.compile(r" ?(?:[,.:;?!]|$)")


async def with_clients(question: Question, *, deps: Deps) -> Question:
    """The question with those clients of the CRM whose surname it holds. A word that our articles use too (« petit »,
    « fontaine ») is a surname where it has its capital, and does not begin the message unless a comma or the like
    follows."""
    if deps.crm is None or question.clients:
        return question
    try:
        known = await deps.crm.clients()
    except CrmUnavailable:
        return question
    text = own_words(question.text).text
    said = [word for word in WORD.finditer(text) if folded(word[0]) in known]
    if not said:
        return question
    ordinary = _ordinary(deps.bank) if deps.bank is not None else IDLE
    meant = {folded(word[0]) for word in said if _is_name(word, text, ordinary)}
    return replace(question, clients={word: known[word] for word in meant})


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
