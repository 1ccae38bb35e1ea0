"""What `bench model` counts."""

from collections import Counter

from bench.worth.gold_facts import Found, facts_found
from bench.worth.model_answers import Observed, Told, report_of
from pipeline.types import Answer, Brief, Draft, Question, Route, Usage
from pipeline.writing.drafting import MODEL_POORER
from tests.unit.test_ground import EVIDENCE, NOON

ROUTE = Route("rag", "ask", "Pinel ?")


def _told(text: str, *, cost: Usage | None = None, gaps: tuple[str, ...] = ()) -> Answer:
    return Answer(text, ROUTE, cost=cost, degraded=gaps, seconds=1.0)


def test_a_fact_may_be_written_in_several_ways() -> None:
    """Spaces, apostrophes, case and markers do not count; a forbidden one does."""
    row = {"needed": [["31/12/2024", "31 décembre 2024"], "l'habitation", ["9 %"]], "forbidden": ["encore ouvert"]}
    found = facts_found(row, _told("Fermé le 31\u00a0décembre 2024 [1], L’habitation [2]. Encore ouvert."))
    assert (found.found, found.needed, found.forbidden, found.worth) == (2, 3, 1, 1)


async def test_each_first_draft_is_counted_sentence_by_sentence() -> None:
    """A rewrite is a second try, not a second draft."""

    class Fixed:
        name = "fixed"

        async def write(self, brief: Brief) -> Draft:
            return Draft("La location est nue [1]. Le taux est de 21 % [1].", Usage("fixed"))

    observed = Observed(Fixed())
    brief = Brief(Question("Pinel ?", "U1", NOON), ROUTE, EVIDENCE, ("En bref",))
    draft = await observed.write(brief)
    await observed.write(Brief(brief.question, ROUTE, EVIDENCE, ("En bref",), draft=draft, refused=(("x", "y"),)))
    counts = observed.sentences
    assert (counts["drafts"], counts["rewrites"]) == (1, 1)
    assert counts["kept"] == 1
    assert counts["dropped"] + counts["replaced"] == 1


def test_the_report_sets_a_model_beside_the_extracts() -> None:
    """Better and worse by facts; the reasons for which it gave way; no cost where one answer has none."""
    cost, unknown = Usage("m", 100, 10, 0.5), Usage("m", 100, 10)
    gap = MODEL_POORER.format(reason="x")
    rows = [
        Told(_told(""), _told("", cost=cost), (Found(0, 1, 0), Found(1, 1, 0)), 0.5),
        Told(_told(""), _told("", cost=unknown, gaps=(gap,)), (Found(1, 1, 0), Found(1, 1, 1)), 0.5),
    ]
    observed = Observed(inner=None, sentences=Counter(kept=9, dropped=1))  # type: ignore[arg-type]
    report = report_of(rows, observed)
    assert report["against_extracts"] == {"better": 1, "same": 0, "worse": 1}
    assert report["gave_way_to_extracts"] == {gap: 1}
    assert report["kept_percent"] == 90.0
    assert report["model"]["needed_percent"] == 100.0
    assert report["euros_per_answer"] is None
    assert report_of(rows[:1], observed)["euros_per_answer"] == 0.5
