"""Whether a message that was read as something else, for deals, a calculation or talk, is a question of our own."""

from math import inf
from typing import Final

from corpus.errors import EmbedderUnavailable
from corpus.ports import Embedder
from corpus.questions.bank import QuestionBank
from corpus.types import SHARED_TENANT
from pipeline.planning.setting import Setting
from pipeline.reading import SURE_UNSAFE, Reading
from pipeline.text.leaning import learned_of
from pipeline.text.masking import without_identifiers

DOUBTFUL: Final = 5.0
SURE: Final = 11.5
"""The bank's score of the nearest entry that speaks for a question of rules: where the reader sees no other aim at all,
and where it is certain of one. Before the model's second training, with 10 for the second: of messages labelled for
deals, prices, rents or a loan one in a hundred was above it; above the first were a quarter to two fifths of them, and
85 in a hundred labelled questions of rules. Not measured again."""
NEVER: Final = frozenset(("status", "rules"))
"""« Zonage d'Angoulême » is near our questions on zones; it asks for the place."""


async def recognised(
    reading: Reading, setting: Setting, *, embedder: Embedder | None, bank: QuestionBank | None
) -> bool:
    """At the head of a thread, of no deal that it names; False without the bank or its vectors."""
    mine = SHARED_TENANT in setting.question.tenants and not setting.state.frames
    named = reading.deal_id or reading.deal_names or reading.writes
    unsafe = reading.main == "unsafe" and reading.confidence >= SURE_UNSAFE
    if bank is None or embedder is None or not mine or named or unsafe or reading.main in NEVER:
        return False
    least = DOUBTFUL + (SURE - DOUBTFUL) * reading.confidence
    return await held_by_bank(reading.text, setting, embedder=embedder, bank=bank) >= least


async def held_by_bank(text: str, setting: Setting, *, embedder: Embedder, bank: QuestionBank) -> float:
    """The score of the nearest entry that speaks for a question of rules; minus infinity without any."""
    text = without_identifiers(text)
    try:
        vector = (await embedder.queries([text]))[0] if text.strip() else None
    except EmbedderUnavailable:
        return -inf
    learned = await learned_of(text, setting.question, bank)
    near = bank.nearest(text, vector, limit=1, learned=learned) if vector is not None else []
    return near[0].score if near and near[0].signs.told else -inf
