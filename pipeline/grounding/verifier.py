"""A small learned model over the alignment of a claim with its source: does the source say it?"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from pipeline.grounding.alignment import FEATURES

WEIGHTS: Final = Path(__file__).with_name("verifier.json")


@dataclass(frozen=True, slots=True)
class Verifier:
    """Logistic regression: `weights` by feature, `bias`, and the chance from which a claim with figures stands
    (`threshold`), and one without (`prose`)."""

    weights: Mapping[str, float]
    bias: float
    threshold: float
    prose: float

    def chance(self, features: Mapping[str, float]) -> float:
        """In [0, 1]. A feature that the claim lacks is 0."""
        score = self.bias + sum(self.weights.get(name, 0.0) * value for name, value in features.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))

    def stands(self, features: Mapping[str, float]) -> bool:
        return self.chance(features) >= (self.threshold if features.get("figures") else self.prose)


@cache
def verifier(path: Path = WEIGHTS) -> Verifier:
    """Raises `FileNotFoundError` where it was never trained."""
    held = json.loads(path.read_text(encoding="utf-8"))
    weights = {name: float(held["weights"].get(name, 0.0)) for name in FEATURES}
    return Verifier(weights, float(held["bias"]), float(held["threshold"]), float(held["prose"]))
