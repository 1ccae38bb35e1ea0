"""Whether what is left of a model's draft is worth publishing: never less than the answer made of extracts."""

from collections.abc import Callable
from typing import Final

from corpus.french import distinct, terms_in
from corpus.types import Passage
from pipeline.extractive.question_forms import form_of
from pipeline.section_names import LIVE, LIVE_ONLY, tool_section
from pipeline.text.figures import figures
from pipeline.text.sentences import MARKER
from pipeline.types import Evidence, Grounded

Objection = str

NOTHING_KEPT: Final = "aucune de ses phrases n'est vérifiée"
MOSTLY_WRONG: Final = "moins d'un tiers de ses phrases se vérifient telles quelles"
NO_LIVE_FIGURE: Final = "elle ne donne pas les données demandées"
NO_FIGURE: Final = "elle ne donne pas le chiffre ou la date demandés"
OFF_TOPIC: Final = "elle ne répond pas à la question"
FIGURES_ASKED: Final = frozenset({"amount", "rate", "duration", "date"})
LEAST_KEPT: Final = 3
"""One sentence of so many stands as written; a draft whose others all gave way to sources was no reading of them."""
LEAST_SHARE: Final = 0.5
"""Of the question's words that the extracts speak of."""


def poorer(model: Grounded, offline: Grounded, evidence: Evidence, *, wider: Evidence, query: str) -> Objection | None:
    """Why the model's answer gives way to the offline one, in French; None when it stands. Five plain rules, each a
    comparison with what the extracts give: something is kept; a third of the draft stands as written; each kind of
    live data is there; a figure or date that was asked for is there; it speaks of what was asked.
    `wider`: the evidence of the model's answer."""
    if not model.sentences_kept or not model.text:
        return NOTHING_KEPT
    if len(model.kept) * LEAST_KEPT < len(model.kept) + len(model.replaced) + len(model.dropped):
        return MOSTLY_WRONG
    if not offline.sentences_kept:
        return None
    if _live(offline) - _live(model):
        return NO_LIVE_FIGURE
    if form_of(query) in FIGURES_ASKED and _shows(offline, figures) and not _shows(model, figures):
        return NO_FIGURE
    asked = frozenset(distinct(query))
    spoken = len(asked & _spoken(model, wider))
    return OFF_TOPIC if spoken < LEAST_SHARE * len(asked & _spoken(offline, evidence)) else None


def _live(grounded: Grounded) -> frozenset[str]:
    """The tools whose data an answer cites, but for pages and data sets, which other sources may stand for."""
    own = LIVE_ONLY - {LIVE}
    return frozenset(c.kind for c in grounded.citations if tool_section(c.kind) in own)


def _shows(grounded: Grounded, of: Callable[[str], tuple[object, ...]]) -> bool:
    return bool(of(MARKER.sub("", grounded.text)))


def _spoken(grounded: Grounded, evidence: Evidence) -> frozenset[str]:
    """Terms of the text and of what it cites: « Oui, jusqu'en 2027 » speaks of what its source is about."""
    cited = {citation.id for citation in grounded.citations}
    about = [
        " ".join((item.title, *item.heading)) if isinstance(item, Passage) else item.title
        for number, item in evidence.numbered()
        if number in cited
    ]
    quoted = (citation.quote for citation in grounded.citations)
    return terms_in("\n".join((MARKER.sub("", grounded.text), *quoted, *about)))
