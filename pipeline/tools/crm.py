"""The tool "crm": what HubSpot says of one deal, in French sentences, private to those who may see it."""

import re
from datetime import date, datetime

from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader
from pipeline.types import Deal, Figure, ToolCall, ToolResult

MISSING = "Précisez le numéro du dossier, par exemple « dossier 1234 »."


class CrmTool:
    """`arguments`: `{"deal_id": str}`. Everything it returns is `private`; CRM text is data and cites nothing."""

    name = "crm"

    def __init__(self, reader: CrmReader) -> None:
        self._reader = reader

    async def run(self, call: ToolCall) -> ToolResult:
        deal_id = str(call.arguments.get("deal_id") or "").strip()
        if not deal_id:
            return ToolResult(call=call, private=True, error=MISSING)
        try:
            deal = await self._reader.deal(deal_id)
        except CrmUnavailable as error:
            return ToolResult(call=call, private=True, error=f"{str(error).rstrip('.')}.")
        if deal is None:
            return ToolResult(call=call, private=True, error=f"Le dossier {deal_id} est introuvable dans HubSpot.")
        return ToolResult(
            call=call,
            title=f"HubSpot : {_quoted(deal.name)}",
            text=" ".join(_sentences(deal)),
            figures=_figures(deal),
            url=deal.url,
            as_of=deal.updated_at.date() if deal.updated_at else None,
            private=True,
        )


def _sentences(deal: Deal) -> list[str]:
    """One fact a sentence, in the order in which a colleague would tell them."""
    name = _quoted(deal.name)
    known = [f"au stade « {_quoted(deal.stage)} »"] if deal.stage else []
    known += [f"pour un montant de {_euros(amount)}"] if (amount := _amount(deal)) is not None else []
    known += [f"suivi par {_quoted(deal.owner)}"] if deal.owner else []
    said = [f"Le dossier « {name} » (n° {deal.id}) est {', '.join(known)}." if known else f"Dossier « {name} »."]
    if (day := _day(deal.properties.get("closedate", ""))) is not None:
        said.append(f"La date de signature prévue est le {day:%d/%m/%Y}.")
    if deal.contacts:
        label = "Contact" if len(deal.contacts) == 1 else "Contacts"
        said.append(f"{label} : {', '.join(map(_quoted, deal.contacts))}.")
    if step := deal.properties.get("hs_next_step"):
        said.append(f"Prochaine étape notée : « {_quoted(step)} ».")
    if description := deal.properties.get("description"):
        said.append(f"Description : « {_quoted(description)} ».")
    if deal.notes:
        said += [_noted(note) for note in deal.notes]
    else:
        said.append("Aucune note n'est enregistrée sur ce dossier.")
    return said


def _noted(note: str) -> str:
    dated = re.match(r"(\d{2}/\d{2}/\d{4}) : (.*)", note, re.DOTALL)
    return f"Note du {dated[1]} : « {_quoted(dated[2])} »." if dated else f"Note : « {_quoted(note)} »."


def _figures(deal: Deal) -> tuple[Figure, ...]:
    amount = _amount(deal)
    return (Figure("Montant du dossier", amount, "€"),) if amount is not None else ()


def _amount(deal: Deal) -> float | None:
    return float(deal.amount) if re.fullmatch(r"\d{1,12}(\.\d+)?", deal.amount) else None


def _euros(amount: float) -> str:
    shown = f"{amount:,.0f}" if amount == int(amount) else f"{amount:,.2f}".replace(".", "\0")
    return shown.replace(",", "\u202f").replace("\0", ",") + "\u00a0€"


def _day(text: str) -> date | None:
    try:
        return datetime.fromisoformat(text).date() if text else None
    except ValueError:
        return None


def _quoted(text: str) -> str:
    """CRM text inside our sentence: one line, no brackets that could pass for a citation, no closing quote."""
    one_line = " ".join(text.split())
    return one_line.translate(str.maketrans("[]«»<>", '()""()')).rstrip(".")
