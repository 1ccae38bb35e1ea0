"""Personal identifiers hidden before a text reaches a model, a search, a log or the CRM.

Check digits decide wherever they exist, so that a price, a SIREN, a SIRET or an INSEE code is left alone. Where a
number may be either (a glued SIRET in 00262, which is also a phone of La Réunion), it is masked. A number is found
however it is spaced: blanks of any width, dots, hyphens, one line break, invisible characters, full-width digits.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

_GAP: Final = r"[\s.\-\u2010-\u2015]{0,3}"
_MOST_BREAKS: Final = 1
"""Line breaks inside one number: more of them are a column of numbers."""
_EMAIL: Final = re.compile(
    r"[\w.+%-]+(?: ?@ ?| ?[(\[](?:at|arobase)[)\]] ?| arobase )[\w-]+(?:\.[\w-]+)+", re.IGNORECASE
)
_IBAN: Final = re.compile(
    rf"(?<![A-Z0-9])[A-Z]{{2}}{_GAP}\d{_GAP}\d(?:{_GAP}[A-Z0-9]){{11,30}}(?![A-Z0-9])", re.IGNORECASE
)
_NIR: Final = re.compile(
    rf"(?<![\d.,])[1-478]{_GAP}\d{{2}}{_GAP}\d{{2}}{_GAP}(?:\d{{2}}|2[AB]){_GAP}\d{{3}}{_GAP}\d{{3}}"
    rf"(?:(?:\s?\(|{_GAP})\d{{2}}\)?)?(?![\d])",
    re.IGNORECASE,
)
_CARD: Final = re.compile(
    rf"(?<![\d.,])(?:\d{{15,16}}|\d{{4}}(?:{_GAP}\d{{4}}){{3}}|3[47]\d{{2}}{_GAP}\d{{6}}{_GAP}\d{{5}})(?!\d|[.,]\d)"
)
_PHONE: Final = re.compile(
    rf"(?<![\d+.,])(?:(?:\+|00)(?:33|262|590|594|596|508|687|689){_GAP}(?:\(0\){_GAP})?|0)[1-9](?:{_GAP}\d{{2}}){{4}}"
    rf"(?!\d)"
)
_ABROAD: Final = re.compile(r"(?<![\w+.,])\+[1-9](?:[\s.\-]?\(?\d\)?){8,13}(?!\d|\s?(?:€|%|euros?\b|k€|m²|points?\b))")
"""A number with the prefix of another country, written close to its plus sign."""
_LABEL: Final = re.compile(r"\[(?:e-mail|IBAN|NIR|téléphone) masqué\]|\[carte masquée\]")
_WORTH: Final = re.compile(r"\d|@|arobase|[(\[]at[)\]]", re.IGNORECASE)
_ODD: Final = re.compile("[^\x00-\xac\xae-\u02ff\u2010-\u2027\u202f-\u205f\u20ac\u2190-\u27bf]")
"""Beyond these, a character may be one that hides a number: invisible, or a digit of another script."""


@dataclass(frozen=True, slots=True)
class _Plain:
    """A text as its numbers read: `text` without invisible characters, blanks and digits in their plain form; `at`:
    where each of its characters stands in the original, and where that ends."""

    text: str
    at: tuple[int, ...]


def mask(text: str) -> str:
    """The text with `[e-mail masqué]`, `[IBAN masqué]`, `[NIR masqué]`, `[carte masquée]`, `[téléphone masqué]` in the
    place of what they hide. Masking twice changes nothing more."""
    text = mask_identifiers(_replaced(text, _EMAIL, "[e-mail masqué]"))
    for pattern in (_PHONE, _ABROAD):
        text = _replaced(text, pattern, "[téléphone masqué]")
    return text


def without_identifiers(text: str) -> str:
    """The text to search with: what `mask` would hide is left out, its labels too."""
    masked = mask(text)
    return text if masked == text and not _LABEL.search(text) else " ".join(_LABEL.sub(" ", masked).split())


def mask_identifiers(text: str) -> str:
    """NIR, IBAN and card numbers alone: what a CRM has no business keeping either, unlike a phone number."""
    text = _replaced(text, _IBAN, "[IBAN masqué]", _iban_end)
    text = _replaced(text, _NIR, "[NIR masqué]", _whole(_is_nir))
    return _replaced(text, _CARD, "[carte masquée]", _whole(_is_card))


def _replaced(text: str, pattern: re.Pattern[str], label: str, end: Callable[[str], int] = len) -> str:
    """`label` for each match; `end` says how much of a match is the identifier, 0 for none."""
    if not _WORTH.search(text):
        return text
    plain = _plain(text)
    parts, last = [], 0
    for start, stop in _spans(plain.text, pattern, end):
        parts += [text[last : plain.at[start]], label]
        last = plain.at[stop - 1] + 1
    return "".join((*parts, text[last:])) if parts else text


def _spans(text: str, pattern: re.Pattern[str], end: Callable[[str], int]) -> Iterator[tuple[int, int]]:
    position = 0
    while (found := pattern.search(text, position)) is not None:
        length = end(found.group())
        if length and found.group()[:length].count("\n") <= _MOST_BREAKS:
            position = found.start() + length
            yield found.start(), position
        else:
            position = found.start() + 1


def _plain(text: str) -> _Plain:
    if not _ODD.search(text):
        return _Plain(text, tuple(range(len(text))))
    kept = [(_plain_character(character), index) for index, character in enumerate(text)]
    shown = [(character, index) for character, index in kept if character]
    return _Plain("".join(character for character, _ in shown), tuple(index for _, index in shown))


def _plain_character(character: str) -> str:
    """Nothing for one that nobody sees; a letter keeps its accent."""
    if not _ODD.match(character):
        return character
    if unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return ""
    folded = unicodedata.normalize("NFKC", character)
    if len(folded) == 1 and folded.isdigit():
        return str(unicodedata.digit(folded))
    return folded if len(folded) == 1 and folded.isascii() else character


def _whole(test: Callable[[str], bool]) -> Callable[[str], int]:
    return lambda text: len(text) if test(text) else 0


def _compact(text: str) -> str:
    return re.sub(r"[^0-9A-Za-z]", "", text).upper()


def _iban_end(text: str) -> int:
    """Where the IBAN stops, 0 for none: a following word may look like more of it, so each shorter reading is tried."""
    ends = [index for index in range(len(text), 14, -1) if index == len(text) or not text[index].isalnum()]
    return next((end for end in ends if _is_iban(text[:end])), 0)


def _is_iban(text: str) -> bool:
    from stdnum import iban

    return bool(iban.is_valid(_compact(text)))


def _is_nir(text: str) -> bool:
    """Fifteen digits must pass their key. Thirteen have none: month and department must be plausible."""
    from stdnum.fr import nir

    digits = _compact(text)
    if len(digits) == 15:
        return bool(nir.is_valid(digits))
    month, department = digits[3:5], digits[5:7]
    return digits[0] in "12" and "01" <= month <= "12" and (not department.isdigit() or "01" <= department <= "99")


def _is_card(text: str) -> bool:
    from stdnum import luhn

    digits = _compact(text)
    american = len(digits) == 15 and digits[:2] in ("34", "37")
    return (american or (len(digits) == 16 and digits[0] in "23456")) and bool(luhn.is_valid(digits))
