"""When the articles were last checked: said beside what they say, never alone under a title."""

import re

from pipeline.extractive.writer import ExtractiveWriter
from pipeline.types import Brief, Evidence, Question, Route
from tests.unit.test_ground import NOON, PINEL


async def test_a_section_that_found_nothing_does_not_hold_the_day_of_the_check() -> None:
    """Under a title of its own it would pass for what was found there, and hide that nothing was."""
    evidence = Evidence((PINEL,))
    question = "Le Pinel est-il encore ouvert ?"
    route = Route("rag", "ask", question, schemes=("pinel",))
    brief = Brief(Question(question, "U1", NOON), route, evidence, ("En bref", "Prix observés", "Loyers estimés"))
    text = (await ExtractiveWriter().write(brief)).text
    assert "Textes relus" in text
    assert not re.search(r"### [^\n]+\n- Textes relus", text)
    assert "### Loyers estimés" not in text
