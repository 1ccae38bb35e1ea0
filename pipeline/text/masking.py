"""Personal identifiers hidden before a text reaches a model, a log or a web search.

Check digits decide wherever they exist, so that a price, a SIREN, a SIRET or an INSEE code is left alone. Where a
number may be either (a glued SIRET in 00262, which is also a phone of La Réunion), it is masked.
"""

import re
from collections.abc import Callable
from typing import Final

_GAP: Final = r"[\s.\-]?"
_EMAIL: Final = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
_IBAN: Final = re.compile(r"(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Z0-9])", re.IGNORECASE)
_NIR: Final = re.compile(
    rf"(?<![\d.,])[1-478]{_GAP}\d{{2}}{_GAP}\d{{2}}{_GAP}(?:\d{{2}}|2[AB]){_GAP}\d{{3}}{_GAP}\d{{3}}"
    rf"(?:(?:\s?\(|{_GAP})\d{{2}}\)?)?(?![\d])",
    re.IGNORECASE,
)
_CARD: Final = re.compile(
    r"(?<![\d.,])(?:\d{15,16}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}|3[47]\d{2}([ -])\d{6}\2\d{5})(?![\d]|[.,]\d)"
)
_PHONE: Final = re.compile(
    r"(?<![\d+.,])(?:(?:\+|00)(?:33|262|590|594|596|508|687|689)\s?(?:\(0\)\s?)?|0)[1-9](?:[\s.\-]?\d{2}){4}(?!\d)"
)


def mask(text: str) -> str:
    """The text with `[e-mail masqué]`, `[IBAN masqué]`, `[NIR masqué]`, `[carte masquée]`, `[téléphone masqué]` in the
    place of what they hide. Masking twice changes nothing more."""
    return _PHONE.sub("[téléphone masqué]", mask_identifiers(_EMAIL.sub("[e-mail masqué]", text)))


def mask_identifiers(text: str) -> str:
    """NIR, IBAN and card numbers alone: what a CRM has no business keeping either, unlike a phone number."""
    text = _IBAN.sub(_if(_is_iban, "[IBAN masqué]", shorten=_iban_end), text)
    text = _NIR.sub(_if(_is_nir, "[NIR masqué]"), text)
    return _CARD.sub(_if(_is_card, "[carte masquée]"), text)


def _if(
    test: Callable[[str], bool], label: str, *, shorten: Callable[[str], int] = len
) -> Callable[[re.Match[str]], str]:
    def replacement(found: re.Match[str]) -> str:
        whole = found.group()
        end = shorten(whole)
        return label + whole[end:] if test(whole[:end]) else whole

    return replacement


def _compact(text: str) -> str:
    return re.sub(r"[^0-9A-Za-z]", "", text).upper()


def _iban_end(text: str) -> int:
    """Where the IBAN stops: a following word may look like more of it, so each shorter reading is tried."""
    ends = [index for index in range(len(text), 14, -1) if index == len(text) or not text[index].isalnum()]
    return next((end for end in ends if _is_iban(text[:end])), len(text))


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
