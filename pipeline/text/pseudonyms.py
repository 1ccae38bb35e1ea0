"""Names, birth dates and street addresses under other names, for as long as a text is out of the house.

A pseudonym is the same for the same words within one secret, and nobody guesses it without that secret. What comes
back is put right from this text's own pseudonyms alone: one that somebody made up stays the nonsense that it is.
"""

import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from pipeline.schemes import schemes
from pipeline.text.names import folded

Kind = Literal["Personne", "Adresse", "Naissance"]

_NAME: Final = r"[A-ZÀ-ÖØ-Ý][^\W\d_]+(?:[-'’][^\W\d_]+)*"
_CIVILITY: Final = r"(?:MM?\.|Mr\.?|Mmes?|Mlle|Melle|Monsieur|Madame|Mademoiselle|Maître|Me)"
_GAP: Final = r"\s+"
_ESCAPE: Final = re.compile(r"(\\[nrtbf])")
"""A line break or tab as JSON writes it: its letter is no part of the word that follows."""
_PARTICLE: Final = rf"(?:(?:de|du|des|le|la|van|von|el|ben|da|di){_GAP}|[dD]['’])"
_TITLED: Final = re.compile(
    rf"\b{_CIVILITY}{_GAP}(?:(?:et|ou){_GAP}{_CIVILITY}{_GAP})?((?:{_PARTICLE})*{_NAME}(?:{_GAP}{_NAME})?)"
)
_TITLED_LOW: Final = re.compile(
    rf"(?<![\w.])(?:mme|mlle|melle|mr|monsieur|madame){_GAP}(?:et{_GAP}(?:mme|mr){_GAP})?([^\W\d_A-Z][^\W\d_]{{2,}})\b"
)
_CUE: Final = (
    r"[Dd]ossiers?|[Cc]lient(?:e|s|es)?|[Ff]amille|[Cc]ouple|[ÉEée]poux|[Cc]onsorts|[Ii]ndivision|[Ss]uccession"
)
_NAMED: Final = re.compile(rf"\b(?:{_CUE}|SCI|SARL|SAS|SNC){_GAP}(?:«\s*)?(?:{_PARTICLE})*({_NAME}(?:{_GAP}{_NAME})?)")
_NAMED_LOW: Final = re.compile(rf"\b(?:{_CUE}|[Cc]hez){_GAP}(?:{_PARTICLE})*([^\W\d_A-Z][^\W\d_]+)\b")
_MONTHS: Final = (
    "janvier|février|fevrier|mars|avril|mai|juin|juillet|août|aout|septembre|octobre|novembre|décembre|decembre"
)
_BIRTH: Final = re.compile(
    r"\b(?:née?s?(?:\(e\))?|naissance)\s*(?:[:(]|le|du|au)?\s*(?:le\s+)?"
    rf"(\d{{1,2}}(?:er)?(?:\s?[./-]\s?\d{{1,2}}\s?[./-]\s?|\s+(?:{_MONTHS})\s+)(?:\d{{4}}|\d{{2}})\b|\d{{4}}-\d{{2}}-\d{{2}})",
    re.IGNORECASE,
)
_OF: Final = r"(?:(?:de[ \u00a0]la|de|du|des|la|le|les|aux?|et)[ \u00a0]+|de[ \u00a0]l['’]|[dl]['’])"
_NUMBER: Final = r"\b\d{1,4}(?:[ \u00a0]?(?:bis|ter|quater|[A-D])\b)?,?[ \u00a0]+"
_STREET: Final = re.compile(
    rf"{_NUMBER}(?:(?i:rue|avenue|av\.|boulevard|bd\.?|chemin|impasse|all[ée]es?|lotissement|résidence)[ \u00a0]+{_OF}*"
    rf"[^\W\d_][\w'’-]*|(?i:place|cours|quai|route|square|passage|hameau|voie|faubourg)[ \u00a0]+{_OF}*{_NAME})"
    rf"(?:[ \u00a0]+{_OF}*{_NAME}){{0,4}}"
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TOKEN: Final = re.compile(r"(personne|adresse|naissance)-([a-z]{6})(?![a-z])", re.IGNORECASE)
_NO_NAMES: Final = frozenset(
    re.findall(
        r"\w+",
        """
        m mm mr mme mmes mlle melle monsieur madame mademoiselle maitre me et ou de du des d le la les l van
        von el ben da di dossier client cliente clients famille couple epoux consorts indivision succession
        sci sarl sas snc fictif projet achat vente revente investissement appartement maison immeuble studio
        lot lots terrain garage local locatif residence principale secondaire que qui est sont a ont veut
        veulent pour avec dans sur chez aussi pas plus tres souhaite va vont peut doit ce cette son sa ses
        notre votre mon ma mes au aux en un une
        """,
    )
)
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


@dataclass(frozen=True, slots=True)
class Known:
    """`persons`: folded words of names, hidden where they begin with a capital; `typed`: hidden however written;
    `exact`: dates and addresses as they stand, the longest first."""

    persons: frozenset[str] = field(default=frozenset(), repr=False)
    typed: frozenset[str] = field(default=frozenset(), repr=False)
    exact: tuple[tuple[str, Kind], ...] = field(default=(), repr=False)


@dataclass(slots=True)
class Cover:
    """The pseudonyms of one exchange. Its words never stand in a log: they have no `repr`."""

    secret: bytes = field(repr=False)
    _held: dict[str, str] = field(default_factory=dict, repr=False)

    def hide(self, text: str, known: Known) -> str:
        """The text without what is known of persons."""
        parts = _ESCAPE.split(text)
        parts[::2] = [self._hide(part, known) for part in parts[::2]]
        return "".join(parts)

    def _hide(self, text: str, known: Known) -> str:
        for said, kind in known.exact:
            if said in text:
                text = text.replace(said, self._named(kind, said))

        told = {said: self._word(said, known) for said in set(_WORD.findall(text))}
        return _WORD.sub(lambda found: told[found.group()], text)

    def _word(self, said: str, known: Known) -> str:
        named = any(part in known.typed or (said[0].isupper() and part in known.persons) for part in _parts(said))
        return self._named("Personne", said) if named else said

    def restored(self, text: str) -> str:
        """The text with what this exchange hid in its place; other words of the same shape stay as they are."""
        return _TOKEN.sub(lambda found: self._surface(found.group()), text)

    def _named(self, kind: Kind, said: str) -> str:
        """The pseudonym in the case of what it hides, so that each spelling comes back as it was."""
        for salt in range(1_000):
            token = f"{kind}-{_letters(self.secret, f'{salt}:{kind}:{folded(said)}').capitalize()}"
            token = token.upper() if said.isupper() and len(said) > 1 else token.lower() if said.islower() else token
            if self._held.setdefault(token, said) == said:
                return token
        raise AssertionError("a thousand names of one pseudonym")

    def _surface(self, token: str) -> str:
        if token in self._held:
            return self._held[token]
        low = token.lower()
        return next((said for held, said in self._held.items() if held.lower() == low), token)


def known_in(texts: Iterable[str], names: Iterable[str]) -> Known:
    """What all texts of an exchange tell of persons: the `names` of the CRM, those after a civility or a word such as
    « dossier », dates after « né le », streets with a number."""
    texts = [_ESCAPE.sub("\n\n", text) for text in texts]
    from_crm = {word for name in names for word in _words(name.partition("(")[0])} - _scheme_words()
    titled, cued, typed = set[str](), set[str](), set[str]()
    exact: dict[str, Kind] = {}
    for text in texts:
        titled |= {word for found in _TITLED.finditer(text) for word in _words(found[1])}
        said = {word for found in _NAMED.finditer(text) for word in _said(found[1])}
        cued |= {folded(word) for word in said if not (word.isupper() and len(word) < 5)}
        typed |= {folded(found[1]) for found in _TITLED_LOW.finditer(text)}
        typed |= {plain for found in _NAMED_LOW.finditer(text) if (plain := folded(found[1])) in from_crm}
        exact |= {found[1]: "Naissance" for found in _BIRTH.finditer(text)}
        exact |= {found.group(): "Adresse" for found in _STREET.finditer(text)}
    persons = from_crm | titled | (cued - _scheme_words())
    longest = sorted(exact.items(), key=lambda item: -len(item[0]))
    return Known(frozenset(persons - _NO_NAMES), frozenset(typed - _NO_NAMES), tuple(longest))


def _parts(said: str) -> tuple[str, ...]:
    """A word and, of a double name, each half; a saint's town is nobody."""
    plain = folded(said)
    first, *others = plain.split("-")
    return (plain,) if not others or first in ("saint", "sainte", "st", "ste") else (plain, first, *others)


def _words(name: str) -> set[str]:
    return {folded(said) for said in _said(name)}


def _said(name: str) -> list[str]:
    """The words of a name, without particles that stand alone."""
    found = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", name)
    return [said for said in found if len(said) > 1 and folded(said) not in _NO_NAMES]


def _scheme_words() -> set[str]:
    """Pinel and Malraux are persons too: without a civility, their names are those of the schemes."""
    return {word for scheme in schemes().values() for word in _words(scheme.label)}


def _letters(secret: bytes, said: str) -> str:
    digest = hmac.digest(secret, said.encode(), "sha256")
    pairs = zip(digest[:3], digest[3:6], strict=True)
    return "".join(_CONSONANTS[one % len(_CONSONANTS)] + _VOWELS[other % len(_VOWELS)] for one, other in pairs)
