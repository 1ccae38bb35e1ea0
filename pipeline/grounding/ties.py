"""What ties a figure to its row of the source: a claim must say it of the same thing, as bounded and as often."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pipeline.grounding.actors import exchanged
from pipeline.grounding.clauses import Clause, Sentence, content, family, known, things
from pipeline.grounding.lexicon import classes, flat, keys, lexicon, marks
from pipeline.grounding.moments import moment_of
from pipeline.grounding.rows import ATTACHED, NEAR, Row
from pipeline.grounding.sources import Source
from pipeline.text.figures import Value, supports

_HEAD: Final = 3
"""So many words before a figure say what it is, and after « de » or « par » one fewer."""
_TIED_AFTER: Final = re.compile(r"^\s?(?:de|d'|du|des|par|pour|la|le|les|l'|en|a|à|au|aux)\b", re.IGNORECASE)
_PERIODS: Final = {
    "an": re.compile(r"(?<!\w)(?:par an(?:nee)?|l'an(?:nee)?|annuel\w*)(?!\w)"),
    "mois": re.compile(r"(?<!\w)(?:par mois|le mois|mensuel\w*|mensualites?|loyers?)(?!\w)"),
}
_STATED: Final = {"an": _PERIODS["an"], "mois": re.compile(r"(?<!\w)(?:par mois|mensuels?|mensuelles?)(?!\w)")}
_SIDES: Final = {"less": "most", "more": "least"}
_WITHIN: Final = re.compile(r"(?<!\w)(?:moins d\w+|sous|avant|jusqu'a)\s*(?:les |la |le |ses )?$")
"""« sous cinq jours » of a delay of five days."""
_DE_BEFORE: Final = re.compile(r"\s(?:de|du|des|à|d')\s?(?:(?:environ|près de|le|la|l')\s?)?$", re.IGNORECASE)
_DE_AFTER: Final = re.compile(r"\s?(?:de\s|d'|du\s|des\s)", re.IGNORECASE)
_CIRCUMSTANCE: Final = re.compile(
    r"\b(?:après|avant|depuis|outre|selon)\s(?:(?:la|le|les|une?|son|sa|ses)\s|l')?[\w-]+", re.IGNORECASE
)
_TIME: Final = ("measure", "time")
_EVENT: Final = re.compile(
    r"\s?(?:\w+ ){0,2}?(?:apres|avant|suivant|depuis|des|a (?:compter|partir) d\w*)\s([^,;:.()]*)"
)
_OF_PERIOD: Final = re.compile(r"[^,;.\d]{0,30}?(?<!\w)(mensuel|annuel|par mois|par an)(?!\w{3})")
_UP_TO: Final = re.compile(r"(?<!\w)jusqu'(?:au|a|en)\s(?:fin |la fin d\w+ )?$")
_WINDOW: Final = 42
_ADDED: Final = re.compile(r"^\s?(?:par (?:an|mois) )?(?:(?:de|en) (?:plus|moins)(?! (?:d|qu))|supplementaires?)(?!\w)")
_GAPPED: Final = frozenset({"gap", "more", "added", "up", "down", "above", "below"})
_PER: Final = re.compile(r"^\s?(?:par|sur)\s(?:(?:les?|la|l'|une?|chaque)\s?)?(\d+ )?([a-z]{2,})")


def head(sentence: Sentence, clause: Clause, value: Value) -> tuple[str, ...]:
    """What the figure is: content words between the figure of its family before it and itself, and what « de » ties to
    it after. In a list or a reckoning (`300 000 × 12 % / 6 = 6 000 €`) what stands before the first."""
    before: tuple[str, ...] = ()
    end = value.start
    rivals = [v for v in sentence.values if clause.start <= v.start < value.start and family(v) == family(value)]
    for rival in reversed(rivals):
        before = content(sentence.text[rival.end : end])
        end = rival.start
        if before:
            break
    else:
        before = content(sentence.text[clause.start : end])
    stop = clause.start + len(clause.text)
    following = min((v.start for v in sentence.values if value.start < v.start < stop), default=stop)
    after = sentence.text[value.end : following]
    return (*before[-_HEAD:], *(content(after)[: _HEAD - 1] if _TIED_AFTER.match(after) else ()))


def telling(words: Sequence[str]) -> tuple[str, ...]:
    """Those that say more of a figure than its unit does: neither « taux » nor « prix »."""
    return tuple(word for word in words if word not in lexicon().measures)


def headless(row: Row, said: frozenset[str]) -> bool:
    """Whether nothing of what the source's figure is, is among what is said (keys)."""
    words = telling(head(row.sentence, row.clause, row.value))
    return bool(words) and not any(said.intersection(keys(word)) for word in words)


def lent(words: Sequence[str], row: Row, rivals: Sequence[Row]) -> tuple[str, ...]:
    """Words said of the figure that its source says of another figure."""
    return tuple(
        w for w in telling(words) if row.says(w) < ATTACHED and any(rival.says(w) >= ATTACHED for rival in rivals)
    )


def tied(sentence: Sentence, clause: Clause, value: Value) -> tuple[str, ...]:
    """The nouns that « de » ties to the figure, before and after it: `un prêt de 200 000 €`, `11 000 € de recettes`."""
    start = max([v.end for v in sentence.values if clause.start <= v.end <= value.start], default=clause.start)
    stop = clause.start + len(clause.text)
    stop = min([v.start for v in sentence.values if value.end <= v.start < stop], default=stop)
    before = _DE_BEFORE.search(sentence.text[start : value.start])
    after = _DE_AFTER.match(sentence.text[value.end : stop])
    first = content(sentence.text[start : start + before.start()])[-1:] if before else ()
    return (*first, *(content(sentence.text[value.end + after.end() : stop])[:1] if after else ()))


def crowded(claim: Sentence, words: Sequence[str], row: Row) -> bool:
    """Whether the clause of the source states another figure of the family, and the claim speaks of that one: it says
    a noun tied to it, or not the one tied to its own."""
    if family(row.value)[0] == "date":
        return False
    rivals = [
        v for v in row.clause.values
        if family(v) == family(row.value) and not any(supports(v, mine) for mine in (row.value, *claim.values))
    ]  # fmt: skip
    if not rivals:
        return False
    own = telling(tied(row.sentence, row.clause, row.value))
    theirs = telling([word for v in rivals for word in tied(row.sentence, row.clause, v)])
    if own and not any(claim.known.intersection(keys(word)) for word in own):
        return True
    return any(not known(own).intersection(keys(word)) and known(theirs).intersection(keys(word)) for word in words)


def redated(claim: Sentence, clause: Clause, day: Value, row: Row, kin: Sequence[Row]) -> bool:
    """« la loi de 1987 et le décret de 1989 » of « le décret de 1987 et la loi de 1989 »: what is dated so has another
    date in the source, and the date is another thing's."""
    dated, own = telling(tied(claim, clause, day)[:1]), known(tied(row.sentence, row.clause, row.value))
    if family(day)[0] != "date" or not own or any(own.intersection(keys(word)) for word in dated):
        return False
    others = [tied(r.sentence, r.clause, r.value) for r in kin if not supports(r.value, row.value)]
    return any(known(other).intersection(keys(word)) for other in others for word in dated)


def lent_day(claim: Sentence, value: Value, row: Row, rivals: Sequence[Row]) -> bool:
    """« à partir du » of a day of which the source says it not, but of another one."""
    way = moment_of(claim, value).way
    if not way or moment_of(row.sentence, row.value).way:
        return False
    return any(moment_of(rival.sentence, rival.value).way == way for rival in rivals)


def displaced(text: str, words: Sequence[str], row: Row, source: Source) -> bool:
    """Whether what the claim speaks of first is another thing of the source than the figure's own: said elsewhere, or
    there but a circumstance (« la durée après le différé » is no « différé »)."""
    first = next(iter(telling(things(text, words))), "")
    if not first or all(sentence.known.isdisjoint(keys(first)) for sentence in source.sentences):
        return False
    if row.says(first) <= NEAR:
        return True
    if row.sentence.known.isdisjoint(keys(first)) or not _CIRCUMSTANCE.search(row.sentence.text):
        return False
    bare = known(content(_CIRCUMSTANCE.sub(" ", row.sentence.text)))
    return bare.isdisjoint(keys(first)) and first in content(_CIRCUMSTANCE.sub(" ", text))


def loosened(claim: Sentence, value: Value, text: str, row: Row, source: Source) -> tuple[str, ...]:
    """What the claim adds to its figure that its source does not say of it. `text`: the clauses that speak of it."""
    found = {
        "side": _sided(claim, value, row),
        "period": bool(value.period) and not row.value.period and not _lasting(value.period, row, source),
        "whole": value.unit not in ("an", "mois")
        and "whole" in marks(text)
        and "whole" not in marks(row.sentence.text),
        "gap": _apart(claim, value, text) and not _GAPPED & set(marks(row.sentence.text)),
        "per": _measured(claim, value, row),
        "each": _parted(claim, row),
        "of": {_of(claim, value), _of(row.sentence, row.value)} == {"month", "year"},
        "until": _expiring(claim, value, row),
        "event": _otherwise(claim, value, row),
        "exchanged": exchanged(claim, value, row.sentence, row.value),
        "stranger": _strange(text, row),
    }
    return tuple(name for name, there in found.items() if there)


def _apart(claim: Sentence, value: Value, text: str) -> bool:
    """« un écart de 550 € », « 100 € de plus »."""
    return "gap" in marks(text) or bool(_ADDED.match(flat(claim.text[value.end : value.end + _WINDOW])))


def _measured(claim: Sentence, value: Value, row: Row) -> bool:
    """« 8 mois sur 6 ans » of 8 months a year, « par nuitée » of what is counted by the home."""
    mine, theirs = _rhythm(claim, value), _rhythm(row.sentence, row.value)
    return bool(mine and theirs) and not any(word in theirs or set(keys(word)) & theirs for word in mine)


def _rhythm(sentence: Sentence, value: Value) -> frozenset[str]:
    """Of what it is counted by: `par nuitée`, `sur 6 ans`."""
    found = _PER.match(flat(sentence.text[value.end : value.end + _WINDOW]))
    if value.period or found is None:
        return frozenset({value.period} - {""})
    number, word = found.groups()
    stem = next(iter(content(word)), word.rstrip("s"))
    return frozenset({f"{number}{stem}"} if number else keys(stem))


def _parted(claim: Sentence, row: Row) -> bool:
    """« chaque », « par personne » of which the source says nothing: neither in these words nor of each at all."""
    theirs = flat(row.sentence.text)
    for word in marks(_figureless(claim)).get("each", ()):
        noun = word.removeprefix("par ")
        alike = any(not row.sentence.known.isdisjoint(keys(stem)) for stem in content(noun))
        each = "each" in marks(row.sentence.text) and (alike or noun == word)
        if not each and (noun == word or not re.search(rf"(?<!\w){noun}(?!\w)", theirs)):
            return True
    return False


def _sided(claim: Sentence, value: Value, row: Row) -> bool:
    """« au moins » or « au plus » of a figure of which the source says neither."""
    side = moment_of(claim, value).side if family(value)[0] != "date" else ""
    listed = [c for c in row.sentence.clauses if any(family(v) == family(row.value) for v in c.values)]
    if not side or moment_of(row.sentence, row.value).side or any(_SIDES[side] in marks(c.text) for c in listed):
        return False
    before = flat(claim.text[max(0, value.start - _WINDOW) : value.start])
    return not (side == "less" and _WITHIN.search(before))


def _of(sentence: Sentence, value: Value) -> str:
    """« 10 % du loyer mensuel », « 60 € de provision par mois »: the month's, the year's, or empty."""
    found = _OF_PERIOD.match(flat(sentence.text[value.end : value.end + _WINDOW]))
    return "" if not found else "month" if found.group(1).endswith(("mois", "mensuel")) else "year"


def _otherwise(claim: Sentence, value: Value, row: Row) -> bool:
    """« six semaines après l'impayé » of a source that says « six semaines après le commandement »."""
    mine, theirs = _from_event(claim, value), _from_event(row.sentence, row.value)
    return bool(mine and theirs) and not any(set(keys(word)) & known(theirs) for word in mine)


def _from_event(sentence: Sentence, value: Value) -> tuple[str, ...]:
    """What a time is counted from or to, in the words that follow it."""
    if family(value) != _TIME:
        return ()
    stop = min([v.start for v in sentence.values if v.start > value.start], default=len(sentence.text))
    found = _EVENT.match(flat(sentence.text[value.end : stop]))
    return content(found.group(1)) if found else ()


def _expiring(claim: Sentence, value: Value, row: Row) -> bool:
    """« jusqu'au » of a day of which the source says no such thing."""
    if family(value)[0] != "date":
        return False
    before = flat(claim.text[max(0, value.start - _WINDOW) : value.start])
    return bool(_UP_TO.search(before)) and not moment_of(row.sentence, row.value).way


def _lasting(period: str, row: Row, source: Source) -> bool:
    """Whether the row, or else some sentence of the source (« ces plafonds sont mensuels »), says the period of more
    than another figure of its own."""
    if _PERIODS[period].search(flat(row.clause.text)) and not any(value.period for value in row.clause.values):
        return True
    return any(_STATED[period].search(_figureless(sentence)) for sentence in (row.sentence, *source.sentences))


@lru_cache(maxsize=2048)
def _figureless(sentence: Sentence) -> str:
    text = sentence.text
    for value in sorted(sentence.values, key=lambda v: -v.start):
        text = f"{text[: value.start]} {text[value.end :]}"
    return flat(text)


def _strange(text: str, row: Row) -> bool:
    """A person of whom the source does not speak there."""
    mine = classes(text).get("person", frozenset())
    return bool(mine) and not mine & classes(row.sentence.text).get("person", frozenset())
