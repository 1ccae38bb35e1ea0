"""The stages that a user's words mean, read against the labels that the firm gave them in its CRM."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.crm_types import Stage
from pipeline.text.names import all_words, fit, folded, telling_words

_FILLERS: Final = frozenset(
    {"etape", "stade", "statut", "phase", "en", "a", "est", "comme", "passe", "passer", "classe"}
)
_SHORT: Final = {"rdv": "rendez vous", "r1": "premier rendez vous", "preco": "preconisation"}
_WON: Final = frozenset(
    all_words("gagne gagnes gagnee gagnees conclu conclus conclue conclues won signe signes signee signees")
)
_LOST: Final = frozenset(all_words("perdu perdus perdue perdues abandonne abandonnes abandonnee abandonnees lost"))


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


_OF_A_LOAN: Final = re.compile(r"\b(stade|etape|phase) (?:du |de |d')?(pret|credit|banque)\b")
"""« au stade du prêt »: what firms call it « financement »."""
_NO_MARK: Final = frozenset(
    all_words(
        "premier second deuxieme troisieme dernier nouveau prochain cours attente suite "
        "suit suivi sans vous pas non etape"
    )
)
"""Words of labels that say nothing alone: « le premier dossier », « mes dossiers en cours »."""
_NEGATED: Final = frozenset({"pas", "non", "ni", "hors", "sauf", "excepte", "jamais"})
_SUBJECTS: Final = frozenset({"qui", "il", "elle", "on", "je", "tu", "ca", "se", "client", "combien"})
"""Before a word these make it a verb: « ceux qui signent », « il gagne combien »."""


@dataclass(frozen=True, slots=True)
class Named:
    """The stages that a message names, those that it leaves out (« hors financement »), and the words that did."""

    meant: tuple[Stage, ...] = ()
    left_out: tuple[Stage, ...] = ()
    words: frozenset[str] = frozenset()


def stages_named(message: str, stages: Sequence[Stage]) -> Named:
    """Wherever in a message: a label in full, a word of one label alone, else won or lost, each in any gender and
    number. Unlike `stages_meant`, most messages name none."""
    low = folded(message)
    loan = _OF_A_LOAN.search(low)
    words = [w for word in all_words(_OF_A_LOAN.sub(r"\1 financement", low)) for w in _SHORT.get(word, word).split()]
    stems = [_stem(word) for word in words]
    labels: dict[str, list[str]] = {s.label: _label_stems(s.label) for s in stages}
    meant: dict[str, Stage] = {}
    left_out: dict[str, Stage] = {}
    used: set[int] = set()

    def take(at: Sequence[int], found: Sequence[Stage]) -> None:
        negated = any(word in _NEGATED for word in words[max(0, at[0] - 2) : at[0]])
        used.update(at)
        (left_out if negated else meant).update((stage.id, stage) for stage in found)

    for label, parts in labels.items():
        if at := _in_a_row(parts, stems):
            take(at, [stage for stage in stages if stage.label == label])
    for i, stem in enumerate(stems):
        if i in used or words[i] in _NO_MARK or (i and words[i - 1] in _SUBJECTS):
            continue
        holding = [label for label, parts in labels.items() if stem in parts]
        if len(holding) == 1:
            take([i], [stage for stage in stages if stage.label == holding[0]])
        elif not holding and words[i] in _WON | _LOST:
            take([i], [stage for stage in stages if stage.closed and stage.won is (words[i] in _WON)])
    spoken = {words[i] for i in used}
    said = frozenset(word for word in all_words(low) if spoken & set(_SHORT.get(word, word).split()))
    said |= {loan[2]} if loan and "financement" in spoken else frozenset()
    return Named(tuple(meant.values()), tuple(stage for id_, stage in left_out.items() if id_ not in meant), said)


def _stem(word: str) -> str:
    """Without the endings of gender and number: « signées » and « signé » alike."""
    return re.sub(r"e{0,2}s?$", "", word) if len(word) > 3 else word


def _label_stems(label: str) -> list[str]:
    return [_stem(word) for word in all_words(folded(label)) if word not in _FILLERS and len(word) > 1]


def _in_a_row(parts: Sequence[str], stems: Sequence[str]) -> list[int]:
    """Where a label's words stand one after another, words like « en » and « de » apart; [] when they do not."""
    kept = [i for i, stem in enumerate(stems) if stem not in _FILLERS and len(stem) > 1]
    for start in range(len(kept) - len(parts) + 1):
        at = kept[start : start + len(parts)]
        if parts and [stems[i] for i in at] == list(parts):
            return at
    return []
