"""Evidence -> what is published: the model's draft behind the gate, with one bounded rewrite of what was refused; the
answer made of extracts beside it, which is never undercut."""

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from pipeline.errors import ModelUnavailable
from pipeline.grounding import GateFailed
from pipeline.metering.costs import total
from pipeline.metering.purse import Purse
from pipeline.metering.telemetry import Telemetry
from pipeline.ports import Deps, Report, Show
from pipeline.retrieval.searching import further, related
from pipeline.steps import CHECKING, quietly
from pipeline.types import Brief, Draft, Evidence, Grounded, Question, Route, Usage
from pipeline.writing.judged import JudgedGate, Preview
from pipeline.writing.synthesizer import required_sections, shown_sections
from pipeline.writing.untold import untold
from pipeline.writing.worth import poorer

MODEL_OUT: Final = "Modèle de langue indisponible : réponse composée d'extraits des sources."
MODEL_POORER: Final = "Réponse du modèle de langue écartée ({reason}) : réponse composée d'extraits des sources."
MODEL_CUT: Final = "Le modèle de langue s'est arrêté avant la fin : seules ses phrases finies sont publiées."
JUDGE_OUT: Final = "Relecture par le modèle de langue indisponible : vérification par les règles seules."


@dataclass(frozen=True, slots=True)
class Written:
    """What passed the gate, over which evidence, what it cost, and what did not work, in French."""

    grounded: Grounded
    evidence: Evidence
    usage: Usage
    degraded: tuple[str, ...] = ()


async def write(
    question: Question,
    route: Route,
    evidence: Evidence,
    *,
    deps: Deps,
    show: Show | None,
    purse: Purse | None = None,
    report: Report = quietly,
) -> Written:
    """The better of the model's answer and the one made of extracts, with one line for what no source tells."""
    shown = shown_sections(route, evidence, left_out=question.left_out)
    brief = Brief(question=question, route=route, evidence=evidence, sections=shown)
    extracts = asyncio.create_task(_of_extracts(brief, deps=deps))
    try:
        draft, written = await _of_model(brief, purse or Purse(question.allowance), deps=deps, show=show, report=report)
    finally:
        offline = await extracts
    if draft is None:
        spent = total(offline.usage, written.usage)
        told, draft = replace(offline, usage=spent, degraded=(*offline.degraded, *written.degraded)), Draft("", spent)
    elif reason := poorer(written.grounded, offline.grounded, evidence, wider=written.evidence, query=route.query):
        spent, remark = total(offline.usage, written.usage), MODEL_POORER.format(reason=reason)
        told, draft = replace(offline, usage=spent, degraded=(*offline.degraded, remark)), Draft("", spent)
    else:
        told = written
    _tell(told.grounded, deps.telemetry)
    line = untold(
        told.grounded, told.evidence, required=required_sections(route, evidence), said=draft.missing, route=route
    )
    if not line or not told.grounded.text:
        return told
    return replace(told, grounded=replace(told.grounded, text=f"{told.grounded.text}\n\n{line}"))


def _tell(grounded: Grounded, telemetry: Telemetry) -> None:
    """What became of the sentences of the draft that is published; a reason without what it is about."""
    telemetry.event("sentences", fate="kept", count=len(grounded.kept))
    for fate, reasons in (
        ("replaced", [reason for *_, reason in grounded.replaced]),
        ("dropped", [reason for _, reason in grounded.dropped]),
    ):
        for reason, count in Counter(reason.partition(" :")[0] for reason in reasons).items():
            telemetry.event("sentences", fate=fate, reason=reason, count=count)


async def _of_extracts(brief: Brief, *, deps: Deps) -> Written:
    draft = await deps.fallback.write(brief)
    grounded = await JudgedGate(brief, Purse(), telemetry=deps.telemetry).passed(draft)
    return Written(grounded, brief.evidence, draft.usage, draft.degraded)


async def _of_model(
    brief: Brief, purse: Purse, *, deps: Deps, show: Show | None, report: Report
) -> tuple[Draft | None, Written]:
    """No draft where no model writes, where it is out, or where it may cost nothing more."""
    nothing = Grounded("", (), 0, 0)
    if deps.writer is deps.fallback:
        return None, Written(nothing, brief.evidence, Usage(model=""))
    if purse.exceeded is not None:
        return None, Written(nothing, brief.evidence, Usage(model=""), (purse.exceeded,))
    brief = replace(brief, evidence=await related(brief, deps=deps))
    gate = JudgedGate(brief, purse, deps.judge, telemetry=deps.telemetry)
    preview = Preview(gate, show) if show is not None else None
    try:
        draft = await deps.writer.write(replace(brief, partial=preview))
        purse.pay(draft.usage)
        draft, gate = await _over_more(draft, gate, deps=deps)
        report(CHECKING)
        grounded = await gate.passed(draft)
        draft, grounded = await _mended(draft, grounded, gate, deps=deps)
    except (ModelUnavailable, GateFailed):
        return None, Written(nothing, brief.evidence, Usage(model=""), (MODEL_OUT,))
    finally:
        if preview is not None:
            await preview.stop()
    remarks = [remark for remark, said in ((MODEL_CUT, draft.cut), (JUDGE_OUT, gate.out)) if said]
    spent = total(draft.usage, *gate.costs)
    return draft, Written(grounded, gate.brief.evidence, spent, (*draft.degraded, *remarks))


async def _over_more(draft: Draft, gate: JudgedGate, *, deps: Deps) -> tuple[Draft, JudgedGate]:
    """The draft written again over more evidence, where the corpus holds some of what it says is missing: the model's
    own searches, two at most. Kept where less is missing then."""
    evidence = await further(draft.missing, gate.brief, deps=deps) if gate.purse.affords else None
    if evidence is None:
        return draft, gate
    wider = replace(gate, brief=replace(gate.brief, evidence=evidence), verdicts={})
    try:
        second = await deps.writer.write(wider.brief)
    except ModelUnavailable:
        return draft, gate
    gate.purse.pay(second.usage)
    spent = total(second.usage, draft.usage)
    if not second.text or len(second.missing) >= len(draft.missing):
        return replace(draft, usage=spent), gate
    return replace(second, usage=spent), wider


async def _mended(draft: Draft, grounded: Grounded, gate: JudgedGate, *, deps: Deps) -> tuple[Draft, Grounded]:
    """One more try for the sentences that were refused, and for these alone; kept when more stands afterwards."""
    refused = (*grounded.dropped, *((sentence, reason) for sentence, _, reason in grounded.replaced))
    if not refused or not draft.text or not gate.purse.affords:
        return draft, grounded
    try:
        second = await deps.writer.write(replace(gate.brief, draft=draft, refused=refused))
        gate.purse.pay(second.usage)
        again = await gate.passed(second)
    except (ModelUnavailable, GateFailed):
        return draft, grounded
    spent = total(second.usage, draft.usage)
    if len(again.kept) > len(grounded.kept):
        return replace(second, usage=spent), again
    return replace(draft, usage=spent), grounded
