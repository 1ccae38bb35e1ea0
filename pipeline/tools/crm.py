"""The tool "crm": what HubSpot says of one deal, in French sentences, private to those who may see it."""

import re
from datetime import date, datetime

from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader
from pipeline.types import Deal, Figure, ToolCall, ToolResult

MISSING = "Précisez le dossier, par exemple « dossier 1234 » ou « dossier Martin »."


class CrmTool:
    """`arguments`: `{"deal_id": str}` or `{"deal_name": str}`, a name that one deal alone must bear. Everything it
    returns is `private`; CRM text is data and cites nothing.
    """

    name = "crm"

    def __init__(self, reader: CrmReader) -> None:
        self._reader = reader

    async def run(self, call: ToolCall) -> ToolResult:
        deal_id, name = (str(call.arguments.get(key) or "").strip() for key in ("deal_id", "deal_name"))
        if not deal_id and not name:
            return ToolResult(call=call, private=True, error=MISSING)
        try:
            deal, missing = await (self._by_id(deal_id) if deal_id else self._by_name(name))
        except CrmUnavailable as error:
            return ToolResult(call=call, private=True, error=f"{str(error).rstrip('.')}.")
        if deal is None:
            return ToolResult(call=call, private=True, error=missing)
        return ToolResult(
            call=call,
            title=f"HubSpot : {_quoted(deal.name)}",
            text=" ".join(_sentences(deal)),
            figures=_figures(deal),
            url=deal.url,
            as_of=deal.updated_at.date() if deal.updated_at else None,
            private=True,
        )

    async def _by_id(self, deal_id: str) -> tuple[Deal | None, str]:
        return await self._reader.deal(deal_id), f"Le dossier {deal_id} est introuvable dans HubSpot."

    async def _by_name(self, name: str) -> tuple[Deal | None, str]:
        found = await self._reader.find_deals(name)
        if len(found) == 1:
            return await self._by_id(found[0].id)  # the search brings neither notes nor contacts
        if not found:
            return None, f"Aucun dossier ne correspond à « {_quoted(name)} » dans HubSpot."
        listed = ", ".join(f"{_quoted(deal.name)} (n° {deal.id})" for deal in found)
        return None, f"Plusieurs dossiers correspondent à « {_quoted(name)} » : {listed}. Précisez le numéro."


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
