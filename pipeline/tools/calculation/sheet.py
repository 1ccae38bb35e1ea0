"""Where one calculation writes down what it was told, what it took for granted and what it found."""

from dataclasses import dataclass, field
from typing import Final

from pipeline.series import Schedule
from pipeline.text.amounts import cents, euros
from pipeline.tools.calculation.constants import Rule
from pipeline.tools.calculation.fields import field_of, question
from pipeline.tools.calculation.values import Table, Worked
from pipeline.types import Computed, Figure

MOST_SAID: Final = 4
"""Cases that one sentence can name; the table has them all."""


@dataclass(slots=True)
class Sheet:
    """Filled in order by one calculation of `kind`, then made a `Worked`."""

    kind: str
    inputs: list[Figure] = field(default_factory=list)
    results: list[Computed] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    table: Table = ()
    schedules: list[Schedule] = field(default_factory=list)
    asks: str = ""
    missing: tuple[str, ...] = ()

    def given(self, label: str, value: float | None, unit: str) -> None:
        """An input, when there is one."""
        if value is not None:
            self.inputs.append(Figure(label, value, unit))

    def rule(self, label: str, rule: Rule) -> None:
        """A constant of the law that the sentences name."""
        self.given(label, rule.value, rule.unit)

    def found(self, label: str, value: float, unit: str, formula: str) -> float:
        """A result, rounded to the hundredth; returned as it is published."""
        self.results.append(Computed(Figure(label, cents(value), unit), formula))
        return cents(value)

    def say(self, *sentences: str) -> None:
        self.sentences.extend(filter(None, sentences))

    def lead(self, sentence: str) -> None:
        """The answer itself: before all that was said so far."""
        self.sentences.insert(0, sentence)

    def assume(self, sentence: str) -> None:
        if sentence not in self.assumptions:
            self.assumptions.append(sentence)

    def ask(self, *names: str, asked: str = "") -> None:
        """The first question asked stays: ask in order of weight. `names`: the arguments that would answer it."""
        if not self.asks:
            self.asks = asked or question(field_of(self.kind, names[0]))
            self.missing = names

    def worked(self, title: str, source: str, url: str = "") -> Worked:
        if not (self.results and self.sentences):  # intermediate sums alone answer nothing
            return Worked(title, (), (), (), source, url, (), self.asks, self.missing)
        return Worked(
            title, tuple(self.sentences), tuple(dict.fromkeys(self.inputs)), tuple(self.results), source, url,
            tuple(self.assumptions), self.asks, self.missing, self.table, tuple(self.schedules),
        )  # fmt: skip


def duration(months: float) -> str:
    """`240` -> `20 ans`, `18` -> `18 mois`."""
    years = months / 12
    if months < 12 or years != int(years):
        return f"{months:.0f} mois"
    return f"{years:.0f} an" + ("s" if years > 1 else "")


def term(sheet: Sheet, label: str, months: float) -> None:
    """A duration as an input, in the units in which it may be said."""
    sheet.given(label, months, "mois")
    if months >= 12 and not months % 12:
        sheet.given(label, months / 12, "ans")


def signed(amount: float) -> str:
    """Euros with a true minus sign."""
    return euros(amount).replace("-", "−")


def each(cases: list[tuple[str, float]]) -> str:
    """`1 000 € à 3 % sur 20 ans ; …` for one sentence: all cases, or the least and the greatest of more than four."""
    ordered = sorted(cases, key=lambda case: case[1])
    few = cases if len(cases) <= MOST_SAID else [ordered[0], ordered[-1]]
    return " ; ".join(f"{euros(amount)}{name}" for name, amount in few)


def listed(parts: list[str]) -> str:
    """`a, b et c`."""
    return ", ".join(parts[:-1]) + f" et {parts[-1]}" if len(parts) > 1 else "".join(parts)
