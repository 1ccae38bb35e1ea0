"""The parts of an answer in a channel in which no language model is to be asked."""

from dataclasses import replace
from typing import Final

from pipeline.ports import Deps

NO_MODEL: Final = "Modèle de langue éteint dans ce canal : phrases extraites des sources"


def without_model(deps: Deps) -> Deps:
    """The same, where none reads, writes or judges; the answer says so, and is neither taken from another channel nor
    given to one."""
    if deps.writer is deps.fallback and deps.model_reader is None:
        return deps
    alone = replace(deps, writer=deps.fallback, model_reader=None, judge=None, cache=None)
    return replace(alone, missing=(*deps.missing, NO_MODEL))
