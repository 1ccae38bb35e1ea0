"""A record as a person would open it from a link in Slack: read-only, plain HTML, everything escaped."""

import re
from datetime import datetime
from html import escape, unescape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from sandbox.hubspot.crm import Crm
from sandbox.hubspot.records import Record
from sandbox.hubspot.refusals import Refusal
from sandbox.hubspot.schema import PROPERTIES, TYPE_NUMBERS, Property

_STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1d2b36}
h1{font-size:1.3rem}h2{font-size:1.05rem;margin-top:2rem}dt{color:#5b6b78;font-size:.85rem}dd{margin:0 0 .6rem;
white-space:pre-line}article{border-left:3px solid #d5dde3;padding:.4rem .8rem;margin:.8rem 0;overflow-wrap:anywhere}
article.here{border-color:#c4572f;background:#fdf4ef}.tag{color:#8a4b2c;font-size:.85rem}"""
_TECHNICAL = frozenset({"pipeline", "hs_object_id", "createdate", "hs_createdate", "hs_task_type"})


async def record_page(crm: Crm, request: Request) -> Response:
    kinds = {number: kind for kind, number in TYPE_NUMBERS.items()}
    try:
        record = crm.get(kinds.get(request.path_params["number"], ""), request.path_params["id"])
    except Refusal:
        return HTMLResponse(_document("Fiche introuvable", "<p>Cette fiche n'existe pas ou plus.</p>"), 404)
    here = request.query_params.get("engagement", "")
    body = _fields(crm, record)
    for kind, title in (("notes", "Notes"), ("tasks", "Tâches"), ("contacts", "Contacts"), ("deals", "Dossiers")):
        linked = crm.linked(record.kind, record.id, kind) if kind != record.kind else []
        if linked:
            body += f"<h2>{title}</h2>" + "".join(_card(crm, r, here=r.id == here) for r in reversed(linked))
    return HTMLResponse(_document(record.value("dealname") or f"Fiche {record.id}", body))


def _fields(crm: Crm, record: Record) -> str:
    rules = (rule for name, rule in PROPERTIES[record.kind].items() if name not in _TECHNICAL)
    shown = ((rule.label, _readable(crm, rule, record.value(rule.name))) for rule in rules)
    return "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in shown if v) + "</dl>"


def _readable(crm: Crm, rule: Property, value: str | None) -> str:
    """Labels for codes, days for timestamps, names for owners, text for HTML."""
    if not value:
        return ""
    if rule.name == "hubspot_owner_id":
        return next((f"{o['firstName']} {o['lastName']}" for o in crm.owners if o["id"] == value), value)
    if rule.name == "amount":
        return f"{float(value):,.0f} €".replace(",", "\u202f")
    if rule.type == "datetime":
        return f"{datetime.fromisoformat(value):%d/%m/%Y}"
    if rule.field_type == "html":
        return unescape(re.sub(r"<[^>]*>", "", re.sub(r"<(br|/p|/li|/div)\b[^>]*>", "\n", value))).strip()
    return dict(rule.options).get(value, value)


def _card(crm: Crm, record: Record, *, here: bool) -> str:
    return f'<article class="{"here" if here else ""}">{_fields(crm, record)}</article>'


def _document(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{_STYLE}</style></head>'
        f'<body><p class="tag">Bac à sable : HubSpot fictif</p><h1>{escape(title)}</h1>{body}</body></html>'
    )
