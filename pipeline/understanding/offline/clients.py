"""The clients whom a message names, known by the CRM itself, and whether it asks of them what a deal holds."""

import re
from collections.abc import Mapping
from typing import Final

from pipeline.text.asked_words import topics
from pipeline.text.names import folded
from pipeline.understanding.cues import left

WORD: Final = re.compile(r"[^\W\d_]+")
OF_A_DEAL: Final = ("crm_view", "crm_field", "crm_absent", "crm_filter")
"""Sections of cues by which a deal, its fields and its tasks are asked for."""
Clients = Mapping[str, frozenset[str]]
"""Words of surnames, without accents -> the words of the names of their deals."""


def clients_named(text: str, clients: Clients) -> tuple[str, ...]:
    """As the message writes them, in order: a surname with what stands right before or behind it of the same name
    (« Robert Chevalier », « Amélie Dupont »)."""
    words = list(WORD.finditer(text)) if clients else []
    named: list[list[re.Match[str]]] = []
    for at, word in enumerate(words):
        if folded(word[0]) not in clients:
            continue
        beside = named and words[at - 1] is named[-1][-1] and _adjoins(words[at - 1], word, text)
        if beside:
            named[-1].append(word)
        else:
            first = at and words[at - 1][0][:1].isupper() and _adjoins(words[at - 1], word, text)
            named.append([words[at - 1], word] if first and topics(words[at - 1][0]) else [word])
    return tuple(dict.fromkeys(text[name[0].start() : name[-1].end()] for name in named))


def asks_of_clients(text: str, clients: Clients) -> bool:
    """Whether a message that names a client says nothing but that, what tells their deal from others, and what a deal
    holds: « Cohen, la nue-propriété de Nice : combien ? »."""
    names = clients_named(text, clients)
    return bool(names) and not other_words(text, clients)


def other_words(text: str, clients: Clients) -> frozenset[str]:
    """The telling words that are neither of the clients whom the text names, nor of their deals' names, nor of what a
    deal holds."""
    own = {folded(word) for name in clients_named(text, clients) for word in WORD.findall(name)}
    deals = frozenset().union(*(clients[word] for word in own & clients.keys()))
    return frozenset(map(folded, topics(left(text, (), OF_A_DEAL)))) - own - deals


def _adjoins(one: re.Match[str], other: re.Match[str], text: str) -> bool:
    return text[one.end() : other.start()] in (" ", "-", "\u00a0")
