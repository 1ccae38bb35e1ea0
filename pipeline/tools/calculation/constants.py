"""Every legal rate, ceiling and customary value of the calculations: dated, with its source, in one place."""

from dataclasses import dataclass
from datetime import date
from typing import Final


@dataclass(frozen=True, slots=True)
class Rule:
    """`value` in `unit`, in force `since` (None: long established or a custom). `sure` False: "à vérifier"."""

    value: float
    unit: str
    source: str
    since: date | None = None
    sure: bool = True

    def __post_init__(self) -> None:
        if not self.source:
            raise ValueError("a rule needs its source")


RULES_AS_OF: Final = date(2026, 11, 21)
"""The day to which these rules were checked. The finance bill for 2027 was still being debated."""

# Credit
HCSF: Final = "HCSF, décision D-HCSF-2021-7"
HCSF_URL: Final = "https://www.economie.gouv.fr/hcsf"
DEBT_RATIO: Final = Rule(35.0, "%", HCSF, date(2022, 1, 1))
"""Of income, borrower's insurance included."""
LONGEST: Final = Rule(25, "ans", HCSF, date(2022, 1, 1))
LONGEST_DEFERRED: Final = Rule(27, "ans", HCSF, date(2022, 1, 1))
"""With deferred repayment: off-plan purchases, large works."""
RENT_WEIGHT: Final = Rule(70.0, "%", "usage bancaire, variable selon la banque", sure=False)
OLD_HOME_FEES: Final = Rule(8.0, "%", "ordre de grandeur dans l'ancien", sure=False)
"""Of the price; 7 to 8 % in existing homes, 2 to 3 % in new ones."""

LEFT_TO_LIVE: Final = "usage bancaire : chaque banque fixe son minimum selon le foyer"
EARLY_SOURCE: Final = "Code de la consommation, R313-25 et L313-48"
EARLY_MONTHS: Final = Rule(6, "mois", EARLY_SOURCE)
"""Of interest on the capital repaid; not more than the share below."""
EARLY_SHARE: Final = Rule(3.0, "%", EARLY_SOURCE)

# Purchase
FEES_SOURCE: Final = "CGI 1594 D, 1584, 1647 et 879 ; tarif des notaires du 01/03/2026 au 29/02/2028"
FEES_URL: Final = "https://www.impots.gouv.fr"
TRANSFER: Final = Rule(6.3185, "%", "CGI 1594 D, LF 2025 art. 116 : département à 5 %", date(2025, 4, 1))
"""Department, commune and collection, until 31/03/2028; 83 departments of 101."""
TRANSFER_COMMUNE: Final = Rule(1.2, "%", "CGI 1584")
TRANSFER_COLLECTION: Final = Rule(2.37, "%", "CGI 1647, V")
"""Of the department's tax."""
DEPARTMENT_MOST: Final = 5.0
"""Percent: what a department may ask. Above it, a rate that is told is the whole one."""
TRANSFER_LOW: Final = Rule(5.80665, "%", "CGI 1594 D : département à 4,50 %")
TRANSFER_NEW: Final = Rule(0.715, "%", "taxe de publicité foncière, logement neuf soumis à TVA")
LAND_REGISTER: Final = Rule(0.10, "%", "CGI 879")
NOTARY_SCALE: Final = ((6_500.0, 3.870), (17_000.0, 1.596), (60_000.0, 1.064), (float("inf"), 0.799))
"""(end of the step in euros, percent without VAT) of a sale."""
VAT: Final = Rule(20.0, "%", "CGI 278")

# Ceilings of rents and works
CEILING_SOURCE: Final = "BOI-BAREME-000017 du 10/03/2026"
RENT_CEILINGS: Final = {"Abis": 19.71, "A": 14.64, "B1": 11.80, "B2": 10.26, "C": 10.26}
"""Euros a m² and month, without charges, in 2026: the intermediate level of Relance logement, and Denormandie."""
AREA_BASE: Final = Rule(0.7, "", CEILING_SOURCE)
AREA_SHARE: Final = Rule(19, "", CEILING_SOURCE)
AREA_MOST: Final = Rule(1.2, "", CEILING_SOURCE)
DENORMANDIE_SOURCE: Final = "CGI 199 novovicies ; BOI-IR-RICI-365"
DENORMANDIE_RATES: Final = {6: 12.0, 9: 18.0, 12: 21.0}
"""Years of letting -> percent of the whole cost."""
DENORMANDIE_BASE: Final = Rule(300_000, "€", DENORMANDIE_SOURCE)
DENORMANDIE_AREA: Final = Rule(5_500, "€/m²", DENORMANDIE_SOURCE)
DENORMANDIE_WORKS: Final = Rule(25.0, "%", "CGI 199 novovicies ; BOI-IR-RICI-365-30")
"""Of the whole cost: a third of price and fees."""

# Capital gain of a private seller
GAIN_SOURCE: Final = "CGI 150 U à 150 VH, 200 B, 1609 nonies G ; CSS L136-7"
GAIN_URL: Final = "https://www.service-public.gouv.fr/particuliers/vosdroits/F10864"
GAIN_INCOME_TAX: Final = Rule(19.0, "%", "CGI 200 B")
SMALL_SALE: Final = Rule(15_000, "€", "CGI 150 U, II, 6°")
"""Of one home or share: a sale up to it is exempt."""
GAIN_SOCIAL: Final = Rule(17.2, "%", "CSS L136-8, maintenu par la LFSS 2026, art. 12", date(2026, 1, 1))
FEES_LUMP: Final = Rule(7.5, "%", "CGI 150 VB, II")
WORKS_LUMP: Final = Rule(15.0, "%", "CGI 150 VB, II")
WORKS_AFTER: Final = Rule(5, "ans", "CGI 150 VB, II")
INCOME_TAX_FREE: Final = Rule(22, "ans", "CGI 150 VC, I")
SOCIAL_FREE: Final = Rule(30, "ans", "CSS L136-7, VI")
DEPRECIATION_TAKEN_BACK: Final = date(2025, 2, 15)
"""Sales from this day (loi 2025-127 du 14/02/2025, art. 84; CGI 150 VB, III; service-public F10864)."""
DEPRECIATION_SOURCE: Final = "CGI 150 VB, III (loi 2025-127, art. 84)"

# Rents
RENT_SOURCE: Final = "CGI 28 à 32 et 156 ; CSS L136-8"
FURNISHED_SOURCE: Final = "CGI 39 C et 50-0 ; CSS L136-8 ; décret 2026-562"
BARE_SOCIAL: Final = Rule(17.2, "%", "CSS L136-8, maintenu par la LFSS 2026, art. 12", date(2026, 1, 1))
FURNISHED_SOCIAL: Final = Rule(18.6, "%", "CSS L136-8, LFSS 2026, art. 12", date(2025, 1, 1))
"""Profits of a non-professional landlord of furnished homes, from the income of 2025."""
MICRO_BARE_CEILING: Final = Rule(15_000, "€/an", "CGI 32")
MICRO_BARE: Final = Rule(30.0, "%", "CGI 32")
MICRO_FURNISHED_CEILING: Final = Rule(83_600, "€/an", "CGI 50-0, décret 2026-562", date(2026, 1, 1))
"""Receipts of 2026: long lets, and tourist lets that are classified."""
MICRO_FURNISHED_CEILING_2025: Final = Rule(77_700, "€/an", "CGI 50-0", date(2025, 1, 1))
MICRO_FURNISHED: Final = Rule(50.0, "%", "CGI 50-0, loi 2024-1039, art. 7", date(2025, 1, 1))
MICRO_TOURIST_CEILING: Final = Rule(15_000, "€/an", "CGI 50-0, loi 2024-1039, art. 7", date(2025, 1, 1))
"""Tourist lets that are not classified."""
MICRO_TOURIST: Final = Rule(30.0, "%", "CGI 50-0, loi 2024-1039, art. 7", date(2025, 1, 1))
MICRO_FURNISHED_LEAST: Final = Rule(305, "€/an", "CGI 50-0")
LANDLORD_BY_TRADE: Final = Rule(23_000, "€/an", "CGI 155, IV")
DEFICIT: Final = Rule(10_700, "€/an", "CGI 156, I, 3°")
"""Taken off the overall income; interest never is. The let must go on for 3 years."""
DEFICIT_ENERGY: Final = Rule(21_400, "€/an", "CGI 156, I, 3°", date(2023, 1, 1))
"""Works that lift a home out of classes E, F, G to A-D, paid by 31/12/2027."""
DEFICIT_LET_FOR: Final = Rule(3, "ans", "CGI 156, I, 3°")
"""After the year in which the deficit came off the overall income."""
DEFICIT_CARRIED: Final = Rule(10, "ans", "BOI-RFPI-BASE-30-20")
LAND_SHARE: Final = Rule(20.0, "%", "usage comptable", sure=False)
DEPRECIATED_OVER: Final = Rule(30, "ans", "usage comptable, durée moyenne des composants", sure=False)
SCENARIO_RENT: Final = Rule(10.0, "%", "écart d'illustration choisi par QuartierScope", sure=False)
"""Less rent in the prudent scenario, more in the favourable one."""

# Income tax
INCOME_TAX_SOURCE: Final = "CGI 197, barème des revenus 2025 (loi 2026-103)"
INCOME_SCALE: Final = ((11_600.0, 0.0), (29_579.0, 11.0), (84_577.0, 30.0), (181_917.0, 41.0), (float("inf"), 45.0))
"""(end of the bracket in euros a part, percent). The scale for the income of 2026 is not voted."""
HALF_PART_CEILING: Final = Rule(1_807, "€", "CGI 197, I, 2 (revenus 2025)", date(2026, 2, 21))
RELIEF_SINGLE: Final = Rule(897, "€", "CGI 197, I, 4 (revenus 2025)", date(2026, 2, 21))
RELIEF_COUPLE: Final = Rule(1_483, "€", "CGI 197, I, 4 (revenus 2025)", date(2026, 2, 21))
RELIEF_SHARE: Final = Rule(45.25, "%", "CGI 197, I, 4", date(2026, 2, 21))

# Gifts, estates and dismemberment
USUFRUCT_SOURCE: Final = "CGI 669"
USUFRUCT: Final = (
    (20, 90.0),
    (30, 80.0),
    (40, 70.0),
    (50, 60.0),
    (60, 50.0),
    (70, 40.0),
    (80, 30.0),
    (90, 20.0),
    (150, 10.0),
)
"""(last age of the step in completed years, percent of the full property)."""
USUFRUCT_TERM: Final = Rule(23.0, "%", "CGI 669, II")
"""Of the full property, for each period begun of a usufruct for a fixed term."""
USUFRUCT_PERIOD: Final = Rule(10, "ans", "CGI 669, II")
DUTIES_SOURCE: Final = "CGI 777, 779, 790 B, 790 D, 790 E, 790 F et 796-0 bis"
DUTIES_URL: Final = "https://www.service-public.gouv.fr"
ALLOWANCE_CHILD: Final = Rule(100_000, "€", "CGI 779, I, tous les 15 ans", sure=False)
ALLOWANCE_GRANDCHILD: Final = Rule(31_865, "€", "CGI 790 B, tous les 15 ans")
ALLOWANCE_SPOUSE: Final = Rule(80_724, "€", "CGI 790 E et 790 F, tous les 15 ans")
ALLOWANCE_SIBLING: Final = Rule(15_932, "€", "CGI 779, IV, tous les 15 ans")
ALLOWANCE_NIECE: Final = Rule(7_967, "€", "CGI 779, V, tous les 15 ans")
ALLOWANCE_HEIR: Final = Rule(1_594, "€", "CGI 788, IV")
"""In an estate, of who has no other allowance."""
GIFT_AGAIN: Final = Rule(15, "ans", "CGI 784")
"""After which an allowance is whole again."""
DIRECT_LINE: Final = (
    (8_072.0, 5.0), (12_109.0, 10.0), (15_932.0, 15.0), (552_324.0, 20.0), (902_838.0, 30.0), (1_805_677.0, 40.0),
    (float("inf"), 45.0),
)  # fmt: skip
"""(end of the step in euros, percent) of what is left after the allowance."""
SIBLINGS: Final = ((24_430.0, 35.0), (float("inf"), 45.0))
NIECES: Final = ((float("inf"), 55.0),)
UNRELATED: Final = ((float("inf"), 60.0),)

# Partition and company shares
PARTITION_SOURCE: Final = "CGI 746 et 748"
PARTITION: Final = Rule(2.5, "%", "CGI 746")
PARTITION_COUPLE: Final = Rule(1.1, "%", "CGI 746 : divorce, séparation de corps ou fin de pacs", date(2022, 1, 1))
SHARES_SOURCE: Final = "CGI 726, I, 2°"
SHARES_DUTY: Final = Rule(5.0, "%", SHARES_SOURCE)
"""Of the price of shares of a company that mostly owns homes or land."""

# Wealth tax
WEALTH_SOURCE: Final = "CGI 964, 973 et 977"
WEALTH_URL: Final = "https://www.impots.gouv.fr"
WEALTH_FROM: Final = Rule(1_300_000, "€", "CGI 964")
WEALTH_HOME: Final = Rule(30.0, "%", "CGI 973")
"""Off the value of the main residence."""
WEALTH_SCALE: Final = (
    (800_000.0, 0.0), (1_300_000.0, 0.5), (2_570_000.0, 0.7), (5_000_000.0, 1.0), (10_000_000.0, 1.25),
    (float("inf"), 1.5),
)  # fmt: skip
WEALTH_RELIEF_TO: Final = 1_400_000.0
WEALTH_RELIEF: Final = Rule(17_500, "€", "CGI 977, 2")
WEALTH_RELIEF_SHARE: Final = Rule(1.25, "%", "CGI 977, 2")

# Rent revision
REVISION_SOURCE: Final = "loi n° 89-462 du 06/07/1989, article 17-1 ; indice de référence des loyers de l'Insee"

# Rules applied to one figure
DEPOSIT_BARE: Final = Rule(1, "mois", "loi 89-462, art. 22 et 25-6")
DEPOSIT_FURNISHED: Final = Rule(2, "mois", "loi 89-462, art. 22 et 25-6")
CARREZ_MARGIN: Final = Rule(5.0, "%", "loi 65-557, art. 46")
"""Of the area told: a twentieth."""
MALRAUX_MOST: Final = Rule(400_000, "€", "CGI 199 tervicies")
MALRAUX_RATES: Final = {"psmv": 30.0, "pvap": 22.0}
QUOTA_SOURCE: Final = "part en pour cent ou en tantièmes, telle qu'elle est donnée"
CHARGES_SOURCE: Final = "loi 89-462, art. 23"
LATE_DEPOSIT: Final = Rule(10.0, "%", "loi 89-462, art. 22")
"""Of a month's rent without charges, for each month begun."""
CALL_SOURCE: Final = "CCH R261-14"
CALL_SHARES: Final = {"foundations": 35.0, "roof": 70.0, "finished": 95.0, "delivered": 100.0}
"""Percent of the price that a VEFA may have called by each stage, in their order."""
ANNUITY_SOURCE: Final = "CGI 158-6"
ANNUITY_SHARES: Final = ((70, 30.0), (60, 40.0), (50, 50.0), (0, 70.0))
"""(age at the first payment from which, percent of the annuity that is taxed)."""
HOME_ABATEMENT: Final = Rule(20.0, "%", "CGI 764 bis")
LETTING_SOURCE: Final = "CGI 199 tricies"
LETTING_RATES: Final = {False: {"loc1": 15.0, "loc2": 35.0}, True: {"loc1": 20.0, "loc2": 40.0, "loc3": 65.0}}
"""Percent of a year's rents, with an agency between (True) or without."""
