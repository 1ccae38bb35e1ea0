"""The gate and, where a model judges, its second look: sentences that it does not find in their source go too."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from corpus.types import Passage
from pipeline.errors import ModelUnavailable
from pipeline.grounding import GateFailed, ground
from pipeline.metering.purse import Purse
from pipeline.metering.telemetry import SILENT, Telemetry
from pipeline.ports import Judge, Show, Verdict
from pipeline.text.drafts import claims_of, key
from pipeline.text.persons import persons_of
from pipeline.text.sentences import MARKER
from pipeline.types import Brief, Claim, Draft, Evidence, Grounded, Usage

REASONS: Final[dict[Verdict, str]] = {
    "contradicted": "contredite par sa source, à la relecture",
    "absent": "absente de sa source, à la relecture",
}
AROUND: Final = 400
"""Characters of the source that the judge reads on each side of the quoted span."""


@dataclass(slots=True)
class JudgedGate:
    """One answer's gate. Each sentence is judged once; a judge that does not answer is asked no more, and the gate
    stands alone. `costs`: of the judge's calls; `out`: whether it failed."""

    brief: Brief
    purse: Purse
    judge: Judge | None = None
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    costs: list[Usage] = field(default_factory=list)
    out: bool = False
    telemetry: Telemetry = SILENT

    async def passed(self, draft: Draft) -> Grounded:
        """What of the draft may be published. Raises `GateFailed`."""
        with self.telemetry.stage("gate") as tell:
            grounded = await self._passed(draft)
            tell(kept=len(grounded.kept), replaced=len(grounded.replaced), dropped=len(grounded.dropped))
            return grounded

    async def _passed(self, draft: Draft) -> Grounded:
        grounded = self._ground(draft)
        await self._ask(draft, grounded)
        condemned = {
            sentence: REASONS[verdict]
            for sentence in grounded.kept
            if (verdict := self.verdicts.get(key(sentence), "supported")) != "supported"
        }
        return self._ground(draft, refused=condemned) if condemned else grounded

    def _ground(self, draft: Draft, *, refused: Mapping[str, str] = MappingProxyType({})) -> Grounded:
        asked = self.brief.question.text
        return ground(draft, self.brief.evidence, question=asked, refused=refused)

    async def _ask(self, draft: Draft, grounded: Grounded) -> None:
        standing = {key(sentence) for sentence in grounded.kept} - self.verdicts.keys()
        asked = [c for c in claims_of(draft) if key(c.text) in standing and MARKER.search(c.text)]
        if self.judge is None or self.out or not asked:
            return
        if not self.purse.affords:
            self.out = True
            return
        sources = [_source(claim, self.brief.evidence) for claim in asked]
        try:
            judged = await self.judge.judge(asked, sources, persons=persons_of(self.brief))
        except ModelUnavailable:
            self.out = True
            return
        self.costs.append(judged.cost)
        self.purse.pay(judged.cost)
        self.verdicts.update({key(c.text): verdict for c, verdict in zip(asked, judged.verdicts, strict=True)})


def _source(claim: Claim, evidence: Evidence) -> str:
    """What the claim cites: the span that it quotes with its surroundings, else the sources from their beginning."""
    cited = {int(number) for found in MARKER.finditer(claim.text) for number in found.group(1).split(",")}
    told = []
    for number, item in evidence.numbered():
        if number in cited:
            title = " › ".join((item.title, *item.heading)) if isinstance(item, Passage) else item.title
            told.append(f"{title}\n{_around(claim.quote, item.text)}")
    return "\n\n".join(told)


def _around(quote: str, text: str) -> str:
    at = " ".join(text.split()).find(quote) if quote else -1
    if at < 0:
        return text
    return " ".join(text.split())[max(0, at - AROUND) : at + len(quote) + AROUND]


class Preview:
    """Shows what has passed of a draft that is still being written: a part more each time, never an unjudged one."""

    def __init__(self, gate: JudgedGate, show: Show) -> None:
        self._gate, self._show = gate, show
        self._latest: Draft | None = None
        self._task: asyncio.Task[None] | None = None

    def __call__(self, draft: Draft) -> None:
        self._latest = draft
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while (draft := self._latest) is not None:
            self._latest = None
            try:
                text = (await self._gate.passed(draft)).text
            except GateFailed:
                return
            if text:
                self._show(text)

    async def stop(self) -> None:
        """Waits for the judgement under way, whose verdicts the whole answer needs too; begins no other."""
        self._latest = None
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
