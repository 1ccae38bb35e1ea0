"""The calculators' legal constants and the records of facts say the same: one truth in two places, held by this."""

from dataclasses import fields
from datetime import date

import pytest

from corpus.facts.book import fact_book
from pipeline.tools import status
from pipeline.tools.calculation import constants
from pipeline.tools.calculation.constants import Rule
from pipeline.tools.calculation.gains import surtax
from pipeline.tools.calculation.purchase import relance

FACT_OF = {
    "DEBT_RATIO": "hcsf.effort", "LONGEST": "hcsf.duree", "LONGEST_DEFERRED": "hcsf.duree.differe",
    "RENT_WEIGHT": "loyers-retenus", "EARLY_MONTHS": "ira.mois", "EARLY_SHARE": "ira.part", "TRANSFER": "dmto.haut",
    "TRANSFER_LOW": "dmto.bas", "TRANSFER_NEW": "tpf.neuf", "LAND_REGISTER": "csi", "VAT": "tva",
    "DENORMANDIE_WORKS": "denormandie.travaux", "GAIN_INCOME_TAX": "pv.impot", "GAIN_SOCIAL": "pv.sociaux",
    "FEES_LUMP": "pv.frais", "WORKS_LUMP": "pv.travaux", "WORKS_AFTER": "pv.travaux.apres",
    "SMALL_SALE": "pv.petite",
    "INCOME_TAX_FREE": "pv.22", "SOCIAL_FREE": "pv.30", "BARE_SOCIAL": "ps.foncier", "FURNISHED_SOCIAL": "ps.lmnp",
    "MICRO_BARE_CEILING": "micro-foncier", "MICRO_BARE": "micro-foncier.abattement",
    "MICRO_FURNISHED_CEILING": "micro-bic", "MICRO_FURNISHED_CEILING_2025": "micro-bic.2025",
    "MICRO_FURNISHED": "micro-bic.abattement", "MICRO_TOURIST_CEILING": "micro-bic.tourisme",
    "MICRO_TOURIST": "micro-bic.abattement.tourisme", "MICRO_FURNISHED_LEAST": "micro-bic.minimum",
    "LANDLORD_BY_TRADE": "lmp.seuil", "DEFICIT": "deficit", "DEFICIT_ENERGY": "deficit.energie",
    "DEFICIT_LET_FOR": "deficit.location", "DEFICIT_CARRIED": "deficit.report", "HALF_PART_CEILING": "ir.demi-part",
    "RELIEF_SINGLE": "ir.decote.seul", "RELIEF_COUPLE": "ir.decote.couple", "ALLOWANCE_CHILD": "don.enfant",
    "ALLOWANCE_GRANDCHILD": "don.petit-enfant", "ALLOWANCE_SPOUSE": "don.conjoint", "ALLOWANCE_SIBLING": "don.frere",
    "ALLOWANCE_NIECE": "don.neveu", "WEALTH_FROM": "ifi.seuil", "WEALTH_HOME": "ifi.residence",
    "WEALTH_RELIEF": "ifi.decote", "GIFT_AGAIN": "don.renouvellement",
    "ALLOWANCE_HEIR": "succession.defaut",
    "USUFRUCT_TERM": "usufruit.temporaire", "SHARES_DUTY": "parts.droit", "PARTITION": "partage",
    "PARTITION_COUPLE": "partage.couple", "TRANSFER_COMMUNE": "dmto.commune", "TRANSFER_COLLECTION": "dmto.assiette",
    "DENORMANDIE_BASE": "denormandie.base", "DENORMANDIE_AREA": "denormandie.base-m2",
    "MALRAUX_MOST": "pinel-locavantages.17.1", "LATE_DEPOSIT": "depot.retard",
    "HOME_ABATEMENT": "succession.residence",
}  # fmt: skip
CUSTOMS = {"OLD_HOME_FEES", "LAND_SHARE", "DEPRECIATED_OVER", "SCENARIO_RENT"}
"""Assumptions of the calculators, which no text sets."""
FORMULAS = {
    "AREA_BASE", "AREA_SHARE", "AREA_MOST", "RELIEF_SHARE", "WEALTH_RELIEF_SHARE", "USUFRUCT_PERIOD", "DEPOSIT_BARE",
    "DEPOSIT_FURNISHED", "CARREZ_MARGIN",
}  # fmt: skip
"""Parts of a formula that the records tell in a sentence."""


def _rules() -> dict[str, Rule]:
    return {name: value for name, value in vars(constants).items() if isinstance(value, Rule)}


def _value(name: str) -> object:
    return fact_book().by_id[name].value


def test_every_constant_is_on_record_or_said_to_be_a_custom() -> None:
    assert set(_rules()) == FACT_OF.keys() | CUSTOMS | FORMULAS
    assert not any(_rules()[name].sure for name in CUSTOMS)


@pytest.mark.parametrize(("constant", "fact"), FACT_OF.items())
def test_a_constant_has_its_facts_value_and_unit(constant: str, fact: str) -> None:
    rule, record = _rules()[constant], fact_book().by_id[fact]
    assert rule.value == record.value
    assert rule.unit.split("/")[0] in record.unit.replace("mois d'intérêts", "mois").replace("an", "an ans")
    assert record.status != "disputed"


@pytest.mark.parametrize("formula", sorted(FORMULAS))
def test_a_part_of_a_formula_stands_in_a_record(formula: str) -> None:
    written = f"{_rules()[formula].value:g}".replace(".", ",")
    assert any(written in f"{fact.sentence} {fact.condition}" for fact in fact_book().facts)


def test_the_scales_are_those_on_record() -> None:
    assert [rate for _, rate in constants.INCOME_SCALE] == [_value(f"ir.{rate}") for rate in (0, 11, 30, 41, 45)]
    for end, rate in constants.INCOME_SCALE[:-1]:
        written = f"{end:,.0f}".replace(",", " ")
        assert written in fact_book().by_id[f"ir.{rate:.0f}"].condition
    assert dict(constants.ANNUITY_SHARES) == {a: _value(f"rente.{a}") for a in (70, 60, 50, 0)}
    assert {stage: _value(f"vefa.{stage}") for stage in constants.CALL_SHARES} == constants.CALL_SHARES
    assert [rate for _, rate in constants.NOTARY_SCALE] == [_value(f"notaire.{step}") for step in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("scale", "label"),
    [
        (constants.DIRECT_LINE, "le barème des droits en ligne directe"),
        (constants.WEALTH_SCALE[1:], "le barème de l'IFI"),
        (constants.USUFRUCT, "la valeur de l'usufruit viager"),
        ((*constants.SIBLINGS, *constants.NIECES, *constants.UNRELATED), "le taux des droits hors ligne directe"),
    ],
)
def test_a_scale_of_a_transmission_or_of_wealth_is_that_on_record(
    scale: tuple[tuple[float, float], ...], label: str
) -> None:
    """The same rates in the same order, and where each step ends."""
    records = [fact for fact in fact_book().facts if fact.label == label]
    assert [rate for _, rate in scale] == [fact.value for fact in records]
    ends = [(end, fact.condition) for (end, _), fact in zip(scale, records, strict=True) if end < 1e9]
    for end, condition in ends[: len(scale) - 1]:
        assert f"{end:,.0f}".replace(",", " ") in condition.replace("\u202f", " ") or "avant" in condition


def test_the_rent_ceilings_are_those_on_record() -> None:
    by_zone = {zone: _value(f"loyer.{zone.lower()}") for zone in ("Abis", "A", "B1")}
    assert by_zone | dict.fromkeys(("B2", "C"), _value("loyer.b2c")) == constants.RENT_CEILINGS


def test_the_relance_terms_are_those_on_record() -> None:
    names = {"intermediate": "intermediaire", "social": "social", "very_social": "tres-social"}
    for level, name in names.items():
        terms = relance.TERMS[level]
        assert [getattr(terms, field.name) for field in fields(terms)] == [
            _value(f"relance.{part}.{name}") for part in ("neuf", "ancien", "plafond")
        ]
    assert _value("relance.base") == relance.BASE


def test_the_denormandie_rates_are_those_on_record() -> None:
    assert {years: _value(f"denormandie.{years}") for years in (6, 9, 12)} == constants.DENORMANDIE_RATES


def test_the_days_are_those_on_record() -> None:
    assert _value("lmnp.reprise") == constants.DEPRECIATION_TAKEN_BACK
    assert _value("denormandie.fin") == status.DENORMANDIE_ENDS
    assert (_value("encadrement.fin"), _value("encadrement.fin.2")) == status.CONTROL_ENDS
    assert _value("pv.surtaxe") == surtax.FROM
    assert isinstance(_value("pinel.fin"), date)
