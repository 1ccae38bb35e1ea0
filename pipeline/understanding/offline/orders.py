"""What a message orders, and what it only reports: quoted and pasted words, negations and questions ask for no
write."""

import re
from typing import Final

from pipeline.understanding.own_words import flat

QUOTED: Final = re.compile(r"«[^»]{12,}(?:»|$)|\"[^\"]{12,}(?:\"|$)|“[^”]{12,}(?:”|$)")
PASTED: Final = re.compile(
    r"\b(?:(?:ce|cet|un|le|son|du|d'un) (?:mail|e-?mail|message|sms|courrier|texto)|m'a (?:dit|ecrit|envoye|repondu)|"
    r"nous a (?:dit|ecrit|envoye)|traduis|traduire|translate|resume|reformule|corrige)\b[^:\n]{0,40}:\s"
)
"""Behind the colon stand somebody else's words."""
NEGATED: Final = re.compile(
    r"^\W*(?:non,? |surtout |stp |ok )*n(?:e |')(?!oubli)(?:(?:le|la|les|lui|y|en|me|l') ?)*\w+(?: \w+)? (?:pas|"
    r"rien|plus|jamais)\b|"
    r"\bpas la peine de\b|\bsurtout pas\b|^\W*(?:pas de|inutile de|evite de) "
)
ASKED: Final = re.compile(
    r"^\W*(?:faut[- ]il|faut il|il faut que je|doit[- ]on|dois[- ]je|est[- ]ce qu(?:e |')(?!tu |vous )(?:je |on |il |"
    r"elle )?(?:faut|dois|doit|peux|peut)?|"
    r"a[- ]t[- ]on|as[- ]tu (?:deja|bien)|tu as (?:deja|bien)|qui a|quand a|j'ai (?:deja|bien)|on a (?:deja|"
    r"bien)|c'est fait)\b"
)
CANCELLED: Final = re.compile(
    r"\b(?:annul\w*|laisse (?:tomber|beton)|oublie (?:la|le|ca|cette|ce|les|tout)|abandonne|finalement non|"
    r"plus la peine|"
    r"retire (?:la proposition|ta proposition))\b"
)


ORDER: Final = re.compile(
    r"\b(?:not\w*|ajout\w*|(?:re)?mets?|(?:re)?mett\w*|avance\w*|enlev\w*|pass\w*|chang\w*|modif\w*|cre\w*|rappel\w*|"
    r"taches?|consign\w*|inscri\w*|garde\w*|decal\w*|repouss\w*|enregistr\w*|planifi\w*|programm\w*|bascul\w*|trace\w*|"
    r"ecri[st]\b|ecrire|mention\w*|vers(?:e|er|ez)\b|joi(?:ns|ndre|gnez)|renomm\w*|remplac\w*|corrig\w*|marqu\w*|coll\w*|"
    r"clotur\w*|dossiers?|fiche)\b"
)
"""Outside of what is quoted, a write needs its own verb, or the deal it goes to."""


def outside_quotes(text: str) -> str:
    """The message without the words that it quotes or pastes; itself when it quotes nothing."""
    kept = QUOTED.sub(" ", text)
    pasted = PASTED.search(flat(kept))
    return (kept[: pasted.end()] if pasted else kept).strip()


def orders_nothing(text: str) -> bool:
    """Whether a message that speaks of a write forbids it, asks about it, or says that it is done."""
    low = flat(text)
    return NEGATED.search(low) is not None or ASKED.match(low) is not None


def cancels(text: str) -> bool:
    """Whether what was just asked for is not wanted any more."""
    return CANCELLED.search(flat(text)) is not None
