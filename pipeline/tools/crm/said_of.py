"""What a deal's own texts say of what was asked, where no field is meant: its notes, description, next step and tasks,
by the words that they share with the question."""

import re
from collections.abc import Sequence
from typing import Final

from corpus.ports import Embedder
from corpus.sentences import sentences
from pipeline.crm_types import DealBrief
from pipeline.text.asked_words import topics
from pipeline.text.names import all_words, folded
from pipeline.tools.crm.wording import inside, local_day

_SHORTEST: Final = 3
_SURE: Final = 2
"""Words shared from which a text is taken to answer a question that names no deal."""
_SAME_ROOT: Final = 5
"""Letters that two forms of one word share: « plafond » and « plafonné », « loué » and « louée »."""
_NAMED: Final = re.compile(
    r"\b(?:l[ea]s?|une?|des?|du|ce(?:tte|s|t)?|[mts](?:on|a|es)|[nv]os|[nv]otre|leurs?|quel(?:le)?s?|aucune?|[ld]['’])"
    r" ?(?<=[ '’])(\w+)",
    re.IGNORECASE,
)
"""What an article, a possessive or « quel » stands before."""
_MOST: Final = 2
"""Texts that are told."""
_WORD_OF: Final = {
    "tmi": ("marginale",), "tranche": ("marginale",), "enfant": ("enfants",), "pret": ("pret", "banque"),
    "ag": ("assemblee",), "credit": ("pret", "banque"), "age": ("ages", "ans"), "metre": ("surface",),
    "travaux": ("devis",),
}  # fmt: skip
"""A word of the question -> what notes say instead."""


def asked_of(brief: DealBrief, question: str) -> list[str]:
    """The telling words of the question but for the names of the deal, of its people and of their town."""
    people = (word for c in brief.contacts for word in (c.name, c.city))
    named = {folded(word) for word in all_words(" ".join((brief.deal.name, brief.deal.owner, *people)))}
    return [word for word in map(folded, topics(question)) if word not in named and len(word) >= _SHORTEST]


def things_of(brief: DealBrief, question: str) -> list[str]:
    """Those of them that an article or the like stands before: what is asked for by its name, not how it is asked."""
    after = {folded(word) for word in _NAMED.findall(question)}
    return [word for word in asked_of(brief, question) if word in after]


def says_most(brief: DealBrief, question: str) -> bool:
    """Whether one of the deal's texts holds most of the question's telling words, and two of them at least."""
    asked = asked_of(brief, question)
    most = max((shared_words(asked, text) for _, text in _texts(brief)), default=0)
    return most >= _SURE and most > len(asked) / 2


def said_of(brief: DealBrief, question: str) -> str:
    """The texts that share most words with the question, each under what it is; empty when none shares any."""
    asked = asked_of(brief, question)
    if not asked:
        return ""
    ranked = [(shared_words(asked, text), at) for at, (_, text) in enumerate(_texts(brief))]
    most = max((shared for shared, _ in ranked), default=0)
    if not most:
        return ""
    texts = _texts(brief)
    best = [texts[at] for shared, at in ranked if shared == most][:_MOST]
    return " ; ".join(f"{what} : « {inside(text)} »" for what, text in best)


def shared_with(brief: DealBrief, question: str) -> int:
    """How many telling words of the question the deal's texts, its name or its people's jobs and towns hold."""
    people = [f"{contact.job} {contact.city}" for contact in brief.contacts]
    held = " ".join((brief.deal.name, *people, *(text for _, text in _texts(brief))))
    return shared_words([folded(word) for word in topics(question) if len(word) >= _SHORTEST], held)


async def nearest_to(brief: DealBrief, question: str, embedder: Embedder) -> str:
    """The texts whose meaning comes nearest to the question, each under what it is. Raises `EmbedderUnavailable`."""
    texts = _texts(brief)
    if not texts or not question.strip():
        return ""
    asked = (await embedder.queries([question]))[0]
    near = await embedder.passages([text for _, text in texts]) @ asked
    best = sorted(range(len(texts)), key=lambda at: -float(near[at]))[:_MOST]
    return " ; ".join(f"{texts[at][0]} : « {inside(texts[at][1])} »" for at in best)


def _texts(brief: DealBrief) -> list[tuple[str, str]]:
    """(what it is, its words): notes first, the last one before the others."""
    properties = brief.deal.properties
    found = []
    for note in brief.notes:
        day = local_day(note.at)
        found.append((f"note{f' du {day:%d/%m/%Y}' if day else ''}", note.text))
    found += [("description", sentence) for sentence in sentences(properties.get("description", ""))]
    found += [("prochaine étape", step)] if (step := properties.get("hs_next_step", "")) else []
    return found + [("à faire", task.subject) for task in brief.tasks]


def shared_words(asked: Sequence[str], text: str) -> int:
    """How many of the words a text holds, in any form or as notes say it."""
    words = [folded(word) for word in all_words(text)]
    forms = ((one, *_WORD_OF.get(one, ())) for one in map(folded, asked))
    return sum(any(_alike(form, word) for form in some for word in words) for some in forms)


def _alike(one: str, other: str) -> bool:
    """One word, or two forms of it."""
    if one == other or one == re.sub(r"(?:es|s|x)$", "", other) or re.sub(r"(?:es|s|x)$", "", one) == other:
        return True
    if len(one) > _SHORTEST and other.startswith(one):
        return True  # « toit » and « toiture »
    return len(one) > _SAME_ROOT and len(other) > _SAME_ROOT and one[:_SAME_ROOT] == other[:_SAME_ROOT]
