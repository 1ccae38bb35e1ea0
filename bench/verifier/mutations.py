"""A sentence of an article -> claims that say the same in other words, and claims that say something else.

Nothing is stored: the same seed makes the same claims from the articles as they are.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from corpus.french import fold
from corpus.sentences import sentences
from corpus.types import Passage

_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_FIGURE: Final = re.compile(r"\d[\d\u202f\u00a0 ]*(?:,\d+)?(?=[\s\u00a0\u202f]?(?:%|€|ans|mois|jours|nuits|m²))")
_CONDITION: Final = re.compile(
    r",?\s(?:si|lorsque|sauf|à condition|sous réserve|en cas de|dès lors que|hors|dans la limite)\b[^,.;:]{6,90}",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(r",\s[^,.;:\d]{8,70},|\s\([^()\d]{5,60}\)")
_VERB: Final = re.compile(
    r"\b(est|sont|peut|peuvent|doit|doivent|s'applique|s'appliquent|reste|restent|concerne|vise|permet|ouvre|suit|dure)\b"
)
_GENERAL: Final = [
    "concrètement",
    "ressort",
    "intervient",
    "retient",
    "précise",
    "cadre",
    "pratique",
    "principe",
    "forme",
    "rythme",
    "logique",
    "suite",
    "moment",
    "effet",
    "part",
    "mouvement",
    "occasion",
    "question",
    "démarche",
    "voie",
    "titre",
    "ordre",
    "place",
    "série",
    "ensemble",
    "allure",
    "palier",
]
"""Words that change nothing of what is said: what a free paraphrase brings along."""
_OPPOSITE: Final = (
    ("avant", "après"), ("au plus tard", "à partir"), ("jusqu'au", "à partir du"), ("au plus", "au moins"),
    ("augmente", "diminue"),
    ("hausse", "baisse"), ("bailleur", "locataire"), ("acheteur", "vendeur"), ("acquéreur", "vendeur"),
    ("meublé", "vide"), ("nue", "meublée"),
    ("neuf", "ancien"), ("brut", "net"), ("autorisé", "interdit"), ("possible", "impossible"),
    ("exonéré", "imposable"), ("peut", "doit"),
    ("appartement", "maison"), ("banque", "emprunteur"), ("maximum", "minimum"), ("plafond", "plancher"),
    ("fermé", "ouvert"), ("par mois", "par an"),
    ("principale", "secondaire"), ("inférieur", "supérieur"), ("moins", "plus"), ("première", "dernière"),
    ("mensuel", "annuel"), ("obligatoire", "facultatif"),
)  # fmt: skip
_SWEEPING: Final = (
    "Dans tous les cas, ",
    "Sans exception, ",
    "Quelle que soit la situation, ",
    "Automatiquement, ",
    "Pour tous les contribuables, ",
)
_EXTRA: Final = (
    ", à condition d'habiter la commune", ", uniquement pour les couples mariés",
    ", sauf pour les logements de plus de 100 m²", ", réservé aux primo-accédants",
    ", seulement après accord du maire", ", pour les seuls logements meublés", ", dans la limite d'un seul bien",
)  # fmt: skip
_SUBJECTS: Final = [
    "locataire",
    "bailleur",
    "notaire",
    "commune",
    "banque",
    "syndic",
    "vendeur",
    "acquéreur",
    "emprunteur",
    "usufruitier",
    "assureur",
    "investisseur",
    "copropriétaire",
]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A claim over the passages that it cites. `true`: they say it; `kind`: how it was made."""

    text: str
    passage: Passage
    true: bool
    kind: str


Change = Callable[[str, random.Random], str | None]


def labelled(passages: Sequence[Passage], synonyms: dict[str, list[str]], rng: random.Random) -> Iterator[Labelled]:
    """Per sentence of a passage: two claims that it carries and up to three that it does not."""
    for index, passage in enumerate(passages):
        own = [said for said in sentences(passage.text) if 6 <= len(said.split()) <= 45 and "|" not in said]
        elsewhere = passages[(index + 1 + rng.randrange(6)) % len(passages)]
        for said in own:
            for _ in range(2):
                yield Labelled(reworded(said, synonyms, rng), passage, True, "reworded")
            for kind, change in rng.sample(list(CHANGES.items()), 6):
                changed = change(said, rng)
                if changed and fold(changed) != fold(said):
                    text = reworded(changed, synonyms, rng) if rng.random() < 0.6 else changed
                    yield Labelled(text, passage, False, kind)
        strange = [said for said in sentences(elsewhere.text) if 6 <= len(said.split()) <= 45]
        if strange and elsewhere.document_id == passage.document_id:
            yield Labelled(rng.choice(strange), passage, False, "elsewhere")


def reworded(said: str, synonyms: dict[str, list[str]], rng: random.Random) -> str:
    """The same in other words: synonyms, general words, an aside left out, halves in another order."""
    text = said
    if rng.random() < 0.4:
        text = _ASIDE.sub("", text, count=1)
    if rng.random() < 0.25 and text.count(", ") == 1 and ":" not in text:
        first, second = text.rstrip(".").split(", ", 1)
        text = f"{second[:1].upper()}{second[1:]}, {first[:1].lower()}{first[1:]}."
    share = rng.choice((0.0, 0.15, 0.3, 0.5))

    def other(found: re.Match[str]) -> str:
        word = found.group()
        mates = synonyms.get(fold(word).lower())
        if mates and rng.random() < share:
            return rng.choice(mates)
        return rng.choice(_GENERAL) if not word[0].isupper() and rng.random() < share * 0.22 else word

    return _WORD.sub(other, text)


def _swapped_figures(said: str, rng: random.Random) -> str | None:
    found = list(_FIGURE.finditer(said))
    units = [said[f.end() : f.end() + 3].strip("\u00a0\u202f ")[:1] for f in found]
    pairs = [(a, b) for a in range(len(found)) for b in range(a + 1, len(found)) if units[a] == units[b]]
    pairs = [(a, b) for a, b in pairs if found[a].group() != found[b].group()]
    if not pairs:
        return None
    one, other = (found[place] for place in rng.choice(pairs))
    return said[: one.start()] + other.group() + said[one.end() : other.start()] + one.group() + said[other.end() :]


def _other_figure(said: str, rng: random.Random) -> str | None:
    found = _FIGURE.search(said)
    return said[: found.start()] + str(rng.randint(2, 97)) + said[found.end() :] if found else None


def _opposite(said: str, rng: random.Random) -> str | None:
    pairs = [pair if rng.random() < 0.5 else pair[::-1] for pair in _OPPOSITE]
    there = [(old, new) for old, new in pairs if re.search(rf"\b{old}", said)]
    if not there:
        return None
    old, new = rng.choice(there)
    return re.sub(rf"\b{old}", new, said, count=1)


def _negated(said: str, rng: random.Random) -> str | None:
    if "ne " in said or "n'" in said:
        plain = re.sub(r"\b(?:ne |n')(\S+(?: \S+)?) (?:pas|plus|jamais)\b", r"\1", said, count=1)
        return plain if plain != said else None
    found = _VERB.search(said)
    return (
        f"{said[: found.start()]}ne {found.group()} pas{said[found.end() :]}".replace("ne est", "n'est")
        if found
        else None
    )


def _unconditional(said: str, rng: random.Random) -> str | None:
    bare = _CONDITION.sub("", said, count=1)
    if bare == said:
        return None
    return rng.choice(_SWEEPING) + bare[0].lower() + bare[1:] if rng.random() < 0.4 else bare


def _sweeping(said: str, rng: random.Random) -> str | None:
    return rng.choice(_SWEEPING) + said[0].lower() + said[1:]


def _extra(said: str, rng: random.Random) -> str | None:
    return said.rstrip(".") + rng.choice(_EXTRA) + "."


def _other_subject(said: str, rng: random.Random) -> str | None:
    found = [word for word in _SUBJECTS if re.search(rf"\b{word}\b", said)]
    if not found:
        return None
    old = rng.choice(found)
    return re.sub(rf"\b{old}\b", rng.choice([word for word in _SUBJECTS if word != old]), said, count=1)


def _other_predicate(said: str, rng: random.Random) -> str | None:
    """Two or three telling words replaced by words of the field: an invention in the right style."""
    words = [found for found in _WORD.finditer(said) if len(found.group()) > 5]
    if len(words) < 3:
        return None
    text = said
    for found in sorted(rng.sample(words, min(3, len(words) - 1)), key=lambda f: -f.start()):
        text = text[: found.start()] + rng.choice(_FIELD) + text[found.end() :]
    return text


_FIELD: Final = [
    "copropriété",
    "succession",
    "usufruit",
    "préavis",
    "caution",
    "diagnostic",
    "hypothèque",
    "indivision",
    "donation",
    "terrain",
    "parking",
    "servitude",
    "assurance",
    "déclaration",
    "prorogation",
    "majoration",
    "quittance",
    "chaudière",
    "toiture",
    "amende",
    "registre",
    "agrément",
    "notification",
    "résiliation",
    "ascendant",
    "gratuite",
    "suspendue",
    "révisable",
    "cumulable",
    "remboursée",
    "transférée",
    "plafonnée",
    "différée",
    "annulée",
    "doublée",
]

CHANGES: Final[dict[str, Change]] = {
    "swapped figures": _swapped_figures,
    "other figure": _other_figure,
    "opposite": _opposite,
    "negated": _negated,
    "condition dropped": _unconditional,
    "sweeping": _sweeping,
    "condition invented": _extra,
    "other subject": _other_subject,
    "other predicate": _other_predicate,
}
