"""One sentence before its sources: it stands, its source speaks instead of it, or it falls; and why, in French."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from corpus.sentences import sentences
from pipeline.grounding.alignment import Aligned, align
from pipeline.grounding.clauses import Sentence, numbered, read_sentence, things
from pipeline.grounding.contrasts import REASONS
from pipeline.grounding.copies import altered
from pipeline.grounding.derivation import Derived
from pipeline.grounding.directions import moved
from pipeline.grounding.figures import Checked, checked
from pipeline.grounding.lexicon import marks
from pipeline.grounding.manner import FOREIGN, LEAK, UNFINISHED, foreign, unfinished, unmannered
from pipeline.grounding.names import absent_name, proper_names
from pipeline.grounding.sources import Source, holds
from pipeline.grounding.verifier import verifier
from pipeline.text.dates import months
from pipeline.text.figures import Value
from pipeline.text.references import references, schemes
from pipeline.text.sentences import MARKER, Kind
from pipeline.text.wording import in_digits
from pipeline.types import Claim

UNCITED: Final = "aucune source citée"
UNSAID: Final = "mots absents de la source citée"
ALTERED: Final = "phrase de la source dont un mot ou un chiffre a changé"
UNSURE: Final = "sens non retrouvé dans la source citée"
_ANY_MARKER: Final = re.compile(r"\[[^\]\n]*\d[^\]\n]*\]|【[^】\n]*】")
_ABSENCE: Final = re.compile(
    r"^(?:non trouvé dans les sources|(?:les|ces|mes|nos) (?:sources|documents|passages|extraits)[^.]* n(?:e |')"
    r"|aucune? (?:des )?(?:sources?|documents?|passages?|extraits?)|voir « )",
    re.IGNORECASE,
)
_DIFFER: Final = re.compile(
    r"^(?:les|nos|ces) (?:deux |trois )?(?:sources|documents|chiffres)[^:,;]{0,20}"
    r"(?:ne (?:concordent|s'accordent) pas|divergent|diffèrent|se contredisent|sont en désaccord)[^:]{0,30}:\s*",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(r"^\*\*([^*]+\?)\*\*(?= )")
"""The question of the source that the sentence answers, in front of it: a sentence of its own."""
_ALL_BUT: Final = 0.95
_MOSTLY: Final = 0.7
_FEW: Final = 0.3
_DOUBTS: Final = ("negation", "outside", "stranger", "clashes")
_SEVERAL: Final = 2
"""So many nouns that the source does not say, beside less than that share of words that it says: an invention."""


@dataclass(frozen=True, slots=True)
class Case:
    """What a draft is held against. `asked`: the question; `declared`: what the model said of each bare sentence;
    `refused`: sentences that a second reader did not confirm, and why."""

    sources: Mapping[int, Source]
    asked: Sentence
    declared: Mapping[str, Claim] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`end`: stands, its source speaks instead, or falls. `verbatim`: the source's own words; `claim`: as read."""

    end: Literal["stands", "replaced", "falls"]
    why: str = ""
    bare: str = ""
    cited: tuple[int, ...] = ()
    claim: Sentence | None = None
    figures: int = 0
    derived: tuple[tuple[Value, Derived], ...] = ()
    verbatim: bool = False


def verdict(sentence: str, kind: Kind, case: Case) -> Verdict:
    """The cheapest checks come first: form, then the source's own words, then meaning."""
    bare = re.sub(r"\s+([.,])", r"\1", MARKER.sub("", sentence)).strip()
    cited = tuple(dict.fromkeys(int(n) for found in MARKER.finditer(sentence) for n in found.group(1).split(",")))
    if _ANY_MARKER.search(MARKER.sub("", sentence)):
        return Verdict("falls", "citation mal formée", bare)
    if unknown := sorted(set(cited) - case.sources.keys()):
        return Verdict("falls", f"source inconnue : [{unknown[0]}]", bare)
    if not cited:
        return _uncited(bare, kind)
    quoted = [case.sources[number] for number in cited]
    claim = read_sentence(_claimed(bare, quoted))
    verbatim = all(any(holds(source, part) for source in quoted) for part in sentences(_LABEL.sub(r"\1", bare)))
    if why := case.refused.get(bare):
        return Verdict("falls" if verbatim else "replaced", why, bare, cited, claim)
    if verbatim:
        return Verdict("stands", "", bare, cited, claim, len(claim.values), verbatim=True)
    if why := unmannered(bare):
        return Verdict("falls" if why == LEAK else "replaced", why, bare, cited, claim)
    checks, why = _checked(bare, kind, claim, quoted, case)
    if why:
        return Verdict("replaced", why, bare, cited, claim)
    return Verdict("stands", "", bare, cited, claim, len(claim.values), tuple(checks.derived))


def _claimed(bare: str, quoted: list[Source]) -> str:
    """What is held against the sources: without the words that only announce that two of them differ."""
    text = bare.strip("|* ")
    return _DIFFER.sub("", text) if len(quoted) > 1 else text


def _uncited(bare: str, kind: Kind) -> Verdict:
    """Without a source only two things may be said: that the sources do not tell, and what a list is about."""
    claim = read_sentence(bare)
    names = schemes(bare) or any(True for _ in proper_names(bare))
    if _ABSENCE.match(bare) and not claim.values and not names:
        return Verdict("stands", "", bare)
    leads_in = bare.endswith(":") and kind == "text" and not claim.values
    if leads_in and not unmannered(bare):
        return Verdict("stands", "", bare)
    return Verdict("falls", unmannered(bare) or UNCITED, bare)


def _checked(bare: str, kind: Kind, claim: Sentence, quoted: list[Source], case: Case) -> tuple[Checked, str | None]:
    closed = kind != "text"
    if kind != "row" and unfinished(bare, closed=closed):  # the last cell of a row may end on any word
        return Checked(), UNFINISHED
    if foreign(bare):
        return Checked(), FOREIGN
    if why := _unnamed(bare, quoted):
        return Checked(), why
    checks = checked(claim, quoted, asked=case.asked, declared=case.declared.get(bare))
    if checks.objection or kind == "row":
        return checks, checks.objection
    aligned = align(claim, quoted, question=case.asked.text, bound=checks.bound)
    if misplaced := _misreferred(bare, aligned, case):
        return checks, f"référence d'un autre point de la source : {misplaced}"
    if not checks.derived and moved(claim, quoted) is False:
        return checks, REASONS["direction"]
    why = _meant(aligned, checks, claim, differ=bool(_DIFFER.match(bare)))
    return checks, why or (ALTERED if altered(claim, quoted) else None)


def _unnamed(bare: str, quoted: list[Source]) -> str | None:
    """A rule, scheme, person or place that the cited sources do not name."""
    names = {reference.name for reference in references(in_digits(bare))}
    if missing := sorted(names - frozenset().union(*(source.names for source in quoted))):
        return f"référence absente des sources citées : {missing[0]}"
    if missing := sorted(schemes(bare) - frozenset().union(*(source.schemes for source in quoted))):
        return f"dispositif absent des sources citées : {missing[0]}"
    if name := absent_name(bare, quoted):
        return f"nom absent des sources citées : {name}"
    if not months(bare) <= frozenset().union(*(source.months for source in quoted)):
        return "mois absent des sources citées"
    return None


def _misreferred(bare: str, aligned: Aligned, case: Case) -> str | None:
    """A rule's number that the claim gives to what its source says under another one."""
    said = {reference.name for reference in references(in_digits(bare))}
    there = [case.sources[number].sentences[index].text for number, index in aligned.best]
    held = {reference.name for text in there for reference in references(text)}
    return next((name for name in sorted(said - held) if held), None)


def _meant(aligned: Aligned, checks: Checked, claim: Sentence, *, differ: bool = False) -> str | None:
    """Whether the sense is the source's: no contrast, nothing invented, and the learned verifier agrees. `differ`: it
    says that its sources do."""
    found = set(aligned.contrasts)
    if checks.bound:  # what is reserved, past or bounded is told by the row of a figure, where there is one
        found -= {"hedge"}
        found |= {name for name in ("hedge", "past") if any(getattr(b, name) for b in checks.bound)}
        found -= {"bound"} if any(b.fits > 0 for b in checks.bound) else set()
    if "hedge" in marks(claim.raw) or differ:
        found -= {"hedge"}
    if checks.derived:
        found -= {"direction", "bound", "hedge", "dropped"}
        found -= {"antonym"} if any("per_" in worked.operation for _, worked in checks.derived) else set()
    if aligned.features.get("cover_near", 0.0) < _ALL_BUT or claim.values:
        found -= {"denied"}  # of a freer paraphrase a single « ne … pas » tells little
    if why := next((REASONS[name] for name in REASONS if name in found), None):
        return why
    if aligned.mixed and not claim.values:
        return UNSURE
    if name := next(filter(numbered, aligned.missing), None):
        return f"chiffre absent des sources citées : {name}"
    features = told(aligned, checks, claim)
    invented = len(things(claim.raw, aligned.missing)) >= _SEVERAL and features["cover_near"] < _FEW
    if claim.values and invented and not checks.derived:
        return UNSAID
    return None if _plain(aligned, claim) or verifier().stands(features) else UNSURE


def _plain(aligned: Aligned, claim: Sentence) -> bool:
    """Whether a sentence without figures is plainly said in one place: most words and one thing at most besides."""
    features = aligned.features
    if claim.values or any(features.get(name) for name in _DOUBTS):
        return False
    few = len(things(claim.raw, aligned.missing)) < _SEVERAL and not any(map(numbered, claim.words))
    return few and not aligned.mixed and features["cover_near"] >= _MOSTLY and features["pairs"] >= _FEW


def weighed(sentence: str, case: Case) -> dict[str, float] | None:
    """The features of a sentence, where its form, names, figures and contrasts leave it to the verifier; else None."""
    held = verdict(sentence, "text", case)
    if held.verbatim or held.claim is None or (held.end != "stands" and held.why != UNSURE):
        return None
    quoted = [case.sources[number] for number in held.cited]
    checks = checked(held.claim, quoted, asked=case.asked)
    return told(align(held.claim, quoted, question=case.asked.text, bound=checks.bound), checks, held.claim)


def told(aligned: Aligned, checks: Checked, claim: Sentence) -> dict[str, float]:
    """The features that the verifier weighs."""
    bound = checks.bound
    return {
        **aligned.features,
        "figures": min(4.0, len(claim.values)) / 4,
        "margin": min((max(-1.0, min(2.0, b.margin)) for b in bound), default=2.0),
        "taken": min(3.0, sum(b.taken for b in bound)) / 3,
        "way": float(any(b.untimely for b in bound)),
        "derived": float(bool(checks.derived)),
    }
