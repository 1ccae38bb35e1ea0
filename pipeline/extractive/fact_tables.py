"""Facts at the head of an answer: the sentence that answers, and a small table where there are several values."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from corpus.facts.book import fact_book
from corpus.facts.values import Fact, Source
from pipeline.schemes import schemes
from pipeline.text.fact_wording import SUMMARIES, TO_VERIFY, bounded, case_of, opening
from pipeline.text.figures import Value, figures
from pipeline.types import Evidence, ToolResult

FEWEST_ROWS: Final = 3
MOST_ROWS: Final = 20
FACTS: Final = "facts"
_ARTICLE: Final = re.compile(r"^(?:le |la |les |l')")

Row = tuple[tuple[str, ...], int]
"""The cells of a row, and the number of the evidence that it rests on."""


@dataclass(frozen=True, slots=True)
class FactsTold:
    """`opening`, `more`: sentences, each with the number of the evidence that it rests on; `rows`: of a table under
    `heads`; `more`: what a table cannot say; `held`: every figure of the facts told and of their other cases;
    `sums_up`: they show a scheme as a whole, or several sides of it; `score`: how well they fit the question; `case`:
    the share of their group that was left out for another case than the one asked about."""

    opening: tuple[tuple[int, str], ...] = ()
    rows: tuple[Row, ...] = ()
    more: tuple[tuple[int, str], ...] = ()
    heads: tuple[str, ...] = ("Cas", "Valeur")
    held: frozenset[tuple[str, str, str]] = frozenset()
    sums_up: bool = False
    score: float = 0.0
    case: float = 0.0

    @property
    def said(self) -> tuple[str, ...]:
        return tuple(text for _, text in self.opening)

    def hold(self, text: str) -> bool:
        """Whether `text` has figures and all of them are told here, so that it would say the same again."""
        there = {_key(value) for value in figures(text)}
        return bool(there) and there <= self.held


def facts_told(evidence: Evidence) -> FactsTold:
    """What the facts of this evidence say first; empty where they only stand beside another answer."""
    numbers = {
        Source(item.title, item.url): number
        for number, item in evidence.numbered()
        if isinstance(item, ToolResult) and item.call.tool == FACTS
    }
    call = next((r.call for r in evidence.tool_results if r.call.tool == FACTS and r.error is None), None)
    if call is None or call.arguments.get("form") == "beside":
        return FactsTold()
    book, on = fact_book(), date.fromisoformat(str(call.arguments["on"]))
    known = (book.by_id[name] for name in call.arguments["facts"] if name in book.by_id)
    facts = [fact for fact in known if fact.source in numbers]
    if not facts:
        return FactsTold()
    form = str(call.arguments.get("form"))
    first = [fact for fact in facts if fact.group == facts[0].group]
    if form not in SUMMARIES:  # of sources that disagree the first speaks; all of them stand in a table of their own
        facts = [
            fact for fact in facts if fact.status != "disputed" or fact.group != facts[0].group or fact is facts[0]
        ]
    told = _sentences(first if form in SUMMARIES else facts, numbers, on, form=form)
    held = frozenset(
        _key(value)
        for group in {fact.group for fact in facts}
        for sentence in opening(book.groups[group], on, form="answer")
        for value in figures(sentence)
    )
    if form not in SUMMARIES:
        rows = (
            _cases(first, numbers)
            if len(first) >= FEWEST_ROWS and first[0].status != "disputed" and all(map(_valued, first))
            else ()
        )
        score = float(str(call.arguments.get("score", 0.0)))
        return FactsTold(told, rows, held=held, score=score, case=share_left(first))
    worded = [fact for fact in facts if fact not in first and not _valued(fact)]
    rows = tuple(_point(fact, numbers) for fact in facts if _valued(fact))[:MOST_ROWS]
    more = _sentences(worded, numbers, on, form="answer") if worded else ()
    opens = told if form == "overview" or facts[0].closes else ()
    return FactsTold(opens, rows, more, ("Point", "Valeur", "Cas"), held, sums_up=True)


def share_left(told: Sequence[Fact]) -> float:
    """Share of the records of their group that are left out: the more, the closer the case that is asked about."""
    return 1 - len(told) / len(fact_book().groups[told[0].group])


def _key(value: Value) -> tuple[str, str, str]:
    return value.kind, str(value.value), value.unit


def _sentences(
    facts: Sequence[Fact], numbers: Mapping[Source, int], on: date, *, form: str
) -> tuple[tuple[int, str], ...]:
    """The openings of each page's facts, with its number."""
    pages: dict[Source, list[Fact]] = {}
    for fact in facts:
        pages.setdefault(fact.source, []).append(fact)
    return tuple((numbers[source], said) for source, held in pages.items() for said in opening(held, on, form=form))


def _valued(fact: Fact) -> bool:
    """Whether its value reads by itself in a cell."""
    return not (isinstance(fact.value, str) and fact.sentence)


def _cases(facts: Sequence[Fact], numbers: Mapping[Source, int]) -> tuple[Row, ...]:
    """The values of one group by case; nothing where a case has no name."""
    if not all(map(case_of, facts)):
        return ()
    return tuple(((_capital(case_of(fact)), _cell(fact)), numbers[fact.source]) for fact in facts[:MOST_ROWS])


def _point(fact: Fact, numbers: Mapping[Source, int]) -> Row:
    case = f"selon {fact.said_by}" if fact.said_by else case_of(fact)
    return (_capital(_bare(fact)), _cell(fact), _capital(case)), numbers[fact.source]


def _cell(fact: Fact) -> str:
    return f"{bounded(fact)} ({TO_VERIFY})" if fact.status == "to_verify" else bounded(fact)


def _bare(fact: Fact) -> str:
    """What it is the value of, without its article and without the scheme that the whole table is about."""
    known = schemes().get(fact.scheme)
    name = known.short.removeprefix("dispositif ") if known else ""
    label = re.sub(r" \([^)]*\)", "", _ARTICLE.sub("", fact.label))
    named = rf" (?:du|de la|d'une?|de l'|de|en un|en) ?{re.escape(name)}\b(?! et)"
    return re.sub(named, "", label) if name else label


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _marked(cells: Sequence[str], number: int) -> list[str]:
    """The marker stands behind the last cell that says something."""
    last = max((at for at, cell in enumerate(cells) if cell), default=0)
    return [f"{cell} [{number}]" if at == last else cell for at, cell in enumerate(cells)]


def blocks(told: FactsTold, *, cited: Callable[[str, int], str]) -> list[str]:
    """Paragraph, table and bullets, as far as there are any. `cited`: a sentence with its marker."""
    paragraph = " ".join(cited(said, number) for number, said in told.opening)
    head = [f"| {' | '.join(told.heads)} |", f"|{'---|' * len(told.heads)}"] if told.rows else []
    table = [*head, *(f"| {' | '.join(_marked(cells, number))} |" for cells, number in told.rows)]
    bullets = [f"- {cited(said, number)}" for number, said in told.more]
    return [block for block in (paragraph, "\n".join(table), "\n".join(bullets)) if block]
