"""Why an answer says what it says, from its record: plan, sources, what was left out, computed values, model, time."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from slack_sdk.models.blocks import Block, ContextBlock, MarkdownTextObject, SectionBlock

from bot.slack.blocks.judging import VERDICTS, why_button
from bot.slack.blocks.text import chunks, escape, french_day, french_time, link, unbroken
from bot.slack.blocks.uploads import FILE_SCHEMES
from pipeline.text.cleaning import hosts_of, inert
from pipeline.toolbox import NAMES as TOOLS
from pipeline.tools.calculation.fields import FIELDS
from pipeline.tools.calculator import NAMES as CALCULATIONS
from pipeline.tools.facts import FactsTool
from pipeline.tools.facts import named as facts_named

Dicts = list[dict[str, Any]]

MODES: Final = {
    "rag": "recherche dans le corpus", "tools": "outils et données en direct",
    "rag+tools": "recherche dans le corpus, outils et données en direct", "none": "réponse sans recherche",
}  # fmt: skip
STEPS: Final = {
    "read": "lecture",
    "evidence": "sources",
    "draft": "rédaction et vérification",
    "propose": "proposition",
}
ARGUMENTS: Final = {
    "insee": "commune (code INSEE)", "name": "nom", "query": "mots", "kind": "type", "view": "vue", "text": "mots",
    "deal_id": "dossier n°", "owner": "conseiller", "commune": "commune", "open": "ouverts", "limit": "au plus",
    "year": "année", "years": "années", "rooms": "pièces", "address": "adresse", "words": "mots du message",
    "schemes": "dispositifs", "late": "en retard", "sort": "ordre", "stage": "étape",
}  # fmt: skip
FACTS: Final = FactsTool.name
SENTENCE: Final = 280
"""Characters shown of a sentence."""
MOST_SHOWN: Final = 12
QUESTION: Final = 120


def why_blocks(row: Mapping[str, Any], *, verdicts: Mapping[str, str]) -> Dicts:
    """`row`: the answer as stored; `verdicts`: who said what of it, by user id."""
    record = row["record"] or {}
    parts = (
        ("Plan", _plan(record)),
        ("Sources", _sources(record)),
        ("Écarté ou remplacé", _left_out(record)),
        ("Valeurs calculées", _computed(record)),
        ("Vérifications", _checks(record)),
        ("Modèle, temps, coût", _cost(row, record)),
        ("Avis", _opinions(verdicts)),
    )
    blocks: list[Block] = [SectionBlock(text=f"*Pourquoi cette réponse ?*\n> {_short(row['question'], QUESTION)}")]
    for title, lines in parts:
        if said := list(lines):
            blocks.extend(SectionBlock(text=piece) for piece in chunks([f"*{title}*", *said]))
    seen = f"Répondu le {french_time(row['answered_at'])} · visible de vous seul" if row["answered_at"] else ""
    blocks.append(ContextBlock(elements=[MarkdownTextObject(text=seen or "Visible de vous seul")]))
    return [block.to_dict() for block in blocks[:50]]


def recent_blocks(rows: Sequence[Mapping[str, Any]]) -> Dicts:
    """The last answers of a place, each with its button: a command knows the channel, not the thread."""
    if not rows:
        return [SectionBlock(text="Je n'ai encore rien répondu ici qui ait été cherché ou calculé.").to_dict()]
    blocks = [SectionBlock(text="*Pourquoi ?* Mes dernières réponses ici :")]
    for row in rows:
        told = f"<@{row['asked_by']}>, le {french_time(row['asked_at'])}\n> {_short(row['question'], QUESTION)}"
        blocks.append(SectionBlock(text=told, accessory=why_button(row)))
    return [block.to_dict() for block in blocks]


def _plan(record: Mapping[str, Any]) -> Iterator[str]:
    route = record.get("route") or {}
    mode = MODES.get(route.get("mode", ""), "inconnu")
    yield f"• {mode[:1].upper()}{mode[1:]}"
    if query := route.get("query"):
        yield f"• Compris comme : « {_short(query)} »"
    for sub_query in (said for said in route.get("sub_queries") or () if said != query):
        yield f"• Cherché aussi : « {_short(sub_query)} »"
    for call in route.get("calls") or ():
        told = _short(facts_named(call["arguments"])) if call["tool"] == FACTS else _arguments(call)
        yield f"• Outil « {TOOLS.get(call['tool'], _plain(call['tool']))} »{f' : {told}' if told else ''}"
    for reason in route.get("reasons") or ():
        yield f"• {_short(reason[:1].upper() + reason[1:])}"


def _arguments(call: Mapping[str, Any]) -> str:
    return ", ".join(_argument(call, name, value) for name, value in call["arguments"].items())


def _argument(call: Mapping[str, Any], name: str, value: Any) -> str:
    """An argument in the words of the calculators' own table, or of `ARGUMENTS`."""
    kind = call["arguments"].get("kind") if call["tool"] == "calculator" else None
    if kind is not None and name == "kind":
        return _short(CALCULATIONS.get(kind, kind), 80)
    fields = {field.name: field for field in FIELDS.get(kind or "", ())}
    unit = fields[name].unit if name in fields and fields[name].unit in ("€", "%", "mois", "ans", "m²") else ""
    label = re.sub(r"^(?:les?|la|l')\s?", "", fields[name].label) if name in fields else ARGUMENTS.get(name, name)
    shown = [_number(each, unit) for each in (value if isinstance(value, list) else [value])]
    return f"{_short(label, 60)} {' et '.join(shown)}"


def _number(value: Any, unit: str = "") -> str:
    if isinstance(value, bool):
        return "oui" if value else "non"
    if not isinstance(value, int | float):
        return _short(str(value), 80)
    text = f"{value:,.2f}".rstrip("0").rstrip(".").replace(",", "\u202f").replace(".", ",")
    return f"{text}\u00a0{_short(unit, 20)}".rstrip()


def _sources(record: Mapping[str, Any]) -> Iterator[str]:
    prints = {found["id"]: found for found in record.get("evidence") or ()}
    cited = {citation["id"]: citation for citation in record.get("citations") or ()}
    for number, citation in cited.items():
        dated = f" · {french_day(citation['as_of'])}" if citation.get("as_of") else ""
        title = _plain(citation["title"], hosts=hosts_of([citation["url"]]))
        shown = link(citation["url"], title, schemes=FILE_SCHEMES)
        digest = (prints.get(number) or {}).get("sha256", "")[:12]
        yield f"• [{number}] {shown}{dated}{f' · empreinte `{digest}`' if digest else ''}"
    others = [found for number, found in prints.items() if number not in cited]
    if others:
        named = dict.fromkeys(_short(found.get("title") or found["source"], 60) for found in others)
        more = "…" if len(named) > MOST_SHOWN else ""
        yield f"• Lues et non citées ({len(others)}) : {' ; '.join(list(named)[:MOST_SHOWN])}{more}"


def _left_out(record: Mapping[str, Any]) -> Iterator[str]:
    for each in (record.get("replaced") or ())[:MOST_SHOWN]:
        yield f"• ~{_short(each['sentence'])}~\n   remplacée par : « {_short(each['by'])} »"
        yield f"   motif : {_short(each['reason'])}"
    for each in (record.get("dropped") or ())[:MOST_SHOWN]:
        yield f"• ~{_short(each['sentence'])}~\n   écartée : {_short(each['reason'])}"


def _computed(record: Mapping[str, Any]) -> Iterator[str]:
    entries = [*(record.get("ledger") or ()), *(record.get("recomputed") or ())]
    for entry in entries[: 2 * MOST_SHOWN]:
        yield f"• {_short(entry['label'], 80)} : {_number(entry['value'], entry['unit'])} = {_short(entry['formula'])}"


def _checks(record: Mapping[str, Any]) -> Iterator[str]:
    if checked := record.get("figures_checked"):
        many = "s" if checked > 1 else ""
        yield f"• {checked} chiffre{many} retrouvé{many} dans les sources citées ou recalculé{many}"
    if refusal := record.get("refusal"):
        yield f"• Refus : {_short(refusal)}"
    for gap in record.get("degraded") or ():
        yield f"• {_short(gap)}"


def _cost(row: Mapping[str, Any], record: Mapping[str, Any]) -> Iterator[str]:
    cost = record.get("cost") or {}
    tokens = (cost.get("prompt_tokens") or 0) + (cost.get("completion_tokens") or 0)
    model = f"`{_short(row['model'] or '', 80)}`" if tokens else "aucun : extraits choisis par le programme"
    yield f"• Modèle : {model}"
    taken = (record.get("steps") or {}).items()
    steps = ", ".join(f"{STEPS.get(name, _plain(name))} {_seconds(seconds)}" for name, seconds in taken)
    yield f"• Temps : {_seconds(row['seconds'] or 0.0)}{f' ({steps})' if steps else ''}"
    if tokens:
        euros = row["euros"]
        price = "prix inconnu" if euros is None else f"{euros:.4f} €".replace(".", ",")
        yield f"• Coût : {price} pour {tokens} jetons"
    else:
        yield "• Coût : aucun"


def _opinions(verdicts: Mapping[str, str]) -> Iterator[str]:
    for user, verdict in verdicts.items():
        yield f"• <@{user}> : {VERDICTS.get(verdict, verdict).lower()}"


def _seconds(value: float) -> str:
    return f"{value:.2f} s".replace(".", ",")


def _short(text: str, most: int = SENTENCE) -> str:
    line = _plain(text)
    return line if len(line) <= most else line[:most].rsplit(" ", 1)[0] + "…"


def _plain(text: str, *, hosts: frozenset[str] = frozenset()) -> str:
    """Whatever it says, it is text here: a draft that was refused may hold anything."""
    return unbroken(escape(inert(text, hosts=hosts).replace("~", " ")))
