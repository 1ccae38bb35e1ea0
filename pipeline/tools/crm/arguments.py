"""The arguments of the tool "crm" -> what is asked of the CRM; what cannot be read is told in French, never guessed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from pipeline.crm_types import DealSearch, Owner, Stage
from pipeline.ports import CrmReader
from pipeline.proposal_targets import is_somebody
from pipeline.text.names import all_words, fit, folded, telling_words
from pipeline.text.stages import stages_meant
from pipeline.tools.crm.named import Said, said_in
from pipeline.tools.crm.wording import capital, euros, quoted

SHOWN, MOST_SHOWN = 10, 25
SORTS: Final = ("amount", "smallest", "closedate", "updated", "oldest", "newest")
GROUPS: Final = ("owner", "stage")
MINE: Final = frozenset({"me", "moi", "mes", "mine"})
STILL: Final = frozenset(("ouvert", "ouverts", "ouverte", "ouvertes", "cours", "actif", "actifs", "encore"))
"""Words that ask for what is not closed."""
_LONGEST, _LONGEST_MESSAGE = 120, 600


class Unreadable(Exception):
    """An argument that means nothing; the text is a French sentence for the user."""


@dataclass(frozen=True, slots=True)
class DealsAsked:
    """A list of deals as asked: what to search, in which words it was asked, how to show it. `wordings` follow
    « dossiers »; `open` None: open and closed ones; `top`: only the first `limit` count; `group`: owner, stage or "";
    `ignored`: what was asked and is not applied, as French clauses; `unknown`: its words that no deal holds."""

    search: DealSearch
    wordings: tuple[str, ...]
    open: bool | None
    sort: str
    limit: int
    top: bool = False
    group: str = ""
    average: bool = False
    ignored: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


async def deals_asked(arguments: Mapping[str, Any], reader: CrmReader, *, now: datetime) -> DealsAsked:
    """Raises `Unreadable` and `CrmUnavailable`."""
    stages = await reader.stages()
    words = message_said(arguments)
    named = await said_in(words, reader, stages=stages, owners=await reader.owners()) if words else Said()
    if named.text and "open" not in arguments and await _of_a_client(named.text, words, reader):
        arguments = {**arguments, "open": None}
    chosen, opened, where = _stages(arguments, stages, named)
    owner = await owner_asked(arguments, reader) or one_owner(arguments, named.owners)
    text, commune = " ".join(filter(None, (said(arguments, "text"), named.text))), said(arguments, "commune")
    stale, top = _whole(arguments, "stale_days"), _whole(arguments, "top")
    search = DealSearch(
        text=text,
        commune=commune,
        owner_id=owner.id if owner else "",
        stage_ids=tuple(stage.id for stage in chosen) if len(chosen) < len(stages) else (),
        unchanged_since=now - timedelta(days=stale) if stale else None,
        closes_after=day(arguments, "closes_after"),
        closes_before=day(arguments, "closes_before"),
        min_amount=_amount(arguments, "min_amount"),
        max_amount=_amount(arguments, "max_amount"),
    )
    sort, group = said(arguments, "sort"), said(arguments, "group")
    return DealsAsked(
        search=search,
        wordings=tuple(filter(None, (where, *_wordings(search, owner, stale, signed=all(s.closed for s in chosen))))),
        open=opened,
        sort=sort if sort in SORTS else "amount" if top else "updated",
        limit=min(top, MOST_SHOWN) if top else limit_asked(arguments),
        top=bool(top),
        group=group if group in GROUPS else "",
        average=arguments.get("average") is True,
        ignored=unapplied(arguments, named.unknown),
        unknown=named.unknown,
    )


async def _of_a_client(text: str, message: str, reader: CrmReader) -> bool:
    """Whether all deals of a client are asked for, whatever has become of them: « Mme Roux en a plusieurs ? »."""
    if STILL & set(map(folded, all_words(message))):
        return False
    return all([await is_somebody(word, reader) for word in text.split()])


def _wordings(search: DealSearch, owner: Owner | None, stale: int, *, signed: bool) -> tuple[str, ...]:
    low, high = search.min_amount, search.max_amount
    amounts = [f"d'au moins {euros(low)}"] if low is not None else []
    amounts += [f"d'au plus {euros(high)}"] if high is not None else []
    if low is not None and high is not None:
        amounts = [f"de {euros(low)} à {euros(high)}"]
    return (
        f"à {capital(quoted(search.commune))}" if search.commune else "",
        f"suivis par {quoted(owner.name)}" if owner else "",
        f"sans changement depuis {stale} jour{'s' if stale > 1 else ''}" if stale else "",
        *amounts,
        _days(search.closes_after, search.closes_before, "clos" if signed else "à signer"),
        f"où il est question de « {quoted(search.text)} »" if search.text else "",
    )


def _days(after: date | None, before: date | None, what: str) -> str:
    if after and before:
        return f"{what} du {after:%d/%m/%Y} au {before:%d/%m/%Y}"
    if after:
        return f"{what} à partir du {after:%d/%m/%Y}"
    return f"{what} au plus tard le {before:%d/%m/%Y}" if before else ""


def unapplied(arguments: Mapping[str, Any], unknown: Sequence[str]) -> tuple[str, ...]:
    """What was asked and cannot be done (`ignored`: French infinitives), and the words that nothing holds."""
    wishes = [" ".join(str(wish).split())[:_LONGEST] for wish in arguments.get("ignored") or ()]
    vain = [f"je ne sais pas {' ni '.join(map(quoted, wishes))}"] if wishes else []
    words = ", ".join(f"« {quoted(word)} »" for word in unknown)
    return (*vain, *((f"je ne trouve rien sur {words} dans HubSpot",) if words else ()))


def one_owner(arguments: Mapping[str, Any], named: Sequence[Owner]) -> Owner | None:
    """The colleague named in the message, unless `owner` already says whose. Raises `Unreadable` for several."""
    if said(arguments, "owner") or not named:
        return None
    if len(named) > 1:
        listed = ", ".join(quoted(owner.name) for owner in named)
        raise Unreadable(f"Je ne sais filtrer que par une personne à la fois : {listed}. Laquelle ?")
    return named[0]


def _stages(
    arguments: Mapping[str, Any], stages: Sequence[Stage], named: Said
) -> tuple[tuple[Stage, ...], bool | None, str]:
    """Those to search, whether only open (True) or closed (False) deals were asked for, and how that was said. A stage
    said in words outranks `open`."""
    words = said(arguments, "stage")
    if words:
        meant = stages_meant(words, stages)
        labels = dict.fromkeys(stage.label for stage in meant)
        if len(labels) == 1:
            return meant, None, _at(meant)
        which = "Plusieurs étapes correspondent" if labels else "Aucune étape ne correspond"
        known = ", ".join(f"« {quoted(label)} »" for label in labels or dict.fromkeys(s.label for s in stages))
        raise Unreadable(f"{which} à « {quoted(words)} » dans HubSpot. Étapes possibles : {known}.")
    if named.stages.meant:
        return named.stages.meant, None, _at(named.stages.meant)
    opened = arguments.get("open", True)
    kept = tuple(stage for stage in stages if opened is None or stage.closed is not bool(opened))
    left_out = [stage for stage in kept if stage in named.stages.left_out]
    without = f"hors {_listed(left_out)}" if left_out else ""
    kept = tuple(stage for stage in kept if stage not in left_out)
    return kept, None if opened is None else bool(opened), without


def _at(stages: Sequence[Stage]) -> str:
    several = len({stage.label for stage in stages}) > 1
    return f"{'aux stades' if several else 'au stade'} {_listed(stages)}"


def _listed(stages: Sequence[Stage]) -> str:
    return " ou ".join(dict.fromkeys(f"« {quoted(stage.label)} »" for stage in stages))


async def owner_asked(arguments: Mapping[str, Any], reader: CrmReader) -> Owner | None:
    """The owner meant by a name, or by « me » and the asker's address. Raises `Unreadable`."""
    words = said(arguments, "owner")
    if not words:
        return None
    owners = await reader.owners()
    names = ", ".join(quoted(owner.name) for owner in owners[:20])
    if folded(words) in MINE:
        address = said(arguments, "asker_email").lower()
        mine = [owner for owner in owners if address and owner.email.lower() == address]
        if mine:
            return mine[0]
        if not address:
            return None  # nobody said who asks: the tool says so and shows everybody's
        raise Unreadable(
            "Je ne vous retrouve pas parmi les utilisateurs de HubSpot, par votre adresse e-mail. Dites-moi un nom : "
            f"{names}."
        )
    wanted = telling_words(words)
    ranked = [(rank, owner) for owner in owners if (rank := fit(wanted, all_words(owner.name))) is not None]
    best = [owner for rank, owner in ranked if rank == min(rank for rank, _ in ranked)]
    if len(best) == 1:
        return best[0]
    if best:
        found = ", ".join(quoted(owner.name) for owner in best)
        raise Unreadable(f"Plusieurs personnes correspondent à « {quoted(words)} » : {found}. Précisez laquelle.")
    raise Unreadable(f"Personne ne s'appelle « {quoted(words)} » dans votre HubSpot. Il y a : {names}.")


def said(arguments: Mapping[str, Any], *names: str) -> str:
    """The first of these arguments that holds text, in one line and of a bounded length."""
    texts = (" ".join(str(arguments.get(name) or "").split())[:_LONGEST] for name in names)
    return next((text for text in texts if text), "")


def message_said(arguments: Mapping[str, Any]) -> str:
    """The words of the message that the planner passes on, in one line."""
    return " ".join(str(arguments.get("words") or "").split())[:_LONGEST_MESSAGE]


def day(arguments: Mapping[str, Any], name: str) -> date | None:
    """An ISO day. Raises `Unreadable`."""
    text = said(arguments, name)
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        raise Unreadable(f"Je ne lis pas la date « {quoted(text)} » : donnez-la comme 31/12/2026.") from None


def limit_asked(arguments: Mapping[str, Any]) -> int:
    """Between 1 and 25, 10 unless asked."""
    return min(max(_whole(arguments, "limit") or SHOWN, 1), MOST_SHOWN)


def _whole(arguments: Mapping[str, Any], name: str) -> int:
    value = _number(arguments, name)
    return min(max(int(value), 0), 3650) if value is not None else 0


def _amount(arguments: Mapping[str, Any], name: str) -> float | None:
    value = _number(arguments, name)
    return None if value is None else min(max(value, 0.0), 1e12)


def _number(arguments: Mapping[str, Any], name: str) -> float | None:
    value = arguments.get(name)
    if value is None or value == "" or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if number != number or number in (float("inf"), float("-inf")):
        raise Unreadable(f"Je ne lis pas le nombre « {quoted(str(value)[:40])} ».")
    return number
