"""No article states a figure that contradicts the fact which it names; a figure that is changed is found out."""

import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.article_facts import KINDS, Contradiction, Said, contradictions, guarded, rules

WAIVERS = Path(__file__).with_name("data") / "article_facts_waivers.toml"
CAUGHT = 0.88


def _waived() -> set[tuple[str, str]]:
    rows = tomllib.loads(WAIVERS.read_text(encoding="utf-8"))["waiver"]
    assert all(row["why"] for row in rows)
    return {(row["article"], figure) for row in rows for figure in row["figures"]}


def _found() -> list[Contradiction]:
    return [found for said in rules() for found in contradictions(said)]


def test_articles_say_what_the_facts_say() -> None:
    waived = _waived()
    told = [str(found) for found in _found() if (found.said.article, found.figure) not in waived]
    assert told == []


def test_no_waiver_outlives_its_sentence() -> None:
    assert _waived() - {(found.said.article, found.figure) for found in _found()} == set()


def test_most_figures_of_the_rules_are_guarded() -> None:
    """Of the figures that articles state outside of examples; the others are the value of no record."""
    assert sum(1 for said in rules() for _ in guarded(said)) >= 1000


def test_changed_figures_are_caught() -> None:
    """Every figure that a fact stands behind, one changed at a time, as a slip of the keyboard would."""
    chance = random.Random(20261122)
    pairs = [(said, number) for said in rules() for number in _numbers(said)]
    missed = [
        f"{number.group()} -> {changed} in {said.text}"
        for said, number in pairs
        for changed in [_slipped(number.group(), chance)]
        if not _caught(said, number, changed)
    ]
    assert len(missed) <= len(pairs) * (1 - CAUGHT), "\n".join(missed)


def _numbers(said: Said) -> Iterator[re.Match[str]]:
    """The guarded figures that are written in digits, where they stand."""
    behind = {str(value.value) for value in guarded(said)}
    for number in re.finditer(r"(?<![\w,./])\d[\d\u202f ]*(?:,\d+)?(?=\s?(?:%|€|ans?\b|mois\b|jours?\b))", said.text):
        digits = re.sub(r"\s", "", number.group()).replace(",", ".")
        if any(float(digits) == float(held) for held in behind if re.fullmatch(r"[\d.E+]+", held)):
            yield number


def _slipped(digits: str, chance: random.Random) -> str:
    """Another digit in one place."""
    place = chance.choice([at for at, sign in enumerate(digits) if sign.isdigit()])
    other = chance.choice([digit for digit in "123456789" if digit != digits[place]])
    return digits[:place] + other + digits[place + 1 :]


def _caught(said: Said, number: re.Match[str], changed: str) -> bool:
    text = said.text[: number.start()] + changed + said.text[number.end() :]
    before = {found.figure for found in contradictions(said)}
    return any(found.figure not in before for found in contradictions(replace(said, text=text)))


def test_what_is_checked_are_shares_amounts_and_durations() -> None:
    assert {"percent", "amount", "measure"} == KINDS
