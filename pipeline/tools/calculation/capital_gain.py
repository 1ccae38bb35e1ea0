"""Capital gain of a private seller: gross gain, allowances for holding, income tax and social levies."""

from dataclasses import dataclass

from pipeline.text.amounts import cents, euros, percent, whole
from pipeline.tools.calculation.holding import holding, income_tax_allowance, social_allowance
from pipeline.tools.calculation.surtax import Surtax, sentence, surtax
from pipeline.tools.calculation.values import Inputs, Worked, money
from pipeline.types import Computed, Figure

IR_RATE, PS_RATE = 19.0, 17.2
"""Percent: CGI 200 B; CSS L136-7 and following, unchanged at 17.2 % for property gains by the LFSS 2026, art. 12."""
FEES_LUMP, WORKS_LUMP = 7.5, 15.0
"""Percent of the purchase price: acquisition fees; works on a building held more than 5 years (CGI 150 VB, II)."""
SOURCE = "CGI 150 U à 150 VH, 200 B, 1609 nonies G ; CSS L136-7"
URL = "https://www.service-public.gouv.fr/particuliers/vosdroits/F10864"


@dataclass(frozen=True, slots=True)
class Gain:
    """Euros: gain before allowances (may be negative), the two taxable gains, the two taxes and the surtax."""

    gross: float
    ir_base: float
    ps_base: float
    ir: float
    ps: float
    surtax: Surtax

    @property
    def tax(self) -> float:
        return self.ir + self.ps + self.surtax.due


def capital_gain(*, net_sale: float, corrected_purchase: float, years: int) -> Gain:
    """Sale price less the seller's costs, less the purchase price corrected by fees and works; then each allowance;
    then 19 % and 17.2 %, and the surtax (CGI 150 V to 150 VC, 200 B, 1609 nonies G; CSS L136-7). A loss is neither
    taxed nor set off."""
    gross = cents(net_sale - corrected_purchase)
    gain = max(0.0, gross)
    ir_base = cents(gain * (100 - income_tax_allowance(years)) / 100)
    ps_base = cents(gain * (100 - social_allowance(years)) / 100)
    taxes = (whole(ir_base * IR_RATE / 100), whole(ps_base * PS_RATE / 100), surtax(ir_base))
    return Gain(gross, ir_base, ps_base, *taxes)


def work(inputs: Inputs) -> Worked:
    """`sale_price`, `purchase_price`, and `years` or `acquired` + `sold`; optional `sale_costs`, `acquisition_costs`
    (without it, 7.5 %), `works` (without it, 15 % when held more than 5 years). Raises `Nonsense`."""
    sale = money(inputs, "sale_price", label="le prix de vente", least=1)
    purchase = money(inputs, "purchase_price", label="le prix d'achat", least=1)
    sale_costs = money(inputs, "sale_costs", label="les frais de vente", default=0.0)
    years, over_five = holding(inputs)
    fees = money(
        inputs, "acquisition_costs", label="les frais d'acquisition", default=cents(purchase * FEES_LUMP / 100)
    )
    works_lump = cents(purchase * WORKS_LUMP / 100) if over_five else 0.0
    works = money(inputs, "works", label="les travaux", default=works_lump)
    corrected = cents(purchase + fees + works)
    gain = capital_gain(net_sale=sale - sale_costs, corrected_purchase=corrected, years=years)
    given = [
        Figure("Prix de vente", sale, "€"),
        Figure("Prix d'achat", purchase, "€"),
        Figure("Frais de vente", sale_costs, "€"),
        Figure("Durée de détention", years, "ans"),
    ]
    results = [
        Computed(Figure("Frais d'acquisition retenus", fees, "€"), "montant réel, sinon 7,5 % du prix d'achat"),
        Computed(Figure("Travaux retenus", works, "€"), "montant réel, sinon 15 % du prix d'achat après 5 ans"),
        Computed(Figure("Prix d'achat corrigé", corrected, "€"), "prix d'achat + frais + travaux"),
        *gain_results(gain, years),
    ]
    fees_kind = "forfait de 7,5 %" if inputs.get("acquisition_costs") is None else "montant indiqué"
    works_kind = "montant indiqué"
    if inputs.get("works") is None:
        works_kind = "forfait de 15 %" if over_five else "pas de forfait avant 5 ans"
    total, *details = gain_sentences(gain, years)
    said = [
        total,
        f"Prix d'achat corrigé : {euros(corrected)}, soit {euros(purchase)} plus {euros(fees)} de frais ({fees_kind}) "
        f"et {euros(works)} de travaux ({works_kind}).",
        f"Plus-value brute : {euros(gain.gross)}, prix de vente de {euros(sale)} moins {euros(sale_costs)} de frais de "
        f"vente et moins le prix d'achat corrigé.",
        *details,
        "La vente de la résidence principale est exonérée : ce calcul ne la concerne pas.",
    ]
    return Worked("Plus-value immobilière d'un particulier", tuple(said), tuple(given), tuple(results), SOURCE, URL)


def gain_results(gain: Gain, years: int) -> tuple[Computed, ...]:
    """The ledger of a gain, from the gross gain down to the tax."""
    return (
        Computed(Figure("Plus-value brute", gain.gross, "€"), "prix de vente net - prix d'achat corrigé"),
        Computed(Figure("Abattement pour l'impôt", income_tax_allowance(years), "%"), "6 % par an de la 6e à la 21e"),
        Computed(Figure("Abattement pour les prélèvements", social_allowance(years), "%"), "CSS L136-7, VI"),
        Computed(Figure("Plus-value imposable à l'impôt", gain.ir_base, "€"), "plus-value brute - abattement"),
        Computed(Figure("Plus-value soumise aux prélèvements", gain.ps_base, "€"), "plus-value brute - abattement"),
        Computed(Figure("Impôt sur la plus-value", gain.ir, "€"), "19 % de la plus-value imposable"),
        Computed(Figure("Prélèvements sociaux", gain.ps, "€"), "17,2 % de la plus-value soumise"),
        *_surtax_results(gain.surtax),
        Computed(Figure("Impôt et prélèvements", gain.tax, "€"), "impôt + prélèvements sociaux + surtaxe"),
    )


def _surtax_results(found: Surtax) -> tuple[Computed, ...]:
    if not found.due:
        return ()
    return (
        Computed(Figure("Taux de la surtaxe", found.rate, "%"), "barème de CGI 1609 nonies G"),
        Computed(Figure("Lissage de la surtaxe", found.smoothing, "€"), "barème de CGI 1609 nonies G"),
        Computed(
            Figure("Surtaxe sur les plus-values élevées", found.due, "€"), "plus-value imposable x taux - lissage"
        ),
    )


def gain_sentences(gain: Gain, years: int) -> tuple[str, ...]:
    """The total, then allowances, taxes, and the surtax when it is due."""
    if gain.gross <= 0:
        return ("Il n'y a pas de plus-value imposable ; la moins-value ne s'impute sur rien.",)
    with_surtax = ", surtaxe comprise" if gain.surtax.due else ""
    said = [
        f"Impôt et prélèvements sur la plus-value : {euros(gain.tax)}{with_surtax}.",
        f"Après {years} ans de détention, l'abattement est de {percent(income_tax_allowance(years))} pour l'impôt sur "
        f"le revenu et de {percent(social_allowance(years))} pour les prélèvements sociaux.",
        f"Impôt : {euros(gain.ir)}, soit {percent(IR_RATE)} de {euros(gain.ir_base)}.",
        f"Prélèvements sociaux : {euros(gain.ps)}, soit {percent(PS_RATE)} de {euros(gain.ps_base)}.",
        sentence(gain.surtax),
    ]
    return tuple(filter(None, said))
