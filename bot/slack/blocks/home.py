"""The Home tab: what waits for a person, what they asked and follow, how it goes with us, examples to try."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ContextBlock,
    DividerBlock,
    HeaderBlock,
    MarkdownTextObject,
    SectionBlock,
)

from bot.slack.blocks.cards import written_fields
from bot.slack.blocks.help import HELP, PROMPTS
from bot.slack.blocks.text import chunks, escape, french_time, link, verbatim

APPROVE, REJECT, OPEN = "home_approve", "home_reject", "home_open"
DIGEST, STOP, SOURCES, TRY = "home_digest", "home_stop_watch", "home_sources", "home_try"
WEEKDAYS: Final = ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")
QUESTION, LINE, FEEDS = 110, 2_900, 8
SCHEMES: Final = ("https://", "http://")
"""Permalinks are Slack's own; a sandbox on this machine has no certificate."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Desk:
    """What concerns one person. `proposals`, `threads`: rows, whose `link` leads to their message or is ""; `troubles`:
    (what was missing, when) in this person's answers of the last day; `mine`, `team`: euros of this month, and
    `mine_limit`, `team_limit` of a day, None without a limit; `connect_crm`: where the team's own HubSpot is connected,
    "" where that is not for this person to do."""

    proposals: Sequence[Row] = ()
    threads: Sequence[Row] = ()
    digests: Sequence[Row] = ()
    watches: Sequence[Row] = ()
    files: int = 0
    feeds: Sequence[str] = ()
    troubles: Sequence[tuple[str, str]] = ()
    index_up: bool = True
    mine: float = 0.0
    team: float = 0.0
    mine_limit: float | None = None
    team_limit: float | None = None
    connect_crm: str = ""


def home_view(desk: Desk, parts: Sequence[str], *, dm: str, said: str = "") -> dict[str, Any]:
    """`parts`: what is connected, one sentence each; `dm`: the direct conversation with this person; `said`: what
    became of their last click here."""
    blocks: list[Block] = [HeaderBlock(text="QuartierScope")]
    if said:
        blocks.append(SectionBlock(text=said[:LINE]))
    blocks += [*_proposals(desk.proposals), *_threads(desk.threads), *_followed(desk)]
    blocks += [DividerBlock(), *_examples(), *_sources(desk), *_standing(desk, parts), DividerBlock()]
    blocks += [SectionBlock(text=HELP)]
    shown = verbatim(block.to_dict() for block in blocks)
    return {"type": "home", "private_metadata": json.dumps({"dm": dm}), "blocks": shown}


def dm_of(view: Row) -> str:
    """The direct conversation that a Home tab was made for."""
    try:
        return str(json.loads(view.get("private_metadata") or "{}").get("dm") or "")
    except ValueError:
        return ""


def _proposals(rows: Sequence[Row]) -> Iterator[Block]:
    if not rows:
        yield SectionBlock(text="*À valider*\nAucune écriture HubSpot n'attend votre décision.")
        return
    yield SectionBlock(text="*À valider*")
    for row in rows:
        until = f"jusqu'au {french_time(row['expires_at'])}"
        yield SectionBlock(text=f"{escape(row['action']['summary'])[:LINE]}\n_{until}_")
        yield from written_fields(row["action"])
        buttons = [
            ButtonElement(text="Valider", action_id=APPROVE, value=row["proposal_id"], style="primary"),
            ButtonElement(text="Rejeter", action_id=REJECT, value=row["proposal_id"], style="danger"),
        ]
        if row["link"]:
            buttons.append(ButtonElement(text="Voir le fil", action_id=OPEN, url=row["link"]))
        yield ActionsBlock(elements=buttons)


def _threads(rows: Sequence[Row]) -> Iterator[Block]:
    if not rows:
        return
    lines = [
        f"• {link(row['link'], _short(row['question']), schemes=SCHEMES)} · {french_time(row['asked_at'])}"
        for row in rows
    ]
    yield from (SectionBlock(text=piece) for piece in chunks(["*Vos derniers fils*", *lines]))


def _followed(desk: Desk) -> Iterator[Block]:
    if not desk.digests and not desk.watches:
        return
    yield SectionBlock(text="*Ce que vous suivez*")
    for row in desk.digests:
        paused = " (en pause)" if row["state"] == "paused" else ""
        text = f"Point de <#{row['channel']}>{paused} : le {WEEKDAYS[row['weekday'] - 1]} à {row['at']}"
        yield SectionBlock(text=text, accessory=_one(DIGEST, row["channel"], "Régler"))
    for row in desk.watches:
        text = f"Veille de <#{row['channel']}> : {escape(_short(row['question']))}"
        yield SectionBlock(text=text, accessory=_one(STOP, row["watch_id"], "Arrêter"))


def _one(action: str, value: str, label: str) -> ButtonElement:
    """A row's own button: Slack wants an id for each."""
    return ButtonElement(text=label, action_id=f"{action}:{value}", value=value)


def _examples() -> Iterator[Block]:
    yield SectionBlock(text="*Essayez* : je réponds en message direct.")
    yield ActionsBlock(
        elements=[
            ButtonElement(text=title, action_id=f"{TRY}:{number}", value=str(number))
            for number, (title, _prompt) in enumerate(PROMPTS)
        ]
    )


def _sources(desk: Desk) -> Iterator[Block]:
    many = "s" if desk.files > 1 else ""
    held = (
        f"{desk.files} ouvert{many} à toute l'équipe." if desk.files else "aucun n'est encore ouvert à toute l'équipe."
    )
    button = ButtonElement(text="Voir les sources", action_id=SOURCES, value="all")
    yield SectionBlock(text=f"*Vos fichiers* : {held}", accessory=button)
    if desk.feeds:
        more = f"\n… et {len(desk.feeds) - FEEDS} de plus" if len(desk.feeds) > FEEDS else ""
        lines = "\n".join(escape(line) for line in desk.feeds[:FEEDS])
        yield ContextBlock(elements=[MarkdownTextObject(text=f"{lines}{more}"[:LINE])])


def _standing(desk: Desk, parts: Sequence[str]) -> Iterator[Block]:
    """What is connected, what was missing lately, what it cost."""
    if desk.connect_crm:
        button = ButtonElement(text="Connecter HubSpot", action_id=OPEN, url=desk.connect_crm)
        yield SectionBlock(text="*HubSpot* : votre espace n'en a pas encore connecté.", accessory=button)
    lines = [] if desk.index_up else [":warning: La base documentaire ne répond pas en ce moment."]
    lines += [f":warning: {escape(sentence)} ({french_time(moment)})" for sentence, moment in desk.troubles]
    well = ":large_green_circle: Rien n'a manqué à vos réponses des dernières 24 h."
    yield SectionBlock(text="*État*\n" + ("\n".join(lines)[:LINE] if lines else well))
    yield SectionBlock(
        text=f"*Modèles de langue, ce mois-ci* : vous {_euros(desk.mine)}, l'équipe {_euros(desk.team)}.{_limits(desk)}"
    )
    if parts:
        yield ContextBlock(elements=[MarkdownTextObject(text=escape(" · ".join(parts))[:LINE])])


def _limits(desk: Desk) -> str:
    named = (("vous", desk.mine_limit), ("l'équipe", desk.team_limit))
    told = [f"{who} {_euros(limit)}" for who, limit in named if limit is not None]
    return f" Limites par jour : {', '.join(told)}." if told else ""


def _euros(amount: float) -> str:
    return f"{amount:.2f} €".replace(".", ",")


def _short(text: str) -> str:
    said = " ".join(text.split())
    return said if len(said) <= QUESTION else said[:QUESTION].rsplit(" ", 1)[0] + "…"
