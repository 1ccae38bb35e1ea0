"""The tool "compare": results of the thread set side by side, with the differences between them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pipeline.text.amounts import cents, euros, percent
from pipeline.thread_state import CRITERIA
from pipeline.types import Computed, Figure, ToolCall, ToolResult

MOST: Final = 6
MOST_SAID: Final = 4
"""Cases that one sentence can name."""
NOTHING = "Je n'ai pas deux résultats comparables dans ce fil : donnez-moi les deux cas, et je les calcule."
UNLIKE = "Ces deux résultats ne se comparent pas : {kinds}. Donnez-moi deux cas d'un même calcul, et je les compare."
INSURED: Final = re.compile(r"^(Mensualité|Coût total du crédit) (?:hors assurance|assurance comprise)")
CASE: Final = re.compile(r"^(?P<stem>[^,]*?)(?P<case> à [\d,.]+\s?%(?: sur .*)?| sur \d.*|, (?!hors frais).*)?$")


@dataclass(frozen=True, slots=True)
class Entry:
    """One result: the case that it is of, with its preposition, and its value."""

    case: str
    value: float


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that is compared; `higher`: whether more of it is better, None where neither is."""

    label: str
    unit: str
    entries: tuple[Entry, ...]
    higher: bool | None = None


class ComparisonTool:
    """`arguments`: `{"items": [{"name", "kind", "figures": [[label, value, unit], ...]}, ...], "best", "percent"}`, one
    item whose figures are compared among themselves, or two whose figures of one label are. `kind`: in French, of a
    calculation; `best`: whether it was asked which is better, `percent`: how much in percent; `first`: the label of the
    result that is told before the others."""

    name = "compare"

    async def run(self, call: ToolCall) -> ToolResult:
        items = call.arguments.get("items") or ()
        kinds = dict.fromkeys(str(item["kind"]) for item in items if item.get("kind"))
        found = list(_of_calculations(items) if kinds else _of_two(items) if len(items) > 1 else _of_one(items))[:MOST]
        if not found:
            asked = UNLIKE.format(kinds=" et ".join(kinds)) if len(kinds) > 1 else NOTHING
            return ToolResult(call=call, error=asked, asks=asked)
        found.sort(key=lambda criterion: criterion.label != call.arguments.get("first"))
        best, relative = call.arguments.get("best") is True, call.arguments.get("percent") is True
        computed = [entry for criterion in found for entry in _gaps(criterion, relative=relative)]
        figures = [Figure(f"{c.label} ({entry.case})", entry.value, c.unit) for c in found for entry in c.entries]
        said = [_sentence(criterion, best=best, relative=relative) for criterion in found]
        formulas = [f"é{_of(c.label)[1:]} = {next(_gaps(c, relative=relative)).formula}" for c in found[:3]]
        return ToolResult(
            call=call,
            title="Comparaison des résultats du fil",
            text=" ".join((*said, f"Formule{'s' * (len(formulas) > 1)} : {' ; '.join(formulas)}.")),
            figures=tuple(dict.fromkeys(figures)),
            computed=tuple(computed),
        )


def _of_calculations(items: Sequence[Mapping[str, Any]]) -> Iterator[Criterion]:
    """Each criterion of which two cases have different values."""
    told: dict[tuple[str, str], dict[str, Entry]] = {}
    for item in items[-2:]:
        for label, value, unit in item["figures"]:
            match = CASE.match(INSURED.sub(r"\1", label))
            if match is None or (match["stem"] not in CRITERIA and label not in CRITERIA):
                continue
            stem = label if label in CRITERIA else match["stem"]
            case = (match["case"] or "").strip(" ,") if label not in CRITERIA else ""
            if "frais " in case:
                continue  # a second reading of the same case, with fees that nobody told
            own = case if not case or case.startswith(("à ", "sur ")) else f"en {case}"
            whole = " ".join(filter(None, (own, f"({item['name']})" if item["name"] else "")))
            told.setdefault((stem, unit), {})[whole] = Entry(whole, value)
    order = list(CRITERIA)
    for (stem, unit), entries in sorted(told.items(), key=lambda pair: order.index(pair[0][0])):
        if len({entry.value for entry in entries.values()}) > 1:
            yield Criterion(stem, unit, tuple(entries.values()), CRITERIA[stem])


def _of_two(items: Sequence[Mapping[str, Any]]) -> Iterator[Criterion]:
    """Figures of one label, where the two places differ."""
    first, second = items[-2], items[-1]
    held = {label: (value, unit) for label, value, unit in second["figures"]}
    for label, value, unit in first["figures"]:
        if label in held and held[label][1] == unit and held[label][0] != value and unit:
            sides = (Entry(f"({first['name']})", value), Entry(f"({second['name']})", held[label][0]))
            yield Criterion(label, unit, sides)


def _of_one(items: Sequence[Mapping[str, Any]]) -> Iterator[Criterion]:
    """Figures of one unit whose labels begin alike: medians of two towns."""
    figures = items[0]["figures"] if items else ()
    for index, (label, value, unit) in enumerate(figures):
        for other, held, other_unit in figures[index + 1 :]:
            if unit and unit == other_unit and held != value and _stem(label) == _stem(other):
                names = [f"({text.removeprefix(_stem(text)).strip(' ,:()') or text})" for text in (label, other)]
                yield Criterion(_stem(label), unit, (Entry(names[0], value), Entry(names[1], held)))


def _stem(label: str) -> str:
    for mark in (" à ", " sur ", ", ", " (", " : "):
        label = label.split(mark)[0]
    return label.strip()


def _ends(criterion: Criterion) -> tuple[Entry, Entry]:
    """(lowest, highest)"""
    ordered = sorted(criterion.entries, key=lambda entry: entry.value)
    return ordered[0], ordered[-1]


def _gaps(criterion: Criterion, *, relative: bool) -> Iterator[Computed]:
    low, high = _ends(criterion)
    unit = "points" if criterion.unit == "%" else criterion.unit
    how = f"{shown(high.value, criterion.unit)} − {shown(low.value, criterion.unit)}"
    yield Computed(Figure(f"Écart : {criterion.label}", cents(high.value - low.value), unit), how)
    if relative and low.value > 0 and criterion.unit != "%":
        share = cents((high.value - low.value) / low.value * 100)
        how = f"({how}) / {shown(low.value, criterion.unit)}"
        yield Computed(Figure(f"Écart en % : {criterion.label}", share, "%"), how)


def _sentence(criterion: Criterion, *, best: bool, relative: bool) -> str:
    """The difference first; who comes out better only when that was asked."""
    gap, *more = _gaps(criterion, relative=relative)
    low, high = _ends(criterion)
    told = f"{_of(criterion.label)} : {shown(gap.figure.value, gap.figure.unit)}"
    told += f" ({percent(more[0].figure.value)})" if more else ""
    ordered = sorted(criterion.entries, key=lambda entry: entry.value)
    named = ordered if len(ordered) <= MOST_SAID else [low, high]
    each = [f"{shown(entry.value, criterion.unit)} {entry.case}" for entry in named]
    told += f", soit {', '.join(each[:-1])} et {each[-1]}"
    if not best:
        return f"{told}."
    way = "le plus bas" if criterion.higher is None else "le plus favorable sur ce point"
    return f"{told} ; {way} : {(high if criterion.higher else low).case.strip('()')}."


def _of(label: str) -> str:
    """« Mensualité » -> « Écart de mensualité »."""
    lowered = label[:1].lower() + label[1:]
    return f"Écart d'{lowered}" if lowered[0] in "aeiouéèêh" else f"Écart de {lowered}"


def shown(value: float, unit: str) -> str:
    if unit == "%":
        return percent(value)
    if unit == "points":
        return f"{percent(value).removesuffix('%').rstrip()} point{'s' if abs(value) >= 2 else ''}"
    if unit.startswith("€"):
        return f"{euros(value)}{unit[1:].replace('/mois', ' par mois').replace('/an', ' par an').replace('/m²', '/m²')}"
    return f"{euros(value).removesuffix('€').rstrip()} {unit}"
