"""The second look: each signal does what its name says, and the order it makes is stable."""

from dataclasses import replace

import numpy as np
import pytest

from corpus.french import analyze
from corpus.index.feedback import feedback
from corpus.index.ranking import FITTED, Hit, SecondLook, Signals, Weights, reordered, signals
from corpus.ports import Vector
from corpus.types import Passage

OTHERS = ["Une note sur les impôts.", "Le marché progresse.", "Les notaires publient des chiffres."]


def hit(
    name: str,
    text: str,
    *,
    score: float = 0.5,
    lexical: float = 0.0,
    cosine: float | None = None,
    vector: Vector | None = None,
) -> tuple[tuple[str, str], Hit]:
    passage = Passage(name, name, 0, "", (), text, "", "regulation")
    terms = analyze(text)
    return (name, "T1"), Hit(passage, list(enumerate(terms)), len(terms), score, lexical, cosine, cosine, vector)


def hits(**texts: str) -> dict[tuple[str, str], Hit]:
    others = {f"o{n}": text for n, text in enumerate(OTHERS)}
    return dict(hit(name, text) for name, text in {**texts, **others}.items())


def compare(question: str, **texts: str) -> dict[str, Signals]:
    return {key[0]: found for key, found in signals(question, hits(**texts)).items()}


def test_terms_that_stand_together_are_near() -> None:
    """The same words twenty terms apart say less."""
    filler = "gamma delta epsilon dzeta theta iota kappa lambda sigma omega tau upsilon khi psi"
    close, far = f"La durée de la location. {filler}", f"La durée. {filler} La location."
    found = compare("durée de location", close=close, far=far)
    assert found["far"].near < found["close"].near
    assert found["close"].pairs > 0.0
    assert found["far"].pairs == 0.0


def test_a_share_of_the_question_counts_less_in_a_longer_passage() -> None:
    """A long passage holds words by chance; at the mean length of the hits a share stays what it is."""
    note = "La durée de la location."
    found = compare("durée de location", short=note, long=f"{note} {' '.join(f'mot{n}' for n in range(60))}")
    for name in ("near", "pairs", "grams"):
        assert getattr(found["long"], name) < getattr(found["short"], name)
    alike = signals("durée location", dict([hit("a", "durée location"), hit("b", "chose différente")]))
    assert alike["a", "T1"].near == pytest.approx(1.0)


def test_everyday_words_are_near_by_the_words_of_the_texts() -> None:
    """`TF` is what the passage calls taxe foncière."""
    found = compare("TF du proprio", right="La taxe foncière due par le propriétaire.", other="La taxe de séjour.")
    assert found["right"].near > found["other"].near


def test_a_title_has_weights_of_its_own() -> None:
    """Letters in common put what it is not about first."""
    only = Weights(*(0.0 for _ in Weights.__slots__))
    look = SecondLook(questions=replace(only, grams=1.0), titles=replace(only, similarity=1.0), words=only)
    some = dict([hit("a", "La durée de location.", cosine=0.1), hit("b", "Autre chose.", cosine=0.9)])
    assert [key[0] for key, _ in reordered("durée de location ?", some, weights=look)] == ["a", "b"]
    assert [key[0] for key, _ in reordered("Durée de location", some, weights=look)] == ["b", "a"]


def test_accents_are_no_letters_of_their_own() -> None:
    """Whoever types without them spells the same."""
    found = compare("propriétaire bailleur", exact="Proprietaire, bailleur.", other="Les maires, les baux.")
    assert found["exact"].grams > 0.5 > found["other"].grams


def test_runs_of_letters_forgive_spelling() -> None:
    """One wrong letter leaves most runs of four intact."""
    found = compare("amortisement", right="L'amortissement du bien.")
    assert found["right"].near == 0.0
    assert found["right"].grams > 0.5
    assert found["o0"].grams < 0.2


def test_a_rare_word_counts_more_than_one_in_every_passage() -> None:
    """Rarity is taken among the hits."""
    found = compare("note Denormandie", rare="Le Denormandie.", common="Une note.")
    assert found["rare"].grams > found["common"].grams


def test_a_hit_without_a_vector_is_as_far_as_the_farthest() -> None:
    """It is neither favoured nor thrown out; without any vector closeness says nothing."""
    some = dict([hit("a", "x y", cosine=0.7), hit("b", "x y", cosine=0.2), hit("c", "x y")])
    found = signals("x", some)
    assert [found[key].closeness for key in some] == [0.7, 0.2, 0.2]
    assert [found[key].similarity for key in some] == [0.7, 0.2, 0.2]
    assert {found.closeness for found in signals("x", hits(a="x y")).values()} == {0.0}


def test_the_best_scores_one_and_none_below_zero() -> None:
    """Scores stay in [0, 1] and in order, whatever the signals."""
    some = dict(hit(f"h{n}", f"Le Pinel {n}.", cosine=n / 10) for n in range(-9, 10))
    found = reordered("Pinel", some, weights=FITTED)
    scores = [score for _, score in found]
    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)
    assert min(scores) == 0.0


def test_the_lexical_leg_counts_as_the_fusion_took_it() -> None:
    """How often a rare word occurs is BM25's to say, also where no hit has a vector."""
    words = dict([hit("a", "Lyon", lexical=0.2), hit("b", "Lyon", lexical=0.9)])
    assert [found.lexical for found in signals("Lyon", words).values()] == [0.2, 0.9]
    assert [key[0] for key, _ in reordered("Lyon", words, weights=FITTED)] == ["b", "a"]


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
    some = dict([hit("a", "Lyon", cosine=0.1), hit("b", "Lyon", cosine=0.4)])
    assert [key[0] for key, _ in reordered(question, some, weights=FITTED)] == ["b", "a"]
    assert reordered(question, {}, weights=FITTED) == []


@pytest.mark.parametrize("name", Weights.__slots__)
def test_each_signal_decides_alone(name: str) -> None:
    """A weight that lost its effect would go unnoticed in the sum."""
    close, far = (0.9, 0.1) if name in {"similarity", "closeness"} else (None, None)
    found, other = (0.6, 0.5) if name in {"lexical", "feedback"} else (0.0, 0.0)
    first, off = (_unit(0, 1), _unit(1, 0)) if name == "feedback" else (None, None)
    some = dict(
        [
            hit("z", "La durée de location est fixée.", cosine=close, lexical=found, vector=first),
            hit("a", "Autre chose.", cosine=far, lexical=other, vector=off),
        ]
    )
    only = replace(Weights(*(0.0 for _ in Weights.__slots__)), **{name: 1.0})
    look = SecondLook(questions=only, titles=only, words=only)
    assert next(key[0] for key, _ in reordered("durée de location", some, weights=look)) == "z"


def _unit(*values: float) -> Vector:
    found: Vector = np.array(values, np.float32) / np.float32(np.linalg.norm(values))
    return found


def test_what_the_leading_hits_say_together_decides_between_the_others() -> None:
    """By their chance to be the right one; what has no vector is told nothing."""
    vectors = [_unit(1, 0), _unit(1, 0.1), _unit(0, 1), None]
    alike, near, far, unknown = feedback([1.0, 0.0, 0.0, 0.0], [0.9, 0.8, 0.8, 0.8], vectors)
    assert alike == pytest.approx(1.0, abs=0.01)
    assert near == pytest.approx(float(_unit(1, 0.1)[0]), abs=0.01)
    assert far == pytest.approx(0.0, abs=0.01)
    assert unknown is None
    even = feedback([0.5, 0.5], [0.9, 0.9], [_unit(1, 0), _unit(0, 1)])
    assert even == pytest.approx([0.5, 0.5])
    assert feedback([0.5], [0.0], [None]) == [None]
