"""What each calculation can be told: one table for the planner, the question asked back and a model's schema."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

YES_NO, DAY, CHOICE, TEXT = "oui/non", "date", "choix", "texte"
"""Units of what is no number: a boolean, an ISO date, one of the field's `choices`, a few words of ours."""


@dataclass(frozen=True, slots=True)
class Field:
    """One argument. `label`: French, as asked back; `many`: a list may be given, at most `cases` long when each value
    is a case of its own, else summed; `least`/`most`: bounds beyond which a value is nonsense; `whole`: an integer."""

    name: str
    label: str
    unit: str
    many: bool = False
    least: float = 0.0
    most: float = 1e8
    whole: bool = False
    cases: int = 0
    choices: tuple[str, ...] = ()


_CASES: Final = 4
_LOAN_AMOUNT: Final = Field("loan_amount", "le montant emprunté", "€", least=100)
_PRICE: Final = Field("purchase_price", "le prix d'achat", "€", least=1_000)
_WHOLE_COST: Final = Field("total_cost", "le coût total, travaux et frais compris", "€", least=1_000)
_DOWN: Final = Field("down_payment", "l'apport", "€")
_FEES: Final = Field("fees_amount", "les frais d'acquisition", "€")
_FEES_PERCENT: Final = Field("fees_percent", "les frais d'acquisition en pourcentage du prix", "%", most=25)
_WORKS: Final = Field("works", "le montant des travaux", "€")
_RATES: Final = Field("rate", "le taux du prêt hors assurance", "%", many=True, most=25, cases=_CASES)
_RATE: Final = replace(_RATES, many=False, cases=0)
_TERMS: Final = Field("months", "la durée du prêt", "mois", many=True, least=1, most=480, whole=True, cases=_CASES)
_TERM: Final = replace(_TERMS, many=False, cases=0)
_INSURANCE: Final = Field(
    "insurance_rate", "le taux annuel de l'assurance du prêt, sur le capital initial", "%", most=5
)
_INSURANCE_PAID: Final = Field("insurance_monthly", "l'assurance mensuelle du prêt", "€/mois", most=1e5)
_RENTS: Final = Field("rent_monthly", "le loyer mensuel hors charges", "€/mois", many=True, most=1e6)
_INSTALMENT: Final = Field("monthly_payment", "la mensualité du prêt, assurance comprise", "€/mois", most=1e6)
_TMI: Final = Field("tmi", "la tranche marginale d'imposition", "%", most=49)
_FURNISHED: Final = Field("furnished", "si le logement est loué meublé", YES_NO)
_CHARGES: Final = Field("charges_yearly", "les charges annuelles non récupérables", "€/an")
_PROPERTY_TAX: Final = Field("property_tax", "la taxe foncière", "€/an")
_AREA: Final = Field("area", "la surface", "m²", least=1, most=1e5)
_AGES: Final = Field("age", "l'âge de l'usufruitier", "ans", many=True, most=130, cases=2)
_HOME_INSURANCE: Final = Field("insurance_yearly", "l'assurance annuelle du logement", "€/an")


def _wanted(*choices: str) -> Field:
    """Which figure opens the answer; the calculation is the same."""
    return Field("wanted", "le résultat voulu", CHOICE, choices=choices)


FIELDS: Final[Mapping[str, tuple[Field, ...]]] = {
    "loan": (
        _LOAN_AMOUNT, _PRICE, _DOWN, _FEES, _FEES_PERCENT, _WORKS, _RATES, _TERMS, _INSURANCE,
        _INSURANCE_PAID,
        Field("in_fine", "si le prêt est in fine", YES_NO),
        Field("monthly_cap", "la mensualité à ne pas dépasser", "€/mois", least=1, most=1e6),
        Field("claimed", "la mensualité annoncée", "€/mois", least=1, most=1e6),
        Field("after_months", "le nombre de mensualités déjà payées", "mois", most=480, whole=True),
        Field("defer", "la durée du différé", "mois", most=120, whole=True),
        _wanted("instalment", "cost", "remaining", "yearly", "gap", "monthly_gap", "budget", "whole", "insurance",
                "both", "first_year"),
    ),
    "yield": (
        _PRICE, Field("total_cost", "le coût total de l'achat, frais compris", "€", least=1_000), _WORKS, _FEES,
        _FEES_PERCENT, _RENTS, _CHARGES, _PROPERTY_TAX, _HOME_INSURANCE,
        Field("management_percent", "les frais de gestion en pourcentage des loyers", "%", most=50),
        Field("vacancy_percent", "la vacance en pourcentage de l'année", "%", most=100),
        Field("vacancy_months", "la vacance en mois par an", "mois", most=12),
        Field("vacancy_weeks", "la vacance en semaines par an", "semaines", most=52),
        _LOAN_AMOUNT, _DOWN, _RATE, _TERM, _INSURANCE, _INSTALMENT, _TMI, _FURNISHED,
        Field("target_yield", "le rendement visé", "%", least=0.1, most=50),
        _AREA,
        Field("micro", "si les loyers nus relèvent du micro-foncier", YES_NO),
        Field("gross_target", "si le rendement visé est brut", YES_NO),
        _wanted("gross", "net", "net_net", "cash_flow", "price", "rent"),
    ),
    "gain": (
        Field("sale_price", "le prix de vente", "€", least=1), replace(_PRICE, least=1),
        Field("purchase_year", "l'année d'achat", "année", least=1900, most=2200, whole=True),
        Field("purchase_date", "la date d'achat", DAY),
        Field("sale_year", "l'année de vente", "année", least=1900, most=2200, whole=True),
        Field("sale_date", "la date de vente", DAY),
        Field("holding_years", "la durée de détention", "ans", most=100),
        _FEES, _FEES_PERCENT, _WORKS, Field("sale_costs", "les frais de vente à la charge du vendeur", "€"),
        Field("main_residence", "si le logement est la résidence principale du vendeur", YES_NO),
        Field("depreciation", "le total des amortissements déduits", "€"), _FURNISHED,
        Field("gain", "la plus-value brute", "€"),
        Field("share", "la part du vendeur", "%", least=0.1, most=100),
        _wanted("tax", "gain", "net", "surtax"),
    ),
    "capacity": (
        Field("income_monthly", "les revenus mensuels nets", "€/mois", many=True, most=1e7),
        Field("debts_monthly", "les mensualités et charges déjà payées chaque mois", "€/mois", many=True, most=1e7),
        _RATES, _TERMS, _INSURANCE, _INSURANCE_PAID, _RENTS,
        Field("rent_weight", "la part des loyers retenue", "%", most=100),
        _INSTALMENT, replace(_LOAN_AMOUNT, label="le montant du prêt souhaité"), _DOWN, _FEES_PERCENT,
        _wanted("capital", "budget", "whole", "ratio", "left", "income"),
    ),
    "regime": (
        Field("rent_yearly", "les loyers annuels hors charges", "€/an"), _RENTS, _CHARGES, _PROPERTY_TAX,
        Field("interest_yearly", "les intérêts et l'assurance du prêt sur l'année", "€/an"), _WORKS,
        Field("depreciation", "l'amortissement annuel du bien et des meubles", "€/an"), _PRICE, _HOME_INSURANCE, _TMI,
        _FURNISHED, Field("tourist", "si c'est un meublé de tourisme", YES_NO),
        Field("classified", "si le meublé de tourisme est classé", YES_NO),
        Field("income_yearly", "le revenu net imposable du foyer", "€/an"),
        Field("parts", "le nombre de parts du foyer", "parts", least=1, most=20),
        Field("deficit", "le déficit foncier", "€"),
        Field("energy", "si les travaux font sortir le logement des classes E, F ou G", YES_NO),
        _wanted("micro", "real", "deficit"),
    ),
    "relance": (
        Field("price", "le prix du logement", "€", least=1_000),
        Field("level", "le niveau de loyer", CHOICE, choices=("intermediate", "social", "very_social")),
        Field("state", "l'état du logement", CHOICE, choices=("new", "existing")),
        Field("house", "si c'est une maison individuelle", YES_NO), _WORKS,
    ),
    "fees": (
        _PRICE, Field("new", "si le logement est neuf", YES_NO),
        Field("transfer_rate", "le taux des droits de mutation", "%", least=3, most=7), _FEES_PERCENT,
        _wanted("total", "transfer", "notary"),
    ),
    "partition": (
        Field("amount", "la valeur du bien", "€", least=1_000), Field("debt", "le capital restant dû", "€", many=True),
        Field("share", "la part rachetée", "%", least=1, most=99),
        Field("sharers", "le nombre de copartageants", "personnes", least=2, most=20, whole=True),
        Field("couple_ends", "si le partage suit un divorce ou une rupture de pacs", YES_NO),
        _wanted("balance", "duty"),
    ),
    "shares_duty": (Field("amount", "le prix des parts", "€", least=1),),
    "recorded": (
        Field("amount", "le montant dont la part est prise", "€", least=1, most=1e9),
        Field("facts", "les relevés à appliquer", TEXT),
        Field("rate", "le taux, où le relevé en laisse le choix", "%", most=100),
    ),
    "deadline": (
        Field("day", "le jour d'où court le délai", DAY),
        Field("facts", "les relevés à appliquer", TEXT),
    ),
    "share_value": (
        Field("amount", "la valeur des immeubles de la société", "€", least=1_000, most=1e9),
        Field("company_shares", "le nombre de parts de la société", "parts", least=1, most=1e7, whole=True),
        Field("debts", "les dettes de la société", "€", many=True, most=1e9),
        Field("cash", "la trésorerie de la société", "€", most=1e9),
        Field("sold_shares", "le nombre de parts cédées", "parts", least=1, most=1e7, whole=True),
        _wanted("value", "duty"),
    ),
    "reduction": (
        _PRICE, _FEES, _FEES_PERCENT, _WORKS, _AREA, replace(_TERM, label="la durée de l'engagement de location"),
        _WHOLE_COST,
    ),
    "rent_area": (_RENTS, _AREA, Field("rent_per_area", "le loyer mensuel au m²", "€/m²", least=0.1, most=1_000)),
    "early_repayment": (
        replace(_LOAN_AMOUNT, label="le capital restant dû"), _RATE, _TERM,
        Field("after_months", "le nombre de mensualités déjà payées", "mois", most=480, whole=True),
    ),
    "rent_ceiling": (
        Field("zone", "la zone du logement (A bis, A, B1, B2 ou C)", CHOICE, choices=("Abis", "A", "B1", "B2", "C")),
        _AREA,
    ),
    "usufruct": (
        Field("amount", "la valeur du bien en pleine propriété", "€", least=100),
        _AGES, Field("term", "la durée de l'usufruit temporaire", "ans", least=1, most=99),
        _wanted("usufruct", "bare"),
    ),
    "duties": (
        Field("amount", "le montant transmis", "€", least=1, most=1e9),
        Field("relation", "le lien de parenté (enfant, petit-enfant, conjoint, frère ou sœur, neveu ou nièce)", CHOICE,
              choices=("child", "grandchild", "spouse", "sibling", "niece", "unrelated")),
        Field("estate", "si c'est une succession", YES_NO),
        Field("heirs", "le nombre de bénéficiaires", "personnes", least=1, most=20, whole=True),
        Field("givers", "le nombre de donateurs", "personnes", least=1, most=2, whole=True),
        Field("passes", "ce qui est transmis d'un bien démembré", CHOICE, choices=("bare", "usufruct")),
        _AGES,
        Field("debts", "les dettes à déduire", "€", many=True, most=1e9),
        Field("earlier_gift", "ce que chacun avait déjà reçu depuis moins de 15 ans", "€", most=1e9),
    ),
    "wealth_tax": (
        Field("wealth", "le patrimoine immobilier net de dettes", "€", most=1e10),
        Field("main_home", "la valeur de la résidence principale", "€", most=1e9),
        Field("assets", "la valeur des autres biens immobiliers", "€", many=True, most=1e9),
        Field("debts", "les dettes immobilières", "€", many=True, most=1e9),
    ),
    "deficit": (Field("deficit", "le déficit foncier", "€"), _TMI),
    "income_tax": (
        Field("income_yearly", "le revenu net imposable du foyer", "€/an"),
        Field("parts", "le nombre de parts du foyer", "parts", least=1, most=20),
        _wanted("bracket", "tax"),
    ),
    "rent_revision": (
        replace(_RENTS, many=False),
        Field("indices", "l'ancien et le nouvel indice de référence", "points", many=True, least=1, most=1e4),
        _wanted("revised", "gap"),
    ),
    "deposit": (replace(_RENTS, many=False), _FURNISHED),
    "carrez": (
        Field("sale_price", "le prix de vente", "€", least=1_000),
        Field("areas", "la surface annoncée et la surface mesurée", "m²", many=True, least=1, most=1e5),
    ),
    "malraux": (_WORKS, Field("plan", "le plan du secteur", CHOICE, choices=("psmv", "pvap"))),
    "letting": (
        Field("rent_yearly", "les loyers annuels hors charges", "€/an", most=1e8),
        Field("level", "le niveau de la convention", CHOICE, choices=("loc1", "loc2", "loc3")),
        Field("intermediation", "si la location passe par une intermédiation locative", YES_NO),
    ),
    "allowance": (Field("holding_years", "la durée de détention", "ans", most=100),),
    "quota": (
        Field("shared", "le montant à répartir", "€"),
        Field("part", "la part ou les tantièmes", "%", most=100),
    ),
    "charges_balance": (
        Field("real", "les charges récupérables réelles", "€"),
        Field("provisions_monthly", "la provision mensuelle versée", "€/mois", most=1e5),
        Field("provisions_yearly", "les provisions versées", "€"),
        Field("paid_months", "le nombre de mois de provisions", "mois", least=1, most=60),
    ),
    "late_deposit": (
        replace(_RENTS, many=False), Field("months_late", "le retard", "mois", least=0.01, most=120),
    ),
    "completion_call": (
        Field("price", "le prix de vente", "€", least=1_000),
        Field("stage", "le stade des travaux", CHOICE, choices=("foundations", "roof", "finished", "delivered")),
    ),
    "annuity": (
        Field("annuity_yearly", "la rente annuelle", "€/an"),
        Field("age", "l'âge du crédirentier au premier versement", "ans", most=130),
    ),
    "home_in_estate": (Field("amount", "la valeur du logement", "€", least=1_000),),
    "works_share": (_PRICE, _WHOLE_COST, _FEES, _FEES_PERCENT, _WORKS),
    "market": (
        _PRICE, _AREA, Field("median", "le prix médian au m²", "€/m²", least=1, most=1e5),
        Field("named", "de quoi ce prix est la médiane", TEXT),
    ),
}  # fmt: skip


def field_of(kind: str, name: str) -> Field:
    """Raises `KeyError` for a name that the kind does not know."""
    return {field.name: field for field in FIELDS[kind]}[name]


def question(field: Field) -> str:
    """The field asked back, in one French sentence."""
    if field.unit == YES_NO:
        return f"Pouvez-vous me dire {field.label} ?"
    unit = {"€": " (en euros)", "%": " (en %)", "€/mois": " (en euros par mois)", "€/an": " (en euros par an)"}
    return f"Pouvez-vous m'indiquer {field.label}{unit.get(field.unit, '')} ?"
