"""What one answer may still spend on language models: looked at before each call; the call that crosses the limit is
finished."""

from dataclasses import dataclass, field
from typing import Final

from pipeline.types import Allowance, Usage

EXCEEDED: Final = {
    "answer": "Budget de modèle de langue d'une réponse atteint : réponse composée d'extraits des sources.",
    "person": "Votre budget de modèle de langue du jour est atteint : réponse composée d'extraits des sources.",
    "day": "Budget de modèle de langue du jour atteint : réponse composée d'extraits des sources.",
}


@dataclass(slots=True)
class Purse:
    """`allowance` None: no limit. A call without a known price weighs nothing: budgets ask for prices at start-up."""

    allowance: Allowance | None = None
    calls: list[Usage] = field(default_factory=list)

    def pay(self, usage: Usage) -> None:
        self.calls.append(usage)

    @property
    def affords(self) -> bool:
        """Whether one more call may be made."""
        return self.allowance is None or sum(call.euros or 0.0 for call in self.calls) < self.allowance.euros

    @property
    def exceeded(self) -> str | None:
        """What to tell the reader, in French, where no call may be made."""
        return None if self.affords or self.allowance is None else EXCEEDED[self.allowance.limit]
