"""What a calculation of a thread is about, in the words that articles say it with: a question of rules that leans on it
is searched with them, not with the story that its numbers were told in."""

from collections.abc import Mapping
from typing import Final

from pipeline.thread_state import Frame

NAMED: Final[Mapping[str, str]] = {
    "early_repayment": "remboursement anticipé du prêt",
    "rent_ceiling": "loyer plafonné",
    "reduction": "réduction d'impôt",
    "works_share": "travaux",
    "relance": "Relance logement",
    "fees": "frais de notaire",
    "rent_area": "loyer au m²",
    "market": "prix d'achat",
    "partition": "partage et soulte",
    "shares_duty": "cession de parts de SCI",
    "duties": "droits de donation",
    "usufruct": "usufruit et nue-propriété",
    "wealth_tax": "IFI",
    "deficit": "déficit foncier",
    "income_tax": "impôt sur le revenu",
    "rent_revision": "révision du loyer",
    "deposit": "dépôt de garantie",
    "carrez": "surface Carrez",
    "malraux": "Malraux",
    "letting": "Loc'Avantages",
    "allowance": "plus-value immobilière",
    "quota": "charges de copropriété",
    "charges_balance": "charges récupérables",
    "late_deposit": "dépôt de garantie",
    "completion_call": "VEFA",
    "annuity": "viager",
    "home_in_estate": "droits de succession",
}
"""By the small calculation that a frame's options name."""
OF_KIND: Final[Mapping[str, str]] = {
    "calc_loan": "crédit immobilier",
    "calc_yield": "rendement locatif",
    "calc_gain": "plus-value immobilière",
    "calc_capacity": "capacité d'emprunt",
    "calc_regime": "revenus locatifs",
}
CASES: Final[tuple[tuple[frozenset[str], str], ...]] = (
    (frozenset(("duties", "estate")), "droits de succession"),
    (frozenset(("wants_deficit",)), "déficit foncier"),
    (frozenset(("gives_bare", "relation_child")), "donation de la nue-propriété à un enfant"),
)
"""Options that make it another subject."""
HOW: Final[Mapping[str, str]] = {
    "tourist": "meublé de tourisme",
    "furnished": "location meublée",
    "bare": "location nue",
}
REGIME: Final[Mapping[str, str]] = {"micro": "au micro", "real": "au réel"}
"""Options of how a home is let, and how they are said."""
LET: Final = frozenset(("calc_yield", "calc_regime"))


def let(frame: Frame) -> bool:
    """Whether it is about the rents of a home, and no small calculation with them."""
    return frame.kind in LET and not _case(frame) and not _named(frame)


def subject_of(frame: Frame) -> str:
    """« location meublée au réel », « droits de succession »."""
    if not let(frame):
        return _case(frame) or _named(frame) or OF_KIND[frame.kind]
    how = " et ".join(said for option, said in HOW.items() if option in frame.options)
    return " ".join((how or OF_KIND[frame.kind], *(s for option, s in REGIME.items() if option in frame.options)))


def _case(frame: Frame) -> str:
    return next((name for options, name in CASES if options <= frame.options), "")


def _named(frame: Frame) -> str:
    return next((name for option, name in NAMED.items() if option in frame.options), "")
