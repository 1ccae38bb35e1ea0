"""What the learned models see of a message: masked n-grams for intents, words around a number for its role, and words
around a word for the fields of a CRM write."""

import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from pipeline.reading import Quantity
from pipeline.understanding.learned.linear import Floats
from pipeline.understanding.own_words import flat

LONGEST: Final = 600
"""Characters of a message that its intents are read from: its beginning and its end."""
SIZES: Final = (2, 3, 4, 5)
WORD: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[€%?!:;,.()/+=\"«»-]")
NUMBER: Final = re.compile(r"\d[\d .,']*\d|\d")
WINDOW: Final = 6
STEM: Final = 4
ROOT: Final = 5
CLAUSE: Final = re.compile(r"[;:?!()\n]|[,.](?!\d)|\b(?:et|mais|avec)\b")
IN_A_CLAUSE: Final = 10
"""Words of a number's clause that are seen on each side of it."""
STOP: Final = re.compile(r"[.;?!\n]\s|\n")
BEFORE_SENTENCE: Final = 120
"""Characters before a number's sentence that are seen."""
CUE: Final = 5.0
"""Weight of a cue beside one n-gram."""
LIKELY, LIKELIER = 0.15, 0.2
"""Shares from which a role of a neighbour, or of any other number, is seen."""


def masked(text: str, *, places: Sequence[tuple[int, int]] = ()) -> str:
    """Lower case without accents, communes as one word, numbers as `0`: names and amounts say nothing of an intent."""
    low = flat(text)
    for start, end in sorted(places, reverse=True):
        low = f"{low[:start]}laville{low[end:]}"
    low = " ".join(NUMBER.sub("0", low).split())
    return low if len(low) <= LONGEST else f"{low[: LONGEST // 2]} {low[-LONGEST // 2 :]}"


def ngrams(low: str) -> Mapping[str, float]:
    """Pieces of 2 to 5 characters within words, and the words in pairs; the damped count of each."""
    counts: Counter[str] = Counter()
    words = WORD.findall(low)
    for word in words:
        padded = f" {word} "
        for size in SIZES:
            if size > len(padded):
                counts[padded] += 1
                break
            counts.update(padded[i : i + size] for i in range(len(padded) - size + 1))
    counts.update(f"{first}_{second}" for first, second in itertools.pairwise(words))
    counts.update(f"^{word}" for word in words[:2])
    counts[f"#{min(len(words).bit_length(), 6)}"] += 1
    return {gram: 1.0 + math.log(count) for gram, count in counts.items()}


def of_thread(previous: Sequence[str], *, count: int) -> Mapping[str, float]:
    """What the thread was about: the last main intent and the one before it; `count`: words of the message."""
    if not previous:
        return {"thread:none": 1.0}
    length = "short" if count <= 4 else "middle" if count <= 9 else "long"
    named = {f"prev:{previous[-1]}": 1.0, f"prev:{previous[-1]}:{length}": 1.0, f"thread:{length}": 1.0}
    return {**named, **({f"prev2:{previous[-2]}": 0.5} if len(previous) > 1 else {})}


def of_crm(text: str, before: str, *, places: Sequence[tuple[int, int]], said: Sequence[str]) -> dict[str, float]:
    """Of a question to the CRM: its n-grams, and what was told right before it, alone and by how short it is; `said`:
    names of the cues that it holds."""
    low = masked(text, places=places)
    count = len(low.split())
    length = "short" if count <= 4 else "middle" if count <= 9 else "long"
    cues = {f"cue:{name}": CUE for name in said}
    return {**ngrams(low), f"before:{before}": 1.0, f"before:{before}:{length}": 1.0, **cues}


def of_case(text: str, asked: str, *, places: Sequence[tuple[int, int]], said: Sequence[str]) -> dict[str, float]:
    """Of a told case: the n-grams of all of it, at half weight, and of what it asks; `said`: names of the cues that it
    holds."""
    whole = {gram: 0.5 * count for gram, count in ngrams(masked(text, places=places)).items()}
    question = {f"q:{gram}": count for gram, count in ngrams(masked(asked)).items()}
    return {**whole, **question, **{f"cue:{name}": 1.0 for name in said}}


def of_fact(kind: str, said: Sequence[str]) -> dict[str, float]:
    """Of what holds of a calculation of that kind: the cues of its case, each by itself and for this kind."""
    return {f"kind:{kind}": 1.0, **dict.fromkeys(said, 1.0), **{f"{name}|{kind}": 1.0 for name in said}}


def around(quantity: Quantity, all_of_them: Sequence[Quantity], low: str, intents: Sequence[str]) -> dict[str, float]:
    """Features of one quantity: its unit and size, the words around it, what stands beside it, the message's "
    "intents."""
    index = all_of_them.index(quantity)
    size = f"{quantity.unit}{_size(quantity.value)}"
    found = {f"unit:{quantity.unit}": 1.0, f"size:{size}": 1.0, f"per:{quantity.period}": 1.0, "bias": 1.0}
    before = all_of_them[index - 1] if index else None
    after = all_of_them[index + 1] if index + 1 < len(all_of_them) else None
    left = WORD.findall(low[max(0, quantity.start - 70) : quantity.start])
    right = WORD.findall(low[quantity.end : quantity.end + 60])
    gap = WORD.findall(low[before.end : quantity.start]) if before else left
    following = WORD.findall(low[quantity.end : after.start]) if after else right
    for side, words in (("L", left[::-1][:WINDOW]), ("R", right[:WINDOW])):
        for distance, word in enumerate(words):
            weight = 1.0 if distance < 2 else 0.7 if distance < 4 else 0.4
            for piece in {word, word[:STEM]}:
                key = f"{side}:{piece}"
                found[key] = max(found.get(key, 0.0), weight)
            if distance < 2:
                found[f"{side}{distance}:{word}"] = 1.0
                found[f"{side}{distance}:{word[:STEM]}|{quantity.unit}"] = 1.0
    found |= {f"gap:{word[:5]}": 1.0 for word in gap[-8:]}
    found |= {f"then:{word[:5]}": 0.7 for word in following[:5]}
    if len(left) > 1:
        found[f"LL:{left[-2]}_{left[-1]}"] = 1.0
    if len(right) > 1:
        found[f"RR:{right[0]}_{right[1]}"] = 1.0
    amounts = sorted({q.value for q in all_of_them if q.unit in ("€", "")}, reverse=True)
    if quantity.unit in ("€", "") and quantity.value in amounts:
        found[f"rank:{min(amounts.index(quantity.value), 4)}of{min(len(amounts), 5)}"] = 1.0
        found[f"share:{_share(quantity.value / max(amounts[0], 1.0))}"] = 1.0
    found[f"index:{min(index, 4)}"] = 0.5
    found[f"prev:{before.unit}{_size(before.value)}" if before else "prev:none"] = 1.0
    found[f"next:{after.unit}{_size(after.value)}" if after else "next:none"] = 1.0
    for intent in intents[:2]:
        found |= {f"i:{intent}": 1.0, f"i:{intent}:{size}": 1.0, f"i:{intent}:{quantity.period}:{quantity.unit}": 1.0}
        if left:
            found[f"i:{intent}:{left[-1][:STEM]}"] = 1.0
    return found


def around_in_case(
    quantity: Quantity, all_of_them: Sequence[Quantity], low: str, intents: Sequence[str], kind: str
) -> dict[str, float]:
    """The same of one quantity of a told case, and how many there are, the words of its clause, which of these stand
    there with no other number, the words of its sentence and those before; `kind`: the calculation it is told for."""
    start = max((match.end() for match in CLAUSE.finditer(low, 0, quantity.start)), default=0)
    behind = CLAUSE.search(low, quantity.end)
    end = behind.start() if behind else len(low)
    left = WORD.findall(low[start : quantity.start])[-IN_A_CLAUSE:]
    right = WORD.findall(low[quantity.end : end])[:IN_A_CLAUSE]
    found = around(quantity, all_of_them, low, intents) | {f"many:{min(len(all_of_them), 9) // 2}": 1.0}
    found |= {f"cl:{word[:ROOT]}": 0.7 for word in left} | {f"cr:{word[:ROOT]}": 0.7 for word in right}
    alone = not any(q.start >= start and q.end <= end for q in all_of_them if q is not quantity)
    found |= {f"ca:{word[:ROOT]}|{quantity.unit}": 0.7 for word in (*left, *right) if alone}
    return found | _in_sentence(quantity, low) | _for_kind(quantity, low, kind)


def _in_sentence(quantity: Quantity, low: str) -> dict[str, float]:
    """Whose home and which loan a number is of stands anywhere in its sentence, or in the one before."""
    start = max((match.end() for match in STOP.finditer(low, 0, quantity.start)), default=0)
    stop = STOP.search(low, quantity.end)
    before = WORD.findall(low[max(0, start - BEFORE_SENTENCE) : start])
    left = WORD.findall(low[start : quantity.start])
    right = WORD.findall(low[quantity.end : stop.start() if stop else len(low)])
    found = {f"sp:{word[:ROOT]}": 0.3 for word in before}
    return found | {f"sl:{word[:ROOT]}": 0.5 for word in left} | {f"sr:{word[:ROOT]}": 0.5 for word in right}


def _for_kind(quantity: Quantity, low: str, kind: str) -> dict[str, float]:
    left = WORD.findall(low[max(0, quantity.start - 40) : quantity.start])[-3:]
    found = {f"k:{kind}": 1.0, f"k:{kind}:{quantity.unit}": 1.0}
    return found | {f"k:{kind}:{word[:STEM]}": 0.7 for word in left}


def of_neighbours(at: int, shares: Floats, labels: Sequence[str]) -> dict[str, float]:
    """Of the number at this place of a told case, what a first reading makes of those before and behind it, of all
    others together, and of its own likeliest roles beside whoever else may have them. `shares`: (numbers, labels)."""
    found: dict[str, float] = {}
    for step in (-2, -1, 1, 2):
        if not 0 <= at + step < len(shares):
            found[f"n{step}:none"] = 1.0
            continue
        row = shares[at + step]
        found |= {f"n{step}:{labels[best]}": float(row[best]) for best in _best(row, 2) if row[best] > LIKELY}
    others = np.delete(shares, at, axis=0).max(axis=0, initial=0.0)
    found |= {f"o:{labels[int(best)]}": float(others[best]) for best in np.flatnonzero(others > LIKELIER)}
    for best in _best(shares[at], 3):
        found[f"own:{labels[best]}"], found[f"rival:{labels[best]}"] = float(shares[at, best]), float(others[best])
    return found


def _best(row: Floats, count: int) -> list[int]:
    return [int(at) for at in np.argsort(-row, kind="stable")[:count]]


def _size(value: float) -> str:
    bounds = (
        1, 5, 12, 31, 61, 100, 250, 450, 1000, 1900, 2100, 4000, 9000, 20_000, 60_000, 150_000, 400_000, 1_000_000,
    )  # fmt: skip
    return str(sum(value >= bound for bound in bounds)) + ("" if value == int(value) else "d")


def _share(ratio: float) -> str:
    return str(sum(ratio >= bound for bound in (0.0005, 0.002, 0.006, 0.015, 0.05, 0.12, 0.3, 0.6, 0.9, 1.0)))


TOKEN: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|[^\w\s]|_")


def tokens(text: str) -> list[tuple[int, int]]:
    """Spans of the words and signs of a message, as fields of a CRM write are cut from it."""
    return [match.span() for match in TOKEN.finditer(text)]


def of_token(index: int, words: Sequence[str], shapes: Sequence[str], kinds: Sequence[str]) -> dict[str, float]:
    """Features of one word: itself and its neighbours, how it is written, where it stands, what is asked for."""
    found = {"bias": 1.0, f"w:{words[index]}": 1.0, f"s:{shapes[index]}": 1.0, f"p:{words[index][:STEM]}": 1.0}
    for step in (-4, -3, -2, -1, 1, 2, 3):
        at = index + step
        word = words[at] if 0 <= at < len(words) else ("<s>" if at < 0 else "</s>")
        found[f"{step}:{word}"] = 1.0 if abs(step) < 3 else 0.6
        if abs(step) == 1:
            shape = shapes[at] if 0 <= at < len(words) else ""
            found[f"{step}s:{shape}"] = 1.0
            found[f"{step}:{word}|{shapes[index]}"] = 1.0
    if index:
        found[f"b:{words[index - 1]}_{words[index]}"] = 1.0
    if index > 1:
        found[f"bb:{words[index - 2]}_{words[index - 1]}"] = 1.0
    seen = words[:index]
    for mark in (":", "que", "qu'", "dossier", "note", "rappel", "tache", "pour", "sur", "client", '"', "«"):
        if mark in seen:
            found[f"seen:{mark}"] = 1.0
            last = len(seen) - 1 - seen[::-1].index(mark)
            found[f"since:{mark}:{min(index - last, 4)}"] = 1.0
    found[f"at:{min(index, 3)}"] = 1.0
    found[f"left:{min(len(words) - index, 3)}"] = 1.0
    for kind in kinds:
        found |= {f"k:{kind}": 1.0, f"k:{kind}:{words[index]}": 1.0, f"k:{kind}:{shapes[index]}": 1.0}
    return found


def shape(word: str) -> str:
    """`Dupont` -> Xx, `SCI` -> XX, `1234` -> 9999, `:` -> itself."""
    if word.isdigit():
        return "9" * min(len(word), 6)
    if not word[0].isalnum():
        return word[0]
    if word.isupper():
        return "X" if len(word) == 1 else "XX"
    return "Xx" if word[0].isupper() else "9x" if word[0].isdigit() else "x"
