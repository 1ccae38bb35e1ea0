"""What a message asks of the last answer itself: the same in short, where it stands, whether that is sure.

Without a model nothing is written anew: the sentences that stood are told again, with their sources.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from corpus.sentences import sentences
from pipeline.schemes import said_in
from pipeline.text.cleaning import harmless
from pipeline.text.sentences import MARKER
from pipeline.types import Citation, Question, Route, Turn
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat, own_words

MOST_WORDS: Final = 24
"""Of a message that asks nothing but that."""
TOLD_AGAIN: Final = 2
LISTED: Final = 5
IN_SHORT: Final = "En bref, de ma dernière réponse :"
OF_THREAD: Final = "Ce que j'ai répondu dans ce fil, en bref :"
WHERE: Final = "Ma dernière réponse s'appuyait sur :"
RETOLD: Final = "passage"
"""Kind of what is cited again."""
CHECKED: Final = "Voici ce que disent mes sources, mot pour mot :"
CORRECT_ME: Final = "Si vous avez un autre chiffre, donnez-moi le texte ou la page d'où il vient, et je le confronte."
LAWS: Final = re.compile(r"\b(?:articles?|loi|lois|décret|arrêté|ordonnance|BOFiP|BOI-)\b", re.IGNORECASE)
_HEADING: Final = re.compile(r"^#+ .*$", re.MULTILINE)
_BULLET: Final = re.compile(r"^- ", re.MULTILINE)
_CITED: Final = re.compile(r"\[(\d+)\]")
_NUMBERS: Final = re.compile(r"\s*\[\d+\]")
_QUESTION: Final = re.compile(r"^\*\*[^*\n]+\*\* ", re.MULTILINE)
_DATED: Final = re.compile(r"^Textes relus le ")
_CASE: Final = re.compile(r"^Exemple\b")


@dataclass(frozen=True, slots=True)
class Retold:
    """French text with the `[n]` markers of its citations."""

    text: str
    citations: tuple[Citation, ...]


def asked_of_answer(question: Question) -> Route | None:
    """The route of a message that asks something of the last answer; None of any other, and where there is none. For
    where no model reads and writes: one would write it anew."""
    told, asked = _last(question.history), said_in(flat(question.text))
    about_it = told is not None and set(asked) <= set(said_in(flat(told.text)))
    return Route("none", "recall", question.text) if about_it and _kind(question.text) else None


def told_again(question: Question) -> Retold | None:
    """What is said to such a message, in French."""
    kind, told = _kind(question.text), _last(question.history)
    said = _sourced(told) if told is not None else []
    if kind is None or told is None or not said:
        return None
    if kind == "where":
        laws = [one for one in said if LAWS.search(one)]
        lines = [*laws[:TOLD_AGAIN], "", WHERE, *(f"- {_title(source)} [{number}]" for number, source in told.sources)]
        return Retold("\n".join(lines).strip(), _citations(told.sources))
    if cue("answered.several").search(flat(question.text)) and len(opened := openings(question.history)) > 1:
        numbered = [f"- {one.rstrip(' .')} [{number}]." for number, (one, _) in enumerate(opened, start=1)]
        sources = [(number, source) for number, (_, source) in enumerate(opened, start=1)]
        return Retold("\n".join([OF_THREAD, *numbered]), _citations(sources))
    short = [one for one in said if not _CASE.match(one)] or said
    if kind == "listed":
        kept = short[:LISTED]
        lines = [IN_SHORT, *(f"- {one}" for one in kept)]
    else:
        kept = short[:TOLD_AGAIN]
        lines = [CHECKED, " ".join(kept), "", CORRECT_ME] if kind == "sure" else [IN_SHORT, " ".join(kept)]
    numbers = {int(number) for one in kept for number in _CITED.findall(one)}
    return Retold("\n".join(lines), _citations([each for each in told.sources if each[0] in numbers]))


def openings(history: Sequence[Turn]) -> list[tuple[str, str]]:
    """(the sentence on which it opened, without its numbers, its source) of the answers that had sources, the oldest
    first."""
    found = []
    for turn in history:
        if turn.author == "assistant" and turn.sources and (said := _sourced(turn)):
            numbers = _CITED.findall(said[0])
            source = next((text for number, text in turn.sources if str(number) in numbers), turn.sources[0][1])
            found.append((_NUMBERS.sub("", said[0]), source))
    return list(dict.fromkeys(found))


def _citations(sources: Sequence[tuple[int, str]]) -> tuple[Citation, ...]:
    """As they were cited; what they quoted stands in the answer that is told again."""
    split = ((number, *_parted(source)) for number, source in sources)
    return tuple(Citation(number, RETOLD, title, url, quote="") for number, title, url in split)


def _title(source: str) -> str:
    return harmless(_parted(source)[0])


def _parted(source: str) -> tuple[str, str]:
    title, _, url = source.rpartition(" - ")
    return (title, url) if title and url.startswith("https://") else (source, "")


def _sourced(turn: Turn) -> list[str]:
    """Its sentences that cite; no row of a table, which says nothing without its header."""
    said = sentences(_plain(turn.text))
    return [one for one in said if MARKER.search(one) and not _DATED.match(one) and not one.startswith("|")]


def _kind(message: str) -> str | None:
    """`where`, `sure`, `listed` or `short`: by the first of these that the words say."""
    low = flat(own_words(message).text)
    return cues.first("on_answer", low) if len(low.split()) <= MOST_WORDS else None


def _last(history: Sequence[Turn]) -> Turn | None:
    """The last answer that had sources; none where nothing but talk came after a refusal."""
    return next((turn for turn in reversed(history) if turn.author == "assistant" and turn.sources), None)


def _plain(text: str) -> str:
    return _QUESTION.sub("", _BULLET.sub("", _HEADING.sub("", text)))
