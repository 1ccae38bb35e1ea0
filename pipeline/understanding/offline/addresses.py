"""The postal address that a question names, so that what is known of a point can be told of it, not of its commune."""

import re
from typing import Final

STREET: Final = (
    r"rue|avenue|av\.|boulevard|bd\.?|place|chemin|impasse|allées?|route|quai|cours|square|passage|montée|traverse|"
    r"esplanade|promenade|sentier|ruelle|venelle|faubourg|lotissement|hameau|résidence"
)
ADDRESS: Final = re.compile(
    r"(?P<number>\b\d{1,4}(?:\s?(?:bis|ter|quater|[A-D]\b))?,?\s+)?"
    rf"\b(?<!en )(?P<street>{STREET})\s+(?P<rest>[^\n?!;:«»\"<>]{{2,90}})",
    re.IGNORECASE,
)
END: Final = re.compile(
    r",?\s+(?:à|sur|en|dans|est|sont|pour|avec|et|que|qui|quels?|quelles?|y\s+a)\b(?!-)(?!\s+\d{5}\b).*|[.,](?:\s.*)?$",
    re.DOTALL,
)
LONGEST: Final = 100
NO_NAME: Final = re.compile(r"(?:une?|cette?|ce|mon|ma|son|sa|notre|votre|est|sont)\b", re.IGNORECASE)
CAPITAL: Final = re.compile(r"[A-ZÀ-Ý0-9]")


def address_of(text: str) -> str:
    """ "12 rue de la République 83000", "rue Victor Hugo"; empty when no street is named. Street words that are not a
    name (« la rue est calme », « en cours d'achat ») are none: without a house number the name needs a capital."""
    for match in ADDRESS.finditer(text):
        rest = END.sub("", match["rest"]).strip(" .,'")
        if rest and (match["number"] or (CAPITAL.search(rest) and not NO_NAME.match(rest))):
            return " ".join(f"{match['number'] or ''}{match['street']} {rest}".replace(",", " ").split())[:LONGEST]
    return ""
