"""What sort of answer a French question asks for, learned from labelled questions (`bench/data/question_forms.tsv`)."""

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, cast

from pipeline.understanding.learned.features import WORD, masked, ngrams
from pipeline.understanding.learned.linear import Linear, load, softmax

Form = Literal[
    "yes_no",
    "definition",
    "date",
    "amount",
    "rate",
    "duration",
    "how",
    "who",
    "difference",
    "why",
    "example",
    "law",
    "what",
]
"""`date`: also until or since when; `rate`: a share in per cent; `who`: who pays, who may; `how`: steps and methods;
`law`: the text that says so; `what`: conditions, lists, consequences and everything else."""
LEARNED: Final = Path(__file__).with_name("learned")
NAME: Final = "forms"
WORD_WEIGHT: Final = 3.0
_SURE: Final = 0.1


def features(question: str) -> Mapping[str, float]:
    """What the model sees: pieces of words, words and pairs of words, numbers masked."""
    low = masked(question)
    return {**ngrams(low), **{f"w:{word}": WORD_WEIGHT for word in WORD.findall(low)}}


@lru_cache(maxsize=2048)
def forms_of(question: str) -> Mapping[Form, float]:
    """Form -> probability in ]0, 1], of those that are not out of the question."""
    model = _model()
    shares = softmax(model.scores(features(question), unit=True))
    return {cast(Form, name): float(p) for name, p in zip(model.labels, shares, strict=True) if p > _SURE}


def form_of(question: str) -> Form:
    """The likeliest."""
    found = forms_of(question)
    return max(found, key=lambda form: found[form])


@cache
def _model() -> Linear:
    return load(NAME, LEARNED)
