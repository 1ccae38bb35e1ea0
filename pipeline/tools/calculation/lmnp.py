"""Resale by a non-professional landlord of furnished homes: the depreciation deducted comes back into the gain."""

from datetime import date

from pipeline.text.amounts import cents, euros
from pipeline.tools.calculation.capital_gain import SOURCE, URL, capital_gain, gain_results, gain_sentences
from pipeline.tools.calculation.holding import holding, sold_on
from pipeline.tools.calculation.values import Inputs, Nonsense, Worked, money
from pipeline.types import Computed, Figure

FROM = date(2025, 2, 15)
"""Sales from this day (loi 2025-127 du 14/02/2025, art. 84; service-public F10864)."""


def corrected_purchase(*, purchase: float, costs: float, works: float, depreciation: float) -> float:
    """Purchase price plus costs and works that were neither deducted nor depreciated, less the depreciation deducted
    under CGI 39 C (CGI 150 VB, III, since loi 2025-127, art. 84). Euros."""
    return cents(purchase + costs + works - depreciation)


def work(inputs: Inputs) -> Worked:
    """`sale_price`, `purchase_price`, `depreciation`, and `years` or `acquired` + `sold`; optional `sale_costs`,
    `acquisition_costs`, `works`: only what was neither deducted nor depreciated, so no lump sum is assumed."""
    sale = money(inputs, "sale_price", label="le prix de vente", least=1)
    purchase = money(inputs, "purchase_price", label="le prix d'achat", least=1)
    depreciation = money(inputs, "depreciation", label="les amortissements déduits")
    if depreciation > purchase:
        raise Nonsense("Les amortissements dépassent le prix d'achat : vérifiez les montants.")
    sale_costs = money(inputs, "sale_costs", label="les frais de vente", default=0.0)
    costs = money(inputs, "acquisition_costs", label="les frais d'acquisition", default=0.0)
    works = money(inputs, "works", label="les travaux", default=0.0)
    years, _ = holding(inputs)
    day = sold_on(inputs)
    if day is not None and day < FROM:
        raise Nonsense("Avant le 15/02/2025 les amortissements ne sont pas repris : le calcul n'est pas fait.")
    corrected = corrected_purchase(purchase=purchase, costs=costs, works=works, depreciation=depreciation)
    gain = capital_gain(net_sale=sale - sale_costs, corrected_purchase=corrected, years=years)
    given = (
        Figure("Prix de vente", sale, "€"),
        Figure("Prix d'achat", purchase, "€"),
        Figure("Amortissements déduits", depreciation, "€"),
        Figure("Frais d'acquisition et travaux ajoutés", costs + works, "€"),
        Figure("Frais de vente", sale_costs, "€"),
        Figure("Durée de détention", years, "ans"),
    )
    results = (
        Computed(Figure("Prix d'achat corrigé", corrected, "€"), "prix d'achat + frais + travaux - amortissements"),
        *gain_results(gain, years),
    )
    total, *details = gain_sentences(gain, years)
    said = (
        total,
        f"Prix d'achat corrigé : {euros(corrected)}, soit {euros(purchase)} plus {euros(costs + works)} de frais et "
        f"travaux, moins {euros(depreciation)} d'amortissements déduits.",
        f"Plus-value brute : {euros(gain.gross)}, prix de vente de {euros(sale)} moins {euros(sale_costs)} de frais de "
        "vente et moins le prix d'achat corrigé.",
        *details,
        "Les frais et travaux déjà déduits ou amortis ne comptent pas ; certaines résidences avec services échappent à "
        "la reprise des amortissements, à vérifier au cas par cas.",
    )
    source = f"{SOURCE} ; CGI 150 VB, III (loi 2025-127, art. 84)"
    return Worked("Revente en LMNP, amortissements repris", said, given, results, source, URL)
