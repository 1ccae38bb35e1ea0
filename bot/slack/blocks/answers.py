"""An answer's record -> blocks: text, sources with links made by code, checks and missing parts in the footer."""

from collections.abc import Iterable, Mapping
from typing import Any

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ContextBlock,
    MarkdownTextObject,
    SectionBlock,
)

from bot.slack.blocks.follow_ups import asked_line, asking_button, follow_up_row
from bot.slack.blocks.judging import judging_row
from bot.slack.blocks.tables import answer_body
from bot.slack.blocks.text import chunks, escape, french_day, link, unbroken
from bot.slack.blocks.uploads import FILE_SCHEMES
from pipeline.text.cleaning import linked

Dicts = list[dict[str, Any]]
KINDS = {"sales": "prix", "crm": "HubSpot"}
CONTEXT_LIMIT = 2_900
OWN_FILE = "passage:file:"
MOST_CHOICES = 25


def answer_blocks(row: Mapping[str, Any]) -> Dicts:
    """`row` is an answer as stored; a refusal and small talk have neither sources nor checks to show."""
    record = row["record"] or {}
    blocks: list[Block] = [*asked_line(row), *answer_body(_told(row) or " ")]
    if remarks := record.get("remarks"):
        blocks.extend(
            SectionBlock(text=piece)
            for piece in chunks([f":information_source: {unbroken(escape(r))}" for r in remarks])
        )
    if choices := record.get("choices"):
        blocks.append(ActionsBlock(elements=[_choice(choice) for choice in choices[:MOST_CHOICES]]))
    if lines := _sources(record.get("citations", ()), own=_own_files(record)):
        blocks.extend(SectionBlock(text=piece) for piece in chunks(["*Sources*", *lines]))
    if by := record.get("stopped_by"):
        blocks.append(ContextBlock(elements=[MarkdownTextObject(text=f"Arrêtée par <@{by}>")]))
    if footer := _footer(record):
        blocks.append(ContextBlock(elements=[MarkdownTextObject(text=footer[:CONTEXT_LIMIT])]))
    blocks.extend(follow_up_row(row))
    blocks.extend(judging_row(row))
    return [block.to_dict() for block in blocks]


def answer_text(row: Mapping[str, Any]) -> str:
    """The same without blocks: for notifications and as the last rung of the ladder."""
    sources = [f"[{c['id']}] {c['title']} {c['url']}".strip() for c in (row["record"] or {}).get("citations", ())]
    return escape("\n".join((_told(row), *sources)))


def _told(row: Mapping[str, Any]) -> str:
    """The text, whoever wrote it, without an address that this answer does not cite."""
    record = row["record"] or {}
    cited = (*(citation["url"] for citation in record.get("citations", ())), *record.get("links", ()))
    return linked(row["text"] or "", cited)


def failure_text(reference: str) -> str:
    return (
        "Je n'ai pas pu terminer cette réponse : une erreur technique est survenue de mon côté. "
        "Vous pouvez reposer la question ; si cela se reproduit, donnez à votre administrateur la référence "
        f"`{reference}`."
    )


def _choice(choice: Mapping[str, Any]) -> ButtonElement:
    """The button carries the INSEE code only; the question stands in the answer's record."""
    return asking_button(choice["insee"], choice["label"])


def _own_files(record: Mapping[str, Any]) -> frozenset[int]:
    """The numbers of the evidence that comes from files of this team: their permalinks come from Slack itself."""
    return frozenset(e["id"] for e in record.get("evidence", ()) if e["source"].startswith(OWN_FILE))


def _sources(citations: Iterable[Mapping[str, Any]], *, own: frozenset[int]) -> list[str]:
    """One line a source; passages of the same page share it."""
    numbers: dict[str, list[str]] = {}
    for citation in citations:
        if citation["id"] in own:
            shown = (
                f"{link(citation['url'], citation['title'], schemes=FILE_SCHEMES)} · fichier ajouté par votre équipe"
            )
            numbers.setdefault(shown, []).append(f"[{citation['id']}]")
            continue
        kind = KINDS.get(citation["kind"])
        seen = "lu le" if citation["kind"] == "web" else "au"
        dated = f" · {seen} {french_day(citation['as_of'])}" if citation.get("as_of") else ""
        shown = f"{link(citation['url'], unbroken(citation['title']))}{f' · {kind}' if kind else ''}{dated}"
        numbers.setdefault(shown, []).append(f"[{citation['id']}]")
    return [f"{' '.join(ids)} {shown}" for shown, ids in numbers.items()]


def _footer(record: Mapping[str, Any]) -> str:
    parts: list[str] = []
    if checked := record.get("figures_checked"):
        parts.append(
            f"{checked} chiffre{'s' if checked > 1 else ''} vérifié{'s' if checked > 1 else ''} dans les sources"
        )
    if dropped := record.get("sentences_dropped"):
        parts.append(
            f"{dropped} phrase{'s' if dropped > 1 else ''} écartée{'s' if dropped > 1 else ''} faute de source"
        )
    said = record.get("refusal") or ""
    parts.extend(gap for gap in record.get("degraded", ()) if gap not in said)  # a refusal is its own reason
    if record.get("citations"):
        parts.append("Information générale destinée à un professionnel, pas un conseil personnalisé")
    return unbroken(escape(" · ".join(part.rstrip(".") for part in parts)))
