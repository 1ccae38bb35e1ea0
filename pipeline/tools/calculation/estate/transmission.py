"""What passes to one's family: usufruct and bare ownership by age, and the duties on a gift or an estate."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pipeline.text.amounts import euros, percent
from pipeline.tools.calculation.constants import (
    ALLOWANCE_CHILD,
    ALLOWANCE_GRANDCHILD,
    ALLOWANCE_HEIR,
    ALLOWANCE_NIECE,
    ALLOWANCE_SIBLING,
    ALLOWANCE_SPOUSE,
    DIRECT_LINE,
    DUTIES_SOURCE,
    DUTIES_URL,
    GIFT_AGAIN,
    NIECES,
    SIBLINGS,
    UNRELATED,
    USUFRUCT,
    USUFRUCT_PERIOD,
    USUFRUCT_SOURCE,
    USUFRUCT_TERM,
    Rule,
)
from pipeline.tools.calculation.scales import Scale, by_steps, steps_formula
from pipeline.tools.calculation.sheet import Sheet
from pipeline.tools.calculation.values import Nonsense, Told, Worked

USUFRUCT_TITLE: Final = "Usufruit et nue-propriété"
DUTIES_TITLE: Final = "Droits de mutation à titre gratuit"
RELATIONS: Final[Mapping[str, tuple[str, Rule | None, Scale]]] = {
    "child": ("un enfant", ALLOWANCE_CHILD, DIRECT_LINE),
    "grandchild": ("un petit-enfant", ALLOWANCE_GRANDCHILD, DIRECT_LINE),
    "spouse": ("un conjoint ou partenaire de pacs", ALLOWANCE_SPOUSE, ()),
    "sibling": ("un frère ou une sœur", ALLOWANCE_SIBLING, SIBLINGS),
    "niece": ("un neveu ou une nièce", ALLOWANCE_NIECE, NIECES),
    "unrelated": ("une personne sans lien de parenté", None, UNRELATED),
}
"""Relation -> (in French, allowance, scale of what is left); no scale where none of ours holds it."""
GIFT_ONLY: Final = frozenset(("grandchild",))
"""In an estate they have an allowance of another amount, or stand for a parent who died."""


@dataclass(frozen=True, slots=True)
class Dismembered:
    """Euros of each part, and the sentence that tells it."""

    use: float
    bare: float
    use_said: str
    bare_said: str


def usufruct(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["usufruct"]`: CGI 669, by completed years of the usufructuary, or by its own term."""
    value = told.one("amount")
    if value is None or not ("age" in told or "term" in told):
        sheet.ask(*(name for name in ("amount", "age") if name not in told))
        return sheet.worked(USUFRUCT_TITLE, USUFRUCT_SOURCE, DUTIES_URL)
    sheet.given("Pleine propriété", value, "€")
    worth = _for_a_term(told, sheet, value) if "term" in told else _for_life(told, sheet, value)
    sheet.say(worth.use_said)
    (sheet.lead if told.choice("wanted") == "bare" else sheet.say)(worth.bare_said)
    return sheet.worked(USUFRUCT_TITLE, USUFRUCT_SOURCE, DUTIES_URL)


def _for_a_term(told: Told, sheet: Sheet, value: float) -> Dismembered:
    """A usufruct for a fixed number of years, CGI 669, II. Raises `Nonsense`."""
    term = told.amount("term")
    periods = math.ceil(term / USUFRUCT_PERIOD.value)
    rate = USUFRUCT_TERM.value * periods
    if rate >= 100:
        raise Nonsense("Un usufruit temporaire aussi long n'est pas évalué par ce barème.")
    sheet.given("Durée de l'usufruit", term, "ans")
    sheet.rule("Part par période", USUFRUCT_TERM)
    sheet.rule("Période", USUFRUCT_PERIOD)
    sheet.given("Nombre de périodes", periods, "")
    use = sheet.found("Usufruit", value * rate / 100, "€",
                      f"{euros(value)} × {percent(USUFRUCT_TERM.value)} × {periods}")  # fmt: skip
    bare = sheet.found("Nue-propriété", value - use, "€", f"{euros(value)} − {euros(use)}")
    sheet.given("Part de l'usufruit", rate, "%")
    sheet.assume("Valeur fiscale : la valeur économique de l'usufruit temporaire peut être différente.")
    each = f"{percent(USUFRUCT_TERM.value)} par période de {USUFRUCT_PERIOD.value:.0f} ans commencée"
    sheet.given("Part de la nue-propriété", 100 - rate, "%")
    return Dismembered(
        use, bare,
        f"Usufruit : {euros(use)}, soit {percent(rate)} de {euros(value)} pour un usufruit temporaire de {term:g} ans "
        f"({each}).",
        f"Nue-propriété : {euros(bare)}, soit {percent(100 - rate)} de {euros(value)}.",
    )  # fmt: skip


def _for_life(told: Told, sheet: Sheet, value: float) -> Dismembered:
    """By age, CGI 669, I; of two owners each half by its own age."""
    ages = [int(age) for age in told.all("age")]
    rates = [next(rate for last, rate in USUFRUCT if age <= last) for age in ages]
    for age, rate in zip(ages, rates, strict=True):
        sheet.given("Âge de l'usufruitier", age, "ans")
        sheet.given("Part de l'usufruit", rate, "%")
        sheet.given("Part de la nue-propriété", 100 - rate, "%")
    part = value / len(ages)
    how = " + ".join(f"{euros(part)} × {percent(rate)}" for rate in rates)
    use = sheet.found("Usufruit", sum(part * rate / 100 for rate in rates), "€", how)
    bare = sheet.found("Nue-propriété", value - use, "€", f"{euros(value)} − {euros(use)}")
    if len(ages) > 1:
        sheet.assume("Chacun des deux usufruitiers est supposé tenir la moitié du bien.")
        said = " et ".join(f"{percent(rate)} pour {age} ans" for age, rate in zip(ages, rates, strict=True))
        return Dismembered(
            use, bare,
            f"Usufruit : {euros(use)}, soit, de chaque moitié de {euros(value)}, {said}.",
            f"Nue-propriété : {euros(bare)}, soit {euros(value)} moins {euros(use)} d'usufruit.",
        )  # fmt: skip
    return Dismembered(
        use, bare,
        f"Usufruit : {euros(use)}, soit {percent(rates[0])} de {euros(value)} pour un usufruitier de {ages[0]} ans.",
        f"Nue-propriété : {euros(bare)}, soit {percent(100 - rates[0])} de {euros(value)}.",
    )  # fmt: skip


def duties(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["duties"]`: one heir's or donee's share less his allowance, by steps, for each of them; of a
    dismembered gift, of the part that is given. Raises `Nonsense` for an estate that passes to somebody whose
    allowance is not on record."""
    whole, relation, passes = told.one("amount"), told.choice("relation"), told.choice("passes")
    if whole is None or not relation or (passes and "age" not in told):
        aged = ("age",) if passes else ()
        sheet.ask(*(name for name in ("amount", *aged, "relation") if name not in told))
        return sheet.worked(DUTIES_TITLE, DUTIES_SOURCE, DUTIES_URL)
    estate = told.flag("estate") is True
    whom, allowance, scale = RELATIONS[relation]
    if estate and relation == "spouse":
        return _exempt(sheet, whole)
    if estate and relation == "unrelated":
        allowance = ALLOWANCE_HEIR
    elif estate and relation in GIFT_ONLY:
        raise Nonsense(f"Je ne calcule pas les droits de succession de {whom} : l'abattement dépend de la situation.")
    amount, of_what = _passed(told, sheet, _without_debts(told, sheet, whole), passes)
    heirs, givers = told.one("heirs") or 1.0, (1.0 if estate else told.one("givers") or 1.0)
    _shares(told, sheet, amount, heirs, givers)
    count = heirs * givers
    share = sheet.found("Part de chacun", amount / count, "€", f"{euros(amount)} / {count:g}")
    had = told.amount("earlier_gift")
    left = _left(sheet, had, allowance.value if allowance else 0.0)
    off, before = min(share, left), max(0.0, had - (allowance.value if allowance else 0.0))
    taxable = sheet.found("Part taxable", share - off, "€", f"{euros(share)} − {euros(off)}")
    if allowance is not None:
        _allowed(sheet, allowance, whom, again=not had and (not estate or relation != "unrelated"))
    if taxable and not scale:
        sheet.ask("amount", asked="Je ne calcule pas les droits entre époux au-delà de l'abattement.")
        return Worked(DUTIES_TITLE, (), (), (), DUTIES_SOURCE, DUTIES_URL, (), sheet.asks)
    each = by_steps(before + taxable, scale) - by_steps(before, scale)
    due = sheet.found("Droits", each * count, "€", _formula(each, count, before, taxable, scale))
    own = ""
    if heirs > 1 and due:
        mine = sheet.found("Droits par bénéficiaire", due / heirs, "€", f"{euros(due)} / {heirs:g}")
        own = f", soit {euros(mine)} par bénéficiaire,"
    of = f"{count:g} parts de {euros(share)}" if count > 1 else euros(share)
    after = f"après un abattement de {euros(off)}" if off else "sans abattement"
    sheet.given("Abattement retenu", off, "€")
    sheet.lead(
        f"Droits de {'succession' if estate else 'donation'} : {euros(due)}{own} sur {of_what}, pour {of} à {whom}, "
        f"soit {euros(taxable)} taxables{' par part' if count > 1 else ''} {after}."
    )
    sheet.assume("Hors donations antérieures, assurance-vie, frais d'acte et réductions particulières.")
    return sheet.worked(DUTIES_TITLE, f"{DUTIES_SOURCE} ; {USUFRUCT_SOURCE}" if passes else DUTIES_SOURCE, DUTIES_URL)


def _passed(told: Told, sheet: Sheet, whole: float, passes: str) -> tuple[float, str]:
    """What is taxed, and how it is said: the whole, or what the age leaves of it."""
    if not passes:
        return whole, euros(whole)
    sheet.given("Pleine propriété", whole, "€")
    worth = _for_life(told, sheet, whole)
    if passes == "usufruct":
        sheet.say(worth.use_said)
        return worth.use, f"{euros(worth.use)} d'usufruit"
    sheet.say(worth.bare_said)
    return worth.bare, f"{euros(worth.bare)} de nue-propriété"


def _allowed(sheet: Sheet, allowance: Rule, whom: str, *, again: bool) -> None:
    sheet.rule(f"Abattement pour {whom}", allowance)
    if not again:
        return
    sheet.rule("Renouvellement de l'abattement", GIFT_AGAIN)
    doubt = "" if allowance.sure else " (à vérifier)"
    sheet.assume(
        f"Abattement de {euros(allowance.value)} pour {whom}{doubt} supposé entier : aucune donation depuis "
        f"{GIFT_AGAIN.value:.0f} ans."
    )


def _without_debts(told: Told, sheet: Sheet, whole: float) -> float:
    debts = told.all("debts")
    if not debts:
        return whole
    for debt in debts:
        sheet.given("Dettes à déduire", debt, "€")
    how = f"{euros(whole)} − {' − '.join(euros(debt) for debt in debts)}"
    return sheet.found("Actif net", max(0.0, whole - sum(debts)), "€", how)


def _left(sheet: Sheet, had: float, allowance: float) -> float:
    """Of the allowance, after what the same person gave before (CGI 784)."""
    if not had:
        return allowance
    sheet.given("Donation antérieure", had, "€")
    sheet.assume(f"Donation antérieure supposée faite à chacun depuis moins de {GIFT_AGAIN.value:.0f} ans.")
    used = min(had, allowance)
    return sheet.found("Abattement restant", allowance - used, "€", f"{euros(allowance)} − {euros(used)}")


def _formula(each: float, count: float, before: float, taxable: float, scale: Scale) -> str:
    one = steps_formula(before + taxable, scale)
    if before:
        one = f"({one}) − ({steps_formula(before, scale)})"
    return f"{count:g} × ({one})" if count > 1 and each else one


def _shares(told: Told, sheet: Sheet, amount: float, heirs: float, givers: float) -> None:
    sheet.given("Montant transmis", amount, "€")
    sheet.given("Bénéficiaires", heirs, "")
    sheet.given("Donateurs", givers, "")
    sheet.given("Parts", heirs * givers, "")
    if "heirs" not in told:
        sheet.assume("Un seul bénéficiaire est compté.")


def _exempt(sheet: Sheet, amount: float) -> Worked:
    sheet.given("Montant transmis", amount, "€")
    due = sheet.found("Droits", 0.0, "€", "conjoint ou partenaire de pacs exonéré")
    sheet.say(f"Droits de succession : {euros(due)}, le conjoint et le partenaire de pacs étant exonérés.")
    return sheet.worked(DUTIES_TITLE, DUTIES_SOURCE, DUTIES_URL)
