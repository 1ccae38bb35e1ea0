"""What a message orders, and what it only reports: quoted and pasted words, negations and questions ask for no
write."""

import re
from typing import Final

from pipeline.understanding.own_words import flat

QUOTED: Final = re.compile(r"«[^»]{12,}(?:»|$)|\"[^\"]{12,}(?:\"|$)|“[^”]{12,}(?:”|$)")
PASTED: Final = re.compile(
    r"\b(?:(?:ce|cet|un|le|son|du|d'un) (?:mail|e-?mail|message|sms|courrier|texto)|(?:m'a|nous a) (?:dit|ecrit|envoye|"
    r"repondu|demande)|(?:m'|nous )ecrit|(?:me|nous) (?:dit|demande|repond)|traduis|traduire|translate|resume|"
    r"reformule|corrige)\b[^:\n]{0,40}:\s"
)
"""Behind the colon stand somebody else's words."""
DONE: Final = (
    r"\b(?:passe|mis|note|cree|ajoute|change|decale|repousse|modifie|cloture|fait|envoye|relance|enregistre)\b"
)
NEGATED: Final = re.compile(
    r"^\W*(?:non,? |surtout |stp |ok |et |mais |je |on |tu |il )*"
    r"(?:n(?:e |')(?!oubli)(?:(?:le|la|les|lui|y|en|me|l') ?)*\w+(?: \w+)? (?:pas|rien|plus|jamais)\b|"
    r"(?!note pas (?:d|grand)|faut pas oubli)(?:touche|passe|met|mets|note|cree|ajoute|change|modifie|bouge|decale|"
    r"repousse|faut|fais|(?:t'|tu )as|pense|crois|veux|voulais|voudrais)[rz]? (?:\w+ )?pas\b)|"
    r"\bpas (?:la peine|besoin) de\b|\bsurtout pas\b|^\W*(?:pas de|inutile de|evite de) "
)
ASKED: Final = re.compile(
    r"^\W*(?:(?:au fait|dis|et|alors|bon),? )*(?:faut[- ]il|il faut que je|doit[- ]on|dois[- ]je|peut[- ]on|"
    r"est[- ]ce qu(?:e |')(?!tu |vous )|qui a|quand a|c'est fait\b|"
    r"(?:as[- ]tu|tu as|j'ai|on a|a[- ]t[- ]on|il a|elle a|nous avons) (?:deja|bien)|"
    rf"(?:j'ai|on a|nous avons) {DONE}|(?:j'aurais|on aurait) (?:du|pu)|(?:j'avais|on avait) (?:deja |bien )?{DONE})"
)
"""Questions about a write, and reports of one: neither orders it."""
CANCELLED: Final = re.compile(
    r"\b(?:annul\w*|laisse (?:tomber|beton)|oublie (?:la|le|ca|cette|ce|les|tout)|abandonne|finalement non|"
    r"plus la peine|"
    r"retire (?:la proposition|ta proposition))\b"
)


VERB: Final = re.compile(
    r"\b(?:not\w*|ajout\w*|(?:re)?mets?|(?:re)?mett\w*|avance\w*|enlev\w*|pass(?:e|er|ez|ons)|chang\w*|modif\w*|cre\w*|"
    r"rappel\w*|consign\w*|inscri\w*|garde\w*|decal\w*|repouss\w*|report\w*|enregistr\w*|planifi\w*|programm\w*|"
    r"bascul\w*|trace\w*|(?<![mst]')(?<!nous )ecri[st]\b|ecrire|mention\w*|vers(?:e|er|ez)\b|joi(?:ns|ndre|gnez)|"
    r"renomm\w*|remplac\w*|corrig\w*|marqu\w*|(?:re)?cop\w*|coll\w*|pouss\w*|log\b|clotur\w*)\b"
)
NOUN: Final = re.compile(
    r"\b(?:tache|todo|task|reminder|note|relance|rdv|reunion|visio|memo|alerte|"
    r"compte[- ]rendu|pareil|idem)\b"
)
ORDER: Final = re.compile(rf"{VERB.pattern}|\b(?:taches?|dossiers?|fiche)\b")
"""Outside of what is quoted, a write needs its own verb, or the deal it goes to."""
CLAUSE: Final = re.compile(r"[,;:.!?\n]+\s")


def outside_quotes(text: str) -> str:
    """The message without the words that it quotes or pastes; itself when it quotes nothing."""
    kept = QUOTED.sub(" ", text)
    pasted = PASTED.search(flat(kept))
    return (kept[: pasted.end()] if pasted else kept).strip()


def orders_in_quotes(text: str) -> bool:
    """Whether an order stands in words that are quoted or pasted."""
    pasted = PASTED.search(flat(text))
    theirs = " ".join((*QUOTED.findall(text), text[pasted.end() :] if pasted else ""))
    return VERB.search(flat(theirs)) is not None


def orders_nothing(text: str) -> bool:
    """Whether a message that speaks of a write forbids it, asks about it, or says that it is done; another part of it
    may still order one: « j'ai bien eu le client, note-le »."""
    first, *others = CLAUSE.split(flat(text))
    idle = NEGATED.search(first) is not None or ASKED.match(first) is not None
    return idle and not any(VERB.search(part) and not NEGATED.search(part) for part in others)


def cancels(text: str) -> bool:
    """Whether what was just asked for is not wanted any more."""
    return CANCELLED.search(flat(text)) is not None
