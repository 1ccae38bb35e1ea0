"""Whether a message that was read as a wish for deals, figures of a place or a calculation is a question of our own."""

from typing import Final

from corpus.errors import EmbedderUnavailable
from corpus.ports import Embedder
from corpus.questions.bank import QuestionBank
from corpus.types import SHARED_TENANT
from pipeline.planning.setting import Setting
from pipeline.reading import CALCULATIONS, PLACE_INTENTS, Reading
from pipeline.text.masking import without_identifiers

RECOGNISED: Final = 10.0
"""The bank's score of the nearest entry. Of messages labelled for deals, prices, rents or a calculation one in a
hundred is above it (70 of each kind), of questions of rules three in four."""
TAKEN: Final = frozenset(("crm_read", *PLACE_INTENTS, *CALCULATIONS)) - {"status"}
"""What a question of rules is taken for. « Zonage d'Angoulême » is near our questions on zones; it asks for the
place."""


async def recognised(
    reading: Reading, setting: Setting, *, embedder: Embedder | None, bank: QuestionBank | None
) -> bool:
    """At the head of a thread, of no deal that it names; False without the bank or its vectors."""
    mine = SHARED_TENANT in setting.question.tenants and not setting.state.frames
    named = reading.deal_id or reading.deal_names or reading.writes
    if bank is None or embedder is None or not mine or named or reading.main not in TAKEN:
        return False
    text = without_identifiers(reading.text)
    try:
        vector = (await embedder.queries([text]))[0] if text.strip() else None
    except EmbedderUnavailable:
        return False
    near = bank.nearest(text, vector, limit=1) if vector is not None else []
    return bool(near) and bool(near[0].signs.told) and near[0].score >= RECOGNISED
