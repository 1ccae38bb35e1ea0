"""How the CRM's values read inside our French sentences; its text is data: no link, no marker, no markup."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from corpus.sentences import sentences
from pipeline.crm_types import Deal
from pipeline.text.cleaning import harmless

PARIS = ZoneInfo("Europe/Paris")
ABSENT: Final = {
    "agenda": "Je ne vois pas votre agenda",
    "notary": "HubSpot n'a pas de champ pour le notaire",
    "income": "HubSpot n'a pas de champ pour les revenus du client",
    "assets": "HubSpot n'a pas de champ pour le patrimoine du client",
    "age": "HubSpot n'a pas de champ pour l'âge du client",
    "family": "HubSpot n'a pas de champ pour la situation familiale du client",
    "bank": "HubSpot n'a pas de champ pour la banque du client",
    "odds": "Je ne donne pas de pronostic sur un dossier",
    "relatives": "HubSpot n'a pas les coordonnées des proches du client",
    "fees": "HubSpot n'a pas de champ pour les honoraires ni les factures du cabinet",
}
"""What people ask of the CRM and it does not hold, each as the beginning of a sentence."""
FORECASTS: Final = frozenset(("odds",))
"""Of these no text of a deal is an answer."""
_SIGNS = str.maketrans("[]«»<>{}|【】", '()""()()/()', "`*#")


def quoted(text: str) -> str:
    """CRM text inside our sentence: one line, no brackets that could pass for a citation, no closing quote."""
    one_line = " ".join(harmless(" ".join(text.split())).split())
    return one_line.translate(_SIGNS).rstrip(".")


def inside(text: str) -> str:
    """`quoted`, its own sentences joined: what stands in one line of a list must stay one sentence."""
    return " ; ".join(sentence.rstrip(".") for sentence in sentences(quoted(text)))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def deal_name(name: str) -> str:
    """As a line begins: « Dossier Martin », or the word before a name that lacks it."""
    said = inside(name)
    return capital(said) if said.lower().startswith("dossier") else f"Dossier « {said} »"


def deal_label(deal: Deal) -> str:
    """What a button says of a deal."""
    return f"{inside(deal.name)} (n° {deal.id})"


def amount_of(deal: Deal) -> float | None:
    return float(deal.amount) if re.fullmatch(r"\d{1,12}(\.\d+)?", deal.amount) else None


def euros(amount: float) -> str:
    shown = f"{amount:,.0f}" if amount == int(amount) else f"{amount:,.2f}".replace(".", "\0")
    return shown.replace(",", "\u202f").replace("\0", ",") + "\u00a0€"


def day_of(text: str) -> date | None:
    """The day of one of HubSpot's moments; a closing day is a midnight in UTC."""
    try:
        return datetime.fromisoformat(text).date() if text else None
    except ValueError:
        return None


def local_day(moment: datetime | None) -> date | None:
    return moment.astimezone(PARIS).date() if moment is not None else None


def counted(number: int, word: str, *, adjective: str = "") -> str:
    """`1 dossier ouvert`, `3 dossiers ouverts`, `Aucun dossier ouvert`."""
    if number == 0:
        feminine = word in ("tâche",)
        return " ".join(filter(None, ("Aucune" if feminine else "Aucun", word, adjective)))
    plural = "s" if number > 1 else ""
    return " ".join(filter(None, (f"{number}", f"{word}{plural}", f"{adjective}{plural}" if adjective else "")))


def lines(said: Sequence[str]) -> str:
    """A first sentence, then one bullet a line."""
    return "\n".join((said[0], *(f"- {line}" for line in said[1:])))


def others(left: int, word: str) -> list[str]:
    """That more were found than are shown; nothing when they are all there."""
    if left <= 0:
        return []
    plural, feminine = "s" if left > 1 else "", "e" if word == "tâche" else ""
    return [f"Et {left} autre{plural} {word}{plural} non affiché{feminine}{plural}."]
