"""Parallel lists read out: « 50 %, 40 % ou 20 % en première, deuxième ou troisième tranche » says three things."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pipeline.text.figures import Value, figures

RANKED: Final = r"trimestre|quartile|semestre|tranche|étage|niveau|phase|année|degré|enfant"
"""What is told apart by its rank."""
_RANK: Final = r"(?:\d{1,2}(?:ère|er|re|ème|e|nde?)|première|premier|seconde?|(?:deux|trois|quatr)ième)"
_RANKS: Final = re.compile(
    rf"\b((?:{_RANK}(?:, | et | ou | puis | à | et de | contre )(?:la |le )?)+)({_RANK}) ({RANKED})s?\b", re.IGNORECASE
)
_LINK: Final = re.compile(r"\s?/\s?|(?:,| et| ou| puis|, puis)\s(?:(?:de|à|d'|des|les|le|la)\s)?")
_ITEM: Final = r"(?:(?! et | ou )[^,;:.()\d]|\d(?![\d ,]*(?:%|€)))+?"
_AFTER: Final = (
    r"[^,;:.()]{{0,40}}?\s(?:selon (?:que |qu')?|pour |en |à |au |aux |dans |chez |sur ){items}(?=[,;:.()]|$)"
)
_RESPECTIVELY: Final = re.compile(r",? respectivement(?: de| à)?\s?$")
_RANGED: Final = re.compile(r"\bentre\s$", re.IGNORECASE)
_LENGTHS: Final = range(2, 7)
_NUMBER: Final = re.compile(r"\d+|premi|deux|second|trois|quatr", re.IGNORECASE)


def read_out(text: str) -> str:
    """Each figure of a list beside its own condition of a list of as many; other text as it is. `text`: in digits."""
    if len(_NUMBER.findall(text)) < _LENGTHS[0]:
        return text
    text = _RANKS.sub(_each_named, text)
    for run in _runs(text, figures(text, generous=True)):
        told = _conditions_after(text, run) or _conditions_before(text, run)
        if told:
            return told
    return text


def _each_named(found: re.Match[str]) -> str:
    """`1ère, 2ème ou 3ème tranche` -> `1ère tranche, 2ème tranche ou 3ème tranche`."""
    noun = found.group(3)
    return re.sub(rf"({_RANK})", rf"\1 {noun}", found.group(1)) + f"{found.group(2)} {noun}"


def _runs(text: str, values: Sequence[Value]) -> Iterator[list[Value]]:
    """Figures of one unit that only commas and link words part; no ranges."""
    run: list[Value] = []
    for value in (v for v in values if v.unit):
        linked = run and run[-1].unit == value.unit and _LINK.fullmatch(text[run[-1].end : value.start])
        if not linked:
            yield from _whole(text, run)
            run = []
        run.append(value)
    yield from _whole(text, run)


def _whole(text: str, run: list[Value]) -> Iterator[list[Value]]:
    if len(run) in _LENGTHS and not _RANGED.search(text[: run[0].start]):
        yield run


def _conditions_after(text: str, run: Sequence[Value]) -> str:
    """`12 %, 18 % ou 21 % pour 6, 9 ou 12 ans`, `45 % et 10 % pour les revenus intermédiaires et supérieurs`."""
    rest = text[run[-1].end :]
    others = next((r for r in _runs(rest, figures(rest, generous=True)) if len(r) == len(run)), None)
    if others is not None and others[0].unit != run[0].unit and not re.search(r"[,;:.(]", rest[: others[0].start]):
        between = rest[: others[0].start]
        parts = [
            f"{_written(text, v, run)}{between}{_written(rest, o, others)}" for v, o in zip(run, others, strict=True)
        ]
        return f"{text[: run[0].start]}{', '.join(parts)}{rest[others[-1].end :]}"
    found = re.match(_AFTER.format(items=_listed(len(run))), rest)
    if found is None:
        return ""
    items = [item.strip() for item in found.groups()]
    lead = rest[: found.start(1)]
    shared = " ".join(items[0].split()[: -len(items[1].split())])
    items[1:] = [f"{shared} {item}".strip() for item in items[1:]]
    parts = [f"{_written(text, value, run)}{lead}{item}" for value, item in zip(run, items, strict=True)]
    return f"{text[: run[0].start]}{', '.join(parts)}{rest[found.end() :]}"


def _conditions_before(text: str, run: Sequence[Value]) -> str:
    """`le neuf et l'ancien supportent respectivement 2 et 8 %`."""
    said = _RESPECTIVELY.search(text[: run[0].start])
    found = re.search(rf"(?:^|[,;:.] ){_listed(len(run))}$", text[: said.start()]) if said else None
    if found is None:
        return ""
    parts = [f"{item.strip()} {_written(text, value, run)}" for item, value in zip(found.groups(), run, strict=True)]
    return f"{text[: found.start(1)]}{', '.join(parts)}{text[run[-1].end :]}"


def _listed(count: int) -> str:
    return ", ".join([f"({_ITEM})"] * (count - 1)) + rf"(?:,? et|,? ou|,) ({_ITEM})"


def _written(text: str, value: Value, run: Sequence[Value]) -> str:
    """With the unit that only the last of the list says."""
    mine, last = text[value.start : value.end].rstrip(), text[run[-1].start : run[-1].end]
    unit = re.sub(r"^[\d\s,.]+", "", last)
    return mine if re.search(r"[^\d\s,.]", mine) else f"{mine} {unit}"
