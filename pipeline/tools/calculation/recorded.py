"""A share on record of an amount that was told: 70 % of a price at a stage of a VEFA, 1.1 % of what is shared."""

import re

from corpus.facts.book import fact_book
from corpus.facts.loading import load_vocabulary
from corpus.facts.values import Fact
from pipeline.text.amounts import euros
from pipeline.text.fact_wording import BOUNDS, TO_VERIFY, case_of
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Nonsense, Told, Worked

TITLE = "Part d'un montant"


def work(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["recorded"]`: each record's share of the amount, in the order told. Raises `Nonsense` for a record
    that is no share."""
    amount, known = told.one("amount"), fact_book().by_id
    facts = [known[name] for name in told.choice("facts").split(",") if name in known]
    if amount is None:
        sheet.ask("amount")
        return sheet.worked(TITLE, "")
    if not facts or not facts[0].of or any((fact.group, fact.of) != (facts[0].group, facts[0].of) for fact in facts):
        raise Nonsense("Ce relevé n'est pas une part d'un montant.")
    source = facts[0].source
    base = load_vocabulary().bases[facts[0].of]
    sheet.given(f"Montant {base.said}", amount, "€")
    found = [_share(sheet, fact, amount, base.said, rate=told.one("rate")) for fact in facts]
    if len(found) > 1:
        cases = " ; ".join(f"{worth} {case}".strip() for worth, case in found)
        sheet.lead(f"{named(facts[0])} : {cases}, pour {euros(amount)}.")
    return sheet.worked(f"{TITLE} {base.said}", source.title, source.url)


def _share(sheet: Sheet, fact: Fact, amount: float, said: str, *, rate: float | None) -> tuple[str, str]:
    """What it comes to and in which case, told in one line: two results where the record is a range of which no rate
    was told."""
    ends = fact.value if isinstance(fact.value, tuple) else (fact.value,)
    rates = [end for end in ends if isinstance(end, float)] if rate is None else [rate]
    case = case_of(fact).removeprefix(said).lstrip(" ,")
    label, found = f"{named(fact)} {case}".strip(), []
    for share in rates:
        sheet.given(f"Part : {label}", share, "%")
        of_it = label if len(rates) == 1 else f"{label}, à {_rate(share)}"
        found.append(sheet.found(of_it, amount * share / 100, "€", f"{euros(amount)} × {_rate(share)}"))
    worth, shares = (" à ".join(map(shown, values)) for shown, values in ((euros, found), (_rate, rates)))
    worth, unsure = f"{worth}{BOUNDS[fact.bound]}", f", taux {TO_VERIFY}" if fact.status == "to_verify" else ""
    sheet.say(f"{label} : {worth}, soit {shares} {said} de {euros(amount)}{unsure}.")
    return worth, case


def _rate(value: float) -> str:
    """With all its digits, so that the formula multiplies out: transfer taxes have four."""
    return f"{value:.5f}".rstrip("0").rstrip(".").replace(".", ",") + "\u00a0%"


def named(fact: Fact) -> str:
    """Its label without the article."""
    label = re.sub(r"^(?:le |la |les |l')", "", fact.label)
    return label[:1].upper() + label[1:]
