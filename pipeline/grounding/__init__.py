"""The gate between a draft and its readers: a sentence stands on evidence that it cites, or it is dropped."""

from pipeline.grounding.formulas import formulas
from pipeline.grounding.gate import TWICE, GateFailed, ground

__all__ = ["TWICE", "GateFailed", "formulas", "ground"]
