"""What turns the sense of a sentence round: polarity, direction, time, bounds, quantifiers, conditions, roles."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from corpus.sentences import sentences
from pipeline.grounding.clauses import OUTSIDE, content, known
from pipeline.grounding.lexicon import classes, flat, keys, lexicon, marks, matches, sides

REASONS: Final[Mapping[str, str]] = {
    "denied": "polarité contraire à la source",
    "only": "polarité contraire à la source",
    "asserted": "polarité contraire à la source",
    "antonym": "sens contraire à la source",
    "direction": "sens d'évolution contraire à la source",
    "event": "avant et après confondus",
    "bound": "minimum et maximum confondus",
    "universal": "généralisation absente de la source",
    "duty": "obligation absente de la source",
    "choice": "faculté absente de la source",
    "hedge": "réserve de la source omise",
    "past": "règle passée donnée pour présente",
    "dropped": "condition de la source omise",
    "role": "rôle inversé dans la source",
    "forecast": "propos absent de la source",
}
"""Contrasts that refuse a sentence by themselves; polarity, exceptions and strangers the verifier weighs."""
Marks = Mapping[str, tuple[str, ...]]
_WAYS: Final = (
    ("up", "down"), ("down", "up"), ("still", "up"), ("still", "down"), ("above", "below"), ("below", "above"),
)  # fmt: skip
_DEGREE: Final = re.compile(r"(?<!\w)(plus|moins) ([a-z]{4,})")
_LESS: Final = {"plus": "moins", "moins": "plus"}
_GRADED: Final = 5
_STEM: Final = 4
"""Letters by which two quantifiers are one word."""
_ONLY: Final = re.compile(r"(?<!\w)(?:ne|n')\s?[^,.;]{1,60}?\bqu[e']")
_ONLY_DOES: Final = re.compile(r"(?<!\w)(?:ne |n')(?:l'|les? |la |se |s'|y )?(\w+)(?! pas(?!\w))[^,.;]{0,60}?\bqu[e']")
_DOES_NOT: Final = re.compile(
    r"(?<!\w)(?:ne |n')(?:l'|les? |la |se |s'|y |lui |leur )?(?P<verb>\w+) (?:pas|jamais|plus|aucune?s?)(?!\w)"
    r"(?: (?P<then>\w+))?"
)
"""The verb that « ne … que » bounds; the one that « ne … pas » denies, and the word behind it."""
_UNDONE: Final = re.compile(r"(?<!\w)(?:ne(?!\w)|n'|sans(?!\w)|pas(?!\w)|ni(?!\w)|aucune?s?(?!\w)|jamais(?!\w))")
"""What denies a verb: « non professionnel » denies none."""
_AUXILIARY: Final = re.compile(
    r"est|sont|etai(?:t|ent)|ser(?:a|ont|ait)|soit|ont|avait|aur(?:a|ont|ait)|a|p(?:eu|ou)\w+|doi\w+|devr\w+|f(?:ai|o)\w+|v(?:a|ont)"
)
_BEFORE_WORD: Final = (OUTSIDE, "non", "peu", "tres")
"""What `content` joins to the word that it turns round."""
_OPENER: Final = re.compile(r"\s*(?:oui|non)\s*(?:[,:]|(?=\.))", re.IGNORECASE)
"""The answer to a question, not a part of what is said."""
_NEGATED: Final = re.compile(r"(?<!\w)(?:ne(?!\w)|n'|non(?!-)|(?:mais|ou|et|,) pas(?!\w))")
_WITHOUT: Final = re.compile(r"(?<!\w)(?:ni|aucune?s?|jamais)(?!\w)")
_IF: Final = re.compile(
    r"(?<!\w)(?:si|s'ils?|s'elles?|lorsqu\w*|quand|a condition|sous (?:condition|reserve)|sauf|hormis|"
    r"excepte|en cas d\w*|"
    r"des lors|a moins (?:que|d'\w+|de \w+er)|tant que|pourvu|uniquement|seulement|reserve\w* (?:a|aux?)|"
    r"a l'exception|faute d\w+|subordonne\w*|"
    r"hors(?! d'eau| charges| d'air| taxes?)|que si|dispens\w+|exceptions?)(?!\w)"
)
_EVENT: Final = re.compile(
    r"(?<!\w)(?<!d')(avant|apres|des|jusqu'a)\s+(?:la|le|l'|les|un|une|son|sa|ses|cette|ce|tout|toute|d'|de)?\s?([a-z]{4,})"
)
_TO: Final = re.compile(r"(?<!\w)(?:a la|a l'|a un|a une|au|aux|envers|contre)\s?([a-z-]{4,})")
_BY: Final = re.compile(r"\bpar (?:le |la |l'|les |un |une |son |sa |ses )?$")


def contrasts(
    said: str, held: str, whole: str, *, clause: str = "", question: str = "", source: str = ""
) -> frozenset[str]:
    """What turns a claim's half-sentence round against its source's; `clause`: of that, the clause that
    says most of the claim; `whole`: all that the cited source says there, in which a marker may stand too."""
    claim, near, wide = marks(said), marks(held), marks(whole)
    found = {
        "negation": all(polarity(said) != polarity(text) for text in _unopened(said, held, clause)),
        "denied": bool(_NEGATED.search(_positive(said))) and not _denies(held) and not _denies(whole),
        "only": _restricted(said, held),
        "asserted": _asserted(said, held),
        "antonym": _opposed(said, held) or (bool(source) and _denied(said, source)),
        "direction": _turned(claim, near) or _graded(said, held),
        "event": _event(said, whole) or _untimely(claim, near),
        "bound": _bound(claim, near, held, whole),
        "outside": _outside(said, whole),
        "duty": "duty" in claim and "duty" not in near and "choice" in near,
        "choice": _chosen(claim, near) and not polarity(said),
        "hedge": "hedge" in near and "hedge" not in claim,
        "dropped": _dropped(said, held, question),
        "universal": _sweeping(claim, near, wide),
        "forecast": "forecast" in claim and "forecast" not in wide,
        **_roles(said, held, whole),
    }
    return frozenset(name for name, there in found.items() if there)


def _unopened(said: str, *held: str) -> list[str]:
    return [text if _OPENER.match(said) else _OPENER.sub("", text) for text in held if text]


def polarity(text: str) -> int:
    """0 or 1, for what is denied. A bound (`ne peut dépasser`) and `ne … que` deny nothing."""
    plain = _positive(text)
    negated = len(_NEGATED.findall(plain))
    count = negated + (0 if negated else len(_WITHOUT.findall(plain)))
    return (count + len(_denials(plain))) % 2


def _positive(text: str) -> str:
    """Without the words that deny only in form."""
    return _ONLY.sub(" ", lexicon().markers["most"].pattern.sub(" ", flat(text)))


def _denies(text: str) -> bool:
    plain = flat(text)
    return bool(_NEGATED.search(plain) or _WITHOUT.search(plain) or _denials(plain))


def _denials(plain: str) -> Sequence[re.Match[str]]:
    return matches("markers", plain).get(("denial", 0), ())


def _restricted(said: str, held: str) -> bool:
    """« n'est due que si » where the source says « n'est pas due si »."""
    mine, theirs = flat(said), flat(held)
    if _ONLY.search(theirs) or not _ONLY.search(mine):
        return False
    verbs = {found.group(1)[:_STEM] for found in _ONLY_DOES.finditer(mine)}
    return any(found["verb"][:_STEM] in verbs for found in _DOES_NOT.finditer(theirs))


def _asserted(said: str, held: str) -> bool:
    """« se déduisent » where the source says « ne déduit aucune »."""
    mine = flat(said)
    if _UNDONE.search(mine):
        return False
    denied = {_predicate(found)[:_GRADED] for found in _DOES_NOT.finditer(flat(held))} - {""}
    return any(re.search(rf"(?<!\w){stem}", mine) for stem in denied)


def _predicate(found: re.Match[str]) -> str:
    """The verb that is denied, or what follows « n'est pas »."""
    word = found["then"] if _AUXILIARY.fullmatch(found["verb"]) else found["verb"]
    return word if word and len(word) >= _GRADED else ""


def _opposed(said: str, held: str) -> bool:
    """One side of a pair of opposites where the source has only the other."""
    if bool(_NEGATED.search(_positive(said))) != bool(_NEGATED.search(_positive(held))):
        return False  # `aucun dépôt n'est permis` says what `interdit` says
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
    if bool(_NEGATED.search(_positive(said))):
        return False  # `aucun dépôt n'est permis` says what `interdit` says
    return any(
        (here[0] and not there[0] and there[1] and not here[1])
        or (here[1] and not there[1] and there[0] and not here[0])
        for here, there in zip(sides(said), sides(source), strict=True)
    )


def _turned(claim: Marks, near: Marks) -> bool:
    return any(w in claim and other not in claim and other in near and w not in near for w, other in _WAYS)


def _graded(said: str, held: str) -> bool:
    """`plus souvent` where the source says `moins souvent`."""
    mine, theirs = ({(word[:_GRADED], way) for way, word in _DEGREE.findall(flat(text))} for text in (said, held))
    return any((word, _LESS[way]) in theirs and (word, way) not in theirs for word, way in mine)


def _chosen(claim: Marks, near: Marks) -> bool:
    return "choice" in claim and "choice" not in near and "duty" in near and "duty" not in claim


def _outside(said: str, whole: str) -> bool:
    """`la zone tendue` where the source says `hors zone tendue`, or the other way round."""
    mine, theirs = frozenset(content(said)), frozenset(content(whole))
    return any(_reversed(mine, theirs, word) or _reversed(theirs, mine, word) for word in mine | theirs)


def _reversed(one: frozenset[str], other: frozenset[str], word: str) -> bool:
    """Whether one says « hors X » alone and the other « X » alone."""
    bare = next((word.removeprefix(before) for before in _BEFORE_WORD if word.startswith(before) and len(word) > 6), "")
    return bool(bare) and word in one and bare in other and bare not in one and word not in other


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


def _bound(claim: Marks, near: Marks, held: str, whole: str) -> bool:
    """The opposite bound; where the half-sentence sets none, its sentence counts."""
    if "most" not in claim and "least" not in claim:
        return False
    theirs = near if "most" in near or "least" in near else _around(held, whole)
    return any(
        mine in claim and other not in claim and mine not in theirs and other in theirs
        for mine, other in (("most", "least"), ("least", "most"))
    )


def _dropped(said: str, held: str, question: str) -> bool:
    """A condition of the source of which the claim says nothing."""
    mine = _held(f"{said} {question}")
    if any(words and _share(words, _held(held)) >= 0.5 for words in _conditions(said)):
        return False  # it says one of them, as the answer to a narrower question would
    return any(words and _share(words, mine) < 0.34 for words in _conditions(held))


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


def _roles(said: str, held: str, whole: str) -> dict[str, bool]:
    """Who does what somebody else does there, or a person of whom the source does not speak."""
    mine = _acting(said)
    if not mine:
        return {}
    if _reached(held) & set(mine[:1]) - _reached(said) - set(_acting(_TO.sub(" ", flat(held)))):
        return {"role": True}
    if not set(mine) <= classes(whole).get("person", frozenset()):
        return {"stranger": True}
    theirs = _acting(held)
    return {"role": bool(theirs) and mine[0] != theirs[0] and (mine[0] not in theirs or theirs[0] in mine)}


def _reached(text: str) -> set[int]:
    """Persons to whom something is done or sent: `à l'assureur`."""
    told = " ".join(found.group(1) for found in _TO.finditer(flat(text)))
    return set(classes(told).get("person", frozenset()))


def _acting(text: str) -> list[int]:
    """Persons in the order in which they act: who stands after `par` comes first."""
    plain = flat(text)
    first = [
        (index, there[0].start()) for (name, index), there in matches("classes", plain).items() if name == "person"
    ]
    found = [(-1 if _BY.search(plain[:place]) else place, index) for index, place in first]
    return [index for _, index in sorted(found)]
