"""The same message as somebody else would have typed it: no accents, typos, other names, numbers written otherwise."""

import random
import re
from collections.abc import Iterator, Sequence
from typing import Final

from bench.training.marked import Labelled, Span
from pipeline.reading import ROLES
from pipeline.understanding.offline.quantities import quantities
from pipeline.understanding.own_words import flat

NAMES: Final = [
    "Dupont",
    "Martin",
    "Bernard",
    "Petit",
    "Robert",
    "Richard",
    "Durand",
    "Leroy",
    "Moreau",
    "Simon",
    "Laurent",
    "Lefebvre",
    "Michel",
    "Garcia",
    "David",
    "Bertrand",
    "Roux",
    "Vincent",
    "Fournier",
    "Morel",
    "Girard",
    "André",
    "Mercier",
    "Blanc",
    "Guérin",
    "Boyer",
    "Garnier",
    "Chevalier",
    "François",
    "Legrand",
    "Gauthier",
    "Perrin",
    "Robin",
    "Clément",
    "Morin",
    "Nicolas",
    "Henry",
    "Roussel",
    "Mathieu",
    "Gautier",
    "Masson",
    "Marchand",
    "Duval",
    "Denis",
    "Dumont",
    "Marie",
    "Lemaire",
    "Noël",
    "Meyer",
    "Dufour",
    "Meunier",
    "Brun",
    "Blanchard",
    "Giraud",
    "Joly",
    "Rivière",
    "Lucas",
    "Brunet",
    "Gaillard",
    "Barbier",
    "Arnaud",
    "Martinez",
    "Gérard",
    "Roche",
    "Renard",
    "Schmitt",
    "Leclerc",
    "Colin",
    "Vidal",
    "Caron",
    "Picard",
    "Benali",
    "Nguyen",
    "Da-Silva",
    "Kone",
    "Traoré",
    "Le-Goff",
    "Quéméneur",
    "Etcheverry",
    "Zimmermann",
    "Rossi",
]
SHORT: Final = {
    "pour": "pr", "quel": "kel", "quelle": "kelle", "que": "ke", "dossier": "dossié", "mensualité": "mens",
    "bonjour": "bjr", "merci": "mci", "appartement": "appart", "taxe foncière": "TF", "plus-value": "PV", "prix": "px",
    "taux": "tx", "acheté": "achté", "loyer": "loyé", "beaucoup": "bcp", "combien": "cb", "aujourd'hui": "ajd",
    "rendez-vous": "rdv", "s'il te plaît": "stp", "quelque chose": "qqch",
}  # fmt: skip


def noisy(message: Labelled, rng: random.Random) -> Labelled:
    """One variant; marked spans stay marked."""
    text = _pieces(message)
    steps = [_other_name, _other_number, _short, _typo, _case, _bare, _unaccented]
    chosen = rng.sample(steps, k=rng.choice((1, 2, 2, 3)))
    for step in steps:
        if step in chosen:
            text = [(step(piece, label, rng), label) for piece, label in text]
    return _joined(text, message)


def _pieces(message: Labelled) -> list[tuple[str, str]]:
    """The text as pieces, each with its label or ""."""
    found, last = [], 0
    for span in sorted(message.spans, key=lambda s: s.start):
        if span.start < last:
            continue
        found += [(message.text[last : span.start], ""), (span.text, span.label)]
        last = span.end
    return [*found, (message.text[last:], "")]


def _joined(pieces: Sequence[tuple[str, str]], message: Labelled) -> Labelled:
    text, spans = "", []
    for piece, label in pieces:
        if label and piece:
            spans.append(Span(piece, len(text), label))
        text += piece
    return Labelled(text, message.intents, tuple(spans), message.act, message.previous)


def _unaccented(piece: str, label: str, rng: random.Random) -> str:
    low = flat(piece)
    return "".join(a.upper() if b.isupper() else a for a, b in zip(low, piece, strict=True))


def _case(piece: str, label: str, rng: random.Random) -> str:
    return piece.lower()


def _bare(piece: str, label: str, rng: random.Random) -> str:
    return re.sub(r"(?<!\d)[.,;:!?]+(?=\s|$)", "", piece)


def _typo(piece: str, label: str, rng: random.Random) -> str:
    if label in ROLES or label in ("deal_id", "date", "deal_name"):
        return piece

    def mistype(match: re.Match[str]) -> str:
        word = match[0]
        if rng.random() > 0.12:
            return word
        at = rng.randrange(1, len(word) - 1)
        kind = rng.random()
        if kind < 0.4:
            return word[:at] + word[at + 1 :]
        if kind < 0.75:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return word[:at] + word[at] + word[at:]

    return re.sub(r"[^\W\d_]{5,}", mistype, piece)


def _short(piece: str, label: str, rng: random.Random) -> str:
    for word, short in SHORT.items():
        if rng.random() < 0.6:
            piece = re.sub(rf"\b{word}\b", short, piece, flags=re.IGNORECASE)
    return piece


def _other_name(piece: str, label: str, rng: random.Random) -> str:
    if label == "deal_id":
        return str(rng.randrange(1000, 999_999))
    if label == "deal_name" and re.fullmatch(r"[A-ZÉÈ][\w-]+", piece):
        return rng.choice(NAMES)
    return piece


def _other_number(piece: str, label: str, rng: random.Random) -> str:
    if label not in ROLES:
        return piece
    found = quantities(piece)
    if (
        len(found) != 1
        or found[0].unit not in ("€", "")
        or found[0].value < 1000
        or found[0].value != int(found[0].value)
    ):
        return piece
    value = int(found[0].value)
    tail = piece[found[0].end :]
    thousands = value // 1000
    forms = [f"{value}", f"{value:,}".replace(",", " "), f"{value:,} €".replace(",", " "), f"{value}€"]
    if value % 1000 == 0:
        forms += [f"{thousands}k", f"{thousands} k€", f"{thousands}K", f"{thousands} 000"]
    return piece if found[0].period else rng.choice(forms) + tail


def variants(messages: Sequence[Labelled], *, each: int, seed: int) -> Iterator[Labelled]:
    """`each` variants of every message, always the same for one seed."""
    rng = random.Random(seed)
    for message in messages:
        for _ in range(each):
            yield noisy(message, rng)
