"""The walk through a draft: what stands is published, what cannot be verified gives way to its source's own words."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from corpus.sentences import sentences
from pipeline.errors import PipelineError
from pipeline.grounding.clauses import read_sentence
from pipeline.grounding.layout import assembled
from pipeline.grounding.replacing import substitute
from pipeline.grounding.sources import Source, flowing, quote, read
from pipeline.grounding.verdict import Case, Verdict, verdict
from pipeline.text.cleaning import harmless, hosts_of
from pipeline.text.figures import figures
from pipeline.text.letters import plain_letters
from pipeline.text.sentences import MARKER, Line, lines, markers_inside
from pipeline.types import Citation, Computed, Draft, Evidence, Figure, Grounded

TWICE: Final = "déjà dit"
ORPHAN: Final = "phrase qui renvoie à une phrase retirée"
_LONGEST_DRAFT: Final = 40_000
_LEANS: Final = re.compile(
    r"^\W*(?:cela|ceci|ça|c'est(?! [^,.]+, (?:et |lui |elle ))(?! [^,.]+ qu[ie'])|ce qui|celui-ci|"
    r"celle-ci|ceux-ci|celles-ci|"
    r"(?:ils?|elles?)(?! (?:faut|faudra|existe|est (?:possible|interdit|obligatoire|prévu|admis)|s'agit|y a|convient))|"
    r"(?:ce|cet|cette|ces) (?:derni\w+|montants?|chiffres?|taux|seuils?|plafonds?|délais?|totale?s?|prix|"
    r"loyers?|sommes?|"
    r"durées?|valeurs?|résultats?|écarts?|règles?|mesures?|conditions?|dispositifs?|réductions?|avantages?|dates?))\b",
    re.IGNORECASE,
)


class GateFailed(PipelineError):
    """La vérification des sources a échoué : la réponse n'est pas publiée."""


@dataclass(slots=True)
class Walk:
    """What the walk through the draft gathers. `stood`: verdicts of sentences published as written; `said`: what was
    published, to say nothing twice; `steady`: the sentence before, in the same paragraph, was published as written."""

    claims: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    dropped: list[tuple[str, str]] = field(default_factory=list)
    replaced: list[tuple[str, str, str]] = field(default_factory=list)
    stood: list[Verdict] = field(default_factory=list)
    said: set[str] = field(default_factory=set)
    steady: bool = True
    published: int = 0


def ground(
    draft: Draft,
    evidence: Evidence,
    *,
    question: str = "",
    refused: Mapping[str, str] = MappingProxyType({}),
) -> Grounded:
    """The draft's sentences that stand, with their citations. `question`: the user's own words; `refused`: sentences,
    as in `Grounded.kept`, that a second reader did not confirm, and why.

    Bullets and table rows count as one sentence. `text` is empty when no cited sentence is left: the answer must then
    be a refusal. A mandatory section with nothing left says so. Raises `GateFailed`; never publishes on doubt.
    """
    if len(draft.text) > _LONGEST_DRAFT:
        raise GateFailed
    try:
        declared = {_bare(claim.text): claim for claim in draft.claims}
        case = Case(read(evidence), read_sentence(plain_letters(question)), declared, refused)
        return _published(draft.text, case)
    except (ArithmeticError, LookupError, ValueError, RecursionError) as error:
        raise GateFailed from error


def _published(text: str, case: Case) -> Grounded:
    hosts = hosts_of(source.url for source in case.sources.values())
    walk = Walk()
    clean = markers_inside(harmless(plain_letters(text), hosts=hosts))
    body = [(line, kept) for line in lines(clean) for kept in [_standing(line, case, walk)] if kept]
    if not walk.claims:
        return Grounded("", (), 0, 0, tuple(walk.dropped))
    citations = tuple(_citation(case.sources[number], walk.claims[number]) for number in sorted(walk.claims))
    checked = sum(held.figures for held in walk.stood)
    return Grounded(
        assembled(body), citations, checked, walk.published, tuple(walk.dropped),
        tuple(held.bare for held in walk.stood), tuple(walk.replaced), _computed(walk),
    )  # fmt: skip


def _bare(text: str) -> str:
    return re.sub(r"\s+([.,])", r"\1", MARKER.sub("", markers_inside(text))).strip()


def _citation(source: Source, claims: list[str]) -> Citation:
    return Citation(source.id, source.kind, source.name, source.url, quote(source, claims), source.as_of)


def _computed(walk: Walk) -> tuple[Computed, ...]:
    """Figures worked out again, each with its formula and what it rests on."""
    return tuple(
        Computed(Figure(held.bare, float(value.value), value.unit), worked.formula, held.cited)
        for held in walk.stood
        for value, worked in held.derived
    )


def _standing(line: Line, case: Case, walk: Walk) -> str:
    """What of a line may be published: a heading or table header as it is if it asserts nothing."""
    walk.steady = True
    if line.kind in ("heading", "header"):
        if not (figures(line.text) or "[" in line.text or "【" in line.text):
            return line.text
        walk.dropped.append((line.text, "un titre ne porte pas de chiffre"))
        return ""
    units = sentences(line.text) if line.kind == "text" else (line.text,)
    return " ".join(filter(None, (_said(unit, line, case, walk) for unit in units)))


def _said(sentence: str, line: Line, case: Case, walk: Walk) -> str:
    """The sentence, its source's sentence, or nothing."""
    held = verdict(sentence, line.kind, case)
    leans = not walk.steady and not held.verbatim and _LEANS.match(held.bare)
    walk.steady = held.end == "stands" and not leans
    if held.end == "stands" and not leans:
        return _kept(sentence, held, walk)
    if held.end == "falls" or held.claim is None or line.kind == "row":
        walk.dropped.append((held.bare, held.why or ORPHAN))
        return ""
    return _instead(held, held.why or ORPHAN, case, walk)


def _kept(sentence: str, held: Verdict, walk: Walk) -> str:
    same = flowing(held.bare)
    if held.cited and len(same) > 2:
        if same in walk.said:
            walk.dropped.append((held.bare, TWICE))
            return ""
        walk.said.add(same)
    for number in held.cited:
        walk.claims[number].append(held.bare)
    walk.stood.append(held)
    walk.published += 1
    return sentence


def _instead(held: Verdict, why: str, case: Case, walk: Walk) -> str:
    found = substitute(held.claim, [case.sources[number] for number in held.cited]) if held.claim else None
    if found is None or found.text in case.refused:
        walk.dropped.append((held.bare, why))
        return ""
    walk.replaced.append((held.bare, found.text, why))
    same = flowing(found.text)
    if same in walk.said:
        return ""  # its source has already spoken
    walk.said.add(same)
    walk.claims[found.source].append(found.text)
    walk.published += 1
    return found.cited
