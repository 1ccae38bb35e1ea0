"""A record as a person would open it from a link in Slack: read-only, plain HTML, everything escaped."""

from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from sandbox.hubspot.crm import Crm
from sandbox.hubspot.records import Record
from sandbox.hubspot.refusals import Refusal
from sandbox.hubspot.schema import PROPERTIES, TYPE_NUMBERS

_STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1d2b36}
h1{font-size:1.3rem}h2{font-size:1.05rem;margin-top:2rem}dt{color:#5b6b78;font-size:.85rem}dd{margin:0 0 .6rem}
article{border-left:3px solid #d5dde3;padding:.2rem .8rem;margin:.8rem 0;overflow-wrap:anywhere}
article.here{border-color:#c4572f;background:#fdf4ef}.tag{color:#8a4b2c;font-size:.85rem}"""


async def record_page(crm: Crm, request: Request) -> Response:
    kinds = {number: kind for kind, number in TYPE_NUMBERS.items()}
    try:
        record = crm.get(kinds.get(request.path_params["number"], ""), request.path_params["id"])
    except Refusal:
        return HTMLResponse(_document("Fiche introuvable", "<p>Cette fiche n'existe pas ou plus.</p>"), 404)
    here = request.query_params.get("engagement", "")
    body = _fields(record)
    for kind, title in (("notes", "Notes"), ("tasks", "Tâches"), ("contacts", "Contacts"), ("deals", "Dossiers")):
        linked = crm.linked(record.kind, record.id, kind) if kind != record.kind else []
        if linked:
            body += f"<h2>{title}</h2>" + "".join(_card(r, here=r.id == here) for r in reversed(linked))
    return HTMLResponse(_document(record.value("dealname") or f"Fiche {record.id}", body))


def _fields(record: Record) -> str:
    labels = PROPERTIES[record.kind]
    shown = ((labels[n].label, record.value(n)) for n in labels)
    return "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in shown if v) + "</dl>"


def _card(record: Record, *, here: bool) -> str:
    return f'<article class="{"here" if here else ""}">{_fields(record)}</article>'


def _document(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{_STYLE}</style></head>'
        f'<body><p class="tag">Bac à sable : HubSpot fictif</p><h1>{escape(title)}</h1>{body}</body></html>'
    )
