"""Writes and readings of the CRM that the user asks for in so many words, and the deal they are about."""

import re
from dataclasses import dataclass
from datetime import datetime

from pipeline.routing.due import find_due
from pipeline.routing.words import flat, sentence_start
from pipeline.types import ActionRequest

_POLITE = (
    r"(?:(?:bonjour|salut|stp|svp|s'il (?:te|vous) plait|merci(?: beaucoup)? ?[,.!]?|et|puis|ensuite|aussi|enfin|"
    r"ok|oui|parfait|super|alors|"
    r"maintenant|egalement|au passage|@?quartierscope),? +){0,4}"
)
_REQUEST = (
    r"(?:(?:(?:est-ce que )?(?:tu peux|vous pouvez|tu pourrais|vous pourriez)|(?:peux|pourrais)[- ]tu|(?:pouvez|"
    r"pourriez)[- ]vous|"
    r"merci de|pense[rz]? a|veuille[rz]? (?:bien )?|n'oublie[rz]? pas de?|je (?:veux|voudrais|souhaite|"
    r"souhaiterais) (?:que tu |te demander de )?|"
    r"j'aimerais (?:que tu )?|il faudrait|on peut|tu (?:me )?|vous (?:me )?) *(?:s'il te plait,? |stp,? |aussi |"
    r"egalement |me |m'|nous |l'|le |la |les |y |en )*)?"
)
_START = r"(?:^|(?<=[.!?;:\n,)])|(?<=\bet )|(?<=\bpuis )|(?<=\bensuite )|(?<=\baussi ))[ \-*•]*"
_WHAT = (
    r"(?:ca|cela|ceci|tout (?:ca|cela)|le tout|(?:le|ce|ces|les|mon|ton) (?:resultats?|points?|chiffres?|elements?|"
    r"infos?)|(?:la|cette|ta) (?:reponse|info|information|analyse|synthese)|l'(?:info|essentiel|analyse))"
)
_NOTE_VERB = (
    r"(?:note[rsz]?|consigne[rz]?|inscri(?:s|re|vez)|enregistre[rz]?|sauvegarde[rz]?|garde[rz]?|archive[rz]?|"
    r"documente[rz]?|trace[rz]?)"
)
_MAKE = (
    r"(?:ajoute[rsz]?|cree[rsz]?|creer|met(?:s|tre|tez)|redige[rz]?|ecri(?:s|re|vez)|fai(?:s|re|tes)|laisse[rz]?|"
    r"pose[rz]?|prepare[rz]?|depose[rz]?|propose[rz]?|prend(?:s|re)|saisi[rs]?|programme[rz]?|planifie[rz]?|"
    r"prevoi[rs]|prevoyez|ouvr(?:e|ir|ez)|cale[rz]?|met)"
)
_OBJECTS = r"(?:[- ]?(?:moi|nous|lui|y))?"
_ON_DEAL = r"(?:au|sur le|dans le) (?:dossier|deal)(?: (?:n ?°|numero )?#?\d+)?"
NOTE = re.compile(
    rf"{_START}{_POLITE}{_REQUEST}(?:"
    rf"{_NOTE_VERB}{_OBJECTS}(?:-(?:le|la|les|ca)\b| (?:le|la)(?= +(?:sur|dans|au)\b)|"
    rf" +{_WHAT}\b| +(?P<that>que|qu')(?! *est)|(?: +(?:sur|dans|au|"
    rf"pour) +[^:\n]{{0,60}}?)? *(?P<colon>:))|"
    rf"(?<=l' )?{_NOTE_VERB} +(?:sur|dans|au) +(?:le |la )?(?:dossier|deal|crm|hubspot|fiche)|"
    rf"{_MAKE}{_OBJECTS}(?: +{_ON_DEAL})?(?:-(?:le|la|les|ca)\b| +{_WHAT})? *(?:,|dans|en|"
    rf"sous forme d[e'])? *(?:une?|la|cette|ma|deux)? *(?:petite|courte|nouvelle)? *notes?\b(?! (?:de |"
    rf"d')(?:synthese|conjoncture|marche|cadrage|version|calcul|frais))|"
    rf"{_MAKE}{_OBJECTS}(?:-(?:le|la|les|ca)\b| +{_WHAT}) +(?:sur|dans|au) +(?:le |la |mon )?(?:dossier|deal|crm|"
    rf"hubspot|fiche|affaire)|"
    rf"notes? *(?P<colon2>:))"
)
TASK = re.compile(
    rf"{_START}{_POLITE}{_REQUEST}(?:"
    rf"{_MAKE}{_OBJECTS} *(?:-(?:le|la|ca))? *(?:(?:moi|en) +)?(?:une?|la|cette)? *(?:petite|"
    rf"nouvelle)? *(?:taches?|to-?do|rappels?|relances?)\b(?! (?:logement|du logement))|"
    r"rappelle[zr]?[- ]?(?:moi|nous) (?:de |d'|qu')|tache *:)"
)
PROPERTIES = {
    "hs_next_step": r"prochaines? etapes?|next step|etape suivante",
    "hs_priority": r"priorite",
    "closedate": r"date (?:de )?(?:cloture|signature|closing)(?: prevue)?|date de fermeture|cloture|closing",
    "description": r"description",
    "amount": r"montant|prix du dossier",
    "dealstage": r"(?:etape|statut|phase|stade)(?: du (?:dossier|deal))?",
    "hubspot_owner_id": r"proprietaire du (?:dossier|deal)|responsable(?: du (?:dossier|deal))?|owner",
    "dealname": r"nom du (?:dossier|deal)",
}
_CHANGE = (
    r"(?:met(?:s|tre|tez)|met|passe[rz]?|change[rz]?|modifie[rz]?|defini(?:s|r|ssez)|fixe[rz]?|actualise[rz]?|"
    r"mets? a jour|renseigne[rz]?|remplace[rz]?|bascule[rz]?|indique[rz]?)"
)
UPDATE = re.compile(
    rf"{_START}{_POLITE}{_REQUEST}{_CHANGE}{_OBJECTS} +(?:(?:le|ce) (?:dossier|deal)(?: (?:n°|"
    rf"numero )?#?\d+)? )?(?:a jour )?(?:en |la |le |l'|sa |son )*"
    rf"(?P<property>{'|'.join(f'(?P<{name}>{pattern})' for name, pattern in PROPERTIES.items())})\b"
    r"(?: (?:du|de ce|sur le|dans le) (?:dossier|deal)(?: (?:n°|numero )?#?\d+)?)?(?: (?:de|du|"
    r"de la) [a-z]+)? *(?:a|au|en|sur|par|vers|comme|avec|=|:|->|→)? *"
)
_NUMBER = r"(?:n ?[°o]\.? ?|numero |no\.? |id )?#?(?P<id>\d{1,15})(?![\d]|[.,]\d| ?(?:€|%|euros|k€|m2|m²))"
DEAL_ID = re.compile(
    rf"--deal[ =]+#?(?P<flag>\d{{1,15}})|\b(?:dossiers?|deals?|affaires?|opportunites?) ?:? ?{_NUMBER}|"
    rf"(?<![\w&])#(?P<hash>\d{{2,15}})\b"
)
DEAL_NAME = re.compile(
    r"\b(?:[Dd]ossier|[Dd]eal|[Aa]ffaire)\s+(?:de\s+|des\s+|d')?(?:la\s+famille\s+|l'indivision\s+)?(?:(?:M\.|Mme|"
    r"Mr|Mlle|Monsieur|Madame|Maître|Dr)\s+(?:et\s+Mme\s+)?)?"
    r"(?:«\s*(?P<quoted>[^»\n]{2,80}?)\s*»|\"(?P<straight>[^\"\n]{2,80})\"|"
    r"(?P<name>[A-ZÀ-ÖØ-Ý][\w'’-]*(?:\s+[A-ZÀ-ÖØ-Ý][\w'’-]+){0,3}))"
)
READ = re.compile(
    r"(que|qu'est[- ]ce que|qu'|ce que) (nous )?(dit|disent|contient|raconte|sait|sais|savons|y a|"
    r"dis)[- ]?.{0,40}(dossier|deal|crm|hubspot|fiche|client)|"
    r"ou en est|resume[rz]?.{0,12}(dossier|deal|fiche)|(lis|lire|ouvre|montre|affiche|donne|consulte|sors|rappelle|"
    r"regarde)[- ]?(moi|nous)?.{0,40}(dossier|deal|fiche|crm|hubspot)|"
    r"(qui|quel(le)?s?|quand|combien|quoi).{0,60}\b(dossier|deal|crm|hubspot)\b|(dans|selon|d'apres) (le crm|hubspot)|"
    r"(infos?|informations?|details?|etat|point|statut|situation|montant|notes?|historique|contacts?|avancement|"
    r"etape|priorite) (du|de|sur|des|sur le) (le )?(dossier|deal)|"
    r"^\W*(le )?(dossier|deal) #?\d+ *\?*$|(avons|a)[- ](nous|t-on|on) (note|dit|ecrit)"
)
UNSUPPORTED = re.compile(
    rf"^\W*{_POLITE}{_REQUEST}(?:supprime|efface|envoie|envoye|transfere|archive|fusionne|"
    rf"annule|retire|telephone|ecri[srt]\w*)[rz]?"
    r"\b.{0,40}\b(?:notes?|taches?|dossiers?|deals?|(?:e-?)?mails?|mels?|sms|courriers?|contacts?|crm|hubspot|messages?)\b"
)
_TRAILING_DEAL = re.compile(
    r"[\s,]*(?:\(?\b(?:sur|dans|au|pour|a|du|de)\b\s+)?(?:le |la |mon |ce |l')?(?:dossier|deal|"
    r"affaire)s?\s*:?\s*(?:(?:n ?[°o]\.?|numero)\s*)?#?\d{1,15}\)?|"
    r"\s*--deal[ =]+#?\d+|[\s,]*\b(?:sur|dans|au) (?:le |la )?(?:crm|hubspot|dossier|fiche)\b(?= *(?:$|:))|"
    r"(?<!\w)#\d{2,15}\b"
)
_FLAG = re.compile(r"\s*--deal[ =]+#?\d+")
"""Ties the thread to a deal; nobody asks what the CRM says by it."""
_DEAL_FIRST = re.compile(
    r"^\W*(?:(?:sur|dans|au|pour|à)\s+)?(?:(?:le|la|mon|ce)\s+)?(?:dossier|deal|affaire)\s[^:\n]{1,80}:\s+",
    re.IGNORECASE,
)
"""« au dossier Martin : » before what is to be done."""
_END_OF_SENTENCE = re.compile(r"(?<![ .]m)(?<!\bmme)(?<!\bdr)(?<!\bme)[.!?;](?:\s+(?=[^\W\d_])|\s*$)|\n|\Z")


@dataclass(frozen=True, slots=True)
class Asked:
    """Requests for writes, in order; `rest`: the user's text without them; the deal as said, by number or by name."""

    actions: tuple[ActionRequest, ...]
    rest: str
    deal_id: str | None = None
    deal_name: str | None = None
    reads_crm: bool = False


def read_asks(text: str, *, asked_at: datetime) -> Asked:
    """What one message asks of the CRM. `text` must hold the user's own words only. Never raises."""
    actions: list[ActionRequest] = []
    rest, position = [], 0
    low = flat(text)
    while len(actions) < 4:
        found = _next_request(low, position)
        if found is None:
            break
        kind, match = found
        action, end = _request(kind, match, text, low, asked_at)
        rest.append(text[position : match.start()])
        position = end
        if action is not None:
            actions.append(action)
    rest.append(text[position:])
    remaining = " ".join(part for part in map(_left_over, rest) if part)
    deal_id, deal_name = find_deal(text)
    return Asked(tuple(actions), remaining, deal_id, deal_name, READ.search(flat(_FLAG.sub("", remaining))) is not None)


def _left_over(part: str) -> str:
    """A piece around a request, without the connecting words that led to it; "" when nothing was said."""
    stripped = re.sub(
        r"(?:^|[\s,;])(?:et|puis|ensuite|aussi|alors|stp|svp)[\s,;]*$", "", part.strip(" ,;"), flags=re.IGNORECASE
    )
    return stripped.strip(" ,;").lstrip(".:!)").strip() if any(char.isalnum() for char in stripped) else ""


def find_deal(text: str) -> tuple[str | None, str | None]:
    """Number, else name, of the deal that a text names: `--deal 9001`, "dossier 9001", "#9001", "le dossier Martin"."""
    by_id = DEAL_ID.search(flat(text))
    if by_id:
        return by_id["flag"] or by_id["id"] or by_id["hash"], None
    by_name = DEAL_NAME.search(text)
    if by_name:
        name = (by_name["quoted"] or by_name["straight"] or by_name["name"]).strip()
        return None, name if name.upper() not in ("CRM", "HUBSPOT", "LMNP", "DPE", "PINEL", "CIF", "SCI") else None
    return None, None


def _next_request(low: str, position: int) -> tuple[str, re.Match[str]] | None:
    """The earliest request at or after a position; a task outranks the note it may be phrased as."""
    found = [
        (match.start(), rank, kind, match)
        for rank, (kind, pattern) in enumerate(
            (("update_property", UPDATE), ("create_task", TASK), ("create_note", NOTE))
        )
        if (match := pattern.search(low, position))
    ]
    if not found:
        return None
    _, _, kind, match = min(found, key=lambda item: item[:2])
    return kind, match


def _request(
    kind: str, match: re.Match[str], text: str, low: str, asked_at: datetime
) -> tuple[ActionRequest | None, int]:
    """The request that begins at a match, and where its words end; None when it names nothing to write."""
    end = _sentence_end(low, match.end())
    if kind == "update_property":
        name = next(name for name in PROPERTIES if match[name])
        value = _clean(text[match.end() : end])
        due = find_due(value, asked_at=asked_at) if name == "closedate" else None
        value = due.day.isoformat() if due else value
        return (ActionRequest("update_property", property=name, value=value[:500]) if value else None), end
    if kind == "create_task":
        return _task(match, text, end, asked_at)
    line_end = _line_or_text_end(text, match.end())
    if match["colon"] or match["colon2"]:
        return ActionRequest("create_note", body=_clean(text[match.end() : line_end])), line_end
    if match["that"]:
        return ActionRequest("create_note", body=sentence_start(_clean(text[match.end() : end]))), end
    another = TASK.search(low, match.end())
    colon = re.match(r"[^:.!?\n]{0,80}:(?!\w)", text[match.end() : line_end])
    if another and (another.start() < end or not colon):
        end = min(end, another.start())
    elif colon:
        begin = match.end() + colon.end()
        return ActionRequest("create_note", body=_clean(text[begin:line_end])), line_end
    that = re.match(r"[^:.!?\n]{0,60}?\b(?:que |qu'|disant que |indiquant que |pour dire que )", low[match.end() : end])
    body = sentence_start(_clean(text[match.end() + that.end() : end])) if that else _quoted(text[match.end() : end])
    return ActionRequest("create_note", body=body), end


def _task(match: re.Match[str], text: str, end: int, asked_at: datetime) -> tuple[ActionRequest, int]:
    said = text[match.end() : end]
    if ":" in said:
        end = _line_or_text_end(text, match.end())
        said = text[match.end() : end]
    due = find_due(said, asked_at=asked_at)
    body = said[: due.start] + said[due.end :] if due and due.end - due.start < 60 else said
    body = _DEAL_FIRST.sub("", _clean(body))
    body = re.sub(r"^\W*(?:pour|de|d['’]|afin de|qui dit|intitulée?)\s+", "", body, flags=re.IGNORECASE)
    body = body or ("" if "tache" in match[0] else re.sub(r".*\b(?=rel|rap)", "", match[0]).strip())
    body = re.sub(r"\s+([:,])", r" \1" if ":" in body else r"\1", body).strip(" ,:")
    return ActionRequest("create_task", body=sentence_start(body), due=due.day if due else None), end


def _sentence_end(low: str, start: int) -> int:
    """End of the sentence, not fooled by the dot of `M.`; text in guillemets belongs to it."""
    position = start
    while match := _END_OF_SENTENCE.search(low, position):
        opened = low.count("«", start, match.start()) - low.count("»", start, match.start())
        if opened <= 0 or match.start() >= len(low):
            return match.start()
        position = match.end()
        if position <= match.start():
            position += 1
    return len(low)


def _line_or_text_end(text: str, start: int) -> int:
    """A dictated text runs to the end of the message, or of its paragraph."""
    blank = text.find("\n\n", start)
    return len(text) if blank < 0 else blank


def _quoted(text: str) -> str:
    match = re.search(r"«\s*([^»]{2,})\s*»|\"([^\"]{2,})\"|“([^”]{2,})”", text)
    return next(filter(None, match.groups())).strip() if match else ""


def _clean(text: str) -> str:
    """Without the words that name the deal, nor the guillemets or punctuation around it."""
    quoted = _quoted(text)
    spans = [m.span() for m in _TRAILING_DEAL.finditer(flat(text))]
    for start, end in reversed(spans):
        text = text[:start] + " " + text[end:]
    stripped = re.sub(r"[ \t]+", " ", text).strip().strip(",;:").strip()
    if quoted and len(quoted) >= len(stripped) - 12:
        return quoted
    return re.sub(r"^[«\"“]\s*|\s*[»\"”]\.?$", "", stripped).strip()
