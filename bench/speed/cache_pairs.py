"""Pairs of questions: near misses, of which one answer must never serve both, and the same in other clothes."""

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

DEV: Final = Path(__file__).parents[1] / "questions" / "dev"
TRIES: Final = 40
_NUMBER: Final = re.compile(r"\d+(?:[ \u00a0\u202f]\d{3})*(?:,\d+)?")
_YEAR: Final = re.compile(r"\b20[0-4]\d\b")
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
OPPOSITES: Final = (
    ("acheteur", "vendeur"), ("acquéreur", "cédant"), ("bailleur", "locataire"), ("neuf", "ancien"),
    ("meublé", "nu"), ("plus", "moins"), ("avant", "après"), ("avec", "sans"), ("minimum", "maximum"),
    ("principale", "secondaire"), ("hausse", "baisse"), ("achat", "vente"), ("acheter", "vendre"), ("brut", "net"),
    ("couple", "célibataire"), ("maison", "appartement"), ("SCI", "SARL"), ("ouvert", "fermé"), ("oui", "non"),
    ("début", "fin"), ("première", "dernière"), ("au-dessus", "au-dessous"), ("tous", "aucun"), ("et", "ou"),
    ("propriétaire", "usufruitier"), ("fixe", "variable"), ("départ", "retour"), ("mari", "femme"),
)  # fmt: skip
SCHEMES: Final = ("Pinel", "Denormandie", "Malraux", "Jeanbrun", "Loc'Avantages", "Censi-Bouvard", "LMNP", "PTZ")
TOWNS: Final = ("Lyon", "Paris", "Nantes", "Bordeaux", "Lille", "Toulouse", "Nîmes", "Angers", "Rennes", "Tours")
UNITS: Final = (("€", "%"), ("ans", "mois"), ("jours", "mois"), ("m²", "€"), ("%", "points"), ("k€", "€"))
CLOTHES: Final = (
    "Bonjour, {}", "{} Merci d'avance !", "Salut ! {} svp", "Peux-tu me dire {}", "{}  ?",
    "Bonsoir,\n{}\nMerci beaucoup",
)  # fmt: skip


def questions() -> list[str]:
    """All that may be read."""
    rows = (line for file in sorted(DEV.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines())
    found = (json.loads(row).get("text") for row in rows if row.strip())
    return list(dict.fromkeys(text for text in found if text))


def near_misses(texts: Sequence[str], count: int) -> Iterator[tuple[str, str, str]]:
    """(what was changed, a question, another one that asks for something else); the same at every run."""
    draw, seen = random.Random(0), set[tuple[str, str]]()
    while len(seen) < count:
        kind, other = draw.choice(_KINDS)
        for text in draw.sample(texts, TRIES):
            changed = other(text, draw)
            if changed.lower() != text.lower() and (text, changed) not in seen:
                seen.add((text, changed))
                yield kind, text, changed
                break


def clothed(text: str) -> Iterator[str]:
    """The same question, more politely, shouted, without accents, and with its numbers spaced otherwise."""
    lower = text[0].lower() + text[1:] if text[1:2].islower() else text
    for form in CLOTHES:
        yield form.format(lower if form.startswith(("B", "P")) else text)
    yield text.upper()
    yield text.replace("’", "'").translate(str.maketrans("éèêàùçôîâë", "eeeaucoiae"))
    yield _NUMBER.sub(lambda found: re.sub(r"[ \u00a0]", "\u202f", found.group()), text)


def _number(text: str, draw: random.Random) -> str:
    return _one(
        _NUMBER, text, draw, lambda said: draw.choice((f"{said}0", f"{_bumped(said)}", f"1{said}", f"{said},5"))
    )


def _bumped(said: str) -> str:
    digit = int(said[-1])
    return said[:-1] + str((digit + 3) % 10)


def _year(text: str, draw: random.Random) -> str:
    return _one(_YEAR, text, draw, lambda said: str(int(said) + draw.choice((-2, -1, 1, 2))))


def _negation(text: str, draw: random.Random) -> str:
    if re.search(r"\b(?:ne|n')", text):
        return re.sub(r"\bne |\bn'|\bpas ", "", text, count=1)
    return _one(re.compile(r"\b(?:peut|doit|faut|est|a|sont)\b"), text, draw, lambda said: f"{said} pas")


def _opposite(text: str, draw: random.Random) -> str:
    pairs = [*OPPOSITES, *((second, first) for first, second in OPPOSITES)]
    held = [pair for pair in pairs if re.search(rf"\b{pair[0]}\b", text)]
    if not held:
        return text
    first, second = draw.choice(held)
    return re.sub(rf"\b{first}\b", second, text, count=1)


def _unit(text: str, draw: random.Random) -> str:
    held = [pair for pair in UNITS if pair[0] in text]
    first, second = draw.choice(held) if held else ("", "")
    return text.replace(first, second, 1) if first else text


def _scheme(text: str, draw: random.Random) -> str:
    return _one(re.compile("|".join(SCHEMES), re.IGNORECASE), text, draw, lambda _said: draw.choice(SCHEMES))


def _town(text: str, draw: random.Random) -> str:
    held = [town for town in TOWNS if town in text]
    return (
        text.replace(draw.choice(held), draw.choice(TOWNS)) if held else f"{text.rstrip(' ?')} à {draw.choice(TOWNS)} ?"
    )


def _sign(text: str, draw: random.Random) -> str:
    return _one(_NUMBER, text, draw, lambda said: draw.choice((f"-{said}", f"<{said}", f"+ {said}", f"{said} %")))


def _decimal(text: str, draw: random.Random) -> str:
    return _one(re.compile(r"\d[ \u00a0\u202f,]\d"), text, draw, lambda said: said[0] + draw.choice(",;/")[0] + said[2])


def _lost(text: str, draw: random.Random) -> str:
    """A word less."""
    return _one(_WORD, text, draw, lambda _said: "")


def _added(text: str, draw: random.Random) -> str:
    words = ("sauf", "hors", "jamais", "deux", "étranger", "minimum", "seulement", "jusqu'à", "sans", "déjà", "encore")
    return _one(_WORD, text, draw, lambda said: f"{said} {draw.choice(words)}")


def _one(pattern: re.Pattern[str], text: str, draw: random.Random, change: Callable[[str], str]) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    at = draw.choice(found)
    return text[: at.start()] + change(at.group()) + text[at.end() :]


_KINDS: Final = (
    ("number", _number), ("year", _year), ("negation", _negation), ("opposite", _opposite), ("unit", _unit),
    ("scheme", _scheme), ("town", _town), ("sign", _sign), ("decimal", _decimal), ("word less", _lost),
    ("word more", _added),
)  # fmt: skip
