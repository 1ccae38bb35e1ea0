"""Whether a text is French, by its small words: search knows French only, and whoever adds a file should hear it."""

import re
from collections import Counter
from typing import Final

_SMALL: Final = {
    "français": "le la les des du et est une un que qui dans pour par sur au aux avec ce cette sont pas ne ou en de",
    "anglais": "the of and to in is that for it as was with be by on not this are from at which or an have",
    "allemand": "der die das und ist von den mit dem zu des auf eine nicht für sich ein im werden auch",
    "espagnol": "el los las de la que y en un una por con para del es se no al lo como más",
    "italien": "il di che e la è un una per con del non sono della le gli nel alla dei si",
    "portugais": "o os de que e do da em um uma para com não no na por dos das ao se",
    "néerlandais": "de het een van en is dat op te in voor met niet zijn aan er om ook door bij",
}
_WORDS: Final = {name: frozenset(words.split()) for name, words in _SMALL.items()}
SAMPLE: Final = 100_000
FEWEST_WORDS: Final = 30


def language_said(text: str) -> str:
    """A sentence where the text is plainly in another language than French; else nothing. Tables say nothing."""
    other = other_language(text)
    return (
        f"Ce texte semble être {other} : il est indexé, mais la recherche est réglée pour le français." if other else ""
    )


def other_language(text: str, *, fewest: int = FEWEST_WORDS) -> str:
    """ "en anglais" where the text is plainly in another language than French; "" for a text of fewer words, too."""
    letters = re.findall(r"[^\W\d_]", text[:SAMPLE])
    if len(letters) >= 4 * fewest and sum(letter > "\u024f" for letter in letters) > len(letters) / 2:
        return "dans une autre langue que le français"
    words = re.findall(r"[^\W\d_]+", text[:SAMPLE].lower())
    if len(words) < fewest:
        return ""
    counted = Counter(words)
    shares = {name: sum(counted[word] for word in small) / len(words) for name, small in _WORDS.items()}
    best = max(shares, key=lambda name: shares[name])
    if best == "français" or shares[best] < 0.12 or shares[best] < 1.3 * shares["français"]:
        return ""
    return f"en {best}"
