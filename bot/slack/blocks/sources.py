"""The list of sources as a modal: name, kind, passages, who added it and when, where it is seen, and its removal."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from slack_sdk.models.blocks import (
    Block,
    ButtonElement,
    ContextBlock,
    DividerBlock,
    InputBlock,
    MarkdownTextObject,
    PlainTextInputElement,
    SectionBlock,
)
from slack_sdk.models.views import View

from bot.slack.blocks.text import escape, french_day, link, verbatim
from bot.slack.blocks.uploads import FILE_SCHEMES, removal, seen_by
from bot.slack.files import LABELS

LIST, WITHDRAW, SEARCH, WORDS = "sources_list", "source_withdraw", "search", "words"
SHOWN = 30
"""Three blocks a source: within the 100 of a modal."""
WORDS_LIMIT = 200
NEWS = "*Actualités officielles*"
SECTION_LIMIT = 3_000
KINDS = {**LABELS, "page": "page officielle", "feed": "fil d'actualité", "wikipedia": "Wikipédia"}


def sources_view(
    rows: Sequence[Mapping[str, Any]],
    *,
    channel: str,
    words: str,
    total: int,
    built_in: int | None,
    removable: frozenset[str],
    by_command: int = 0,
    news: Sequence[str] = (),
    said: str = "",
) -> dict[str, Any]:
    """`removable`: ids that this person may remove; `news`: a line a feed; `said`: what became of the last click."""
    blocks: list[Block] = [
        InputBlock(
            block_id=SEARCH,
            label="Chercher",
            optional=True,
            element=PlainTextInputElement(
                action_id=WORDS, initial_value=words[:WORDS_LIMIT], max_length=WORDS_LIMIT,
                placeholder="Un nom de fichier, ou des mots de son contenu",
            ),
        ),
        *([SectionBlock(text=said)] if said else []),
        SectionBlock(text=_summary(len(rows), total, words)),
    ]  # fmt: skip
    for row in rows[:SHOWN]:
        blocks += [DividerBlock(), *_source(row, removable=row["source_id"] in removable)]
    if len(rows) > SHOWN:
        blocks.append(SectionBlock(text=f"… et {len(rows) - SHOWN} autres : précisez votre recherche."))
    blocks += [DividerBlock(), ContextBlock(elements=[MarkdownTextObject(text=_articles(built_in, by_command))])]
    if news:
        blocks.append(SectionBlock(text=_cut("\n".join([NEWS, *(f"• {escape(line)}" for line in news)]))))
    view = View(
        type="modal",
        callback_id=LIST,
        title="Sources",
        submit="Chercher",
        close="Fermer",
        private_metadata=json.dumps({"channel": channel, "words": words[:WORDS_LIMIT]}),
        blocks=verbatim(block.to_dict() for block in blocks),
    )
    return dict(view.to_dict())


def read_metadata(view: Mapping[str, Any]) -> tuple[str, str]:
    """(channel, words) that the list was opened for."""
    try:
        stored = json.loads(view.get("private_metadata") or "{}")
    except ValueError:
        return "", ""
    return str(stored.get("channel") or ""), str(stored.get("words") or "")


def read_words(view: Mapping[str, Any]) -> str:
    """What stands in the search field."""
    values = (view.get("state") or {}).get("values") or {}
    return str(((values.get(SEARCH) or {}).get(WORDS) or {}).get("value") or "").strip()


def _source(row: Mapping[str, Any], *, removable: bool) -> list[Block]:
    name = link(row["url"], row["name"], schemes=FILE_SCHEMES)
    kind = KINDS.get(row["kind"], row["kind"])
    passages = f"{row['passages']} passage{'s' if row['passages'] > 1 else ''}"
    when = french_day(row["decided_at"] or row["added_at"])
    adder = row["decided_by"] or row["added_by"]
    who = "en ligne de commande" if adder == "cli" else f"par <@{adder}>"
    facts = f"{kind} · {passages} · ajouté {who} le {when} · {seen_by(row)}"
    button = None
    if removable:
        button = ButtonElement(
            text="Retirer", action_id=WITHDRAW, value=row["source_id"], style="danger", confirm=removal(row)
        )
    return [
        SectionBlock(text=f"*{name}*", accessory=button),
        ContextBlock(elements=[MarkdownTextObject(text=facts)]),
    ]


def _cut(text: str) -> str:
    """Whole lines within what Slack shows of a section."""
    if len(text) <= SECTION_LIMIT:
        return text
    return f"{text[: SECTION_LIMIT - 2].rsplit(chr(10), 1)[0]}\n…"


def _summary(found: int, total: int, words: str) -> str:
    if not total:
        return (
            "Aucun fichier n'a été ajouté pour cette conversation. Déposez un fichier dans un fil avec moi : je vous "
            "proposerai de m'en servir."
        )
    if words:
        return f"{found} source{'s' if found > 1 else ''} sur {total} pour « {escape(words)} », vues d'ici."
    many = "s" if total > 1 else ""
    return f"{total} source{many} vue{many} d'ici : celles de l'équipe et celles de cette conversation."


def _articles(built_in: int | None, by_command: int) -> str:
    if built_in is None:
        return "Corpus intégré : la base documentaire ne répond pas pour l'instant."
    said = f"Corpus intégré : {built_in} articles datés, livrés avec QuartierScope ; ils ne se retirent pas."
    if not by_command:
        return said
    many = "s" if by_command > 1 else ""
    return f"{said}\nEt {by_command} fichier{many} ajouté{many} en ligne de commande par votre administrateur."
