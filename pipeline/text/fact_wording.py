"""Facts in French: a value, a sentence for one, a sentence for several of a group, the case that a value holds in."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from corpus.facts.loading import load_vocabulary
from corpus.facts.values import Fact

TO_VERIFY: Final = "à vérifier"
MOST_JOINED: Final = 6
"""Values that one sentence still reads well with; beyond, it tells the ends of a scale, or the first ones."""
SUMMARIES: Final = ("overview", "portrait")
"""Forms of an answer that tell a scheme, or several sides of it, in a table."""
SCALES: Final = frozenset(("barème",))
"""Kinds whose records stand in the order of a scale."""
BOUNDS: Final = {"max": " au plus", "min": " au moins", "": ""}


def value_of(fact: Fact) -> str:
    """`8 000 € par an`, `5 à 10 %`, `31/12/2027`, `A à E`."""
    if isinstance(fact.value, str):
        return fact.value
    if isinstance(fact.value, date):
        return _day(fact.value)
    unit = load_vocabulary().units[fact.unit]
    cents = "€" in fact.unit
    if isinstance(fact.value, tuple):
        low, high = (_number(end, cents=cents) for end in fact.value)
        return _with_unit(f"{low} à {high}", unit.many)
    return _with_unit(_number(fact.value, cents=cents), unit.one if abs(fact.value) < 2 else unit.many)


def bounded(fact: Fact) -> str:
    """The value and whether it is the most or the least."""
    return f"{value_of(fact)}{BOUNDS[fact.bound]}"


def _number(value: float, *, cents: bool) -> str:
    """`1300000` -> `1 300 000`, `3.5` -> `3,5`; an amount of money with cents has two of them."""
    whole, _, decimals = f"{value:.5f}".rstrip("0").rstrip(".").partition(".")
    grouped = f"{int(whole):,}".replace(",", "\u202f")
    return f"{grouped},{decimals.ljust(2, '0') if cents else decimals}" if decimals else grouped


def _with_unit(figure: str, unit: str) -> str:
    return f"{figure}\u00a0{unit}" if unit else figure


def _day(day: date) -> str:
    return f"{day:%d/%m/%Y}"


def case_of(fact: Fact) -> str:
    """In which case it holds: `en zone B1`, `dans le neuf au loyer intermédiaire`; empty for a value without cases."""
    zones = f"en zone{'s' if ' et ' in fact.zone else ''} {fact.zone}" if fact.zone else ""
    return " ".join(part for part in (zones, fact.condition.lstrip(" ,;")) if part)


def sentence(fact: Fact, on: date) -> str:
    """One sentence on one fact, as of a day: what is over is said in the past, what is unsure as to be checked."""
    if isinstance(fact.value, date) and fact.closes and on > fact.value:
        return fact.after or _capital(f"{fact.label} était le {_day(fact.value)} ; toute suite se vérifie en direct.")
    return _marked(fact, fact.sentence) if fact.sentence else plainly(fact, on)


def plainly(fact: Fact, on: date) -> str:
    """The same from its fields alone: what a row of a table says, in a sentence."""
    who = f", selon {fact.said_by}" if fact.said_by else ""
    return _marked(fact, _stated(fact.label, [f"{_verb(fact, on)} {_held(fact)}"], _dates(fact, on), tail=who))


def summary(facts: Sequence[Fact], on: date) -> str:
    """One sentence on several values of a group: `Le dépôt de garantie est de … en location nue et de … en meublé.`;
    empty where they cannot be said in one."""
    first = facts[0]
    whole = all(not f.sentence and not f.said_by and f.label == first.label for f in facts)
    if len(facts) < 2 or not whole or len({(f.verb, type(f.value), _tense(f, on)) for f in facts}) != 1:
        return ""
    dates = {_dates(fact, on) for fact in facts}
    unsure = {fact.status for fact in facts}
    said = [
        _held(fact)
        + (_inside(_dates(fact, on)) if len(dates) > 1 else "")
        + (f" ({TO_VERIFY})" if len(unsure) > 1 and fact.status == "to_verify" else "")
        for fact in facts
    ]
    verb = _verb(first, on)
    if len(facts) > MOST_JOINED and first.attribute in SCALES and not first.verb:
        text = _stated(first.label, [f"va de {said[0]} à {said[-1]}"], dates.pop() if len(dates) == 1 else "")
    else:
        link = verb.split()[-1] + " " if verb.endswith((" de", " le")) else ""
        parts = [f"{verb} {said[0]}", *(f"{link}{part}" for part in said[1:MOST_JOINED])]
        text = _stated(first.label, parts, dates.pop() if len(dates) == 1 else "")
    return _marked(first, text) if len(unsure) == 1 else text


def _stated(label: str, parts: Sequence[str], dates: str, *, tail: str = "") -> str:
    """`Le plafond … est de …`; a span that is over opens the sentence."""
    *firsts, last = parts
    joint = ", et " if any(", " in part for part in firsts) else " et "
    listed = f"{', '.join(firsts)}{joint}{last}" if firsts else last
    if dates.startswith("Du "):
        return f"{dates}, {label} {listed}{tail}."
    return _capital(f"{label} {listed}{dates}{tail}.")


def _inside(dates: str) -> str:
    """A span in the middle of a sentence: « … pour 6 ans du 01/01/2023 au 31/12/2023 »."""
    return f" d{dates[1:]}" if dates.startswith("Du ") else dates


def _held(fact: Fact) -> str:
    """`3,5 % par an dans le neuf au loyer intermédiaire`."""
    case = case_of(fact)
    joint = ", " if fact.condition.startswith(",") else " ; " if fact.condition.startswith(";") else " "
    return f"{bounded(fact)}{joint}{case}" if case else bounded(fact)


def _verb(fact: Fact, on: date) -> str:
    if fact.verb:
        return fact.verb
    many, tense = fact.label.startswith("les "), _tense(fact, on)
    be = {"past": ("était", "étaient"), "future": ("sera", "seront"), "present": ("est", "sont")}[tense][many]
    return f"{be} le" if isinstance(fact.value, date) else be + (" :" if isinstance(fact.value, str) else " de")


def _tense(fact: Fact, on: date) -> str:
    if fact.effective_to is not None and fact.effective_to < on:
        return "past"
    return "future" if fact.effective_from is not None and fact.effective_from > on else "present"


def _dates(fact: Fact, on: date) -> str:
    """Only where they tell this value from another: what is over, what is to come, what was different before."""
    if fact.dated:
        return f" {fact.dated}"
    first, last, tense = fact.effective_from, fact.effective_to, _tense(fact, on)
    if tense == "past" and last is not None:
        return f"Du {_day(first)} au {_day(last)}" if first else f" jusqu'au {_day(last)}"
    if first is not None and tense == "future":
        return f" à partir du {_day(first)}"
    if first is not None and fact.revised:
        return f" depuis le {_day(first)}"
    return f" jusqu'au {_day(last)}" if last is not None and str(last.year) not in fact.label else ""


def _marked(fact: Fact, text: str) -> str:
    """With what makes it unsure: the day of a disputed source, or that it is to be checked."""
    if fact.status == "disputed" and fact.seen is not None and _day(fact.seen) not in text:
        return f"{text.rstrip('.')} (page du {_day(fact.seen)})."
    if fact.status != "to_verify" or "vérifi" in text:
        return text
    return f"{text.rstrip('.')} ({TO_VERIFY})."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def opening(facts: Sequence[Fact], on: date, *, form: str) -> list[str]:
    """What answers first: one sentence a group where its values can be said in one, else one a fact; `still_open`: with
    a yes or a no. In a summary only the first group is told so: the rest is for a table."""
    groups: dict[tuple[str, str, str], list[Fact]] = {}
    for fact in facts:
        groups.setdefault(fact.group, []).append(fact)
    held = list(groups.values())[:1] if form in SUMMARIES else list(groups.values())
    told = [said for group in held for said in _each(group, on)]
    if form == "still_open" and isinstance(facts[0].value, date):
        told[0] = f"{'Oui' if on <= facts[0].value else 'Non'} : {_lower(told[0])}"
    return told


def _each(group: Sequence[Fact], on: date) -> list[str]:
    """What one sentence says together, then the others."""
    plain = [fact for fact in group if not fact.sentence]
    joined = summary(plain, on) if len(plain) > 1 else ""
    rest = [fact for fact in group if fact not in plain] if joined else group
    return [*([joined] if joined else []), *(sentence(fact, on) for fact in rest)]


def _lower(text: str) -> str:
    """The article of its first word in small letters: `Le Pinel` -> `le Pinel`."""
    first, _, rest = text.partition(" ")
    return (
        f"{first.lower()} {rest}"
        if first in ("Le", "La", "Les", "Un", "Une")
        else ("l'" + text[2:] if text.startswith("L'") else text)
    )
