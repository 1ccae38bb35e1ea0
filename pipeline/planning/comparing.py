"""Results of a thread beside each other: what was computed or looked up before, as arguments of a tool."""

from collections.abc import Sequence
from typing import Final

from corpus.places import Gazetteer, Place
from pipeline.planning.said_back import KIND_NAMES, described
from pipeline.planning.setting import Setting
from pipeline.thread_state import Frame
from pipeline.types import Route, ToolCall
from pipeline.understanding import cues
from pipeline.understanding.own_words import flat
from pipeline.understanding.thread.dialogue import Task

MOST_PLACES: Final = 3
FIRST: Final = {
    "cost": "Coût total du crédit", "wants_left": "Prix de vente net d'impôt", "wants_instalment": "Mensualité",
    "left_to_live": "Reste à vivre",
}  # fmt: skip
"""Option of the question -> the result that is compared before the others."""


def comparison(task: Task, places: Gazetteer) -> Route:
    """Results of the thread side by side: computed, nothing is looked up."""
    items = [
        {
            "name": _title(frame, task.compared, places),
            "kind": KIND_NAMES.get(frame.kind),
            "figures": _comparable(frame),
        }
        for frame in task.compared
    ]
    low = flat(task.reading.text)
    asked = {"best": "best" in cues.said("compare", low), "percent": "%" in low or "pourcent" in low}
    wanted = task.reading.options & FIRST.keys() or (task.frame.options if task.frame else frozenset())
    first = next((label for option, label in FIRST.items() if option in wanted), None)
    call = ToolCall("compare", {"items": items, **asked, **({"first": first} if first else {})})
    communes = task.frame.communes if task.frame else ()
    return Route("tools", "ask", task.reading.text, communes=communes, tool_calls=(call,))


def _comparable(frame: Frame) -> list[list[object]]:
    """Of a place its medians, of a calculation all that came out."""
    told = [f for f in frame.results if frame.calculates or (f.unit not in ("", "ventes") and "uartile" not in f.label)]
    return [[f.label, f.value, f.unit] for f in told[: len(told) if frame.calculates else 12]]


def _title(frame: Frame, among: Sequence[Frame], places: Gazetteer) -> str:
    """What sets a result apart from the one beside it: its place, else the inputs that differ."""
    others = [other for other in among if other is not frame]
    if not frame.calculates:
        namesakes = {place.name for other in others for place in places_of(other, places)}
        named = (p.label if p.name in namesakes else p.name for p in places_of(frame, places))
        return ", ".join(named) or frame.query[:40]
    told = []
    for role, values in frame.slots.items():
        if all(tuple(q.value for q in other.slots.get(role, ())) != tuple(q.value for q in values) for other in others):
            told.append(described(role, values))
    if told or not others or frame.kind == "calc_regime":  # regimes name their own cases
        return ", ".join(told) if others else ""
    return "le dernier calcul" if frame is among[-1] else "le calcul d'avant"


def with_median(call: ToolCall, frame: Frame, setting: Setting) -> ToolCall:
    """A price beside the market counts with the median that the thread looked up last, of its town if it names one."""
    if call.arguments["kind"] != "market":
        return call
    for held in reversed(setting.state.frames):
        median = next((f for f in held.results if f.unit == "€/m²" and f.label.startswith("Prix médian")), None)
        if median is not None and (not frame.communes or frame.communes[:1] == held.communes[:1]):
            where = next((place.name for place in places_of(held, setting.places)), "")  # the first median is its
            named = f"{median.label[:1].lower()}{median.label[1:]}{f' à {where}' if where else ''}"
            return ToolCall(call.tool, {**call.arguments, "median": median.value, "named": named})
    return call


def places_of(frame: Frame, places: Gazetteer) -> list[Place]:
    """The places of a frame, as many as one answer can tell of."""
    return [place for code in frame.communes[:MOST_PLACES] if (place := places.get(code))]
