"""Floors of what is understood of questions to the CRM, on a hand that nothing is learned from."""

from functools import partial

from bench.training.__main__ import vectors_of
from bench.training.crm_asked import APART, read, report_of
from corpus.places import load_gazetteer
from pipeline.understanding.offline.crm_asked import Learned
from pipeline.understanding.offline.intents import model_of


def test_views_fields_and_bounds_of_a_hand_that_is_kept_apart() -> None:
    learned = Learned(model_of("crm_views"), model_of("crm_fields"), model_of("crm_bounds"))
    report = report_of(list(read(APART)), learned, load_gazetteer(), partial(vectors_of, cache=None))
    assert report["view"] >= 0.80
    assert report["fields"] >= 0.68
    assert report["bounds"] >= 0.70
