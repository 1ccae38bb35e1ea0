"""Greetings, thanks and questions about the bot or the thread: answered without any search."""

import re

from pipeline.routing.words import EMOJI_CODE, flat

_PIECES = (
    r"bonjour|bonsoir|salut|coucou|hello|hey|hi|yo|re|bjr|slt|merci( (beaucoup|bien|infiniment|a toi|a vous|"
    r"pour (tout|ta reponse|ton aide|votre "
    r"aide|la reponse|l'info)))?|mille mercis|mrc|thanks|thx|ok|okay|d'accord|dac|entendu|bien recu|recu|compris|"
    r"tres bien|parfait|super|top|"
    r"genial|nickel|excellent|bravo|cool|impeccable|bien vu|c'est (clair|note|bon|parfait|top)|ca marche|"
    r"bonne (journee|soiree|nuit)|"
    r"bon (week-end|weekend|we|courage)|au revoir|a (plus|bientot|demain|lundi)|bye|ciao|ca va|comment (ca va|"
    r"vas-tu|allez-vous|tu vas)|"
    r"tout le monde|l'equipe|toi|a tous|quartierscope|le bot|desole|pardon|haha|lol|mdr|test|ping|tu es la|t'es la|"
    r"es-tu la|"
    r"il y a quelqu'un|de rien|oui|non|stp|svp|s'il te plait|s'il vous plait"
)
SMALL_TALK = re.compile(rf"(?:(?:{_PIECES})[\s,.!?;:)(-]*)+")
ABOUT_BOT = re.compile(
    r"qui es[- ]?tu|qui etes[- ]vous|tu es qui|t'es qui|c'est quoi quartierscope|qu'est[- ]ce que (tu|"
    r"quartierscope)( (es|est|sais|peux|fais|fait))?|"
    r"(que|quoi) (sais|peux|fais)[- ]?tu( faire)?|que pouvez[- ]vous( faire)?|tu (sais|peux) (faire )?quoi|"
    r"a quoi (tu sers|sers[- ]tu|ca sert)|"
    r"comment (tu marches|tu fonctionnes|(fonctionnes|marches)[- ]tu|t'utiliser|ca marche|te parler|"
    r"poser une question)|"
    r"^\W*(aide|help|/help|aide[- ]moi|mode d'emploi|au secours)\W*$|comment (je |puis[- ]je )?(t'utilise|"
    r"te poser)|presente[- ]toi|"
    r"es[- ]tu (un robot|une ia|humain|un humain|chatgpt|une intelligence)|quel modele (utilises|es)[- ]?tu|"
    r"quelles sont tes (sources|limites|capacites|fonctions)|"
    r"quelles sources (utilises|consultes)[- ]tu|tes capacites"
)
RECALL = re.compile(
    r"(qu'?|que |quoi )?(ai[- ]je|avais[- ]je|j'ai|je t'ai|je vous ai|avons[- ]nous|a-t-on|on a|nous avons) (deja |"
    r"bien |te |t'|vous )*(demande|dit|pose|discute|parle)"
    r"(?! (avec|au) (mon|ma|le|la) (client|banque|notaire))|de quoi (parlait|parlions|avons|a-t-on|on a|on parlait|"
    r"parle)|"
    r"(rappelle|redis|liste|resume|recapitule|montre)[- ]?(moi|nous)?,? (ma|mes|la|les|notre|nos|ce|le|cette|"
    r"l')[- ]?(premiere?s? |dernieres? |precedentes? )?"
    r"(questions?|demandes?|conversation|fil|echanges?|discussion|thread|historique)|(quelles?|quelle) (etaient|"
    r"etait|est|sont) (deja )?(ma|mes) "
    r"(premiere |derniere |precedentes? )?(questions?|demandes?)|on en (etait|est) ou|ou en etions[- ]nous|"
    r"historique (de|du) (la |cette )?(conversation|fil)|"
    r"recap(itule|itulatif)? (de )?(la conversation|du fil|de nos echanges|mes questions)|de quoi on (parlait|"
    r"a parle)|ma question (precedente|initiale)"
)
_LEADING = re.compile(rf"^[\s,.!]*(?:(?:{_PIECES})\b[\s,.!:)-]+)+")


def is_small_talk(text: str) -> bool:
    """Nothing but greetings, thanks or a question about the bot itself."""
    low = flat(EMOJI_CODE.sub(" ", text)).strip()
    return SMALL_TALK.fullmatch(low) is not None or (ABOUT_BOT.search(low) is not None and len(low) < 120)


def is_recall(text: str) -> bool:
    """A question about this conversation."""
    return RECALL.search(flat(text)) is not None and len(text) < 200


def without_greeting(text: str) -> str:
    """The question after "Bonjour," or "Merci, "; the text itself when only that was said."""
    match = _LEADING.match(flat(text))
    rest = text[match.end() :] if match else text
    return rest if any(c.isalnum() for c in rest) else text
