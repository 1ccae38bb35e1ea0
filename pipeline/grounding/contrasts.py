"""What turns the sense of a sentence round: polarity, direction, time, bounds, quantifiers, conditions, roles."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from corpus.sentences import sentences
from pipeline.grounding.clauses import content, known
from pipeline.grounding.lexicon import classes, flat, keys, lexicon, marks, sides

REASONS: Final[Mapping[str, str]] = {
    "negation": "polarité contraire à la source",
    "antonym": "sens contraire à la source",
    "direction": "sens d'évolution absent de la source",
    "event": "avant et après confondus",
    "bound": "minimum et maximum confondus",
    "universal": "généralisation absente de la source",
    "exclusive": "restriction absente de la source",
    "duty": "obligation absente de la source",
    "choice": "faculté absente de la source",
    "hedge": "réserve de la source omise",
    "only": "restriction de la source omise",
    "tense": "règle passée donnée pour présente",
    "dropped": "condition de la source omise",
    "invented": "condition absente de la source",
    "role": "rôle inversé ou absent de la source",
    "proportion": "proportion absente de la source",
    "forecast": "propos absent de la source",
}
_MISSING: Final = {"exclusive", "proportion", "forecast"}
"""Markers that a claim may bear only where its source does."""
Marks = Mapping[str, tuple[str, ...]]
_WAYS: Final = (
    ("up", "down"), ("down", "up"), ("still", "up"), ("still", "down"), ("above", "below"), ("below", "above"),
)  # fmt: skip
_STEM: Final = 4
"""Letters by which two quantifiers are one word."""
_ONLY: Final = re.compile(r"(?<!\w)(?:ne|n')\s?[^,.;]{1,60}?\bqu[e']")
_OPENER: Final = re.compile(r"\s*(?:oui|non)\s*(?:[,:]|(?=\.))", re.IGNORECASE)
"""The answer to a question, not a part of what is said."""
_NEGATED: Final = re.compile(r"(?<!\w)(?:ne(?!\w)|n'|non(?!-)|(?:mais|ou|et|,) pas(?!\w))")
_WITHOUT: Final = re.compile(r"(?<!\w)(?:sans|ni|aucune?s?|jamais)(?!\w)")
_IF: Final = re.compile(
    r"(?<!\w)(?:si|s'ils?|s'elles?|lorsqu\w*|quand|a condition|sous (?:condition|reserve)|sauf|hormis|"
    r"excepte|en cas d\w*|"
    r"des lors|a moins (?:que|d'\w+|de \w+er)|tant que|pourvu|uniquement|seulement|reserve\w* (?:a|aux?)|"
    r"a l'exception|faute d\w+|subordonne\w*|"
    r"hors(?! d'eau| charges| d'air)|que si|dispens\w+|exception\w*)(?!\w)"
)
_EVENT: Final = re.compile(
    r"(?<!\w)(avant|apres|des|jusqu'a)\s+(?:la|le|l'|les|un|une|son|sa|ses|cette|ce|tout|toute|d'|de)?\s?([a-z]{4,})"
)
_TO: Final = re.compile(r"(?<!\w)(?:a la|a l'|a un|a une|au|aux|envers|contre)\s?([a-z-]{4,})")
_BY: Final = re.compile(r"\bpar (?:le |la |l'|les |un |une |son |sa |ses )?$")


def contrasts(said: str, held: str, whole: str, *, question: str = "", source: str = "") -> dict[str, float]:
    """Contrast -> how strongly, of a claim's half-sentence against its source's; `whole`: all that the cited source
    says there, in which a marker may stand too."""
    claim, near, wide = marks(said), marks(held), marks(whole)
    found = {
        "negation": float(polarity(said) != polarity(held if _OPENER.match(said) else _OPENER.sub("", held))),
        "antonym": float(_opposed(said, held) or (bool(source) and _denied(said, source))),
        "direction": _direction(claim, near, wide),
        "event": float(_event(said, whole) or _untimely(claim, near)),
        "bound": float(_bound(claim, near, _around(held, whole))),
        "duty": float("duty" in claim and "duty" not in near and "choice" in near),
        "only": float("exclusive" in near and "exclusive" not in claim and not _bound_words(said)),
        "tense": float("past" in near and "present" not in near and "past" not in claim),
        "choice": float("choice" in claim and "choice" not in near and "duty" in near and "duty" not in claim),
        "hedge": float("hedge" in near and "hedge" not in claim),
        "dropped": _dropped(said, held, question),
        "invented": _invented(said, whole),
        "role": float(_roles(said, held, whole)),
        "universal": float(_sweeping(claim, near, wide)),
        **{name: float(name in claim and name not in wide) for name in _MISSING},
    }
    return {name: value for name, value in found.items() if value}


def polarity(text: str) -> int:
    """0 or 1, for what is denied. A bound (`ne peut dépasser`) and `ne … que` deny nothing."""
    plain = lexicon().markers["most"].pattern.sub(" ", flat(text))
    plain = _ONLY.sub(" ", plain)
    negated = len(_NEGATED.findall(plain))
    count = negated + (0 if negated else len(_WITHOUT.findall(plain)))
    return (count + len(lexicon().markers["denial"].all(plain))) % 2


def _opposed(said: str, held: str) -> bool:
    """One side of a pair of opposites where the source has only the other."""
    return any(
        here[0] != here[1] and there[0] != there[1] and here != there
        for here, there in zip(sides(said), sides(held), strict=True)
    )


def _sweeping(claim: Marks, near: Marks, wide: Marks) -> bool:
    """A quantifier that the source's half-sentence has in no form, nor its surroundings in these words."""
    theirs = {word[:_STEM] for word in wide.get("universal", ())}
    return "universal" not in near and any(word[:_STEM] not in theirs for word in claim.get("universal", ()))


def _denied(said: str, source: str) -> bool:
    """One side of a pair of opposites where the whole source only ever says the other."""
    return any(
        (here[0] and not there[0] and there[1] and not here[1])
        or (here[1] and not there[1] and there[0] and not here[0])
        for here, there in zip(sides(said), sides(source), strict=True)
    )


def _direction(claim: Marks, near: Marks, wide: Marks) -> float:
    """1 for the opposite way, or one that the source does not say."""
    for way, other in _WAYS:
        if way in claim and other not in claim and ((other in near and way not in near) or way not in wide):
            return 1.0
    return 0.0


def _event(said: str, whole: str) -> bool:
    """`avant la livraison` where the source says `à la livraison` or `après la livraison`."""
    plain = flat(whole)
    opposite = {"jusqu'a": "apres|des|depuis|a compter de"}
    for marker, word in _EVENT.findall(flat(said)):
        if word not in plain or re.search(rf"{marker}\W[^,.;]{{0,25}}{word}", plain):
            continue
        if marker == "avant":
            return True
        others = opposite.get(marker, "avant|jusqu'a")
        if re.search(rf"(?<!\w)(?:{others})\s+(?:la |le |l'|les |son |sa |ses )?{word}", plain):
            return True
    return False


def _untimely(claim: Marks, near: Marks) -> bool:
    """`avant` and the like where the source's half-sentence only says `après` and the like, or the other way round."""
    for said, other in (("sooner", "later"), ("later", "sooner")):
        if said in claim and other not in claim and other in near and said not in near:
            return True
    return False


def _around(held: str, whole: str) -> Marks:
    """Of the source's sentence in which the half-sentence stands."""
    words = set(flat(held).split())
    return marks(max(sentences(whole), key=lambda one: len(words.intersection(flat(one).split())), default=""))


def _bound(claim: Marks, near: Marks, around: Marks) -> bool:
    """A bound that the source does not set; where its half-sentence sets none, its sentence counts."""
    theirs = near if "most" in near or "least" in near else around
    up, down = "most" in claim and "least" not in claim, "least" in claim and "most" not in claim
    one_way = ("most" in theirs) != ("least" in theirs) or theirs is near
    return (up and not ("most" in theirs and one_way)) or (down and not ("least" in theirs and one_way))


def _bound_words(said: str) -> bool:
    """Whether the claim restricts in another way: `à condition`, `si`, `dans la limite`."""
    return bool(_IF.search(flat(said)) or "most" in marks(said))


def _dropped(said: str, held: str, question: str) -> float:
    """Conditions of the source of which the claim says nothing."""
    mine = _held(f"{said} {question}")
    return float(sum(1 for words in _conditions(held) if words and _share(words, mine) < 0.34))


def _invented(said: str, whole: str) -> float:
    theirs = _held(whole)
    return float(sum(1 for words in _conditions(said) if words and _share(words, theirs) < 0.5))


def _held(text: str) -> frozenset[str]:
    """Its words, those of its conditions alone too: « hors assurance » is one word where it is no condition."""
    return known(content(text)) | known([word for words in _conditions(text) for word in words])


def _conditions(text: str) -> Iterator[tuple[str, ...]]:
    """Content words of each conditional piece: from its marker to the next comma, at most ten words."""
    plain = flat(text)
    for found in _IF.finditer(plain):
        piece = re.split(r"[,;:.()]", plain[found.end() :].lstrip(" ,"))[0]
        yield content(" ".join(piece.split()[:10]))


def _share(words: tuple[str, ...], held: frozenset[str]) -> float:
    return sum(bool(held.intersection(keys(word))) for word in words) / len(words)


def _roles(said: str, held: str, whole: str) -> bool:
    """A person of whom the source does not speak, or who does what somebody else does there."""
    mine = _acting(said)
    if not mine:
        return False
    if _reached(held) & set(mine[:1]) - _reached(said) - set(_acting(_TO.sub(" ", flat(held)))):
        return True
    if not set(mine) <= classes(whole).get("person", frozenset()):
        return True
    theirs = _acting(held)
    if not theirs or mine[0] == theirs[0]:
        return False
    return mine[0] not in theirs or theirs[0] in mine


def _reached(text: str) -> set[int]:
    """Persons to whom something is done or sent: `à l'assureur`."""
    told = " ".join(found.group(1) for found in _TO.finditer(flat(text)))
    return set(classes(told).get("person", frozenset()))


def _acting(text: str) -> list[int]:
    """Persons in the order in which they act: who stands after `par` comes first."""
    plain = flat(text)
    found: list[tuple[int, int]] = []
    for index, form in enumerate(lexicon().classes["person"]):
        match = form.pattern.search(plain) if form.possible(plain) else None
        if match:
            found.append((-1 if _BY.search(plain[: match.start()]) else match.start(), index))
    return [index for _, index in sorted(found)]
