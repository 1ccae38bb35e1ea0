"""The French analyser: text -> index terms. One analyser feeds every lexical index and every query."""

import re
import unicodedata
from functools import cache, lru_cache
from typing import Any, Final

from corpus.lexicon import ASKING, COMPOUNDS, FAMILIES, STOP_WORDS

ANALYSER_VERSION: Final = "fr-1"
"""Part of every content digest: a change of rules re-indexes."""

_APOSTROPHES: Final = str.maketrans({"œ": "oe", "Œ": "Oe", "æ": "ae", "Æ": "Ae", "’": "'", "ʼ": "'", "€": " euros "})
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]+")
_TOKEN: Final = re.compile(r"[^\W_]+")
_DIGIT: Final = re.compile(r"\d")
_DECIMAL: Final = re.compile(r"(?<![\d,.])(\d+)[,.](\d{1,2})(?![\d,.]*\d)")
_THOUSANDS: Final = re.compile(r"(?<![\d,.])\d{1,3}(?:[ .]\d{3})+(?![\d])")
_ELISION: Final = re.compile(r"\b(?:[ldjmtscn]|qu|jusqu|lorsqu|puisqu|quoiqu)'", re.IGNORECASE)
_CODE_ARTICLE: Final = re.compile(r"\b([LRD])\.?\s?\*?\s?(\d{2,4})-(\d+)")
_TAX_ARTICLE: Final = re.compile(r"\b(?:art\.|articles?)\s+(\d{1,4})\s+([A-Z]{1,2})\b(?!')", re.IGNORECASE)
_LETTERS: Final = r"[A-G](?:\s*(?:,|/|-|\bet\b|\bou\b|\ba\b)\s*[A-G])*\b"
_RATED: Final = re.compile(
    rf"\b(?:dpe|classee?s?|etiquettes?|lettres?|notee?s?|passoires?)((?:\s+(?:dpe|energie|energetiques?|thermiques?))*)"
    rf"[\s:\"'«(]+({_LETTERS})(?!')",
    re.IGNORECASE,
)
_PAIRED: Final = re.compile(
    r"(?<![\w.'-])(?:[D-G]\s*(?:/|,|\bet\b|\bou\b)\s*)*(?:F\s*(?:/|et|ou)\s*G|[EF]\s*(?:/|et|ou)\s*F)\b(?!')"
)
_LETTERED: Final = re.compile(r"(?i:\b(?:dpe|class|etiquet|lettre|not[eé]|passoir|zon|a\s+bis))|F")
"""Without one of these a text has none of those letters."""
_ZONE: Final = r"(?:a\s+bis|[abc][12]?)\b"
_ZONED: Final = re.compile(rf"\b(?:zones?|zonage)\s+({_ZONE}(?:\s*(?:,|/|\bet\b|\bou\b)\s*{_ZONE})*)", re.IGNORECASE)
_A_BIS: Final = re.compile(r"\ba\s+bis\b", re.IGNORECASE)


def fold(text: str) -> str:
    """NFKC (so that m² reads m2), ligatures opened, accents off; case kept."""
    plain = unicodedata.normalize("NFKC", text.replace("%", " pourcent "))
    return plain if plain.isascii() else _FOREIGN.sub(lambda found: _unaccented(found.group()), plain)


@lru_cache(maxsize=4_096)
def _unaccented(letters: str) -> str:
    """Of letters beyond ASCII: in French a few dozen different runs, a letter or two each."""
    stripped = "".join(c for c in unicodedata.normalize("NFD", letters) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", stripped).translate(_APOSTROPHES)  # last: an accent may sit on a ligature


def analyze(text: str) -> list[str]:
    """Index terms in reading order, repeats kept: lower case, unaccented, stemmed, ASCII where the text is French."""
    folded = fold(text)
    if _DIGIT.search(folded):
        folded = _numbers(folded)
        marked = " ".join((_references(folded), _letters(folded)))
    else:
        marked = " ".join((folded, _letters(folded)))
    words = _TOKEN.findall(_ELISION.sub(" ", marked).lower())
    return [_term(word) for word in _compounds(words) if _is_term(word)]


def distinct(text: str) -> list[str]:
    """Distinct terms in reading order: what a query sends, for repeats would count as boosts."""
    return list(dict.fromkeys(analyze(text)))


@lru_cache(maxsize=2_048)
def terms_in(text: str) -> frozenset[str]:
    """The distinct terms, kept for texts that are asked about again and again: passages."""
    return frozenset(analyze(text))


def words_of(text: str) -> list[str]:
    """Its words as typed, lower case and without accents: no stemming, no stop words taken out."""
    return _TOKEN.findall(fold(text).lower())


def is_title(text: str) -> bool:
    """Whether a subject is named as a title names it, in capitals at the beginning, and nothing is asked or told."""
    return text[:1].isupper() and "?" not in text and ASKING.isdisjoint(words_of(text))


def stemmed(word: str) -> str:
    """One folded, lower-case word as an index term, stop words included."""
    return _term(word)


def _numbers(text: str) -> str:
    """`10 700` and `10.700` become `10700`; `17,2` becomes `17v2`, one token that no tokenizer splits."""
    joined = _THOUSANDS.sub(lambda found: re.sub(r"[ .]", "", found.group()), re.sub(r"[\u00a0\u202f]", " ", text))
    return _DECIMAL.sub(r"\1v\2", joined)


def _references(text: str) -> str:
    """`L. 541-1` becomes `L541x1`; `article 39 C` keeps its letter as `39c`."""
    coded = _CODE_ARTICLE.sub(r"\1\2x\3 \1\2", text)
    return _TAX_ARTICLE.sub(r"article \1 \1\2", coded)


def _letters(text: str) -> str:
    """Extra terms for letters that carry meaning: energy classes (`dpe0g`) and rent or credit zones (`zone0b1`).

    The digit keeps the stemmer away from them.
    """
    if not _LETTERED.search(text):
        return ""
    rated = [letter for found in _RATED.finditer(text) for letter in _classes(found.group(2))]
    unrated = _PAIRED.finditer(_RATED.sub(" ", text)) if "F" in text else ()  # every pair has one
    paired = [letter for found in unrated for letter in _classes(found.group())]
    zoned = [name for found in _ZONED.finditer(text) for name in re.findall(_ZONE, found.group(1), re.IGNORECASE)]
    zones = [re.sub(r"\s", "", name.lower()) for name in zoned if name != "a"]
    zones += ["abis" for _ in _A_BIS.finditer(_ZONED.sub(" ", text))]
    return " ".join([*(f"dpe0{letter}" for letter in (*rated, *paired)), *(f"zone0{name}" for name in zones)])


def _classes(letters: str) -> list[str]:
    # A lower-case "a" is the verb or the preposition ("le dpe a ete refait"), and ends nothing.
    return [letter.lower() for letter in re.findall(r"\b[A-Gb-g]\b", letters)]


def _compounds(words: list[str]) -> list[str]:
    """Terms of several words: joined (`plus values`), or kept and joined by their abbreviation (`lmnp`)."""
    sizes = _compound_sizes()
    found: list[str] = []
    index = 0
    while index < len(words):
        for size in sizes.get(words[index], ()):
            term = COMPOUNDS.get(tuple(words[index : index + size]))
            if term is not None:
                found += [term.name] if term.replaces else [term.name, *words[index : index + size]]
                index += size
                break
        else:
            found.append(words[index])
            index += 1
    return found


@cache
def _compound_sizes() -> dict[str, list[int]]:
    """How long the compounds are that begin with a word, the longest first: few words begin any."""
    sizes: dict[str, set[int]] = {}
    for compound in COMPOUNDS:
        if len(compound) > 1:  # one word alone stays what it is
            sizes.setdefault(compound[0], set()).add(len(compound))
    return {first: sorted(lengths, reverse=True) for first, lengths in sizes.items()}


def _is_term(word: str) -> bool:
    return word not in STOP_WORDS and (len(word) > 1 or word.isdigit())


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("french")


@lru_cache(maxsize=100_000)
def _term(word: str) -> str:
    if any(character.isdigit() for character in word):
        return word
    family = FAMILIES.get(word)
    return family if family is not None else str(_stemmer().stemWord(word))
