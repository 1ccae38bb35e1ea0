"""What a message asks of the last answer itself: the same in short, where it stands, whether that is sure.

Without a model nothing is written anew: the sentences that stood are told again, with their sources.
"""

import re
from collections.abc import Sequence
from typing import Final

from corpus.sentences import sentences
from pipeline.schemes import said_in
from pipeline.text.cleaning import harmless
from pipeline.text.sentences import MARKER
from pipeline.types import Question, Route, Turn
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat, own_words

MOST_WORDS: Final = 24
"""Of a message that asks nothing but that."""
TOLD_AGAIN: Final = 2
LISTED: Final = 5
IN_SHORT: Final = "En bref, de ma dernière réponse :"
OF_THREAD: Final = "Ce que j'ai répondu dans ce fil, en bref :"
CHECKED: Final = "Voici ce que disent mes sources, mot pour mot :"
CORRECT_ME: Final = "Si vous avez un autre chiffre, donnez-moi le texte ou la page d'où il vient, et je le confronte."
LAWS: Final = re.compile(r"\b(?:articles?|loi|lois|décret|arrêté|ordonnance|BOFiP|BOI-)\b", re.IGNORECASE)
_HEADING: Final = re.compile(r"^#+ .*$", re.MULTILINE)
_BULLET: Final = re.compile(r"^- ", re.MULTILINE)
_NUMBERS: Final = re.compile(r"\s*\[\d+\]")
_QUESTION: Final = re.compile(r"^\*\*[^*\n]+\*\* ", re.MULTILINE)
_DATED: Final = re.compile(r"^Textes relus le ")
_CASE: Final = re.compile(r"^Exemple\b")


def asked_of_answer(question: Question) -> Route | None:
    """The route of a message that asks something of the last answer; None of any other, and where there is none."""
    told, asked = _last(question.history), said_in(flat(question.text))
    about_it = told is not None and set(asked) <= set(said_in(flat(told.text)))
    return Route("none", "recall", question.text) if about_it and _kind(question.text) else None


def told_again(question: Question) -> str | None:
    """What is said to such a message, in French."""
    kind, told = _kind(question.text), _last(question.history)
    if kind is None or told is None:
        return None
    said = [one for one in sentences(_plain(told.text)) if MARKER.search(one) and not _DATED.match(one)]
    if not said:
        return None
    if kind == "where":
        laws = [one for one in said if LAWS.search(one)]
        return "\n".join([*laws[:TOLD_AGAIN], "", "Sources de ma dernière réponse :", sources_of(told)]).strip()
    if cue("answered.several").search(flat(question.text)) and len(lines := openings(question.history)) > 1:
        return "\n".join([OF_THREAD, *lines])
    short = [one for one in said if not _CASE.match(one)] or said
    if kind == "listed":
        return "\n".join(
            [IN_SHORT, *(f"- {one}" for one in short[:LISTED]), "", "Sources :", _cited(told, short[:LISTED])]
        )
    lead, after = (CHECKED, ["", CORRECT_ME]) if kind == "sure" else (IN_SHORT, [])
    kept = short[:TOLD_AGAIN]
    return "\n".join([lead, " ".join(kept), *after, "", "Sources :", _cited(told, kept)])


def openings(history: Sequence[Turn]) -> list[str]:
    """On what the last answers that had sources opened, a line each with the source, the oldest first."""
    lines = []
    for turn in history:
        said = [one for one in sentences(_plain(turn.text)) if MARKER.search(one)] if turn.author == "assistant" else []
        if said and turn.sources:
            numbers = re.findall(r"\[(\d+)\]", said[0])
            source = next((text for number, text in turn.sources if str(number) in numbers), turn.sources[0][1])
            lines.append(f"- {_NUMBERS.sub('', said[0])} ({_linked(source)})")
    return list(dict.fromkeys(lines))


def sources_of(told: Turn) -> str:
    """A line for each source that an answer cited, with its address."""
    return "\n".join(dict.fromkeys(f"- {_linked(source)}" for _, source in told.sources))


def _cited(told: Turn, said: Sequence[str]) -> str:
    numbers = {number for one in said for number in re.findall(r"\[(\d+)\]", one)}
    return "\n".join(f"[{number}] {_linked(source)}" for number, source in told.sources if str(number) in numbers)


def _linked(source: str) -> str:
    title, _, url = source.rpartition(" - ")
    safe = url.startswith("https://") and not re.search(r"[()\s]", url)
    return f"[{harmless(title)}]({url})" if title and safe else harmless(source)


def _kind(message: str) -> str | None:
    """`where`, `sure`, `listed` or `short`: by the first of these that the words say."""
    low = flat(own_words(message).text)
    return cues.first("on_answer", low) if len(low.split()) <= MOST_WORDS else None


def _last(history: Sequence[Turn]) -> Turn | None:
    """The last answer that had sources; none where nothing but talk came after a refusal."""
    return next((turn for turn in reversed(history) if turn.author == "assistant" and turn.sources), None)


def _plain(text: str) -> str:
    return _QUESTION.sub("", _BULLET.sub("", _HEADING.sub("", text)))
