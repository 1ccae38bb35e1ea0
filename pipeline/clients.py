"""Whom of the CRM a message names."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import log
from typing import Final

from corpus.questions.bank import QuestionBank
from pipeline.crm_types import Directory, KnownDeal, Mentioned
from pipeline.errors import CrmUnavailable
from pipeline.planning.crm import full_name
from pipeline.ports import CrmReader, Deps
from pipeline.proposal_targets import is_somebody
from pipeline.text.asked_words import IDLE, topics
from pipeline.text.names import all_words, folded
from pipeline.thread_state import ThreadState, from_json
from pipeline.types import Question
from pipeline.understanding.cues import cue
from pipeline.understanding.offline.clients import WORD
from pipeline.understanding.own_words import flat, own_words

_CAPITAL: Final = re.compile(r"^\W*\w[\w'’-]+|\b[A-ZÀ-Ý][\w'’-]+")
_MOST_NAMES, _SHORTEST = 4, 2
"""Words that are looked for among the contacts, and letters that are too few for a name."""
MOST_HOLDING: Final = 0.25
"""Share of the deals from which a word tells none of them."""
NEARLY: Final = 0.7
"""Of the best deal's score, from which a second one may be meant as well."""
ALIKE: Final = 0.64
"""Of the longer of two words, what both begin with."""
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
    capitals = {folded(word) for word in WORD.findall(text) if word[0].isupper()}
    colleagues = (known.colleagues & capitals) - meant
    clients = {word: known.surnames[word] for word in meant}
    if meant:
        return replace(question, mentioned=Mentioned(clients, colleagues))
    state = from_json(question.memory)
    told = bool(state.deal_id)
    pointed = None if colleagues else of_the_client(text, known, state)
    pointed = pointed or pointed_at(text, known, ordinary, named=told)
    if told and not pointed.surely:
        pointed = Mentioned()  # the thread's own deal is meant
    return replace(question, mentioned=replace(pointed, colleagues=colleagues))


def pointed_at(text: str, known: Directory, ordinary: frozenset[str], *, named: bool = False) -> Mentioned:
    """The one deal that a message describes without its name (« le restaurateur toulousain », « l'immeuble de la
    Guillotière »): by two of its words, or by one that is of no other deal; surely where one is no word of our
    articles. Rare words weigh more; a second deal that fits nearly as well leaves it open, unless it is of the same
    people, or fits by some of the same words alone. `named`: by its name and its people alone, surely by any two."""
    holding = {word: _holding(word, _by_form(known, described=not named)) for word in _telling(text, known)}
    scores: dict[str, float] = {}
    for ids in holding.values():
        for deal in ids if 0 < len(ids) <= MOST_HOLDING * len(known.deals) else ():
            scores[deal] = scores.get(deal, 0.0) + log(len(known.deals) / len(ids))
    if not scores:
        return Mentioned()
    people = {deal.id: deal.people for deal in known.deals}
    best, *others = sorted((deal for deal in people if deal in scores), key=lambda deal: -scores[deal])
    matched = frozenset(word for word, ids in holding.items() if best in ids)
    others = [deal for deal in others if not people[deal] & people[best] and scores[deal] > NEARLY * scores[best]]
    rivals = [deal for deal in others if not {word for word, ids in holding.items() if deal in ids} < matched]
    alone = any(len(holding[word]) == 1 for word in matched)
    if rivals or not (alone or len(matched) > 1):
        return Mentioned()
    rare = not matched <= ordinary
    return Mentioned(deal_id=best, words=matched, surely=rare or (named and len(matched) > 1))


def of_the_client(text: str, known: Directory, state: ThreadState) -> Mentioned | None:
    """Another deal of the people whom the thread's deal is of: by a word that only that one has (« son terrain, on l'a
    classé pourquoi ? »), or the only other one where another is asked for. None of any other message."""
    now = next((deal for deal in known.deals if deal.id == state.deal_id), None)
    theirs = [deal for deal in known.deals if now is not None and deal.people & now.people]
    if len(theirs) < 2 or cue("part.of_client").search(flat(text)) is None:
        return None
    of_one = {deal.id: [w for w in _telling(text, known) if _only_of(w, deal, theirs)] for deal in theirs}
    fitting = [deal for deal in theirs if of_one[deal.id]]
    others = [deal for deal in theirs if deal is not now]
    if not fitting and len(others) == 1 and cue("bounds.another").search(flat(text)):
        fitting = others
    if len(fitting) != 1 or fitting[0] is now:
        return None
    return Mentioned(deal_id=fitting[0].id, words=frozenset(of_one[fitting[0].id]), surely=True)


def _telling(text: str, known: Directory) -> set[str]:
    return {folded(word) for word in topics(text) if len(word) > _SHORTEST} - known.colleagues


def _only_of(word: str, deal: KnownDeal, theirs: Sequence[KnownDeal]) -> bool:
    forms = set(_forms(word, said=True))
    return [one for one in theirs if any(forms & set(_forms(own)) for own in one.words | one.described)] == [deal]


@lru_cache(maxsize=8)
def _by_form(known: Directory, *, described: bool) -> Mapping[str, frozenset[tuple[str, str]]]:
    """A form of a word -> the words of this form, each with a deal that holds it."""
    found: dict[str, set[tuple[str, str]]] = {}
    for deal in known.deals:
        for own in deal.words | deal.described if described else deal.words:
            for form in _forms(own):
                found.setdefault(form, set()).add((own, deal.id))
    return {form: frozenset(held) for form, held in found.items()}


def _holding(word: str, by_form: Mapping[str, frozenset[tuple[str, str]]]) -> frozenset[str]:
    held = (pair for form in _forms(word, said=True) for pair in by_form.get(form, ()))
    return frozenset(deal for own, deal in held if _alike(word, own))


def _alike(word: str, own: str) -> bool:
    """Most of both is the same: « passons » is no « passoire »."""
    pairs = zip(word, own, strict=False)
    shared = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(word), len(own)))
    return shared >= ALIKE * max(len(word), len(own)) or len(own) == _ROOT


def _forms(word: str, *, said: bool = False) -> Iterator[str]:
    """What two words share that are one: the word without its plural, the root of long ones, and of a town of five
    letters what its people are called by (« lilloise »)."""
    yield word.rstrip("sx")
    if len(word) > _ROOT:
        yield f"{word[:_ROOT]}-"
    if (said and _ROOT < len(word) <= _ROOT + _ENDING) or (not said and len(word) == _ROOT):
        yield f"{word[: _ROOT - 1]}…"


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
