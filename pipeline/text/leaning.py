"""What a message leans on: in a thread the questions before it, what the answers cited and on what they opened; where
it tells a case, the sentences of that."""

from collections.abc import Awaitable, Callable, Collection
from typing import Final

from corpus.ports import Vector
from corpus.questions.bank import Learned, Match, QuestionBank
from corpus.questions.in_thread import Behind, InThread
from corpus.sentences import sentences
from pipeline.text.masking import without_identifiers
from pipeline.thread_state import from_json
from pipeline.types import Question

Embed = Callable[[str], Awaitable[Vector | None]]
NOTHING: Final = 4.6
"""Score of the best entry under which none answers a message of a thread: six in a hundred of those that an entry
answers and two in three of the others are under it (`python -m bench leaning`, authors of whom nothing was learned)."""
ANSWERS: Final = 8.0
"""Score from which an entry answers a message of a thread, whatever one line of both questions finds."""
LIKELY: Final = 5.0
"""The same where the message does not ask for what nothing of ours holds: of 263 later messages of readable sets, seven
of nineteen refused wrongly are above it, and of eight that nothing answers none."""


async def learned_of(text: str, question: Question, bank: QuestionBank) -> Learned | None:
    """How a text of the question stands to every entry by what was learned: what was asked of a case, behind what of
    the case it leans on."""
    asked, *before = question.case or ("",)
    return await (bank.asked(asked, tuple(before)) if asked and asked in text else bank.asked(text))


async def nearest_in_thread(
    question: Question, bank: QuestionBank, embed: Embed, *, limit: int, among: Collection[str] | None = None
) -> list[Match]:
    """The best entries for a message with all that it leans on, best first; none at the head of a thread."""
    thread, text = from_json(question.memory), without_identifiers(question.text)
    if not thread.said or not text.strip():
        return []
    first = thread.told[-1].asked if thread.told else thread.said[0]
    lines = behind(text, thread.said[-1]), behind(text, first)
    last, begun = [Behind(line, await embed(line)) for line in lines]
    lean = InThread(last, begun, thread.cited, tuple(one.passage for one in thread.told))
    before = dict.fromkeys(without_identifiers(one) for one in (first, thread.said[-1]))
    learned = await bank.asked(text, tuple(before))
    return bank.nearest(text, await embed(text), limit=limit, among=among, thread=lean, learned=learned)


def behind(text: str, before: str) -> str:
    """The message behind what was asked before it, without the story that was told there."""
    said = sentences(without_identifiers(before))
    asks = [one for one in said if "?" in one] or said
    return f"{asks[-1].rstrip(' ?.!')} : {text}" if asks else text
