"""Live figures of several towns set side by side: what a tool said of each, and the difference worked out."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pipeline.text.amounts import percent
from pipeline.tools.french import at
from pipeline.types import Computed, Figure, ToolCall, ToolResult
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat

COMPARED: Final = re.compile(r"^(?P<what>Prix médian des .+?|Loyer d'annonce estimé, .+?)(?P<year> en \d{4})?$")
"""What is worth comparing: quartiles and counts are not."""
_PAIR: Final = 2
MOST: Final = 3
"""Differences of one answer."""

Values = dict[str, Figure]
"""One figure a town."""


def side_by_side(results: Sequence[ToolResult], asked: str = "") -> tuple[ToolResult, ...]:
    """One result of the tool "compare" where tools answered for two towns or more; nothing otherwise. Only figures of
    one label (thing, kind, year) and unit are compared; `computed`: each difference (in the unit, then in % of the
    lowest), with its formula. `asked`: the question, whose « plus cher que » is answered by Oui or Non."""
    known = {id(values): values for values in common_figures(results)}
    if not known:
        return ()
    told = [list(_gaps(values)) for values in list(known.values())[:MOST]]
    said = [_sentence(values, gaps) for values, gaps in zip(known.values(), told, strict=False)]
    if word := _word(next(iter(known.values())), flat(asked)):
        said[0] = f"{word} : {said[0][:1].lower()}{said[0][1:]}"
    formulas = "Formules : " + " ; ".join(gap.formula for gaps in told for gap in gaps) + "."
    call = ToolCall("compare", {"places": tuple(dict.fromkeys(name for values in known.values() for name in values))})
    computed = tuple(gap for gaps in told for gap in gaps)
    return (ToolResult(call, "Comparaison des communes", " ".join((*said, formulas)), computed=computed),)


def common_figures(results: Sequence[ToolResult]) -> list[Values]:
    """The figures that two towns or more have, of the latest year of each, where they differ."""
    found: dict[tuple[str, str], Values] = {}
    for result in results:
        name = result.call.arguments.get("name")
        if result.error is not None or not name:
            continue
        for figure in result.figures:
            if COMPARED.match(figure.label):
                found.setdefault((figure.label, figure.unit), {}).setdefault(str(name), figure)
    latest: dict[tuple[str, str], tuple[str, Values]] = {}
    for (label, unit), values in found.items():
        stem = COMPARED.match(label)
        key = (stem["what"] if stem else label, unit)
        if len(values) > 1 and label >= latest.get(key, ("", {}))[0]:
            latest[key] = (label, values)
    return [values for _, values in latest.values() if len({figure.value for figure in values.values()}) > 1]


def _word(values: Values, low: str) -> str:
    """« Nantes est-elle plus chère que Rennes ? »: the town said first is held against the other; of more than two, and
    of what is asked otherwise, no word."""
    claim = cue("asked.dearer").search(low)
    if claim is None or cue("asked.open").search(low) or len(values) != _PAIR:
        return ""
    first, second = (figure.value for figure in values.values())
    true = first > second if claim["way"] == "plus" else first < second
    return "Oui" if true else "Non"


def _ends(values: Values) -> tuple[tuple[str, Figure], tuple[str, Figure]]:
    """(lowest, highest), each with its town."""
    ordered = sorted(values.items(), key=lambda item: item[1].value)
    return ordered[0], ordered[-1]


def _gaps(values: Values) -> Iterator[Computed]:
    (_, low), (_, high) = _ends(values)
    gap = round(high.value - low.value, 2)
    how = f"{_shown(high.value, high.unit)} − {_shown(low.value, low.unit)}"
    yield Computed(Figure(f"Écart : {high.label}", gap, high.unit), f"{how} = {_shown(gap, high.unit)}")
    if low.value > 0:
        share = round(gap / low.value * 100, 1)
        how = f"{_shown(gap, high.unit)} / {_shown(low.value, low.unit)}"
        yield Computed(Figure(f"Écart en % : {high.label}", share, "%"), f"{how} = {percent(share)}")


def _sentence(values: Values, gaps: Sequence[Computed]) -> str:
    (least, low), (most, high) = _ends(values)
    label = (high.label[:1].lower() + high.label[1:]).replace("estimé, ", "estimé pour ")
    more = f", soit {percent(gaps[1].figure.value)} de plus {at(most)}" if len(gaps) > 1 else ""
    return (
        f"Écart de {label} : {_shown(gaps[0].figure.value, high.unit)} entre {_shown(low.value, low.unit)} {at(least)} "
        f"et {_shown(high.value, high.unit)} {at(most)}{more}."
    )


def _shown(value: float, unit: str) -> str:
    text = f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
    return f"{text.replace(',', chr(0x202F)).replace('.', ',')}\u00a0{unit}"
