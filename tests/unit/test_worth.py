"""When a model's gated text gives way to the extracts, rule by rule; and the line for what was not found."""

import pytest

from corpus.types import Passage
from pipeline.section_names import CALCULATION, IN_SHORT, PRICES, RISKS
from pipeline.types import Citation, Evidence, Grounded, Route, ToolCall, ToolResult
from pipeline.writing.untold import untold
from pipeline.writing.worth import MOSTLY_WRONG, NO_FIGURE, NO_LIVE_FIGURE, NOTHING_KEPT, OFF_TOPIC, poorer

PRICE = ToolResult(ToolCall("sales", {}), "Prix à Toulon", "Le prix médian à Toulon est de 2 583 €/m².")
RULE = Passage("p#0", "p", 0, "Denormandie", ("Durée",), "Le Denormandie court jusqu'au 31/12/2027.", "", "regulation")
FLOOD = Passage("q#0", "q", 0, "PPRI", (), "Toulon a un plan de prévention.", "", "risk")
EVIDENCE = Evidence((RULE, FLOOD), (PRICE,))
QUERY = "Jusqu'à quand le Denormandie est-il ouvert ?"


def _passed(text: str, *cited: int, replaced: int = 0, dropped: int = 0) -> Grounded:
    kinds = {1: "passage", 2: "passage", 3: "sales"}
    items = dict(EVIDENCE.numbered())
    citations = tuple(Citation(n, kinds[n], items[n].title, "", items[n].text) for n in cited)
    return Grounded(
        text,
        citations,
        0,
        1 if text else 0,
        (("x", "y"),) * dropped,
        (text,) if text else (),
        (("a", "b", "c"),) * replaced,
    )


EXTRACTS = _passed("Le Denormandie est ouvert jusqu'au 31/12/2027 [1].", 1)


@pytest.mark.parametrize(
    ("model", "offline", "query", "reason"),
    [
        (_passed("Oui, jusqu'au 31 décembre 2027 [1].", 1), EXTRACTS, QUERY, None),
        (_passed("Oui, jusqu'au 31 décembre 2027 [1].", 1, dropped=1, replaced=1), EXTRACTS, QUERY, None),
        (_passed("Oui, jusqu'au 31 décembre 2027 [1].", 1, dropped=2, replaced=1), EXTRACTS, QUERY, MOSTLY_WRONG),
        (_passed("", dropped=1), EXTRACTS, QUERY, NOTHING_KEPT),
        (_passed(""), _passed(""), QUERY, NOTHING_KEPT),
        (_passed("Le Denormandie est une réduction d'impôt [1].", 1), EXTRACTS, QUERY, NO_FIGURE),
        (_passed("Toulon a un plan depuis le 1er mars 2020 [2].", 2), EXTRACTS, QUERY, OFF_TOPIC),
        (_passed("Le marché est porteur [2].", 2), _passed("2 583 €/m² [3].", 3), "Prix à Toulon", NO_LIVE_FIGURE),
        (_passed("2 583 €/m² à Toulon [3].", 3), _passed("2 583 €/m² à Toulon [3].", 3), "Prix à Toulon", None),
        (_passed("Le prix médian est de 2 583 €/m² [3].", 3), _passed(""), "Prix à Toulon", None),
    ],
)  # fmt: skip
def test_each_rule_of_giving_way(model: Grounded, offline: Grounded, query: str, reason: str | None) -> None:
    """Each compares with what the extracts give, and nothing else."""
    assert poorer(model, offline, EVIDENCE, wider=EVIDENCE, query=query) == reason


@pytest.mark.parametrize(
    ("text", "cited", "required", "said", "line"),
    [
        ("Vrai [1].", (1,), (IN_SHORT,), (), ""),
        ("Vrai [1].", (1,), (IN_SHORT, PRICES), (), "Non trouvé dans les sources : prix observés."),
        ("2 583 €/m² [3].", (3,), (IN_SHORT, PRICES), (), ""),
        ("Vrai [2].", (2,), (RISKS,), (), ""),
        ("### Calcul\nVrai [1].", (1,), (CALCULATION,), (), ""),
        ("Vrai [1].", (1,), (), ("le plafond de loyer à Limoges",), "le plafond de loyer à Limoges"),
        ("Vrai [1].", (1,), (), ("le plafond de loyer à Limoges de 9 €",), ""),
        ("Vrai [1].", (1,), (), ("Le Denormandie est fermé",), ""),
        ("Le plafond de loyer à Limoges est là [1].", (1,), (), ("le plafond de loyer à Limoges",), ""),
        ("Vrai [1].", (1,), (), ("http://evil.example le plafond",), "sources : le plafond."),
        ("Vrai [1].", (1,), (), ("", "le", " ".join(["plafond"] * 20)), ""),
    ],
)
def test_what_was_asked_and_not_found_stands_in_one_line(
    text: str, cited: tuple[int, ...], required: tuple[str, ...], said: tuple[str, ...], line: str
) -> None:
    """Sections that were asked for, whatever heading their evidence stands under; a model's words only where they are
    the question's own and not answered."""
    route = Route("rag", "ask", "Denormandie : quel plafond de loyer à Limoges ?")
    found = untold(_passed(text, *cited), EVIDENCE, required=required, said=said, route=route)
    assert (line in found) if line else found == ""
