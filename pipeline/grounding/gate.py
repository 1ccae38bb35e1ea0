"""The gate between a draft and its readers: a sentence stands on evidence that it cites, or it is dropped."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from corpus.sentences import sentences
from pipeline.errors import PipelineError
from pipeline.grounding.layout import assembled
from pipeline.text.cleaning import harmless, hosts_of
from pipeline.text.figures import Value, figures
from pipeline.text.references import references, schemes
from pipeline.text.sentences import MARKER, Line, lines, markers_inside
from pipeline.text.sources import EvidenceText, carries, computed, quote, read, words
from pipeline.text.wording import in_digits
from pipeline.types import Citation, Computed, Draft, Evidence, Grounded

_LONGEST_DRAFT: Final = 40_000
_ANY_MARKER: Final = re.compile(r"\[[^\]\n]*\d[^\]\n]*\]|【[^】\n]*】")
_NORMATIVE: Final = re.compile(
    r"\b(?:doi(?:t|vent)|devr\w+|il (?:ne )?f(?:aut|audra)|obligatoires?|obligations?|oblig(?:e|ent|é|ée|és|ées)|"
    r"interdi\w+|impose(?:nt|r)?|imposé\w*|imposables?|exig\w+|permet(?:tent)?|p(?:eut|euvent|ourr\w+)|autoris\w+|exon[éè]r\w+|"
    r"plafonn\w+|s'appliqu\w+|droit à|bénéfici\w+|soumis\w*|éligibles?|déduc?tibles?|déduir\w+|réservée?s?|"
    r"fermée?s?|prolong\w+|abrog\w+|supprimée?s?)\b",
    re.IGNORECASE,
)
_ABSENCE: Final = re.compile(
    r"^(?:non trouvé dans les sources|(?:les|ces|mes|nos) (?:sources|documents|passages|extraits)[^.]* n(?:e |')"
    r"|aucune? (?:des )?(?:sources?|documents?|passages?|extraits?))",
    re.IGNORECASE,
)


class GateFailed(PipelineError):
    """La vérification des sources a échoué : la réponse n'est pas publiée."""


@dataclass(slots=True)
class _Ledger:
    """What the walk through the draft gathers."""

    claims: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    dropped: list[tuple[str, str]] = field(default_factory=list)
    checked: int = 0
    kept: list[str] = field(default_factory=list)


def ground(draft: Draft, evidence: Evidence, *, sections: tuple[str, ...], question: str = "") -> Grounded:
    """The draft's sentences that stand, with their citations. `question`: the user's own words.

    Bullets and table rows count as one sentence. `text` is empty when no cited sentence is left: the answer must then
    be a refusal. A mandatory section with nothing left says so. Raises `GateFailed`; never publishes on doubt.
    """
    if len(draft.text) > _LONGEST_DRAFT:
        raise GateFailed
    try:
        return _ground(draft.text, evidence, sections)
    except (ArithmeticError, LookupError, ValueError, RecursionError) as error:
        raise GateFailed from error


def _ground(text: str, evidence: Evidence, sections: tuple[str, ...]) -> Grounded:
    sources = read(evidence)
    hosts = hosts_of(source.url for source in sources.values())
    walked = _Ledger()
    body = [
        (line, kept)
        for line in lines(markers_inside(harmless(text, hosts=hosts)))
        for kept in [_standing(line, sources, evidence.ledger, walked)]
        if kept
    ]
    if not walked.claims:
        return Grounded("", (), 0, 0, tuple(walked.dropped))
    citations = tuple(_citation(sources[number], walked.claims[number]) for number in sorted(walked.claims))
    return Grounded(
        assembled(body, sections),
        citations,
        walked.checked,
        len(walked.kept),
        tuple(walked.dropped),
        tuple(walked.kept),
    )


def _citation(source: EvidenceText, claims: list[str]) -> Citation:
    return Citation(source.id, source.kind, source.title, source.url, quote(source, claims), source.as_of)


def _standing(line: Line, sources: dict[int, EvidenceText], ledger: tuple[Computed, ...], walked: _Ledger) -> str:
    """What of a line may be published: a heading or table header as it is if it asserts nothing."""
    if line.kind in ("heading", "header"):
        if not (figures(line.text) or _ANY_MARKER.search(line.text)):
            return line.text
        walked.dropped.append((line.text, "un titre ne porte pas de chiffre"))
        return ""
    units = sentences(line.text) if line.kind == "text" else (line.text,)
    return " ".join(unit for unit in units if _stands(unit, sources, ledger, walked))


def _stands(sentence: str, sources: dict[int, EvidenceText], ledger: tuple[Computed, ...], walked: _Ledger) -> bool:
    bare = re.sub(r"\s+([.,])", r"\1", MARKER.sub("", sentence)).strip()
    cited = frozenset(int(number) for found in MARKER.finditer(sentence) for number in found.group(1).split(","))
    values = figures(bare)
    objection = _objection(sentence, bare, cited, values, sources=sources, ledger=ledger)
    if objection:
        walked.dropped.append((bare, objection))
        return False
    for number in cited:
        walked.claims[number].append(bare)
    walked.checked += len(values)
    walked.kept.append(bare)
    return True


def _objection(
    sentence: str,
    bare: str,
    cited: frozenset[int],
    values: tuple[Value, ...],
    *,
    sources: dict[int, EvidenceText],
    ledger: tuple[Computed, ...],
) -> str | None:
    """Why the sentence falls, in French, or None."""
    if _ANY_MARKER.search(MARKER.sub("", sentence)):
        return "citation mal formée"
    if unknown := sorted(cited - sources.keys()):
        return f"source inconnue : [{unknown[0]}]"
    names = {reference.name for reference in references(in_digits(bare))}
    mentioned = schemes(bare)
    if not cited:
        absence = _ABSENCE.match(bare) and not values and not names
        asserts = values or names or mentioned or _NORMATIVE.search(bare)
        return "aucune source citée" if asserts and not absence else None
    quoted = [sources[number] for number in sorted(cited)]
    if missing := sorted(names - frozenset().union(*(source.names for source in quoted))):
        return f"référence absente des sources citées : {missing[0]}"
    if missing := sorted(mentioned - frozenset().union(*(source.schemes for source in quoted))):
        return f"dispositif absent des sources citées : {missing[0]}"
    said = words(bare)
    plain = in_digits(bare)
    for value in values:
        found = any(carries(source, value, said, several=len(quoted) > 1) for source in quoted)
        if not found and not computed(ledger, value, cited):
            return f"chiffre absent des sources citées : {plain[value.start : value.end].strip()}"
    return None
