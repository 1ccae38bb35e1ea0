"""What a message takes over from its thread: places, schemes and the subject, when it does not stand alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from corpus.places import Gazetteer
from pipeline.routing.addresses import address_of
from pipeline.routing.lexicon import PLACE_ASPECTS, SCHEME_ASPECT, SCHEME_LABELS, SCHEME_PATTERNS, STATUS_SCHEMES
from pipeline.routing.reading import Reading, read
from pipeline.routing.talk_cues import is_recall, is_small_talk
from pipeline.routing.words import flat, own_words, sentence_start
from pipeline.types import Turn

DEEPEN = re.compile(
    r"approfondi\w*|\bcreuse[rz]?\b|developpe[rz]?\b|detaille[rz]?\b|(plus|davantage) de details?|(en )?dire? plus|"
    r"m'en plus|"
    r"(va|aller?|allons) plus loin|plus precis\w*|\bprecise[rz]?\b|^\W*(continue[rz]?|la suite)\b|explique[rz]? mieux|"
    r"(donne[rz]?[- ]?(moi)? )?(un|des) exemples?( chiffre| concret)?|cas pratique|plus en detail"
)
DEEPEN_FILLER = re.compile(
    r"^(?:[\s,.?!:-]|\b(?:peux[- ]tu|pouvez[- ]vous|tu peux|pourrais[- ]tu|stp|svp|s'il (?:te|vous) plait|merci de|"
    r"me|nous|moi|un peu|ce point|"
    r"ce sujet|cette reponse|cela|ca|le|la|les|sur|concernant|de|du|a propos|encore|plus|et|ok|oui|davantage|en|"
    r"dis|dites|le sujet|tout|cet aspect|"
    r"cet? element|le premier point|le point)\b)+"
)
LEADING_LINK = re.compile(
    r"^\W*(?:et|ou|mais|donc|alors|sinon|ok|oui|d'accord|puis)\b[\s,]*(?:et\b|alors\b|sinon\b)?[\s,]*", re.IGNORECASE
)
OPEN_QUESTION = re.compile(
    r"^\W*(quel(le)?s?|qu'est|que|qui|combien|comment|faut[- ]il|peut[- ]on|est[- ]ce|dois[- ]je|a-t-on)\b"
)
SHORT_QUESTION = re.compile(
    r"^\W*(pourquoi|comment (ca|cela)|c'est[- ]a[- ]dire|lequel|laquelle|lesquel|combien|depuis quand|"
    r"jusqu'a quand|jusque quand|quand|ou ca|"
    r"dans quels? cas|par exemple|vraiment|sur quelle base|quelles? sources?|d'apres quoi|tu es sur|c'est sur|"
    r"sous quelles? conditions?|"
    r"quelles? (conditions?|exceptions?|limites?|dates?|obligations?|sanctions?)|qui est concerne|et si|"
    r"avec quels?|a partir de quand)\b"
)
ANAPHORA = re.compile(
    r"\b(ce|cette|ces|cet) (dispositif|point|regime|commune|ville|secteur|quartier|sujet|cas|regle|taux|plafond|"
    r"seuil|chiffre|reponse|zone|"
    r"mediane|prix|statut|abattement|reduction|mesure|plan|risque)s?\b|\b(celui|celle|ceux|celles)[- ](ci|la)\b|"
    r"\bla-bas\b|dans ce cas\b|"
    r"\bcompar\w* (a|avec|au)\b|difference avec|par rapport (a|au)\b|la-dessus|a ce sujet|meme (commune|ville|"
    r"question|chose)|sur place|^\W*(ca|cela|c'est|il|elle|ils|elles|on) |"
    r"\by (investir|acheter|louer)"
)
FRAGMENT = re.compile(r"^\W*(a|au|aux|en|pour|avec|sans|sur|dans|chez|apres|avant|cote|niveau|entre|selon|par)\b")
ARTICLE_FRAGMENT = re.compile(r"^\W*(les?|la|une?|des|l')\b|^\W*\w+\W*$")
LOCAL = re.compile(
    r"y a[- ]t[- ]il|est[- ]ce (que c'est |qu'on est |qu'il y a )?(en|une|dans)?|c'est (en|une)|est[- ]on|"
    r"sommes[- ]nous|(quels?|quelles?) (est|sont) (le|la|les)"
    r" (risques?|loyers?|rendements?|prix|niveau)|(quels?|quelle) (risques?|loyers?|rendement)|^\W*(risques?|"
    r"loyers?|rendement|prix|zone|ppri|encadrement)\b"
)
MOMENT = re.compile(r"\b(?:revente|cession|vente|achat|acquisition|succession|donation|travaux|renovation)\b")
GENERAL = frozenset(("plus-values", "prelevements-sociaux", "investissement-locatif", "rendement", "credit"))
"""Schemes that are facets of another one: "plus précisément sur la plus-value" stays within the thread's scheme."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What the thread was last about."""

    query: str
    communes: tuple[str, ...]
    schemes: tuple[str, ...]
    aspects: tuple[str, ...]
    kind: str | None
    earlier_communes: tuple[str, ...] = ()
    rooms: int | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """The question once its thread is known: everything the plan decides on. `own` is the message's own reading."""

    own: Reading
    query: str
    communes: tuple[str, ...]
    schemes: tuple[str, ...]
    aspects: tuple[str, ...]
    kind: str | None
    inherited: bool = False
    deepen: bool = False
    rooms: int | None = None
    address: str = ""


def last_topic(history: Sequence[Turn], *, places: Gazetteer, today: date) -> Topic | None:
    """The subject of the last answer that had one, else of the user's last real question; None in an empty thread."""
    earlier = next((t.communes for t in reversed(history) if t.author == "assistant" and t.communes), ())
    for turn in reversed(history):
        if turn.author == "assistant" and (turn.query or turn.communes or turn.schemes):
            about = read(turn.query[:400], places=places, today=today, hints=turn.communes)
            if not (
                turn.communes or turn.schemes or about.communes or about.schemes or about.said_aspects or about.mentions
            ):
                continue
            return _topic(turn.query[:400], about, turn.communes, turn.schemes, earlier)
    for turn in reversed(history):
        text = own_words(turn.text).text[:400]
        if turn.author != "user" or not text or is_small_talk(text) or is_recall(text):
            continue
        about = read(text, places=places, today=today)
        if about.communes or about.schemes or about.said_aspects or about.mentions:
            return _topic(text, about, (), (), earlier)
    return None


def _topic(
    query: str, about: Reading, communes: tuple[str, ...], schemes: tuple[str, ...], earlier: tuple[str, ...]
) -> Topic:
    return Topic(
        query=query,
        communes=communes or about.communes,
        schemes=schemes or about.schemes,
        aspects=about.aspects,
        kind=about.kind,
        earlier_communes=earlier or about.communes,
        rooms=about.rooms,
    )


def resolve(own: Reading, topic: Topic | None, *, places: Gazetteer, today: date) -> Subject:
    """The message as a question that stands alone."""
    alone = Subject(own, own.text, own.communes, own.schemes, own.aspects, own.kind, rooms=own.rooms)
    alone = replace(alone, address=address_of(own.text))
    if topic is None:
        return alone
    completed = _completed(own, topic, places)
    if completed:
        whole = read(completed, places=places, today=today)
        if whole.communes and not whole.ambiguous:
            schemes = tuple(dict.fromkeys((*whole.schemes, *topic.schemes)))
            aspects = whole.aspects or topic.aspects
            return Subject(
                whole, completed, whole.communes, schemes, aspects, whole.kind, inherited=True, rooms=whole.rooms
            )
    deepen = DEEPEN.search(own.low) is not None and not _full_question(own)
    if deepen or _depends(own):
        return _inherit(own, topic, places, deepen=deepen)
    if not own.mentions and not own.conceptual and (topic.communes or topic.earlier_communes) and _about_a_place(own):
        communes = topic.communes or topic.earlier_communes
        return replace(alone, communes=communes, query=_named(own.text, communes, (), places), inherited=True)
    return alone


def _full_question(own: Reading) -> bool:
    return bool(own.schemes and len(own.low.split()) > 9 and not ANAPHORA.search(own.low))


def _depends(own: Reading) -> bool:
    """Whether the message makes no sense without its thread."""
    count = len(re.findall(r"\w+", own.low))
    if LEADING_LINK.match(own.low) and count <= 14:
        return not (own.asks_prices and own.communes and own.schemes)
    if SHORT_QUESTION.match(own.low) and count <= 7 and not own.schemes:
        return not own.communes
    if OPEN_QUESTION.match(own.low) and count <= 6 and not (own.schemes or own.said_aspects or own.mentions):
        return True
    if ANAPHORA.search(own.low) and (not own.schemes or count <= 16):
        return True
    if FRAGMENT.match(own.low) and count <= 7 and not own.asks_prices:
        return True
    no_subject = not own.schemes and not set(own.said_aspects) - {"prix"}
    if own.mentions and no_subject and not own.said_aspects and count <= 6:
        return True
    return (
        bool(ARTICLE_FRAGMENT.match(own.low))
        and count <= 4
        and not own.schemes
        and not own.said_aspects
        and own.kind is not None
    )


def _about_a_place(own: Reading) -> bool:
    """A question of a few words about what only a place has."""
    if own.asks_prices:
        return not set(own.schemes) - {"dvf", "investissement-locatif"}
    local = set(own.aspects) & PLACE_ASPECTS and set(own.schemes) <= STATUS_SCHEMES | {"rendement"}
    return bool(local) and len(own.low.split()) <= 10 and LOCAL.search(own.low) is not None


def _completed(own: Reading, topic: Topic, places: Gazetteer) -> str | None:
    """The earlier question with the missing piece put in: the department of a homonym, an arrondissement."""
    count = len(re.findall(r"\w+", own.low))
    if count > 6 or own.schemes or own.said_aspects:
        return None
    for mention in places.find(topic.query):
        ordinal = re.search(r"\b(\d{1,2}) ?(?:er|e|eme|ieme)?\b", own.low)
        if mention.ambiguous:
            named = [m for m in own.mentions if not m.ambiguous and set(m.places) & set(mention.places)]
            if named:
                return f"{topic.query[: mention.start]}{named[0].text}{topic.query[mention.end :]}"
            return f"{topic.query[: mention.start]}{mention.text} {_department(own.text)}{topic.query[mention.end :]}"
        if places.arrondissements(mention.places[0].insee) and ordinal and not own.mentions:
            return f"{topic.query[: mention.end]} {ordinal[1]}e{topic.query[mention.end :]}"
    return None


def _department(text: str) -> str:
    code = re.search(r"\b(97\d|2[ABab]|\d{2})\b", text)
    return f"({code[1].upper()})" if code else f"({text.strip(' .?!')})"


def _inherit(own: Reading, topic: Topic, places: Gazetteer, *, deepen: bool) -> Subject:
    communes = own.communes or (() if own.ambiguous else topic.communes)
    schemes = own.schemes or topic.schemes
    if ANAPHORA.search(own.low) or (deepen and set(own.schemes) <= GENERAL):
        schemes = tuple(dict.fromkeys((*topic.schemes, *own.schemes)))
    kept = tuple(SCHEME_ASPECT[s] for s in schemes if s in SCHEME_ASPECT)
    aspects = tuple(dict.fromkeys((*own.aspects, *kept))) if own.aspects else topic.aspects
    if own.mentions and not own.said_aspects:
        aspects = topic.aspects
    focus = LEADING_LINK.sub("", own.text) if not deepen else _focus(own.text)
    return Subject(
        own=own,
        query=_joined_query(focus, own, topic, communes, schemes, places),
        communes=communes,
        schemes=schemes,
        aspects=aspects,
        kind=own.kind or topic.kind,
        inherited=True,
        deepen=deepen,
        rooms=own.rooms if own.kind else own.rooms or topic.rooms,
        address=address_of(own.text) or ("" if own.mentions else address_of(topic.query)),
    )


def _focus(text: str) -> str:
    """What remains of "plus précisément sur la revente" once the request to deepen is taken out."""
    low = flat(text)
    match = DEEPEN.search(low)
    if match is None:
        return text
    after = text[match.end() :]
    filler = DEEPEN_FILLER.match(flat(after))
    rest = after[filler.end() :] if filler else after
    article = re.search(r"\b(la|le|les|l['’])\s*$", after[: filler.end()] if filler else "", re.IGNORECASE)
    rest = f"{article[1]} {rest}" if article and rest.strip(" .?!") and not article[1].endswith(("'", "’")) else rest
    return rest.strip(" .?!,:")


def _joined_query(
    focus: str, own: Reading, topic: Topic, communes: tuple[str, ...], schemes: tuple[str, ...], places: Gazetteer
) -> str:
    """One French line that names subject, scheme and place."""
    base = topic.query.strip(" ?.!")
    focus = focus.strip(" ?.!,")
    if own.mentions and own.communes:
        base = _moved(base, own, places)
        if len(re.findall(r"\w+", focus)) <= 6 and not own.schemes and not own.said_aspects:
            focus = ""
    elif own.schemes and not set(schemes) & set(topic.schemes):
        base = ""
    elif focus and (topic.schemes or not base):
        head = re.split(r"\s*[:?]\s*", base)[0]
        named = " et ".join(SCHEME_LABELS[s].split(" (")[0] for s in schemes[:2] if s in SCHEME_LABELS)
        # The head of the earlier question ("LMNP à la revente") says more than the scheme's name; what a label
        # explains in brackets would outweigh the follow-up's own words.
        base = head if len(head) <= 90 and _names(head, schemes) else _with_moment(named, head) or base
    line = " : ".join(part for part in (base, focus) if part) or own.text
    return _named(sentence_start(line), communes, schemes, places)


def _with_moment(named: str, head: str) -> str:
    """The scheme, and the moment of its life that a long first question was about: a resale, a purchase, works."""
    moment = MOMENT.search(flat(head))
    return f"{named}, {moment[0]}" if named and moment else named


def _names(text: str, schemes: tuple[str, ...]) -> bool:
    """Whether the text names every one of the first schemes."""
    return bool(schemes) and all(SCHEME_PATTERNS[s].search(flat(text)) for s in schemes[:2] if s in SCHEME_PATTERNS)


def _moved(base: str, own: Reading, places: Gazetteer) -> str:
    """The earlier question with its places replaced by the new one."""
    spans = [(m.start, m.end) for m in places.find(base)]
    if not spans:
        return base
    name = own.mentions[0].text
    for index, (start, end) in reversed(list(enumerate(spans))):
        base = base[:start] + (name if index == 0 else "") + base[end:]
    return re.sub(r"\s{2,}", " ", re.sub(r"\s+(?:et|ou|,)\s*(?=$|[:,?])", "", base)).strip()


def _named(query: str, communes: tuple[str, ...], schemes: tuple[str, ...], places: Gazetteer) -> str:
    """The query with the scheme in front and the communes behind, where it does not name them already."""
    missing = [SCHEME_LABELS[s] for s in schemes[:2] if s in SCHEME_PATTERNS and not _names(query, (s,))]
    found = {p.insee for m in places.find(query, hints=communes) for p in m.places}
    names = [place.name for code in communes[:3] if code not in found and (place := places.get(code))]
    line = f"{sentence_start(' et '.join(missing))} : {query}" if missing else query
    return f"{line.rstrip(' ?.!')} à {', '.join(names)}" if names else line
