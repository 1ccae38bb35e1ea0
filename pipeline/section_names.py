"""The sections that an answer may have, by their French titles, and where a tool's findings are told."""

from typing import Final

IN_SHORT: Final = "En bref"
TO_KNOW: Final = "À savoir"
PRICES: Final = "Prix observés"
DEAL: Final = "Dossier client"
CALCULATION: Final = "Calcul"
STATUS: Final = "Statut de la commune"
RENTS: Final = "Loyers estimés"
LIVE: Final = "Données en direct"
RULE: Final = "Règle et conditions"
NUMBERS: Final = "Chiffres et dates"
RISKS: Final = "Risques et obligations"
METHOD: Final = "Méthode"
DUTIES: Final = "Obligations du conseiller"
RESALE: Final = "À la revente"
CAUTION: Final = "Points de vigilance"
OWN_FILES: Final = "Dans vos fichiers"

OPTIONAL: Final = (RULE, NUMBERS, RISKS, METHOD, DUTIES, RESALE, TO_KNOW, CAUTION)
"""Those that a channel may leave out: what tools found and the answer itself always stand."""

_OF_TOOL: Final = {
    "sales": PRICES, "crm": DEAL, "calculator": CALCULATION, "status": STATUS, "risks": RISKS, "rents": RENTS,
    "compare": CALCULATION, "facts": IN_SHORT,
}  # fmt: skip

LIVE_ONLY: Final = frozenset((CALCULATION, PRICES, STATUS, RENTS, DEAL, LIVE))
"""Sections in which only tools speak."""


def tool_section(tool: str) -> str:
    """The section that tells what this tool found."""
    return _OF_TOOL.get(tool, LIVE)
