"""Capital gain of a private seller, bare or furnished lets: gross gain, tax, and what is left of the sale."""

from dataclasses import dataclass
from datetime import date

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import (
    DEPRECIATION_SOURCE,
    DEPRECIATION_TAKEN_BACK,
    FEES_LUMP,
    GAIN_SOURCE,
    GAIN_URL,
    SMALL_SALE,
    WORKS_LUMP,
)
from pipeline.tools.calculation.gains.gain_years import of_gain
from pipeline.tools.calculation.gains.holding import Held, holding
from pipeline.tools.calculation.gains.surtax import FROM, sentence, surtax
from pipeline.tools.calculation.gains.taxed_gain import tax_sentences, taxed, write_down
from pipeline.tools.calculation.purchase.acquisition import fees_of
from pipeline.tools.calculation.sheet import Sheet, signed
from pipeline.tools.calculation.values import Nonsense, Told, Worked

NO_SURTAX = f"la plus-value imposable ne dépasse pas {euros(FROM)}"
TITLE = "Plus-value immobilière d'un particulier"


@dataclass(frozen=True, slots=True)
class Purchase:
    """Euros: the price, what the law adds to it and the depreciation that it takes back; how each was chosen."""

    price: float
    fees: float
    works: float
    depreciation: float
    fees_kind: str
    works_kind: str

    @property
    def corrected(self) -> float:
        return cents(self.price + self.fees + self.works - self.depreciation)

    @property
    def added(self) -> str:
        """What was added and taken off, in French."""
        fees = f"plus {euros(self.fees)} de frais" if self.fees else "sans frais"
        works = f"plus {euros(self.works)} de travaux" if self.works else "sans travaux"
        back = f", moins {euros(self.depreciation)} d'amortissements déduits" if self.depreciation else ""
        return f"{fees} ({self.fees_kind}), {works} ({self.works_kind}){back}"


def work(told: Told, sheet: Sheet, *, today: date) -> Worked:
    """See `FIELDS["gain"]`. Without the fees told, 7.5 %; without the works, 15 % when held more than 5 years; for a
    furnished let at the real regime neither is presumed. Raises `Nonsense`."""
    held = holding(told, sheet, today=today)
    gross = _gross(told, sheet, held)
    if told.flag("main_residence"):
        _exempt(sheet)
    elif told.one("share") is None and 0 < told.amount("sale_price") <= SMALL_SALE.value:
        _exempt_by_price(sheet)
    elif gross is None:
        absent = tuple(name for name in ("sale_price", "purchase_price") if name not in told)
        sheet.ask(*absent, *(() if held else ("purchase_date",)))
    elif held is None and told.choice("wanted") == "surtax" and "gain" in told:
        _surtax_alone(sheet, gross)
    elif held is None:
        sheet.say("Les abattements pour durée de détention restent à appliquer : la date d'achat manque.")
        if gross <= 0:
            sheet.say("Il n'y a pas de plus-value imposable ; la moins-value ne s'impute sur rien.")
        else:
            sheet.ask("purchase_date", "holding_years", "purchase_year",
                      asked="Quelle est la date d'achat, ou la durée de détention en années ?")  # fmt: skip
    else:
        _tax(told, sheet, held, gross)
    source = f"{GAIN_SOURCE} ; {DEPRECIATION_SOURCE}" if "depreciation" in told else GAIN_SOURCE
    return sheet.worked(TITLE, source, GAIN_URL)


def _gross(told: Told, sheet: Sheet, held: Held | None) -> float | None:
    """The gain told, or the sale less the corrected purchase; for the seller's share of it."""
    known = told.one("gain")
    if known is not None:
        sheet.given("Plus-value brute indiquée", known, "€")
        return _shared(told, sheet, known)
    sale, price = told.one("sale_price"), told.one("purchase_price")
    sheet.given("Prix de vente", sale, "€")
    sheet.given("Prix d'achat", price, "€")
    if sale is None or price is None:
        return None
    costs = told.amount("sale_costs")
    sheet.given("Frais de vente", costs, "€")
    bought = _purchase(told, sheet, held, price)
    how = [f"{euros(price)} + {euros(bought.fees)} de frais + {euros(bought.works)} de travaux"]
    how += [f"{euros(bought.depreciation)} d'amortissements"] if bought.depreciation else []
    sheet.found("Prix d'achat corrigé", bought.corrected, "€", " − ".join(how))
    parts = " − ".join(euros(part) for part in (sale, *([costs] if costs else []), bought.corrected))
    gross = sheet.found("Plus-value brute", sale - costs - bought.corrected, "€", parts)
    less = f"{euros(costs)} de frais de vente et moins le prix d'achat corrigé" if costs else "le prix d'achat corrigé"
    sheet.say(
        f"Plus-value brute : {signed(gross)}, soit {euros(sale)} de prix de vente moins {less}.",
        f"Prix d'achat corrigé : {euros(bought.corrected)}, soit {euros(price)}, {bought.added}.",
    )
    return _shared(told, sheet, gross)


def _purchase(told: Told, sheet: Sheet, held: Held | None, price: float) -> Purchase:
    depreciation = _depreciation(told, sheet, held, price)
    furnished = depreciation > 0
    fees, fees_kind = fees_of(told, sheet, price), "montant indiqué"
    works, works_kind = told.one("works"), "montant indiqué"
    sheet.given("Travaux", works, "€")
    if furnished and (fees is None or works is None):
        sheet.assume(
            "Meublé au réel : sans montant indiqué, ni frais ni travaux n'augmentent le prix d'achat, car ils ont pu "
            "être déjà déduits ou amortis ; le choix entre forfaits et montants réels est à valider avec le comptable."
        )
    if fees is None:
        fees, fees_kind = 0.0, "déjà déduits ou amortis"
        if not furnished:
            sheet.rule("Forfait de frais", FEES_LUMP)
            fees_kind = f"forfait de {percent(FEES_LUMP.value)}"
            how = f"{percent(FEES_LUMP.value)} × {euros(price)} (CGI 150 VB, II)"
            fees = sheet.found("Frais d'acquisition retenus", price * FEES_LUMP.value / 100, "€", how)
    if works is None:
        works, works_kind = 0.0, "déjà déduits ou amortis" if furnished else "forfait ouvert après plus de cinq ans"
        if held is not None and held.over_five and not furnished:
            sheet.rule("Forfait de travaux", WORKS_LUMP)
            works_kind = f"forfait de {percent(WORKS_LUMP.value)}"
            how = f"{percent(WORKS_LUMP.value)} × {euros(price)} (CGI 150 VB, II)"
            works = sheet.found("Travaux retenus", price * WORKS_LUMP.value / 100, "€", how)
    return Purchase(price, fees, works, depreciation, fees_kind, works_kind)


def _depreciation(told: Told, sheet: Sheet, held: Held | None, price: float) -> float:
    """What is taken back: nothing for a sale before 15 February 2025."""
    told_amount = told.one("depreciation")
    if told_amount is None:
        if told.flag("furnished"):
            sheet.assume("Location meublée sans amortissement indiqué : aucun n'est repris, comme au micro-BIC.")
            sheet.ask("depreciation")
        return 0.0
    if told_amount > price:
        raise Nonsense("Les amortissements dépassent le prix d'achat : vérifiez les montants.")
    sheet.given("Amortissements déduits", told_amount, "€")
    if held is not None and held.sold < DEPRECIATION_TAKEN_BACK:
        sheet.assume(
            f"Vente avant le {DEPRECIATION_TAKEN_BACK:%d/%m/%Y} : les amortissements déduits ne sont pas repris "
            "(loi 2025-127, art. 84)."
        )
        return 0.0
    sheet.assume(
        f"Amortissements repris dans la plus-value pour les ventes depuis le {DEPRECIATION_TAKEN_BACK:%d/%m/%Y} ; "
        "certaines résidences avec services y échappent, à vérifier."
    )
    return told_amount


def _shared(told: Told, sheet: Sheet, gross: float) -> float:
    part = told.one("share")
    if part is None or part == 100:
        return gross
    sheet.given("Part du vendeur", part, "%")
    return sheet.found("Plus-value brute du vendeur", gross * part / 100, "€", f"{signed(gross)} × {percent(part)}")


def _tax(told: Told, sheet: Sheet, held: Held, gross: float) -> None:
    gain, wanted = taxed(gross, held.years), told.choice("wanted")
    write_down(sheet, gain)
    sheet.schedules.extend(of_gain(told, held, gross))
    total, *details = tax_sentences(gain)
    (sheet.say if wanted == "gain" else sheet.lead)(total)
    sheet.say(*details)
    if wanted == "surtax":
        sheet.given("Seuil de la surtaxe", FROM, "€")
        sheet.lead(sentence(gain.surtax) or f"Aucune surtaxe : {NO_SURTAX}.")
    net_of_tax = told.amount("sale_price") - told.amount("sale_costs")
    if "sale_price" in told and told.one("share") in (None, 100.0):
        left = sheet.found(
            "Prix de vente net d'impôt", net_of_tax - gain.tax, "€", f"{euros(net_of_tax)} − {euros(gain.tax)}"
        )
        kept = f"Prix de vente net de frais de vente et d'impôt : {euros(left)}, avant remboursement d'un prêt."
        (sheet.lead if wanted == "net" else sheet.say)(kept)
    if "main_residence" not in told:
        sheet.assume("Logement supposé autre que la résidence principale, dont la vente est exonérée.")
    if not held.sure and gross > 0:
        fewer = taxed(gross, held.years - 1)
        less = "L'année précédente de détention, même plus-value brute"
        sheet.given("Durée si l'anniversaire n'est pas passé", fewer.years, "ans")
        tax = sheet.found("Impôt et prélèvements si l'anniversaire n'est pas passé", fewer.tax, "€", less)
        if tax != gain.tax:
            sheet.say(
                f"Si la date anniversaire de l'achat n'est pas passée, la durée est de {fewer.years} ans et l'impôt et "
                f"les prélèvements de {euros(tax)}."
            )


def _exempt(sheet: Sheet) -> None:
    sheet.found("Impôt et prélèvements", 0.0, "€", "exonération de la résidence principale (CGI 150 U, II, 1°)")
    sheet.lead("Impôt et prélèvements sur la plus-value : 0 €, la vente de la résidence principale étant exonérée.")
    sheet.asks, sheet.missing = "", ()
    sheet.assume("Le logement doit être la résidence principale habituelle du vendeur au jour de la vente.")


def _exempt_by_price(sheet: Sheet) -> None:
    most = euros(SMALL_SALE.value)
    sheet.rule("Prix de vente exonéré", SMALL_SALE)
    sheet.found("Impôt et prélèvements", 0.0, "€", f"exonération jusqu'à {most} ({SMALL_SALE.source})")
    sheet.lead(f"Impôt et prélèvements sur la plus-value : 0 €, la vente d'un bien à {most} au plus étant exonérée.")
    sheet.asks, sheet.missing = "", ()
    sheet.assume("Le prix s'apprécie par bien, et par quote-part en cas d'indivision.")


def _surtax_alone(sheet: Sheet, base: float) -> None:
    """Of a gain of which no holding is told: it is taken for the taxable one."""
    due = surtax(base)
    how = (
        f"{euros(base)} × {percent(due.rate)} − {euros(due.smoothing)}" if due.due else f"{euros(base)} ≤ {euros(FROM)}"
    )
    sheet.given("Seuil de la surtaxe", FROM, "€")
    sheet.given("Taux de la surtaxe", due.rate, "%")
    sheet.given("Lissage de la surtaxe", due.smoothing, "€")
    sheet.found("Surtaxe sur les plus-values élevées", due.due, "€", how)
    sheet.say(sentence(due) or f"Aucune surtaxe : {NO_SURTAX}.")
    sheet.assume(f"Les {euros(base)} sont pris pour la plus-value imposable, abattement déduit.")
