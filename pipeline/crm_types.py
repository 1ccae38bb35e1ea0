"""What the CRM says, and what may be asked of it: values between the adapter, the tool "crm" and the proposer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class Deal:
    """A CRM deal as read. `properties` holds HubSpot's strings by internal name, `changed_at` the ISO moment of the
    last change of those that a proposal may touch; `url` opens it in HubSpot. A search brings neither contacts,
    notes nor `changed_at`."""

    id: str
    name: str
    stage: str = ""
    amount: str = ""
    owner: str = ""
    url: str = ""
    contacts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    updated_at: datetime | None = None
    changed_at: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PropertySchema:
    """What HubSpot says of one property: internal name, French label, type, allowed option values and their labels."""

    name: str
    label: str
    type: str
    options: tuple[str, ...] = ()
    read_only: bool = False
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a deal pipeline, in the words of the firm. `closed`: won or lost."""

    id: str
    label: str
    pipeline: str
    closed: bool = False
    won: bool = False


@dataclass(frozen=True, slots=True)
class Owner:
    """Somebody of the firm who may own records."""

    id: str
    name: str
    email: str = ""


@dataclass(frozen=True, slots=True)
class DealChoice:
    """A deal that a name may mean: what a button says, and the id that it stands for."""

    deal_id: str
    label: str


@dataclass(frozen=True, slots=True)
class DealMatches:
    """The deals that a name fits equally well, last modified first and `total` of them in all; `near`: when none
    fits, those spelt most alike."""

    found: tuple[Deal, ...] = ()
    total: int = 0
    near: tuple[Deal, ...] = ()


@dataclass(frozen=True, slots=True)
class DealSearch:
    """Which deals; an empty field sets no bound. `text`: words of the name, description, next step or notes;
    `commune`: a town of the name, the description or a contact's address; days and amounts are inclusive."""

    text: str = ""
    commune: str = ""
    owner_id: str = ""
    stage_ids: tuple[str, ...] = ()
    unchanged_since: datetime | None = None
    closes_after: date | None = None
    closes_before: date | None = None
    min_amount: float | None = None
    max_amount: float | None = None


@dataclass(frozen=True, slots=True)
class DealList:
    """The deals that a search found, last modified first. `total` is more than their number when not all were read."""

    deals: tuple[Deal, ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class Contact:
    """A person of the CRM, with the deals that they are part of."""

    id: str
    name: str
    email: str = ""
    phone: str = ""
    city: str = ""
    job: str = ""
    deals: tuple[DealChoice, ...] = ()


@dataclass(frozen=True, slots=True)
class ContactSearch:
    """Which contacts: of a deal, else by name (typos forgiven), by town, by words of the record; `without_deals`: those
    of them that are part of none."""

    name: str = ""
    text: str = ""
    commune: str = ""
    deal_id: str = ""
    without_deals: bool = False
    limit: int = 10


@dataclass(frozen=True, slots=True)
class ContactList:
    """At most `limit` contacts of `total`; `near`: the names spelt most alike when no name fits."""

    contacts: tuple[Contact, ...] = ()
    total: int = 0
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """A task that is not done. `due` is its moment in UTC."""

    id: str
    subject: str
    due: datetime | None = None
    owner: str = ""
    deals: tuple[DealChoice, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskSearch:
    """Which open tasks; `due_after` and `due_before` are inclusive, in Paris days."""

    owner_id: str = ""
    due_after: date | None = None
    due_before: date | None = None
    deal_id: str = ""
    limit: int = 10


@dataclass(frozen=True, slots=True)
class TaskList:
    """At most `limit` open tasks of `total`, soonest due first."""

    tasks: tuple[Task, ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """A note as plain text, with the moment it is about."""

    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DealBrief:
    """All that is worth knowing before a meeting: last notes first, open tasks by due date."""

    deal: Deal
    contacts: tuple[Contact, ...] = ()
    notes: tuple[Note, ...] = ()
    tasks: tuple[Task, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownDeal:
    """A deal that a message may point at without its name, by words without accents: `words` of its name and of its
    contacts' names, towns and jobs, `described` of its description; `people`: the ids of these contacts."""

    id: str
    words: frozenset[str]
    described: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Directory:
    """Whom and what of the CRM a message may name, of the records changed last. `surnames`: each word of the contacts'
    surnames -> the words of the names of their deals; `colleagues`: the words of the owners' names."""

    surnames: Mapping[str, frozenset[str]] = field(default_factory=dict)
    colleagues: frozenset[str] = frozenset()
    deals: tuple[KnownDeal, ...] = ()


@dataclass(frozen=True, slots=True)
class Mentioned:
    """What of the directory one message names: `clients` as in `Directory.surnames`; `deal_id`: the one deal that it
    points at by `words` of its own, `surely` by two of them, or by one that is rare or said of the thread's client."""

    clients: Mapping[str, frozenset[str]] = field(default_factory=dict)
    colleagues: frozenset[str] = frozenset()
    deal_id: str | None = None
    words: frozenset[str] = frozenset()
    surely: bool = False
