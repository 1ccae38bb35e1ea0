"""The seams of the pipeline, owned by their consumer, and `Deps`, all that one answer needs."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

from corpus.closeness import LocalSense
from corpus.ports import Embedder, PassageArchive, Reranker
from corpus.questions.bank import QuestionBank
from pipeline.crm_types import (
    ContactList,
    ContactSearch,
    Deal,
    DealBrief,
    DealList,
    DealMatches,
    DealSearch,
    Directory,
    Owner,
    PropertySchema,
    Stage,
    TaskList,
    TaskSearch,
)
from pipeline.metering.telemetry import SILENT, Telemetry
from pipeline.reading import Reading
from pipeline.thread_state import ThreadState
from pipeline.types import Answer, Brief, Claim, Draft, Question, ToolCall, ToolResult, Usage

if TYPE_CHECKING:
    from corpus.places import Gazetteer


@dataclass(frozen=True, slots=True)
class Step:
    """What runs now. `doing`: a few French words after « Je »; `tasks`: the titles of what is done side by side."""

    doing: str
    tasks: tuple[str, ...]

    @property
    def said(self) -> str:
        return f"Je {self.doing}"


Report = Callable[[Step], None]
"""Tells the reader which step runs now."""

Show = Callable[[str], None]
"""Shows the reader what of the answer has passed the gate so far, as Markdown; the answer itself may differ."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message to a language model. `persons`: names of clients that it may hold, whom no provider gets to know."""

    role: Literal["system", "user", "assistant"]
    content: str
    persons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """What a language model said, without what it thought. `cut`: the provider ended it before the model did."""

    text: str
    usage: Usage
    cut: bool = False


class ChatModel(Protocol):
    """A language model. Raises `ModelUnavailable` when it cannot answer in time."""

    @property
    def name(self) -> str: ...

    async def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> Completion:
        """`schema` is a JSON Schema that the text must satisfy (checked by the caller)."""

    def stream(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1200
    ) -> AsyncIterator[str | Completion]:
        """Pieces of text as they come (an empty one while the model thinks), then the whole as one `Completion`."""


class Reader(Protocol):
    """Says what a message asks for: learned and offline, or by a language model."""

    @property
    def name(self) -> str: ...

    async def read(self, question: Question, state: ThreadState) -> Reading:
        """Only the user's own words are read, in the light of the thread. Never raises for any text."""


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What a model read, and what that cost; the draft itself when it was late, wrong or of no use."""

    reading: Reading
    cost: Usage


class ModelReader(Protocol):
    """A reader that costs time and money, over one that does not."""

    def worth_asking(self, draft: Reading) -> bool:
        """Whether a model could read this message better than the draft does."""

    async def read(self, question: Question, state: ThreadState, *, draft: Reading) -> ModelReading:
        """Never raises: the draft stands where the model has nothing better to say."""


class Writer(Protocol):
    """Turns a brief into a draft: with a language model, or extractively with neither key nor network."""

    @property
    def name(self) -> str: ...

    async def write(self, brief: Brief) -> Draft:
        """Raises `ModelUnavailable`."""


Verdict = Literal["supported", "contradicted", "absent"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """One verdict a claim, in their order, and what that cost."""

    verdicts: tuple[Verdict, ...]
    cost: Usage


class Judge(Protocol):
    """A second reader of sentences that the gate lets through: it may only make the gate stricter."""

    async def judge(
        self, claims: Sequence[Claim], sources: Sequence[str], *, persons: tuple[str, ...] = ()
    ) -> Judgement:
        """Each claim against the source of the same place, in one call; `persons`: clients whose names these may hold.
        Raises `ModelUnavailable`."""


class Tool(Protocol):
    """A source of live facts. Failures are values: `ToolResult.error`."""

    @property
    def name(self) -> str: ...

    async def run(self, call: ToolCall) -> ToolResult: ...


class CrmReader(Protocol):
    """Reads of the CRM. Each raises `CrmUnavailable`; what is not there is None or empty."""

    async def deal(self, deal_id: str) -> Deal | None:
        """With names of contacts, last notes, and when what a proposal may touch was last changed."""

    async def find_deals(self, name: str, *, limit: int = 5) -> DealMatches:
        """By any part of the deal's name or of a contact's; case, accents and slips of the finger are forgiven, and
        the best kind of match wins."""

    async def deals(self, wanted: DealSearch) -> DealList: ...

    async def directory(self) -> Directory: ...

    async def brief(self, deal_id: str) -> DealBrief | None: ...

    async def contacts(self, wanted: ContactSearch) -> ContactList: ...

    async def tasks(self, wanted: TaskSearch) -> TaskList: ...

    async def stages(self) -> tuple[Stage, ...]:
        """Of every deal pipeline, in its order."""

    async def owners(self) -> tuple[Owner, ...]: ...

    async def deal_property(self, name: str) -> PropertySchema | None: ...

    async def task_property(self, name: str) -> PropertySchema | None: ...


@dataclass(frozen=True, slots=True)
class Recalled:
    """An answer that was kept, and when it was made."""

    answer: Answer
    made_at: datetime


class AnswerCache(Protocol):
    """Answers that may be given again. Neither method raises."""

    async def find(self, question: Question, said: str) -> Recalled | None:
        """`said`: what was asked and understood. None where none is kept, or what it rests on has changed."""

    async def keep(self, question: Question, said: str, answer: Answer, *, at_most: float) -> None:
        """`at_most`: seconds."""


@dataclass(frozen=True, slots=True)
class Deps:
    """Everything that `answer` uses. `reader` needs no model; `model_reader` None: it reads alone. `crm` None: no
    action is offered. `reranker` None: the order of the search stands. `judge` None: the gate stands alone. `bank`
    None: the articles' own questions are found as passages only. `local`: what was fitted on the local embedder's
    vectors goes by it, where `embedder`, the index's, is another; None: it is the same. `cache` None: each is made."""

    index: PassageArchive
    embedder: Embedder | None
    places: "Gazetteer"
    tools: Mapping[str, Tool]
    reader: Reader
    writer: Writer
    fallback: Writer
    now: Callable[[], datetime]
    bank: QuestionBank | None = None
    local: LocalSense | None = None
    cache: AnswerCache | None = None
    model_reader: ModelReader | None = None
    crm: CrmReader | None = None
    reranker: Reranker | None = None
    judge: Judge | None = None
    missing: tuple[str, ...] = ()
    telemetry: Telemetry = SILENT

    @property
    def own_embedder(self) -> Embedder | None:
        """What the bank and all that was learned go by, whatever the index is searched with."""
        return self.local.embedder if self.local is not None else self.embedder
