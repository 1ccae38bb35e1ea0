"""Values of labels: names from short lists, never words that somebody wrote, and never more than so many of them."""

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

OTHER: Final = "other"
MOST_VALUES: Final = 60
"""Of one label: each value is a time series that every scrape carries for good."""
_NAME: Final = re.compile(r"[A-Za-z][\w.:/+@-]{0,79}|\d{1,3}(?:\.\d{1,3}){3}", re.ASCII)
_WORDS: Final = re.compile(r"[a-z]+(?: [a-z]+){0,11}")


def name_of(value: object) -> str:
    """A name of ours, of a model or of a host, as it is; what looks like anything else is `other`."""
    said = str(value)
    return said if _NAME.fullmatch(said) else OTHER


def slug_of(value: object) -> str:
    """A fixed French phrase: « chiffre d'une autre tranche : 3 000 € » -> `chiffre_d_une_autre_tranche`. What follows
    the colon is dropped; a phrase with a figure or a sign in it is none of ours."""
    phrase = str(value).partition(":")[0]
    plain = unicodedata.normalize("NFKD", phrase).encode("ascii", "ignore").decode().lower()
    plain = re.sub(r"['’-]", " ", plain.replace(",", " "))
    plain = " ".join(plain.split())
    return plain.replace(" ", "_")[:80] if _WORDS.fullmatch(plain) else OTHER


@dataclass(slots=True)
class Bounded:
    """The values that a label has had; the first `MOST_VALUES` stay, all later ones are `other`."""

    _seen: dict[str, set[str]] = field(default_factory=dict)

    def __call__(self, label: str, value: str) -> str:
        seen = self._seen.setdefault(label, set())
        if value in seen:
            return value
        if len(seen) >= MOST_VALUES:
            return OTHER
        seen.add(value)
        return value
