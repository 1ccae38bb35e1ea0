"""Numbers in words."""

import re
from functools import lru_cache
from typing import Final

WORD: Final = (
    r"(?:zero|un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingts?|"
    r"trente|quarante|cinquante|soixante|septante|nonante|cents?|mille|millions?|milliards?)"
)


def cardinal(ordinal: str) -> str:
    """« vingt-quatrieme » -> « vingt-quatre », « neuvieme » -> « neuf »."""
    stem = ordinal.removesuffix("ieme")
    stem = stem.removesuffix("u") if stem.endswith("cinqu") else f"{stem[:-1]}f" if stem.endswith("neuv") else stem
    return next((said for said in (stem, f"{stem}e", f"{stem}s") if re.search(rf"\b{WORD}$", said)), stem)


@lru_cache(maxsize=4096)
def spoken_value(words: str, *, rate: bool) -> float | None:
    """« deux cent mille » -> 200000; « trois virgule six », and « trois quarante pour cent », -> 3.6, 3.4."""
    from text_to_num import text2num

    half = 0.5 if re.search(r" et demie?$", words) else 0.0
    said = re.sub(r" et demie?$", "", words)

    def number(part: str) -> float | None:
        try:
            return float(text2num(re.sub(r"\bzero\b", "zéro", part.strip(" -")), "fr"))
        except ValueError:
            return None

    if re.search(r"[ -]virgule[ -]", said):
        head, tail = re.split(r"[ -]virgule[ -]", said, maxsplit=1)
        zero = "0" if re.match(r"zero[ -]", tail) else ""
        left, right = number(head), number(tail[5:] if zero else tail)
        return None if left is None or right is None else float(f"{left:.0f}.{zero}{right:.0f}")
    whole = number(said)
    if whole is not None:
        return whole + half
    head, _, tail = said.partition(" ")
    left, right = number(head), number(tail)
    if left is not None and right is not None and left < 10 and right < 100 and rate:
        return float(f"{left:.0f}.{right:02.0f}") if right >= 10 else float(f"{left:.0f}.{right:.0f}")
    return None
