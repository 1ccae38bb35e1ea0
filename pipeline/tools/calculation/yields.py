"""Gross, net and net-net rental yield of a purchase."""

from pipeline.text.amounts import cents, euros, percent
from pipeline.tools.calculation.values import Inputs, Nonsense, Worked, money, number, share
from pipeline.types import Computed, Figure

SOCIAL_RATE = 17.2
"""Prélèvements sociaux on rents of unfurnished lets, percent (CSS L136-8 as amended by the LFSS 2026, art. 12)."""
NET_FORMULA = "(loyers annuels - charges annuelles) / coût total"
GROSS_FORMULA = "loyers annuels / coût total"
AFTER_TAX_FORMULA = "(loyer net - loyer net x (tranche marginale + prélèvements sociaux)) / coût total"


def gross_yield(*, cost: float, rent_per_month: float) -> float:
    """Percent: twelve rents without charges over the price, fees included. Market convention, no legal rule."""
    return share(12 * rent_per_month, cost)


def net_yield(*, cost: float, rent_per_month: float, charges_per_year: float) -> float:
    """Percent: rents less property tax, charges, insurance, management, vacancy and upkeep; interest is not counted."""
    return share(12 * rent_per_month - charges_per_year, cost)


def tax_on_rent(*, net_rent: float, marginal_rate: float) -> float:
    """Euros a year on an unfurnished let at the real regime without interest (CGI 28 to 31): income tax at the
    marginal rate and social levies at 17.2 %, both on the net rent; none on a deficit."""
    return cents(max(0.0, net_rent) * (marginal_rate + SOCIAL_RATE) / 100)


def net_net_yield(*, cost: float, net_rent: float, marginal_rate: float) -> float:
    """Percent: what remains of the net rent after income tax and social levies, over the cost."""
    return share(net_rent - tax_on_rent(net_rent=net_rent, marginal_rate=marginal_rate), cost)


def work(inputs: Inputs) -> Worked:
    """`cost` (euros, fees included), `rent_per_month`, then `charges_per_year` for the net yield and `marginal_rate`
    (percent) for the net-net one; each level is given as far as its inputs are. `fees_known` False says that nobody
    told whether the price holds the acquisition fees. Raises `Nonsense`."""
    cost = money(inputs, "cost", label="le coût total de l'achat", least=1_000)
    rent = money(inputs, "rent_per_month", label="le loyer mensuel", least=1)
    given = [Figure("Coût total de l'achat", cost, "€"), Figure("Loyer mensuel hors charges", rent, "€/mois")]
    rents, gross = cents(12 * rent), gross_yield(cost=cost, rent_per_month=rent)
    if gross > 100:
        raise Nonsense("Le loyer d'une année dépasserait le prix du bien : vérifiez les montants.")
    results = [
        Computed(Figure("Loyers annuels", rents, "€/an"), "12 x loyer mensuel"),
        Computed(Figure("Rendement brut", gross, "%"), GROSS_FORMULA),
    ]
    levels = [
        f"Rendement brut : {percent(gross, digits=2)}, soit {euros(rents)} de loyers annuels "
        f"({euros(rent)} par mois) sur un coût total de {euros(cost)}."
    ]
    if inputs.get("charges_per_year") is not None:
        _add_net(inputs, cost, rents, given, results, levels)
    elif inputs.get("marginal_rate") is not None:
        raise Nonsense("Il manque les charges annuelles pour le rendement net-net.")
    said = levels[::-1]  # the level that was asked for is the last one whose inputs were given
    if inputs.get("fees_known") is False:
        said.append(
            "Les frais d'achat n'ont pas été indiqués : s'ils ne sont pas dans ce prix, le rendement est moindre."
        )
    if inputs.get("charges_per_year") is None:
        said.append(
            "Pour le rendement net, donnez les charges annuelles : taxe foncière, copropriété, assurance, gestion."
        )
    said.append("Convention : les intérêts d'emprunt ne sont pas comptés dans le rendement.")
    return Worked("Rendement locatif", tuple(said), tuple(given), tuple(results), "convention de place ; CGI 28 à 31")


def _add_net(
    inputs: Inputs, cost: float, rents: float, given: list[Figure], results: list[Computed], levels: list[str]
) -> None:
    charges = money(inputs, "charges_per_year", label="les charges annuelles")
    net_rent = cents(rents - charges)
    net = share(net_rent, cost)
    given.append(Figure("Charges annuelles non récupérables", charges, "€/an"))
    results.append(Computed(Figure("Loyer net annuel", net_rent, "€/an"), "loyers annuels - charges annuelles"))
    results.append(Computed(Figure("Rendement net", net, "%"), NET_FORMULA))
    levels.append(
        f"Rendement net : {percent(net, digits=2)}, soit {euros(rents)} de loyers moins {euros(charges)} de charges "
        f"annuelles, donc {euros(net_rent)}, sur {euros(cost)}."
    )
    if inputs.get("marginal_rate") is None:
        return
    rate = number(inputs, "marginal_rate", label="la tranche marginale d'imposition", least=0, most=49)
    tax = tax_on_rent(net_rent=net_rent, marginal_rate=rate)
    kept, net_net = cents(net_rent - tax), net_net_yield(cost=cost, net_rent=net_rent, marginal_rate=rate)
    given += [Figure("Tranche marginale", rate, "%"), Figure("Prélèvements sociaux", SOCIAL_RATE, "%")]
    results += [
        Computed(
            Figure("Impôt et prélèvements", tax, "€/an"), "loyer net x (tranche marginale + prélèvements sociaux)"
        ),
        Computed(Figure("Loyer après impôt", kept, "€/an"), "loyer net - impôt et prélèvements"),
        Computed(Figure("Rendement net-net", net_net, "%"), AFTER_TAX_FORMULA),
    ]
    levels.append(
        f"Rendement net-net : {percent(net_net, digits=2)}, soit {euros(kept)} après {euros(tax)} d'impôt et de "
        f"prélèvements (tranche marginale de {percent(rate)} et prélèvements sociaux de {percent(SOCIAL_RATE)}, "
        "location nue au réel, sans intérêts déduits)."
    )
