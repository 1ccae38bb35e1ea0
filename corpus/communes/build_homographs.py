"""Writes homographs.txt, by hand: `python -m corpus.communes.build_homographs DICTIONARIES OUT MESSAGES.jsonl …`.

DICTIONARIES holds the npm packages dictionary-fr (Grammalecte, MPL 2.0) and dictionary-en (SCOWL), unpacked in any
layout. MESSAGES are labelled rows `{text, communes?}`: what they say in lower case without meaning a commune is used in
such messages, whatever a dictionary says. The file has four lines of folded words, each after its heading:
`said` names or beginnings of names used otherwise in the messages, `word` those that a dictionary lists, `near` words
of a dictionary or of the messages that are one letter away from the name of a town, `alike` words of the messages that
look like one with several wrong letters.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from corpus.communes.expected_names import ALIKE, ALIKE_TOWN, MISSPELT_TOWN, SHORTEST_ALIKE, SHORTEST_UNKNOWN, heads
from corpus.communes.spelling import by_shortening, nearby
from corpus.communes.table import PlaceTable, fold, name_key, read_table

MARK = re.compile(r"\[([^\[\]]+)\]\([a-z_]+\)")
WORD = re.compile(r"[^\W\d_]+")
TOWN = 10_000
"""Population from which a name that is no word of a dictionary is a town, though no label says so: labels hold the
places asked about."""
CITY = 100_000
"""The same for one that is also a word."""


def dictionary(folder: Path) -> Iterator[str]:
    """Every lower-case form of a Hunspell dictionary, folded: stems with their suffixes."""
    suffixes: dict[str, list[tuple[str, str, re.Pattern[str]]]] = {}
    affixes = (folder / "index.aff").read_text(encoding="utf-8")
    wide = "FLAG long" in affixes
    for line in affixes.splitlines():
        parts = line.split()
        if len(parts) >= 5 and parts[0] == "SFX":
            strip, add = ("" if part == "0" else part.partition("/")[0] for part in parts[2:4])
            suffixes.setdefault(parts[1], []).append((strip, "" if add == "0" else add, re.compile(parts[4] + "$")))
    for line in (folder / "index.dic").read_text(encoding="utf-8").splitlines()[1:]:
        stem, _, flags = line.split("\t")[0].split(" ")[0].partition("/")
        if not stem.islower():
            continue
        yield fold(stem)
        for flag in re.findall("..", flags) if wide else flags:
            for strip, add, condition in suffixes.get(flag, ()):
                if stem.endswith(strip) and condition.search(stem):
                    yield fold(stem[: len(stem) - len(strip)] + add)


def said_otherwise(
    rows: Sequence[Mapping[str, Any]], names: Mapping[str, list[str]], words: set[str], table: PlaceTable
) -> set[str]:
    """Names that the messages say in lower case where the label holds no commune of that name."""
    found = set()
    for row in rows:
        text = _unmarked(row)
        if text.isupper():
            continue
        labelled = f" {name_key(' '.join(_labels(row)))} "
        for match in WORD.finditer(text):
            key = fold(match.group())
            codes = table.current.get(key, []) if key in words else names.get(key, [])
            large = max(map(table.population, codes), default=0) >= (CITY if key in words else TOWN)
            if match.group().islower() and key in names and not large and f" {key} " not in labelled:
                found.add(key)
    return found


def _unmarked(row: Mapping[str, Any]) -> str:
    return MARK.sub(r"\1", row["text"])


def _labels(row: Mapping[str, Any]) -> list[str]:
    return [str(name) for name in row.get("communes") or ()]


def _turns(paths: Sequence[Path]) -> list[Mapping[str, Any]]:
    lines = (line for path in paths for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    found: list[Mapping[str, Any]] = []
    for row in map(json.loads, lines):
        turns = row.get("turns") or (row,)
        said = [name for turn in turns for name in turn.get("communes") or ()]
        found.extend({"text": turn["text"], "communes": said} for turn in turns)
    return found


def lists(dictionaries: Path, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The four lists, sorted: the same input gives the same file."""
    table = read_table(Path(__file__).parents[1] / "places.tsv.gz")
    words: set[str] = set()
    for path in sorted(dictionaries.rglob("index.dic")):
        words.update(dictionary(path.parent))
    if not words:
        raise SystemExit(f"no dictionary under {dictionaries}")
    names = heads(table)
    large = [key for key, codes in table.current.items() if table.population(codes[0]) >= MISSPELT_TOWN]
    towns = by_shortening({part for key in large for part in key.split(" ") if len(part) > SHORTEST_UNKNOWN})
    labelled = {part for row in rows for part in name_key(" ".join(_labels(row))).split(" ")}
    used = {fold(word) for row in rows for word in WORD.findall(_unmarked(row)) if word.islower()}
    ordinary = {word: nearby(word, towns) for word in words | used if len(word) > SHORTEST_UNKNOWN}
    near = {word for word, found in ordinary.items() if found and (word in words or not found & labelled)}
    offered = [key for key, codes in table.current.items() if table.population(codes[0]) >= ALIKE_TOWN]
    alike = {w for w in used - labelled if len(w) >= SHORTEST_ALIKE and get_close_matches(w, offered, 1, ALIKE)}
    return {
        "said": sorted(said_otherwise(rows, names, words, table)),
        "word": sorted(words & names.keys()),
        "near": sorted(near - set(table.current)),
        "alike": sorted(alike - set(table.current)),
    }


def main(dictionaries: Path, target: Path, messages: Sequence[Path]) -> None:
    found = lists(dictionaries, _turns(messages))
    target.write_text("".join(f"{name} {' '.join(words)}\n" for name, words in found.items()), encoding="ascii")
    print({name: len(words) for name, words in found.items()})


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit("usage: python -m corpus.communes.build_homographs DICTIONARIES OUT MESSAGES …")
    main(Path(sys.argv[1]), Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]])
