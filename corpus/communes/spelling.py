"""One wrong letter: which of a few known words a misspelt one stands for."""

from collections.abc import Iterable, Mapping


def shortened(word: str) -> set[str]:
    """The word, and the word without each of its letters: two words one edit apart share one of these."""
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}


def one_edit(first: str, second: str) -> bool:
    """Whether one letter was added, dropped or changed, or two neighbours swapped."""
    short, long = sorted((first, second), key=len)
    if len(long) - len(short) > 1 or short == long:
        return False
    i = next((k for k, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(long) > len(short):
        return short[i:] == long[i + 1 :]
    return short[i + 1 :] == long[i + 1 :] or (
        short[i : i + 2] == long[i : i + 2][::-1] and short[i + 2 :] == long[i + 2 :]
    )


def by_shortening(words: Iterable[str]) -> dict[str, list[str]]:
    """The table that `nearest` looks into."""
    table: dict[str, list[str]] = {}
    for word in words:
        for part in shortened(word):
            table.setdefault(part, []).append(word)
    return table


def nearby(word: str, table: Mapping[str, list[str]]) -> set[str]:
    """The known words one edit away."""
    return {known for part in shortened(word) for known in table.get(part, ()) if one_edit(word, known)}


def nearest(word: str, table: Mapping[str, list[str]]) -> str | None:
    """The only known word one edit away; None when there is none, or several."""
    found = nearby(word, table)
    return found.pop() if len(found) == 1 else None
