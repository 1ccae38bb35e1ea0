"""What a buyer pays beside the price: transfer taxes, the land register and the notary's own fees."""

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import (
    DEPARTMENT_MOST,
    FEES_SOURCE,
    FEES_URL,
    LAND_REGISTER,
    NOTARY_SCALE,
    TRANSFER,
    TRANSFER_COLLECTION,
    TRANSFER_COMMUNE,
    TRANSFER_LOW,
    TRANSFER_NEW,
    VAT,
)
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Told, Worked, share

TITLE = "Frais d'acquisition"


def notary(price: float) -> tuple[float, str]:
    """Euros without VAT on the scale of a sale, and how: each step of the price at its own rate."""
    due, parts, start = 0.0, [], 0.0
    for end, rate in NOTARY_SCALE:
        part = min(price, end) - start
        if part <= 0:
            break
        due += part * rate / 100
        parts.append(f"{euros(part)} × {percent(rate)}")
        start = end
    return cents(due), " + ".join(parts)


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["fees"]`: an existing home unless told new. What the notary pays out on the buyer's behalf is not
    counted, which is said; `wanted` opens on the taxes or on the notary's own pay. A told share of the price is taken
    as it is."""
    price, new = told.one("purchase_price"), told.flag("new") is True
    if price is None:
        sheet.ask("purchase_price")
        return sheet.worked(TITLE, FEES_SOURCE, FEES_URL)
    sheet.given("Prix d'achat", price, "€")
    if (own := told.one("fees_percent")) is not None:
        sheet.given("Frais d'acquisition en part du prix", own, "%")
        total = sheet.found("Frais d'acquisition", price * own / 100, "€", f"{euros(price)} × {percent(own)}")
        sheet.say(f"Frais d'acquisition : {euros(total)}, soit les {percent(own)} donnés de {euros(price)}.")
        return sheet.worked(TITLE, FEES_SOURCE, FEES_URL)
    rate, how = _transfer_rate(told, sheet, new=new)
    tax = sheet.found("Droits et taxes de mutation", price * rate / 100, "€", f"{euros(price)} × {_rate(rate)}")
    low = LAND_REGISTER.value
    register = sheet.found(
        "Contribution de sécurité immobilière", price * low / 100, "€", f"{euros(price)} × {_rate(low)}"
    )
    fee, steps = notary(price)
    bare = sheet.found("Émoluments du notaire, hors taxes", fee, "€", steps)
    sheet.rule("TVA", VAT)
    notarial = sheet.found("Émoluments du notaire, TVA comprise", fee * (100 + VAT.value) / 100, "€",
                           f"{euros(bare)} × (100 % + {percent(VAT.value)})")  # fmt: skip
    parts = " + ".join(euros(part) for part in (tax, register, notarial))
    total = sheet.found("Frais d'acquisition", tax + register + notarial, "€", parts)
    part = sheet.found(
        "Frais d'acquisition en part du prix", share(total, price), "%", f"{euros(total)} / {euros(price)}"
    )
    said = {
        "total": f"Frais d'acquisition : {euros(total)} dans le {'neuf' if new else 'logement ancien'}, soit "
        f"{percent(part)} du prix de {euros(price)}, débours du notaire non compris.",
        "transfer": f"Droits et taxes de mutation : {euros(tax)}, soit {_rate(rate)} de {euros(price)}{how}.",
        "notary": f"Émoluments du notaire : {euros(notarial)} TVA comprise, soit {euros(bare)} hors taxes.",
    }
    first = told.choice("wanted") or "total"
    sheet.say(said.pop(first), *said.values())
    if not new and "transfer_rate" not in told:
        _lower(sheet, price, total - tax, first)
    if "new" not in told:
        sheet.assume("Logement supposé ancien, faute d'indication : les droits sont bien plus faibles dans le neuf.")
    return sheet.worked(TITLE, FEES_SOURCE, FEES_URL)


def _transfer_rate(told: Told, sheet: Sheet, *, new: bool) -> tuple[float, str]:
    """(percent of the price, its parts): the whole rate told, or what the department's own makes with the other two."""
    own = told.one("transfer_rate")
    if own is None:
        return (TRANSFER_NEW if new else TRANSFER).value, ""
    if own > DEPARTMENT_MOST:
        sheet.given("Taux des droits de mutation", own, "%")
        return own, ""
    sheet.given("Taux départemental", own, "%")
    sheet.rule("Taxe communale", TRANSFER_COMMUNE)
    sheet.rule("Frais d'assiette, sur le droit départemental", TRANSFER_COLLECTION)
    rate = round(own * (1 + TRANSFER_COLLECTION.value / 100) + TRANSFER_COMMUNE.value, 5)
    sheet.given("Taux des droits de mutation", rate, "%")
    return rate, f" (département à {percent(own)}, taxe communale et frais d'assiette compris)"


def _lower(sheet: Sheet, price: float, rest: float, first: str) -> None:
    """What is due in a department that has not raised its rate."""
    rate = TRANSFER_LOW.value
    tax = sheet.found("Droits et taxes de mutation, département à 4,50 %", price * rate / 100, "€",
                      f"{euros(price)} × {_rate(rate)}")  # fmt: skip
    low = sheet.found("Frais d'acquisition, département à 4,50 %", tax + rest, "€", f"{euros(tax)} + {euros(rest)}")
    sheet.assume(
        f"Département supposé au taux relevé (actes du 01/04/2025 au 31/03/2028, 83 départements sur 101 ; "
        f"primo-accédants exclus de la hausse) : sinon {euros(tax if first == 'transfer' else low)}."
    )


def _rate(value: float) -> str:
    """With all its digits: transfer taxes have five."""
    return f"{value:.5f}".rstrip("0").rstrip(".").replace(".", ",") + "\u00a0%"
