"""Which messages are meant for us, and why the others are left alone: rules only, no Slack library."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from bot.conversations.visitor import installed_team
from bot.slack.files import DroppedFile, dropped_files
from bot.store import threads
from bot.store.inbox import Inbound, asked_at

MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|[^>]*)?>")
CHANNEL = re.compile(r"<#[A-Z0-9]+(?:\|([^>]*))?>")
SPECIAL = re.compile(r"<![^>]*>")
LINK = re.compile(r"<((?:https?|mailto|tel):[^|>]+)(?:\|([^>]*))?>")
ASKS = re.compile(
    r"\?|(?:^|[.!;:\n,])\W{0,9}(?:(?:et|puis|bonjour|merci|stp|svp|@\w+)\W{1,9}){0,4}(?:quel|qui\b|que\b|qu['’]|quoi|comment|combien|"
    r"pourquoi|où\b|quand\b|est-ce|peu[tx]|pouvez|pourr|fa(?:ut|udrait)|doi[st]|résume|synthétise|explique|compare|"
    r"calcule|donne|liste|trouve|cherche|dis\b|dites|note|ajoute[rz]? une|cré[eé]|rappelle|approfondi|montre|analyse|"
    r"vérifie|estime|simule|rédige|prépare|mets|mettez|extrai|repère|relève|je (?:veux|voudrais|cherche|souhaite))",
    re.IGNORECASE,
)
"""A question or a request, where a sentence opens with one; what else comes with a file only presents it."""
LONGEST_WORDS_BESIDE = 4_000
"""Characters looked at: whoever writes more beside a file asks early."""
NOT_OURS, NOT_ADDRESSED = "not our thread", "has not addressed us in this thread"
FOLLOWS_SECONDS = 10.0
"""So soon after its root a message may be handled before it."""
SPOKEN_SUBTYPES = {None, "file_share", "thread_broadcast"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A person's message that may be meant for us. `mentioned`: by name; `to_others`: it opens with another's name;
    `whole`: with its files, which an `app_mention` leaves out."""

    message: Inbound
    mentioned: bool
    to_others: bool
    in_thread: bool
    files: tuple[DroppedFile, ...] = ()
    whole: bool = True

    @property
    def may_be_for_us(self) -> bool:
        """False for what colleagues say to each other in a channel: nobody looks up who said it."""
        return self.mentioned or self.in_thread or self.message.channel_type == "im"


def read_event(body: Mapping[str, Any], *, bot_user_id: str) -> Candidate | str:
    """A candidate, or the reason (for the log) why nobody awaits an answer to this event."""
    event = body.get("event") or {}
    if event.get("subtype") not in SPOKEN_SUBTYPES:
        return f"subtype {event.get('subtype')}"
    if event.get("bot_id") or event.get("app_id") or not event.get("user") or event["user"] == bot_user_id:
        return "not a person"
    if not event.get("channel") or not event.get("ts"):
        return "no place"
    raw = str(event.get("text") or "")
    mentions = MENTION.findall(raw)
    opening = MENTION.match(raw.strip())
    message = Inbound(
        team_id=installed_team(body),
        event_id=str(body.get("event_id") or f"{event['channel']}:{event['ts']}"),
        channel=event["channel"],
        channel_type=_channel_type(event),
        ts=event["ts"],
        thread_ts=event.get("thread_ts") or event["ts"],
        user_id=event["user"],
        text=plain_text(raw, bot_user_id=bot_user_id),
    )
    return Candidate(
        message=message,
        mentioned=bot_user_id in mentions,
        to_others=opening is not None and opening.group(1) != bot_user_id,
        in_thread=bool(event.get("thread_ts")),
        files=dropped_files(event.get("files") or ()),
        whole=event.get("type") != "app_mention",
    )


def is_for_us(connection: sa.Connection, candidate: Candidate) -> str | None:
    """None when the message is meant for us, else the reason why not.

    Direct messages and mentions always are. In a thread where we speak, so is a follow-up by somebody who already
    addressed us there; two colleagues talking to each other in that thread are not interrupted. Under a digest of ours
    a question is for us, whoever asks it.
    """
    message = candidate.message
    if candidate.mentioned or message.channel_type == "im":
        return None
    if not candidate.in_thread:
        return "not addressed"
    if candidate.to_others:
        return "addressed to somebody else"
    key = {"team_id": message.team_id, "thread_key": message.thread_key}
    if not threads.knows(connection, **key):
        return NOT_OURS
    if threads.is_opened_by_us(connection, **key) and is_question(message.text):
        return None
    # What they said to others before they turned to us stays theirs, also where we read it later.
    if not threads.has_addressed(connection, user_id=message.user_id, before=asked_at(message.ts), **key):
        return NOT_ADDRESSED
    return None


def may_be_soon(candidate: Candidate, reason: str) -> bool:
    """Whether what this message follows, the question that makes it ours, may be on its way beside it."""
    if reason == NOT_ADDRESSED:
        return True
    message = candidate.message
    return reason == NOT_OURS and float(message.ts) - float(message.thread_ts) < FOLLOWS_SECONDS


def files_are_for_us(connection: sa.Connection, candidate: Candidate) -> bool:
    """Also those that a colleague puts into a thread of ours: they are offered there, and read after a click only."""
    message = candidate.message
    if not candidate.files or candidate.to_others:
        return False
    if candidate.mentioned or message.channel_type == "im":
        return True
    key = {"team_id": message.team_id, "thread_key": message.thread_key}
    return candidate.in_thread and threads.knows(connection, **key)


def is_question(text: str) -> bool:
    """Whether the words beside a file ask for something; « voici le règlement » does not."""
    return ASKS.search(text[:LONGEST_WORDS_BESIDE]) is not None


def plain_text(raw: str, *, bot_user_id: str) -> str:
    """Slack's escaped text as a person wrote it: our mention removed, links and names readable."""
    text = MENTION.sub(lambda m: "" if m.group(1) == bot_user_id else f"@{m.group(1)}", raw)
    text = CHANNEL.sub(lambda m: f"#{m.group(1) or 'canal'}", text)
    text = SPECIAL.sub("", text)
    text = LINK.sub(lambda m: m.group(2) or m.group(1), text)
    return html.unescape(text).replace("\x00", "").strip()


def _channel_type(event: Mapping[str, Any]) -> str:
    if kind := event.get("channel_type"):
        return str(kind)
    return {"D": "im", "G": "group"}.get(str(event["channel"])[:1], "channel")
