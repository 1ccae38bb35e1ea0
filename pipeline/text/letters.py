"""One alphabet for comparing: letters of other scripts that look Latin, full-width digits, odd spaces."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_LOOKALIKES: Final = str.maketrans(
    "АВЕКМНОРСТХаеорсухіјѕАΑΒΕΖΗΙΚΜΝΟΡΤΥΧο٠١٢٣٤٥٦٧٨٩",
    "ABEKMHOPCTXaeopcyxijsAABEZHIKMNOPTYXo0123456789",
)
_ODD_SPACE: Final = re.compile(r"[\u2000-\u2006\u2008\u200a\u205f\u3000\u1680]")
_FULL_WIDTH: Final = re.compile(r"[\uff01-\uff5e]+")


@lru_cache(maxsize=4096)
def plain_letters(text: str) -> str:
    """The same text in Latin letters and digits; text that has nothing odd comes back as it is."""
    if text.isascii():
        return text
    shown = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cs", "Co", "Cn"))
    shown = _FULL_WIDTH.sub(lambda wide: unicodedata.normalize("NFKC", wide.group()), shown)
    return _ODD_SPACE.sub(" ", shown.translate(_LOOKALIKES))
