"""A home shared out between its owners: what who keeps it pays the other, and the duty on the partition."""

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.constants import DUTIES_URL, PARTITION, PARTITION_COUPLE, PARTITION_SOURCE
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Told, Worked

TITLE = "Soulte et droit de partage"
HALF = 50.0


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["partition"]`. The duty is counted on the net value, the notary's own fees left out."""
    value, debts = told.one("amount"), told.all("debt")
    if value is None:
        sheet.ask("amount")
        return sheet.worked(TITLE, PARTITION_SOURCE, DUTIES_URL)
    sheet.given("Valeur du bien", value, "€")
    net, of_net = value, euros(value)
    if debts:
        for debt in debts:
            sheet.given("Capital restant dû", debt, "€")
        how = f"{euros(value)} − {' − '.join(euros(debt) for debt in debts)}"
        net = sheet.found("Actif net à partager", max(0.0, cents(value - sum(debts))), "€", how)
        of_net = f"{euros(net)} d'actif net"
        sheet.assume("Prêt supposé repris en entier par celui qui garde le bien.")
    else:
        sheet.assume("Aucun prêt restant dû n'est compté.")
    said = _balance(told, sheet, net, of_net)
    ends = told.flag("couple_ends") is True
    rate = PARTITION_COUPLE if ends else PARTITION
    sheet.rule("Droit de partage", rate)
    duty = sheet.found(
        "Montant du droit de partage", net * rate.value / 100, "€", f"{euros(net)} × {percent(rate.value)}"
    )
    when = "après un divorce, une séparation de corps ou une rupture de pacs" if ends else "taux de droit commun"
    asked_duty = told.choice("wanted") == "duty"
    sheet.say(said)
    (sheet.lead if asked_duty else sheet.say)(
        f"Droit de partage : {euros(duty)}, soit {percent(rate.value)} de {of_net} ({when})."
    )
    if not ends:
        sheet.rule("Droit de partage d'un couple qui se sépare", PARTITION_COUPLE)
        sheet.assume(f"Taux de {percent(PARTITION_COUPLE.value)} si le partage suit un divorce ou une rupture de pacs.")
    sheet.assume("Émoluments du notaire et frais de publication non comptés.")
    return sheet.worked(TITLE, PARTITION_SOURCE, DUTIES_URL)


def _balance(told: Told, sheet: Sheet, net: float, of_net: str) -> str:
    """What who keeps the home pays in all, and each of the others where they are several."""
    owners = int(told.one("sharers") or 2)
    if "share" not in told:
        sheet.assume("Parts supposées égales, faute d'indication.")
    if "share" in told or owners == 2:
        part = told.one("share") or HALF
        sheet.given("Part rachetée", part, "%")
        balance = sheet.found("Soulte", net * part / 100, "€", f"{euros(net)} × {percent(part)}")
        return f"Soulte : {euros(balance)}, soit {percent(part)} de {of_net}."
    others = owners - 1
    sheet.given("Copartageants", owners, "")
    sheet.given("Autres copartageants", others, "")
    each = sheet.found("Soulte de chacun", net / owners, "€", f"{euros(net)} / {owners}")
    balance = sheet.found("Soulte", net * others / owners, "€", f"{euros(net)} × {others} / {owners}")
    return f"Soulte : {euros(balance)} en tout, soit {euros(each)} à chacun des {others} autres, sur {of_net}."
