"""What sort of answer a French question asks for: a yes or no, a definition, a date, a figure, a method, a contrast."""

import re
from collections.abc import Mapping
from typing import Final, Literal

Form = Literal["yes_no", "definition", "until", "when", "how_many", "how", "difference", "why", "example", "other"]

_KINDS: Final[Mapping[Form, str]] = {
    "difference": r"\bdifférences?\b|\bdistinguer\b|\bcompar\w+|\bou bien\b|\bversus\b|\bvs\b|\blequel\b|\blaquelle\b",
    "example": r"\bexemples?\b|\bchiffr\w+ un\b|\bsimul\w+|\bcas concret",
    "definition": r"^\W*(?:c'est quoi|qu'?est[- ]ce (?:que c'est|qu'un|que l|qu)|définition|que (?:veut dire|signifie)|"
    r"qu'appelle|qui est)|\bc'est quoi\b|\bveut dire\b|\bsignifie\b",
    "until": r"\bjusqu'à quand\b|\bjusqu'en quelle\b|\bencore\b|\btoujours (?:possible|ouvert|en vigueur)",
    "when": r"\bquand\b|\bdepuis quand\b|\bquelles? dates?\b|\béchéances?\b|\bà partir de quand\b",
    "how_many": r"\bcombien\b|\bquel(?:le)?s?\b(?:\W+\w+){0,2}\W+(?:taux|plafonds?|montants?|seuils?|loyers?|"
    r"abattements?|prix|durées?|délais?|pourcentages?|amendes?|barèmes?)\b|"
    r"^(?:taux|plafonds?|seuils?|barème)\b|\bà combien\b",
    "how": r"\bcomment\b|\bfonctionne\w*|\bquelles? (?:étapes|conditions|démarches|méthode)\b|\bque doit\b|"
    r"\bque faire\b|\bexpliqu\w+",
    "why": r"\bpourquoi\b",
    "yes_no": r"^\W*(?:(?:et|mais|bonjour|alors|dis)\W+)*(?:est-ce qu|peut-|doit-|faut-il|puis-je|a-t-on|y a-t-il|"
    r"existe-t-il)|\w-(?:t-)?(?:ils?|elles?|on|je|ce)\b|\bpossible\b|\ba le droit\b",
}
_ASKS: Final = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _KINDS.items()}
_OPEN: Final = re.compile(
    r"\b(?:jusqu'à|depuis) quand\b|\bcombien\b|^\W*(?:comment|que|quel\w*|pourquoi)\b", re.IGNORECASE
)
_ANSWERS: Final[Mapping[Form, tuple[re.Pattern[str], float]]] = {
    "until": (
        re.compile(
            r"\bjusqu'(?:au|en|à)\b|\bferm\w+|\bouvert\w*\b|\bprolong\w+|\bs'achève|\bprend fin|\ba pris fin|"
            r"\bfin prévue\b|\bencore en cours\b|\bau plus tard le\b",
            re.I,
        ),
        0.5,
    ),
    "when": (
        re.compile(
            r"\bjusqu'(?:au|en|à)\b|\bdepuis (?:le|l'|20)|\bà compter du\b|\bferm\w+|\bau plus tard\b|\bs'achève", re.I
        ),
        0.3,
    ),
    "how_many": (re.compile(r"\d[\d\s\u00a0\u202f,]*\s?(?:%|€|ans\b|mois\b)"), 0.2),
    "how": (
        re.compile(
            r"\bse calcul\w+|\bpermet\w* de\b|\bconsiste\b|\bs'obtient\b|\brapporte\b|\bdivis\w+|\bretire\b|"
            r"\bil faut\b|\bétapes?\b|\bformule\b|\bdécrit\b|\bcontient\b|\bcomprend\b|\bprécise\b",
            re.IGNORECASE,
        ),
        0.25,
    ),
    "difference": (
        re.compile(
            r"\btandis que\b|\balors que\b|\bcontrairement\b|\bdifféren\w+|\ben revanche\b|\bau contraire\b", re.I
        ),
        0.25,
    ),
    "definition": (
        re.compile(
            r"^(?:[^.]{3,90}?)\s(?:est|sont|désigne\w*|signifie\w*|correspond\w*|consiste\w*)\s"
            r"(?:un|une|le|la|l'|des|les|à)\b"
        ),
        0.8,
    ),
    "why": (re.compile(r"\bcar\b|\bparce qu|\bpuisqu|\bafin\b|\braison\b|\bvient d", re.IGNORECASE), 0.2),
    "example": (re.compile(r"\bexemple\b", re.IGNORECASE), 0.4),
}


def kind_of(question: str) -> Form:
    """The first kind whose signs the question shows; a date or figure asked for goes before a mere yes or no."""
    plain = question.replace("’", "'")
    if _ASKS["yes_no"].search(plain) and not re.search(
        r"\b(?:jusqu'à|depuis) quand\b|\bcombien\b|^\W*comment\b", plain, re.I
    ):
        return "difference" if re.search(r"\bdifférence\b", plain, re.I) else "yes_no"
    return next((kind for kind, pattern in _ASKS.items() if pattern.search(plain)), "other")


def answers(sentence: str, kind: Form) -> float:
    """What a sentence gains for having the shape that the question asks for."""
    pattern, gain = _ANSWERS.get(kind, (None, 0.0))
    return gain if pattern is not None and pattern.search(sentence) else 0.0
