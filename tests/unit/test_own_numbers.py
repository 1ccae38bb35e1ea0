"""Beside the asker's own calculation nobody else's numbers are told."""

import pytest

from corpus.types import Passage
from pipeline.extractive.writer import ExtractiveWriter
from pipeline.types import Brief, Computed, Evidence, Figure, Question, Route, ToolCall, ToolResult
from pipeline.writing.synthesizer import sections_for
from tests.unit.test_ground import NOON

ASKED = "mensualité d'un prêt de 299 000 € sur 22 ans à 3,48 % ?"
RESULT = "Mensualité : 1 622,48 € hors assurance, pour 299 000 € empruntés à 3,48 % sur 22 ans."
EXAMPLE = "Exemple de mensualité : un prêt de 200 000 € coûte 1 139,47 € par mois sur 20 ans."
RULE = "La mensualité d'un prêt amortissable est constante quand le taux est fixe."


async def _draft(computed: tuple[Computed, ...]) -> str:
    call = ToolCall("calculator", {"kind": "loan"})
    result = ToolResult(call, "Calcul : Prêt amortissable", RESULT, computed=computed)
    passage = Passage("credit#0", "credit", 0, "Crédit", (), f"{EXAMPLE} {RULE}", "https://www.anil.org", "methodology")
    evidence = Evidence(passages=(passage,), tool_results=(result,))
    route = Route("rag+tools", "ask", ASKED, tool_calls=(call,))
    brief = Brief(Question(ASKED, "U1", NOON), route, evidence, sections_for(route, evidence))
    return (await ExtractiveWriter().write(brief)).text


@pytest.mark.parametrize("reckoned", [True, False])
async def test_an_example_stays_out_beside_a_result(reckoned: bool) -> None:
    """Where nothing was worked out, the article's example may help."""
    computed = (Computed(Figure("Mensualité", 1622.48, "€"), "formule"),) if reckoned else ()
    text = await _draft(computed)
    assert ("200 000" not in text) is reckoned
