"""Whether a text that somebody else brings stands in the user's own words, and where."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from pipeline.understanding.own_words import flat

LONGEST: Final = 2_000
MASKED: Final = re.compile(r"\[(e-mail|iban|nir|carte|telephone) masquee?\]")
"""What `pipeline.text.masking` leaves in the place of an identifier."""
ADDRESS: Final = r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+"
NUMBERS: Final = r"[^\s.\-\d]*\d[^\s.\-]*(?:[ .-][^\s.\-\d]*\d[^\s.\-]*)*"
"""Groups that each hold a digit. Unambiguous, so that no text makes the search slow."""
GROUP_BEFORE: Final = "".join(rf"(?<!(?<!\d)\d{{{count}}}[ ])" for count in (1, 2, 3))
LETTER: Final = r"[^\W\d_]"


@dataclass(slots=True)
class Claims:
    """What of a reply stood up to the checks (kinds), and what fell (`kind: text`)."""

    stood: list[str] = field(default_factory=list)
    fell: list[str] = field(default_factory=list)

    def stands(self, kind: str) -> None:
        self.stood.append(kind)

    def falls(self, kind: str, text: object) -> None:
        self.fell.append(f"{kind}: {str(text)[:60]}")


def span(fragment: str, text: str, *, after: int = 0) -> tuple[int, int] | None:
    """Where the fragment stands in the text, as whole words and whole numbers; case, accents, the width of blanks do
    not count, and a masked identifier stands for what it hides. None when it does not stand there."""
    low = flat(" ".join(fragment[:LONGEST].split())).strip(" .,;:!?«»\"'()")
    if not low or not any(char.isalnum() for char in low):
        return None
    pattern = _edge(low, before=True) + "".join(_patterns(low)) + _edge(low, before=False)
    match = re.compile(pattern).search(flat(text), after)
    return match.span() if match else None


def _patterns(low: str) -> Iterator[str]:
    """Of the words between masked identifiers, and of what these may hide."""
    for index, piece in enumerate(MASKED.split(low)):
        if index % 2:
            yield ADDRESS if piece == "e-mail" else NUMBERS
        else:
            yield r"\s+".join(re.escape(word) for word in piece.split(" "))


def own(fragment: str, *texts: str) -> str:
    """The fragment as the user wrote it, from the first of the texts that holds it; "" when none does."""
    for text in texts:
        if found := span(fragment, text):
            return text[found[0] : found[1]]
    return ""


def _edge(low: str, *, before: bool) -> str:
    """« 20 » is no part of « 2026 », nor « 200 » of « 1 200 », nor « ann » of « annee »; « 890 » stands in « TF890 »,
    « 200 » in « 200k », « 88k » in « 2004 88k »: a group of thousands has three digits, and one to three before it."""
    char = low[0 if before else -1]
    if char.isdecimal():
        run = len(re.findall(r"\d+", low)[0 if before else -1])
        if before:
            return r"(?<![\d.,])" + (GROUP_BEFORE if run == 3 else "")
        return r"(?!\d|[.,]\d" + (r"|[ ]\d{3}(?!\d)" if run <= 3 else "") + ")"
    if char.isalpha():
        return rf"(?<!{LETTER})" if before else rf"(?!{LETTER})"
    return ""
