"""Inputs of a calculation as they are said back: nobody should have to guess what it counts with."""

from collections.abc import Mapping, Sequence
from typing import Final

from pipeline.reading import Quantity, Reading, Role
from pipeline.text.amounts import euros
from pipeline.thread_state import Frame
from pipeline.understanding.named_calculations import BY_KIND, KINDS
from pipeline.understanding.roles import counted_in, row_of
from pipeline.understanding.thread.dialogue import Task

KIND_NAMES: Final[Mapping[str, str]] = {
    "calc_loan": "un prêt", "calc_yield": "un rendement", "calc_gain": "une plus-value",
    "calc_capacity": "une capacité d'emprunt", "calc_regime": "un régime fiscal",
}  # fmt: skip
DOUBTED: Final = 0.4
"""Confidence of a role under which it is said back; it is counted all the same, for most such roles are right."""
MOST_ASIDE: Final = 8
"""Amounts that are listed."""
SAID_AS: Final[Mapping[str, str]] = {
    "calc_loan": "le prêt est de …", "calc_yield": "ajoute … de charges", "calc_gain": "ajoute … de travaux",
    "calc_capacity": "ajoute un crédit de …", "calc_regime": "le loyer est de …",
}  # fmt: skip
"""How an amount is said with what it is."""


def taken_over(task: Task | None) -> tuple[str, ...]:
    """What a calculation took from the thread, concluded from what was missing or hardly made out, or left aside, said
    plainly: nobody should have to guess what it counts with."""
    if task is None or task.frame is None:
        return ()
    slots, said = task.frame.slots, {q.start for q in task.reading.quantities if _doubted(q)}
    held = [described(role, slots[role]) for role in task.carried if row_of(role).label]
    assumed = {role: [q for q in values if _doubted(q) and q.start in said] for role, values in slots.items()}
    guessed = [described(role, values) for role, values in assumed.items() if values]
    told = ((f"Repris de ce fil : {', '.join(held)}", held), (f"Je comprends : {', '.join(guessed)}", guessed))
    said_back = [f"{sentence}. Corrigez en un mot si ce n'est pas cela." for sentence, roles in told if roles]
    if aside := _aside(task.reading, task.frame):
        left, named = ", ".join(euros(q.value) for q in aside[:MOST_ASIDE]), SAID_AS[task.frame.kind]
        said_back.append(
            f"Pas compté dans ce calcul : {left}. S'il le faut, dites comme quoi le compter (« {named} »)."
        )
    return tuple(said_back)


def _doubted(quantity: Quantity) -> bool:
    return quantity.assumed or (quantity.confidence < DOUBTED and not quantity.change)


def _aside(reading: Reading, frame: Frame) -> Sequence[Quantity]:
    """Amounts that the message tells and its calculation does not count."""
    if not frame.calculates or reading.main != frame.kind:
        return ()
    if reading.aside:
        return reading.aside
    named = [BY_KIND[kind] for kind in KINDS & frame.options]
    taken = {role for one in named for role in one.takes} if named else set(counted_in(frame.kind))
    counted = {q.value for role, values in frame.slots.items() if role in taken for q in values}
    return [
        q for q in reading.quantities if q.unit == "€" and q.role == "other" and not q.change and q.value not in counted
    ]


def described(role: Role, values: Sequence[Quantity]) -> str:
    """« prix 145 000 € », « durée 15 ans et 20 ans », « sans assurance »."""
    name = row_of(role).label or role
    if not any(q.value for q in values):
        return f"sans {name}"
    return f"{name} {' et '.join(spoken(role, q) for q in values)}"


def spoken(role: Role, quantity: Quantity) -> str:
    """As it was typed, with its unit: « 25 » of a loan's duration is 25 ans, « 3,2 » of its rate 3,2 %."""
    suffix = row_of(role).suffix
    if role in ("purchase_year", "sale_year"):
        return f"{quantity.day:%d/%m/%Y}" if quantity.day else f"{quantity.value:.0f}"
    large = quantity.unit in ("€", "") and quantity.value >= 100 and not quantity.period
    if not suffix and (large or not quantity.text):
        return euros(quantity.value)
    typed = (quantity.text or f"{quantity.value:g}").replace(".", ",")
    return f"{typed}{suffix}" if suffix and (quantity.unit == "" or not quantity.text) else quantity.text
