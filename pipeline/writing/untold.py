"""One line at the end of an answer for what it does not tell: what was asked for, in the asker's own words."""

import re
from collections.abc import Sequence
from typing import Final

from corpus.french import terms_in
from corpus.types import Passage
from pipeline.section_names import IN_SHORT, RISKS, tool_section
from pipeline.text.cleaning import harmless
from pipeline.types import Evidence, Grounded, Route

UNTOLD: Final = "Non trouvé dans les sources : {what}."
MOST: Final = 3
MOST_WORDS: Final = 10
_HEADING: Final = re.compile(r"^### (.+)$", re.MULTILINE)


def untold(
    grounded: Grounded, evidence: Evidence, *, required: Sequence[str], said: Sequence[str], route: Route
) -> str:
    """The line, or nothing. `required`: sections that were asked for; `said`: what the model says is missing, taken
    only where it is made of the question's own words: a model may not assert anything here."""
    told = {*_HEADING.findall(grounded.text), *_subjects(grounded, evidence)}
    absent = [name[:1].lower() + name[1:] for name in required if name != IN_SHORT and name not in told]
    asked, answered = terms_in(route.query), terms_in(grounded.text)
    own = [" ".join(harmless(text).strip(" .").split()) for text in said]
    absent += [text for text in own if len(text.split()) <= MOST_WORDS and _is_open(terms_in(text), asked, answered)]
    what = list(dict.fromkeys(absent))[:MOST]
    return UNTOLD.format(what=", ".join(what)) if what else ""


def _is_open(terms: frozenset[str], asked: frozenset[str], answered: frozenset[str]) -> bool:
    """Whether words name something that was asked for, and that the answer does not speak of."""
    return bool(terms) and terms <= asked and not terms <= answered


def _subjects(grounded: Grounded, evidence: Evidence) -> set[str]:
    """The sections that the cited evidence speaks for, whatever heading it stands under."""
    cited = {citation.id for citation in grounded.citations}
    found = (item for number, item in evidence.numbered() if number in cited)
    return {
        (RISKS if item.category == "risk" else "") if isinstance(item, Passage) else tool_section(item.call.tool)
        for item in found
    }
