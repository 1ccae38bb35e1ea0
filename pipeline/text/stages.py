"""The stages that a user's words mean, read against the labels that the firm gave them in its CRM."""

from collections.abc import Sequence
from typing import Final

from pipeline.crm_types import Stage
from pipeline.text.names import all_words, fit, folded, telling_words

_FILLERS: Final = frozenset(
    {"etape", "stade", "statut", "phase", "en", "a", "est", "comme", "passe", "passer", "classe"}
)
_SHORT: Final = {"rdv": "rendez vous", "r1": "premier rendez vous", "preco": "preconisation"}
_WON: Final = frozenset({"gagne", "gagnes", "conclu", "conclus", "won", "signe", "signes"})
_LOST: Final = frozenset({"perdu", "perdus", "abandonne", "abandonnes", "lost"})


def stages_meant(said: str, stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """All stages that the words fit equally well; empty when none does.

    A label that holds every word, else one whose words are all said; else won or lost, as the CRM itself counts.
    """
    plain = folded(said).strip()
    if exact := tuple(stage for stage in stages if plain in (folded(stage.label), stage.id.lower())):
        return exact
    spelt = " ".join(_SHORT.get(word, word) for word in all_words(plain))
    words = [word for word in telling_words(spelt) if word not in _FILLERS]
    if not words:
        return ()
    ranked = [(rank, stage) for stage in stages if (rank := fit(words, all_words(folded(stage.label)))) is not None]
    if ranked:
        best = min(rank for rank, _ in ranked)
        return tuple(stage for rank, stage in ranked if rank == best)
    if told := tuple(stage for stage in stages if fit(telling_words(folded(stage.label)), words) is not None):
        return told
    if _WON & set(words):
        return tuple(stage for stage in stages if stage.won)
    return tuple(stage for stage in stages if stage.closed and not stage.won) if _LOST & set(words) else ()
