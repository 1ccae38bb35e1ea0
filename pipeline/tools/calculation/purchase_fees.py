"""What a buyer pays beside the price: transfer taxes, the land register and the notary's own fees."""

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import (
    FEES_SOURCE,
    FEES_URL,
    LAND_REGISTER,
    NOTARY_SCALE,
    TRANSFER,
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
    counted, which is said."""
    price, new = told.one("purchase_price"), told.flag("new") is True
    if price is None:
        sheet.ask("purchase_price")
        return sheet.worked(TITLE, FEES_SOURCE, FEES_URL)
    sheet.given("Prix d'achat", price, "€")
    transfer = TRANSFER_NEW if new else TRANSFER
    tax = _part(sheet, "Droits et taxes de mutation", transfer.value, price)
    register = _part(sheet, "Contribution de sécurité immobilière", LAND_REGISTER.value, price)
    fee, how = notary(price)
    sheet.rule("TVA", VAT)
    notarial = sheet.found("Émoluments du notaire, TVA comprise", fee * (100 + VAT.value) / 100, "€",
                           f"({how}) × (100 % + {percent(VAT.value)})")  # fmt: skip
    parts = " + ".join(euros(part) for part in (tax, register, notarial))
    total = sheet.found("Frais d'acquisition", tax + register + notarial, "€", parts)
    rate = sheet.found(
        "Frais d'acquisition en part du prix", share(total, price), "%", f"{euros(total)} / {euros(price)}"
    )
    sheet.say(
        f"Frais d'acquisition : {euros(total)} dans le {'neuf' if new else 'logement ancien'}, soit {percent(rate)} du "
        f"prix de {euros(price)}, débours du notaire non compris.",
        f"Droits et taxes de mutation : {euros(tax)}.",
        f"Émoluments du notaire, TVA comprise : {euros(notarial)}.",
    )
    if not new:
        low = cents(total - tax + price * TRANSFER_LOW.value / 100)
        how = f"{euros(price)} × {_rate(TRANSFER_LOW.value)} + {euros(register)} + {euros(notarial)}"
        sheet.found("Frais d'acquisition, département à 4,50 %", low, "€", how)
        sheet.assume(
            f"Département supposé au taux relevé (actes du 01/04/2025 au 31/03/2028, 83 départements sur 101 ; "
            f"primo-accédants exclus de la hausse) : sinon {euros(low)}."
        )
    if "new" not in told:
        sheet.assume("Logement supposé ancien, faute d'indication : les droits sont bien plus faibles dans le neuf.")
    return sheet.worked(TITLE, FEES_SOURCE, FEES_URL)


def _part(sheet: Sheet, label: str, rate: float, price: float) -> float:
    return sheet.found(label, price * rate / 100, "€", f"{euros(price)} × {_rate(rate)}")


def _rate(value: float) -> str:
    """With all its digits: transfer taxes have five."""
    return percent(value, digits=5).replace("0\u00a0%", "\u00a0%").replace("0\u00a0%", "\u00a0%")
