"""One suite for `PassageIndex` and `PassageArchive`, run on every adapter. A new adapter is one entry in `ADAPTERS`."""

from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from corpus.errors import IndexUnavailable, VectorMismatch
from corpus.ports import PassageArchive
from corpus.types import Filters
from tests.contract.passage_indexes import ADAPTERS, LYON, NIMES, PINEL, ask, axis, passage, put


@pytest.fixture(params=ADAPTERS)
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[PassageArchive]:
    async with request.param(tmp_path) as opened:
        yield opened


async def test_an_empty_index_finds_nothing(index: PassageArchive) -> None:
    """A tenant that has nothing yet is no error."""
    await index.ping()
    assert await ask(index, "Pinel", vector=axis(0)[0]) == []
    assert await index.digests(tenant="T1") == {}
    assert await index.delete(["doc"], tenant="T1") == 0


async def test_a_passage_comes_back_whole(index: PassageArchive) -> None:
    """Every field survives, and the three figures of the search are filled in."""
    stored = passage(PINEL, entities=("pinel",), starts=date(2014, 9, 1), ends=date(2024, 12, 31))
    await put(index, stored, vectors=axis(0))
    (found,) = await ask(index, "réduction Pinel", vector=axis(0)[0])
    assert found.text == PINEL
    for name in ("id", "document_id", "position", "title", "heading", "url", "category", "published", "entities"):
        assert getattr(found, name) == getattr(stored, name)
    assert (found.effective_from, found.effective_to) == (stored.effective_from, stored.effective_to)
    assert found.similarity == pytest.approx(1.0, abs=1e-3)
    assert found.coverage == 1.0
    assert found.score == pytest.approx(1.0)


async def test_words_match_without_accents_or_inflection(index: PassageArchive) -> None:
    """Slack users leave accents out and use the plural."""
    await put(index, passage(NIMES), passage(LYON, position=1))
    for query in ("appartement ancien", "APPARTEMENTS ANCIENS", "les appartements de lyon"):
        assert [hit.id for hit in await ask(index, query)][:1] == ["doc#1"]
    assert (await ask(index, "plan de prevention a nimes"))[0].id == "doc#0"


async def test_title_and_heading_are_searched(index: PassageArchive) -> None:
    """A passage that never names its subject is found by its title."""
    await put(index, passage("Le taux est de 9 % sur six ans.", title="Dispositif Pinel"))
    assert (await ask(index, "pinel"))[0].coverage == 1.0


async def test_without_a_vector_words_alone_decide(index: PassageArchive) -> None:
    """The lexical leg then carries the whole score, and no similarity is claimed."""
    await put(index, passage(LYON), passage(NIMES, position=1), vectors=axis(0, 1))
    (found,) = await ask(index, "inondation")
    assert (found.id, found.similarity, found.score) == ("doc#1", None, 1.0)


async def test_a_vector_finds_what_shares_no_word(index: PassageArchive) -> None:
    """The dense leg adds passages that the words miss; both legs agreeing comes first."""
    await put(index, passage(LYON), passage(NIMES, position=1), passage(PINEL, position=2), vectors=axis(0, 1, 2))
    query = (axis(1)[0] + 0.5 * axis(2)[0]) / np.float32(np.sqrt(1.25))
    found = await ask(index, "défiscalisation", vector=query)
    assert [hit.id for hit in found][:2] == ["doc#1", "doc#2"]
    assert found[0].coverage == 0.0
    found = await ask(index, "réduction d'impôt", vector=query)
    assert {hit.id for hit in found[:2]} == {"doc#1", "doc#2"}
    agreed = await ask(index, "réduction d'impôt", vector=axis(2)[0])
    assert (agreed[0].id, agreed[0].score) == ("doc#2", pytest.approx(1.0))


async def test_a_question_of_stop_words_only_uses_the_vector(index: PassageArchive) -> None:
    """An empty analysis is no error; without a vector it finds nothing."""
    await put(index, passage(LYON), vectors=axis(0))
    assert [hit.id for hit in await ask(index, "et pour nous ?", vector=axis(0)[0])] == ["doc#0"]
    assert await ask(index, "et pour nous ?") == []
    assert await ask(index, "\" OR * NEAR( ' -- 😀") == []


async def test_tenants_never_see_each_other(index: PassageArchive) -> None:
    """A search reads exactly the tenants it names, by words and by vectors."""
    await put(index, passage(LYON), tenant="T1", vectors=axis(0))
    await put(index, passage(LYON, document="theirs"), tenant="T2", vectors=axis(0))
    assert [hit.document_id for hit in await ask(index, "Lyon", vector=axis(0)[0])] == ["doc"]
    both = await ask(index, "Lyon", vector=axis(0)[0], tenants=("T1", "T2"))
    assert {hit.document_id for hit in both} == {"doc", "theirs"}
    assert await ask(index, "Lyon", vector=axis(0)[0], tenants=("T3",)) == []
    assert await ask(index, "Lyon", vector=axis(0)[0], tenants=()) == []


async def test_anothers_words_do_not_change_our_scores(index: PassageArchive) -> None:
    """Document frequencies are a tenant's own: they would tell what another team has."""
    await put(index, passage(LYON), passage(NIMES, position=1))
    before = [(hit.id, hit.score) for hit in await ask(index, "marché Lyon inondation")]
    for number in range(20):
        await put(index, passage(f"Lyon encore, note {number}.", document=f"n{number}"), tenant="T2")
    assert [(hit.id, hit.score) for hit in await ask(index, "marché Lyon inondation")] == before


async def test_a_team_with_three_notes_gets_its_note(index: PassageArchive) -> None:
    """Terms that most rows hold still order them: three notes about Lyon must not rank by noise."""
    await put(index, passage("Lyon Lyon Lyon : prix.", document="a"))
    await put(index, passage("Lyon, une note de bas de page qui parle surtout d'autres villes du Rhône.", document="b"))
    await put(index, passage("Prix à Lyon : hausse du loyer.", document="c"))
    found = await ask(index, "loyer Lyon")
    assert found[0].document_id == "c"
    assert found[1].document_id == "a"


async def test_a_small_tenant_competes_on_relevance(index: PassageArchive) -> None:
    """Beside a larger corpus, a team's unrelated notes stay below the passage that answers."""
    for number in range(12):
        text = f"{PINEL} Millésime {number}." if number == 5 else f"{LYON} Quartier {number}."
        await put(index, passage(text, document=f"s{number}"), tenant="shared", vectors=axis(0 if number == 5 else 1))
    await put(index, passage("Compte rendu : le client demande une réduction de frais."), vectors=axis(3))
    found = await ask(index, "réduction d'impôt Pinel", vector=axis(0)[0], tenants=("shared", "T1"))
    assert found[0].document_id == "s5"


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), {"old#0", "now#0"}),
        (Filters(audiences=frozenset({"public", "channel:C1"})), {"old#0", "now#0", "here#0"}),
        (Filters(audiences=frozenset({"channel:C2"})), set()),
        (Filters(audiences=frozenset()), set()),
        (Filters(categories=frozenset({"risk"})), {"now#0"}),
        (Filters(entities=frozenset({"pinel", "lmnp"})), {"old#0"}),
        (Filters(in_force_on=date(2024, 12, 31)), {"old#0"}),
        (Filters(in_force_on=date(2025, 1, 1)), {"now#0"}),
    ],
)
async def test_filters_hold_on_both_legs(index: PassageArchive, filters: Filters, expected: set[str]) -> None:
    """What a filter excludes is found neither by words nor by vector; audiences always apply."""
    await put(index, passage(LYON, document="old", entities=("pinel",), ends=date(2024, 12, 31)), vectors=axis(0))
    await put(index, passage(LYON, document="now", category="risk", starts=date(2025, 1, 1)), vectors=axis(0))
    await put(index, passage(LYON, document="here", audience="channel:C1"), vectors=axis(0))
    assert {hit.id for hit in await ask(index, "Lyon", filters=filters)} == expected
    assert {hit.id for hit in await ask(index, "Lyon", vector=axis(0)[0], filters=filters)} == expected
    assert {hit.id for hit in await ask(index, "et", vector=axis(0)[0], filters=filters)} == expected


async def test_a_filter_does_not_starve_a_leg(index: PassageArchive) -> None:
    """The one allowed passage is found behind 150 better ones that the filter excludes."""
    hidden = [passage("Lyon Lyon Lyon", document="big", position=n, audience="channel:C9") for n in range(150)]
    await put(index, *hidden, vectors=axis(*([0] * 150)))
    weak = (axis(0) + 3 * axis(1)) / np.float32(np.sqrt(10))
    await put(index, passage("Une note plus longue qui ne cite Lyon qu'une seule fois.", document="mine"), vectors=weak)
    assert [hit.document_id for hit in await ask(index, "Lyon")] == ["mine"]
    assert [hit.document_id for hit in await ask(index, "et", vector=axis(0)[0])] == ["mine"]


async def test_upsert_replaces_a_document(index: PassageArchive) -> None:
    """The passages of the earlier version are gone from both legs; other documents stay."""
    await put(index, passage(LYON), passage(NIMES, position=1), vectors=axis(0, 1))
    await put(index, passage(PINEL, document="other"), vectors=axis(2))
    await index.upsert("doc", [passage(PINEL)], axis(3), tenant="T1", digest="d2")
    assert await ask(index, "inondation") == []
    assert {hit.id for hit in await ask(index, "et", vector=axis(1)[0])} == {"doc#0", "other#0"}
    assert await index.digests(tenant="T1") == {"doc": "d2", "other": "d1"}


async def test_delete_counts_what_it_removed(index: PassageArchive) -> None:
    """Unknown ids and other tenants count for nothing; a deleted document is found no more."""
    await put(index, passage(LYON), vectors=axis(0))
    await put(index, passage(LYON), tenant="T2", vectors=axis(0))
    assert await index.delete(["doc", "unknown"], tenant="T1") == 1
    assert await index.delete(["doc"], tenant="T1") == 0
    assert await ask(index, "Lyon", vector=axis(0)[0]) == []
    assert await index.digests(tenant="T1") == {}
    assert len(await ask(index, "Lyon", tenants=("T2",))) == 1


async def test_a_document_may_have_no_passage(index: PassageArchive) -> None:
    """An empty document keeps its digest, so that it is not read again."""
    await index.upsert("empty", [], np.empty((0, 4), np.float32), tenant="T1", digest="d0")
    assert await index.digests(tenant="T1") == {"empty": "d0"}


async def test_vectors_of_the_wrong_shape_change_nothing(index: PassageArchive) -> None:
    """One vector for two passages is refused before anything is replaced."""
    await put(index, passage(LYON), vectors=axis(0))
    with pytest.raises(VectorMismatch):
        await index.upsert("doc", [passage(PINEL), passage(NIMES, position=1)], axis(0), tenant="T1", digest="d2")
    assert [hit.text for hit in await ask(index, "Lyon")] == [LYON]
    assert await index.digests(tenant="T1") == {"doc": "d1"}


async def test_a_question_vector_of_another_embedder_is_refused(index: PassageArchive) -> None:
    """Rather than a nonsense ranking, a sentence that says to index again."""
    await put(index, passage(LYON), vectors=axis(0))
    with pytest.raises(VectorMismatch, match="réindexer"):
        await ask(index, "Lyon", vector=np.ones(3, np.float32))


async def test_equal_scores_come_in_a_stable_order(index: PassageArchive) -> None:
    """Asked twice, the same ties come in the same order: answers are reproducible."""
    for name in ("c", "a", "b"):
        await put(index, passage(LYON, document=name), vectors=axis(0))
    found = await ask(index, "Lyon", vector=axis(0)[0])
    assert sorted(hit.score for hit in found) == [found[0].score] * 3
    assert [hit.id for hit in found] == [hit.id for hit in await ask(index, "Lyon", vector=axis(0)[0])]


async def test_limit_is_kept(index: PassageArchive) -> None:
    """No more passages than asked for, scores never rising."""
    await put(index, *(passage(f"{LYON} {'Lyon ' * n}", position=n) for n in range(8)))
    found = await ask(index, "Lyon", limit=3)
    assert len(found) == 3
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert all(0.0 <= hit.score <= 1.0 for hit in found)


async def test_what_is_stored_can_be_read_back(index: PassageArchive) -> None:
    """Tenants by name and a document's passages in reading order: all that a re-indexing needs."""
    assert await index.tenants() == []
    stored = [passage(f"{PINEL} Partie {n}.", position=n, entities=("pinel",)) for n in (2, 0, 10, 1)]
    await put(index, *stored, tenant="T2", vectors=axis(0, 1, 2, 3))
    await put(index, passage(LYON), tenant="shared")
    assert await index.tenants() == ["T2", "shared"]
    assert await index.passages("doc", tenant="T2") == sorted(stored, key=lambda part: part.position)
    assert await index.passages("unknown", tenant="T2") == []
    assert await index.passages("doc", tenant="T3") == []


async def test_a_search_over_several_tenants_ranks_as_over_one(index: PassageArchive) -> None:
    """Terms weigh by how many passages hold them, in all tenants asked for: not by how many of the hits do."""
    for number in range(30):
        await put(index, passage(f"{LYON} Rue {number}.", document=f"s{number}"), tenant="shared")
    await put(index, passage("Le loyer de référence est fixé par arrêté.", document="rent"), tenant="shared")
    await put(index, passage("Marché : note sur un appartement.", document="note"), tenant="T1")
    found = await ask(index, "loyer appartement marché", tenants=("shared", "T1"))
    assert found[0].document_id == "rent"
    assert found[1].document_id == "note"


@pytest.mark.parametrize("tenant", ["shared", "T1"])
async def test_filters_narrow_together(index: PassageArchive, tenant: str) -> None:
    """Audience, category, entity and date each exclude what the others would let pass."""
    right = {"category": "risk", "audience": "channel:C1", "entities": ("ppri",), "starts": date(2025, 1, 1)}
    wrong = ({"category": "pricing"}, {"audience": "public"}, {"entities": ("pinel",)}, {"starts": date(2027, 1, 1)})
    await put(index, passage(NIMES, document="right", **right), tenant=tenant, vectors=axis(0))  # type: ignore[arg-type]
    for number, other in enumerate(wrong):
        one = passage(NIMES, document=f"wrong{number}", **{**right, **other})  # type: ignore[arg-type]
        await put(index, one, tenant=tenant, vectors=axis(0))
    await put(index, passage(NIMES, document="theirs", **right), tenant="T9", vectors=axis(0))  # type: ignore[arg-type]
    filters = Filters(
        audiences=frozenset({"channel:C1"}),
        categories=frozenset({"risk"}),
        entities=frozenset({"ppri"}),
        in_force_on=date(2026, 1, 1),
    )
    found = await ask(index, "inondation", vector=axis(0)[0], tenants=("shared", "T1"), filters=filters)
    assert [hit.id for hit in found] == ["right#0"]


async def test_closed_means_unavailable(index: PassageArchive) -> None:
    """After `aclose` a call says so instead of hanging; closing twice is harmless."""
    await index.aclose()
    with pytest.raises(IndexUnavailable):
        await index.ping()
    await index.aclose()
