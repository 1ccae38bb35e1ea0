"""The duty on the sale of shares of a company that mostly owns homes or land, as an SCI."""

from pipeline.text.amounts import euros, percent
from pipeline.tools.calculation.constants import DUTIES_URL, SHARES_DUTY, SHARES_SOURCE
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Told, Worked

VALUE_TITLE = "Valeur d'une part de société civile"
VALUE_SOURCE = "valeur mathématique, actif net réévalué divisé par le nombre de parts"
TITLE = "Droits d'enregistrement d'une cession de parts"


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["shares_duty"]`."""
    price = told.one("amount")
    if price is None:
        sheet.ask("amount")
        return sheet.worked(TITLE, SHARES_SOURCE, DUTIES_URL)
    sheet.given("Prix des parts", price, "€")
    sheet.rule("Droits d'enregistrement", SHARES_DUTY)
    rate = percent(SHARES_DUTY.value)
    due = sheet.found(
        "Montant des droits d'enregistrement", price * SHARES_DUTY.value / 100, "€", f"{euros(price)} × {rate}"
    )
    sheet.say(f"Droits d'enregistrement de la cession de parts : {euros(due)}, soit {rate} de {euros(price)}.")
    sheet.assume("Société supposée à prépondérance immobilière, comme une SCI patrimoniale ; frais d'acte non comptés.")
    return sheet.worked(TITLE, SHARES_SOURCE, DUTIES_URL)


def value(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["share_value"]`: what a company owns less what it owes, by share."""
    home, shares = told.one("amount"), told.one("company_shares")
    if home is None or not shares:
        sheet.ask(*(name for name in ("amount", "company_shares") if name not in told))
        return sheet.worked(VALUE_TITLE, VALUE_SOURCE)
    cash, debts = told.amount("cash"), told.all("debts")
    sheet.given("Immeubles", home, "€")
    if cash:
        sheet.given("Trésorerie", cash, "€")
    for debt in debts:
        sheet.given("Dettes", debt, "€")
    sheet.given("Parts", shares, "")
    how = " + ".join(euros(part) for part in (home, cash) if part) + "".join(f" − {euros(debt)}" for debt in debts)
    net = sheet.found("Actif net de la société", max(0.0, home + cash - sum(debts)), "€", how)
    each = sheet.found("Valeur d'une part", net / shares, "€", f"{euros(net)} / {shares:g}")
    sheet.say(f"Valeur d'une part : {euros(each)}, soit {euros(net)} d'actif net pour {shares:g} parts.")
    if sold := told.one("sold_shares"):
        sheet.given("Parts cédées", sold, "")
        price = sheet.found("Prix des parts cédées", each * sold, "€", f"{euros(each)} × {sold:g}")
        sheet.lead(f"Prix des parts cédées : {euros(price)}, soit {sold:g} parts à {euros(each)}.")
        sheet.rule("Droits d'enregistrement", SHARES_DUTY)
        rate = percent(SHARES_DUTY.value)
        due = sheet.found(
            "Montant des droits d'enregistrement", price * SHARES_DUTY.value / 100, "€", f"{euros(price)} × {rate}"
        )
        (sheet.lead if told.choice("wanted") == "duty" else sheet.say)(
            f"Droits d'enregistrement : {euros(due)} en cas de vente, soit {rate} de {euros(price)}."
        )
    sheet.assume("Valeur mathématique, sans décote de liquidité ; compte courant d'associé à compter comme une dette.")
    return sheet.worked(VALUE_TITLE, VALUE_SOURCE)
