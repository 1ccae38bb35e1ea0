"""What passes to one's family: usufruct and bare ownership by age, and the duties on a gift or an estate."""

from collections.abc import Mapping
from typing import Final

from pipeline.text.amounts import euros, percent
from pipeline.tools.calculation.constants import (
    ALLOWANCE_CHILD,
    ALLOWANCE_GRANDCHILD,
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
    USUFRUCT_SOURCE,
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
GIFT_ONLY: Final = frozenset(("grandchild", "unrelated"))
"""In an estate these have an allowance of another amount, or stand for a parent who died."""


def usufruct(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["usufruct"]`: CGI 669, by completed years of the usufructuary."""
    value, age = told.one("amount"), told.one("age")
    if value is None or age is None:
        sheet.ask(*(name for name in ("amount", "age") if name not in told))
        return sheet.worked(USUFRUCT_TITLE, USUFRUCT_SOURCE, DUTIES_URL)
    years = int(age)
    rate = next(rate for last, rate in USUFRUCT if years <= last)
    sheet.given("Pleine propriété", value, "€")
    sheet.given("Âge de l'usufruitier", years, "ans")
    sheet.given("Part de l'usufruit", rate, "%")
    sheet.given("Part de la nue-propriété", 100 - rate, "%")
    use = sheet.found("Usufruit", value * rate / 100, "€", f"{euros(value)} × {percent(rate)}")
    bare = sheet.found("Nue-propriété", value - use, "€", f"{euros(value)} − {euros(use)}")
    sheet.say(
        f"Usufruit : {euros(use)}, soit {percent(rate)} de {euros(value)} pour un usufruitier de {years} ans.",
    )
    rest = f"Nue-propriété : {euros(bare)}, soit {percent(100 - rate)} de {euros(value)}."
    if told.choice("wanted") == "bare":
        sheet.lead(rest)
    else:
        sheet.say(rest)
    return sheet.worked(USUFRUCT_TITLE, USUFRUCT_SOURCE, DUTIES_URL)


def duties(told: Told, sheet: Sheet) -> Worked:
    """See `FIELDS["duties"]`: one heir's or donee's share less his allowance, by steps, for each of them. Raises
    `Nonsense` for an estate that passes to somebody whose allowance is not on record."""
    amount, relation = told.one("amount"), told.choice("relation")
    if amount is None or not relation:
        sheet.ask(*(name for name in ("amount", "relation") if name not in told))
        return sheet.worked(DUTIES_TITLE, DUTIES_SOURCE, DUTIES_URL)
    estate = told.flag("estate") is True
    whom, allowance, scale = RELATIONS[relation]
    if estate and relation == "spouse":
        return _exempt(sheet, amount)
    if estate and relation in GIFT_ONLY:
        raise Nonsense(f"Je ne calcule pas les droits de succession de {whom} : l'abattement dépend de la situation.")
    heirs, givers = told.one("heirs") or 1.0, (1.0 if estate else told.one("givers") or 1.0)
    _shares(told, sheet, amount, heirs, givers)
    count = heirs * givers
    share = sheet.found("Part de chacun", amount / count, "€", f"{euros(amount)} / {count:g}")
    off = min(share, allowance.value if allowance else 0.0)
    taxable = sheet.found("Part taxable", share - off, "€", f"{euros(share)} − {euros(off)}")
    if allowance is not None:
        _allowed(sheet, allowance, whom)
    if taxable and not scale:
        sheet.ask("amount", asked="Je ne calcule pas les droits entre époux au-delà de l'abattement.")
        return Worked(DUTIES_TITLE, (), (), (), DUTIES_SOURCE, DUTIES_URL, (), sheet.asks)
    each = by_steps(taxable, scale)
    due = sheet.found("Droits", each * count, "€", _formula(each, count, taxable, scale))
    of = f"{count:g} parts de {euros(share)}" if count > 1 else euros(share)
    after = f"après un abattement de {euros(off)}" if off else "sans abattement"
    sheet.given("Abattement retenu", off, "€")
    sheet.lead(
        f"Droits de {'succession' if estate else 'donation'} : {euros(due)} sur {euros(amount)}, pour {of} à {whom}, "
        f"soit {euros(taxable)} taxables{' par part' if count > 1 else ''} {after}."
    )
    sheet.assume("Hors donations antérieures, assurance-vie, frais d'acte et réductions particulières.")
    return sheet.worked(DUTIES_TITLE, DUTIES_SOURCE, DUTIES_URL)


def _allowed(sheet: Sheet, allowance: Rule, whom: str) -> None:
    sheet.rule(f"Abattement pour {whom}", allowance)
    sheet.rule("Renouvellement de l'abattement", GIFT_AGAIN)
    doubt = "" if allowance.sure else " (à vérifier)"
    sheet.assume(
        f"Abattement de {euros(allowance.value)} pour {whom}{doubt} supposé entier : aucune donation depuis "
        f"{GIFT_AGAIN.value:.0f} ans."
    )


def _formula(each: float, count: float, taxable: float, scale: Scale) -> str:
    one = steps_formula(taxable, scale)
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
