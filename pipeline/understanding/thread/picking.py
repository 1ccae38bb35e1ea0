"""Which of the deals that were shown is meant: by number, by rank, or by a word that only one of them has."""

import re
from typing import Final

from pipeline.reading import Reading
from pipeline.thread_state import ThreadState
from pipeline.understanding.cues import cue
from pipeline.understanding.dates import MONTH_NAMES
from pipeline.understanding.own_words import flat

SHORT: Final = 8
"""Words up to which a message may merely pick one."""
RANKS: Final = (
    (re.compile(r"\b(?:le |la |du |au )?(?:tout )?(?:premiere?|1er|1ere)\b"), 0),
    (re.compile(r"\b(?:deuxieme|seconde?|2e|2eme)\b"), 1),
    (re.compile(r"\b(?:troisieme|3e|3eme)\b"), 2),
    (re.compile(r"\b(?:quatrieme|4e|4eme)\b"), 3),
    (re.compile(r"\b(?:dernier|derniere)\b"), -1),
)
DIGIT: Final = re.compile(
    r"(?:^|\b(?:le|la|du|n°|numero|et le|detail du)) ?([1-9])\b(?![\d.,]| ?(?:%|€|k\b|ans|mois|h\b|/)|"
    rf" (?:{MONTH_NAMES}))"
)
_NEXT_ONE: Final = re.compile(r"^\W*[Ee]t (?:(?:pour|chez|sur|de|à) |d['’])?(?:[A-ZÀ-Ý][\w-]+ ?){1,2}\W*$")
OTHER: Final = re.compile(r"\bl'autre\b")
COMMON: Final = frozenset((
    "dossier", "deal", "fictif", "client", "famille", "pour", "avec", "dans", "une", "les", "des", "sur", "et", "de",
    "la", "le", "du",
))  # fmt: skip


def follows_list(reading: Reading, state: ThreadState) -> bool:
    """Whether a few words are about the list of deals that was shown."""
    low = flat(reading.text)
    own = reading.deal_id or reading.places or len(low.split()) > SHORT
    last = state.focus is not None and state.focus.kind == "crm_read"
    if state.listed.get("view") == "tasks" and last and _NEXT_ONE.search(reading.text):
        return True  # « et Inès ? »: a colleague's, or a client's
    return bool(state.listed and last and not own and cue("corrected.on_list").search(low))


def beyond(reading: Reading, state: ThreadState) -> bool:
    """« le troisième » of a list of two."""
    low = flat(reading.text)
    ranked = next((rank for pattern, rank in RANKS if pattern.search(low)), -1)
    pointed = re.match(r"^\W*(?:et |non |plutot )*(?:le|la|celui|detail du|fiche du)\b", low) is not None
    last = state.focus is not None and state.focus.kind == "crm_read"
    return bool(state.offered and last and pointed and len(low.split()) <= SHORT // 2 and ranked >= len(state.offered))


def picked(reading: Reading, state: ThreadState) -> str | None:
    """The deal's number; None when the message picks none of those that were shown."""
    offered = state.offered
    low = flat(reading.text)
    words = re.findall(r"[a-z0-9]+", low)
    if not offered:
        return None
    numbers = [deal for deal, _ in offered if deal in words]
    if len(numbers) == 1 and (len(words) <= SHORT or state.waits_for_deal):
        return numbers[0]
    if OTHER.search(low) and len(offered) == 2 and state.deal_id and len(words) <= SHORT + 6:
        return next(deal for deal, _ in offered if deal != state.deal_id)
    if len(words) > SHORT + 6 or (reading.deal_names and not state.waits_for_deal):
        return None
    if state.waits_for_deal or len(words) <= SHORT:
        for pattern, rank in RANKS:
            if pattern.search(low) and rank < len(offered):
                return offered[rank][0]
        digit = DIGIT.search(low)
        listed = state.focus is not None and state.focus.kind == "crm_read" and reading.main == "crm_read"
        if digit and (listed or not reading.due) and int(digit[1]) <= len(offered):
            return offered[int(digit[1]) - 1][0]
    pointed = state.waits_for_deal or re.search(r"\b(?:celui|celle)\b", low) is not None
    return by_word(words, offered) if pointed else None


def by_word(words: list[str], offered: tuple[tuple[str, str], ...]) -> str | None:
    """The only one whose name holds most of the telling words."""
    scores = {}
    for deal, label in offered:
        named = set(re.findall(r"[a-z0-9]+", flat(label))) - COMMON
        scores[deal] = sum(
            any(w == n or (len(w) > 3 and n.startswith(w)) for n in named) for w in set(words) - COMMON if len(w) > 1
        )
    best = max(scores.values())
    leading = [deal for deal, score in scores.items() if score == best]
    return leading[0] if best and len(leading) == 1 else None
