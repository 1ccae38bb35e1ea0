"""Whether a message that was read as something else, for deals, a calculation or talk, is a question of our own."""

from dataclasses import replace
from math import inf
from typing import Final

from corpus.errors import EmbedderUnavailable
from corpus.ports import Embedder
from corpus.questions.bank import QuestionBank
from corpus.types import SHARED_TENANT
from pipeline.planning.setting import Setting
from pipeline.reading import PLACE_INTENTS, SURE_UNSAFE, WRITES, Reading
from pipeline.text.leaning import learned_of
from pipeline.text.masking import without_identifiers
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat

DOUBTFUL: Final = 5.0
SURE: Final = 11.5
"""The bank's score of the nearest entry that speaks for a question of rules: where the reader sees no other aim at all,
and where it is certain of one. Before the model's second training, with 10 for the second: of messages labelled for
deals, prices, rents or a loan one in a hundred was above it; above the first were a quarter to two fifths of them, and
85 in a hundred labelled questions of rules. Not measured again."""
OF_RULES: Final = 10.0
"""The same score, alone, from which a message in a thread about a deal is a question of rules: of 147 later messages of
such threads by two hands nine in ten were below, of 34 about schemes and condominiums two thirds above."""
OF_RULES_THEIRS: Final = 14.0
"""The same where it points at another deal of the thread's client."""
OF_RULES_NAMED, OF_RULES_POINTED = 7.0, 5.0
"""The same at the head of a thread, where somebody is named or a deal only pointed at."""
LARGE: Final = 1_000
"""From which a number is an amount of money."""
TALK: Final = ("smalltalk", "recall", "complaint", "capabilities", "out_of_field")
KEPT: Final = frozenset(("crm_read", "unsafe", "datasets"))
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


async def as_of_a_deal(
    reading: Reading, setting: Setting, *, embedder: Embedder | None, bank: QuestionBank | None
) -> Reading:
    """The reading as a question to the CRM, where a deal was told of right before, or the message names a client or a
    colleague or points at a deal, and no entry of ours is near: « qu'est-ce qui le bloquait ? ». What gives amounts to
    compute with, asks of a place or begins a subject of its own stays what it was."""
    state, mentioned = setting.state, setting.question.mentioned
    told = state.focus is not None and state.focus.kind == "crm_read" and bool(state.deal_id or state.client)
    named = bool(mentioned.clients or mentioned.colleagues)
    if not (told or named or mentioned.surely) or not setting.crm_available or bank is None or embedder is None:
        return reading
    if reading.main in KEPT or reading.has(*WRITES) or _of_its_own(reading, named=named):
        return reading
    most = OF_RULES_NAMED if named else OF_RULES_POINTED
    if told:
        most = OF_RULES_THEIRS if mentioned.surely else OF_RULES
    if await held_by_bank(reading.text, setting, embedder=embedder, bank=bank) >= most:
        return reading
    deal = reading.deal_id or (mentioned.deal_id if not reading.clients else None)
    names = reading.deal_names or reading.clients
    return replace(reading.leading("crm_read"), deal_id=deal, deal_names=names)


def _of_its_own(reading: Reading, *, named: bool) -> bool:
    """Whether a message gives amounts, asks something of a place, or talks of the conversation. `named`: it names
    somebody of the CRM."""
    low = flat(reading.text)
    summed = any(quantity.unit in ("€", "%") or quantity.value >= LARGE for quantity in reading.quantities)
    placed = reading.main in PLACE_INTENTS and bool(cues.said("topic", low))
    talk = reading.main in TALK and not cue("part.of_client").search(low)
    return summed or placed or talk or bool(reading.places and not named)
