"""The second look: each signal does what its name says, and the order it makes is stable."""

from dataclasses import replace

import pytest

from corpus.french import analyze
from corpus.index.ranking import FITTED, Hit, Signals, Weights, reordered, signals
from corpus.types import Passage

OTHERS = ["Une note sur les impôts.", "Le marché progresse.", "Les notaires publient des chiffres."]


def hit(name: str, text: str, *, score: float = 0.5, closeness: float | None = None) -> tuple[tuple[str, str], Hit]:
    passage = Passage(name, name, 0, "", (), text, "", "regulation")
    return (name, "T1"), Hit(passage, list(enumerate(analyze(text))), score, closeness)


def hits(**texts: str) -> dict[tuple[str, str], Hit]:
    others = {f"o{n}": text for n, text in enumerate(OTHERS)}
    return dict(hit(name, text) for name, text in {**texts, **others}.items())


def compare(question: str, **texts: str) -> dict[str, Signals]:
    return {key[0]: found for key, found in signals(question, hits(**texts)).items()}


def test_terms_that_stand_together_are_near() -> None:
    """The same words twenty terms apart say less."""
    filler = "gamma delta epsilon dzeta theta iota kappa lambda sigma omega tau upsilon khi psi"
    found = compare("durée de location", close="La durée de la location.", far=f"La durée. {filler} La location.")
    assert found["close"].near == pytest.approx(1.0)
    assert found["far"].near < found["close"].near
    assert found["close"].pairs == pytest.approx(1.0)
    assert found["far"].pairs == 0.0


def test_words_count_as_typed_and_without_accents() -> None:
    """Stems bring `loueur` and `louer` together; here the very word counts, accents aside."""
    found = compare("propriétaire bailleur", exact="Proprietaire, bailleur.", other="Les propriétaires, les bailleurs.")
    assert found["exact"].words == pytest.approx(1.0)
    assert found["other"].words == 0.0


def test_runs_of_letters_forgive_spelling() -> None:
    """One wrong letter leaves most runs of four intact."""
    found = compare("amortisement", right="L'amortissement du bien.")
    assert found["right"].words == 0.0
    assert found["right"].grams > 0.5
    assert found["o0"].grams < 0.2


def test_a_rare_word_counts_more_than_one_in_every_passage() -> None:
    """Rarity is taken among the hits."""
    found = compare("note Denormandie", rare="Le Denormandie.", common="Une note.")
    assert found["rare"].words > found["common"].words


def test_a_hit_without_a_vector_is_as_far_as_the_farthest() -> None:
    """It is neither favoured nor thrown out; without any vector closeness says nothing."""
    some = dict([hit("a", "x y", closeness=0.7), hit("b", "x y", closeness=0.2), hit("c", "x y")])
    found = signals("x", some)
    assert [found[key].closeness for key in some] == [0.7, 0.2, 0.2]
    assert {found.closeness for found in signals("x", hits(a="x y")).values()} == {0.0}


def test_the_best_scores_one_and_none_below_zero() -> None:
    """Scores stay in [0, 1] and in order, whatever the signals."""
    some = dict(hit(f"h{n}", f"Le Pinel {n}.", closeness=n / 10) for n in range(-9, 10))
    found = reordered("Pinel", some, weights=FITTED)
    scores = [score for _, score in found]
    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)
    assert min(scores) == 0.0


def test_the_fusion_counts_only_where_no_hit_has_a_vector() -> None:
    """With vectors the closeness says it better; without any, how often a word occurs would be lost."""
    words = dict([hit("a", "Lyon", score=0.2), hit("b", "Lyon", score=0.9)])
    assert [found.fused for found in signals("Lyon", words).values()] == [0.2, 0.9]
    mixed = dict([hit("a", "Lyon", score=0.2, closeness=0.3), hit("b", "Lyon", score=0.9)])
    assert [found.fused for found in signals("Lyon", mixed).values()] == [0.0, 0.0]


def test_ties_fall_to_the_fused_score_then_to_the_key() -> None:
    """So that two indexes, and two runs, agree."""
    some = dict([hit("c", "Lyon", score=0.3), hit("a", "Lyon", score=0.3), hit("b", "Lyon", score=0.9)])
    assert [key[0] for key, _ in reordered("Lyon", some, weights=FITTED)] == ["b", "a", "c"]


def test_without_weights_the_fused_order_stands() -> None:
    """As the measurements of the legs and of the fusion need it."""
    some = dict([hit("a", "rien", score=0.9), hit("b", "Pinel", score=0.1)])
    assert reordered("Pinel", some, weights=None) == [(("a", "T1"), 0.9), (("b", "T1"), 0.1)]


@pytest.mark.parametrize("question", ["", "?", "et de la", "😀"])
def test_a_question_without_words_is_ordered_by_closeness(question: str) -> None:
    """Nothing to divide by."""
    some = dict([hit("a", "Lyon", closeness=0.1), hit("b", "Lyon", closeness=0.4)])
    assert [key[0] for key, _ in reordered(question, some, weights=FITTED)] == ["b", "a"]
    assert reordered(question, {}, weights=FITTED) == []


@pytest.mark.parametrize("name", Weights.__slots__)
def test_each_signal_decides_alone(name: str) -> None:
    """A weight that lost its effect would go unnoticed in the sum."""
    near, far = (None, None) if name == "fused" else (0.9, 0.1)
    some = dict(
        [
            hit("z", "La durée de location est fixée.", closeness=near, score=0.6 if name == "fused" else 0.5),
            hit("a", "Autre chose.", closeness=far, score=0.5),
        ]
    )
    only = replace(Weights(0, 0, 0, 0, 0, 0), **{name: 1.0})
    assert [key[0] for key, _ in reordered("durée de location", some, weights=only)] == ["z", "a"]
