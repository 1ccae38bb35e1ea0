"""A judge over a language model: one call for all sentences; what is not a clear verdict on each is no judgement."""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, get_args

from pipeline.errors import ModelUnavailable
from pipeline.llm.claims import read_object
from pipeline.llm.view import prompt
from pipeline.ports import ChatModel, Judgement, Message, Verdict
from pipeline.text.cleaning import harmless
from pipeline.text.masking import mask
from pipeline.text.sentences import MARKER
from pipeline.types import Claim

MOST_CLAIMS: Final = 40
SOURCE_CHARACTERS: Final = 1_500
TOKENS_A_CLAIM: Final = 24
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["verdicts"],
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["number", "verdict"],
                "properties": {
                    "number": {"type": "integer"},
                    "verdict": {"type": "string", "enum": list(VERDICTS)},
                },
            },
        },
    },
}


class ModelJudge:
    """`Judge` over any `ChatModel`. `nonce` fences the texts and must be unguessable."""

    def __init__(self, model: ChatModel, *, nonce: Callable[[], str] = lambda: secrets.token_hex(8)) -> None:
        self._model = model
        self._nonce = nonce

    async def judge(
        self, claims: Sequence[Claim], sources: Sequence[str], *, persons: tuple[str, ...] = ()
    ) -> Judgement:
        """Raises `ModelUnavailable`, also for a reply that does not judge each claim once."""
        asked = list(zip(claims, sources, strict=True))[:MOST_CLAIMS]
        if not asked or len(asked) < len(claims):
            raise ModelUnavailable
        nonce = self._nonce()
        rows = [_row(number, claim, source, nonce) for number, (claim, source) in enumerate(asked, 1)]
        messages = (Message("system", prompt("judge")), Message("user", "\n\n".join(rows), persons))
        reply = await self._model.complete(messages, schema=SCHEMA, max_tokens=200 + TOKENS_A_CLAIM * len(asked))
        return Judgement(_verdicts(reply.text, len(asked)), reply.usage)


def _row(number: int, claim: Claim, source: str, nonce: str) -> str:
    sentence = mask(harmless(MARKER.sub("", claim.text))).replace(nonce, "")
    text = mask(harmless(source)).replace(nonce, "")[:SOURCE_CHARACTERS]
    derived = ""
    if claim.operation is not None:
        derived = f"\nCalcul déclaré : {claim.operation} de {json.dumps(claim.operands, ensure_ascii=False)}"
    return f"Phrase {number} : {sentence}{derived}\n<source-{nonce}>\n{text}\n</source-{nonce}>"


def _verdicts(text: str, count: int) -> tuple[Verdict, ...]:
    found = read_object(text) or {}
    rows = found.get("verdicts")
    told: dict[int, Verdict] = {}
    for row in rows if isinstance(rows, list) else ():
        if not isinstance(row, dict) or row.get("verdict") not in VERDICTS or row.get("number") in told:
            raise ModelUnavailable
        told[row["number"]] = row["verdict"]
    if set(told) != set(range(1, count + 1)):
        raise ModelUnavailable
    return tuple(told[number] for number in range(1, count + 1))
