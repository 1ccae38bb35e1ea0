"""The user's own words: quoted, forwarded and code text set apart, and a flattened copy to match patterns on."""

import re
import unicodedata
from dataclasses import dataclass

from corpus.sentences import sentences

CODE_BLOCK = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
QUOTE_LINE = re.compile(r"(?m)^[ \t]*(?:>|&gt;|\|).*$")
FORWARDED = re.compile(
    r"(?im)^[ \t]*(?:-{2,}.{0,40}(?:message|transf|forward|origin).{0,40}$|(?:message transféré|forwarded message)|"
    r"(?:de|from)[ \t]*:.{0,200}\n[ \t]*(?:à|to|envoyé|sent|date|objet|subject)[ \t]*:|le .{4,60} a écrit[ \t]*:)|"
    # pasted on one line, as a phone does
    r"(?:\b(?:transféré|tr|fwd?) ?:\s*)*\b(?:de|from) ?:[^\n]{0,100}@[^\n]{0,100}?\b(?:objet|subject|envoyé|sent) ?:"
)
SLACK_TOKEN = re.compile(r"<(?:[@#!][^>\n]{0,80})>")
SLACK_LINK = re.compile(r"<(https?://[^>|\n]{1,2000})(?:\|([^>\n]{0,300}))?>")
GREETING = re.compile(
    r"^\W*(?:(?:re)?bonjour|bonsoir|salut|coucou|hello|hey|bsr)(?: (?:l')?[^\W\d_]+){0,3}\s*[,!.…]+\s*"
    r"(?=\w+\W+\w+\W+\w)",
    re.IGNORECASE,
)
LEAD = re.compile(
    r"^\W*(?:dis(?:[- ]moi)?|dites(?:[- ]moi)?|au fait|(?:une |juste une )?(?:petite )?question(?: rapide| bête)?)"
    r"\s*[,:!…]+\s*(?=\w+\W+\w+\W+\w)",
    re.IGNORECASE,
)
THANKS = re.compile(r"(\w+\W+\w+\W+\w+\s*[?.!…]?)[ ,.!]+merci(?: d'avance| beaucoup| bcp| bien)?[ !.]*$", re.IGNORECASE)
"""Politeness around what is asked, three words of it at least: the search would think that it asks for « hello »."""
TYPED_SHORT = (
    (re.compile(r"\b(?:c|ce|cé|s)[ ']?(?:koi|kwa)\b", re.IGNORECASE), "c'est quoi"),
    (re.compile(r"\bc quoi\b", re.IGNORECASE), "c'est quoi"),
    (re.compile(r"(?<!dpe )(?<!zone )(?<!lot )(?<!classe )\b([jnlmtsd]|qu) (?=[aeiouyéèêàâh]\w)"), r"\1'"),
    (re.compile(r"\bkel(le)?(s)?\b", re.IGNORECASE), r"quel\1\2"),
    (re.compile(r"\b(?:pk|pkoi|pq)\b", re.IGNORECASE), "pourquoi"),
    (re.compile(r"\bkoi\b", re.IGNORECASE), "quoi"),
    (re.compile(r"\bke\b", re.IGNORECASE), "que"),
    (re.compile(r"\bds\b"), "dans"),
    (re.compile(r"\bki\b", re.IGNORECASE), "qui"),
    (re.compile(r"\bkom\b", re.IGNORECASE), "comme"),
    (re.compile(r"\bprx\b", re.IGNORECASE), "prix"),
    (re.compile(r"(?<=\S)[ ,]+(?:stp|svp)(?=\W*$)", re.IGNORECASE), ""),
    (re.compile(r"^\W*(?:slt|bjr)[ ,!.]+(?=\w+\W+\w)", re.IGNORECASE), ""),
)
"""What thumbs write, and what it stands for: no article holds the word, so the search would think it unknown."""
EMOJI_CODE = re.compile(r":[a-z0-9_+\-]{2,40}:")


@dataclass(frozen=True, slots=True)
class OwnWords:
    """`text`: what the user wrote in person, on one or more lines; `only_code`/`only_quote`: nothing else was sent."""

    text: str
    only_code: bool = False
    only_quote: bool = False


def flat(text: str) -> str:
    """Lower case without accents, apostrophes made straight, one character for one character."""
    found = []
    for char in text:
        if char in "’‘ʼ`´":
            found.append("'")
            continue
        if char.isspace() and char != "\n":
            found.append(" ")
            continue
        lowered = unicodedata.normalize("NFD", char.lower())
        found.append(lowered[0] if lowered else char)
    return "".join(found)


def own_words(message: str) -> OwnWords:
    """What of a Slack message its author says in person: no quote, no forwarded mail, no code, no mention tokens."""
    text = message.replace("\r\n", "\n").replace("\r", "\n")
    text = SLACK_TOKEN.sub(" ", text)
    text = SLACK_LINK.sub(lambda m: m.group(2) or m.group(1), text)
    without_code = CODE_BLOCK.sub(" ", text)
    forwarded = FORWARDED.search(without_code)
    kept = without_code[: forwarded.start()] if forwarded else without_code
    without_quote = QUOTE_LINE.sub("", kept)
    mine = re.sub(r"[ \t]+", " ", without_quote).replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">").strip()
    for typed, meant in TYPED_SHORT:
        mine = typed.sub(meant, mine)
    empty = not says_something(mine)
    return OwnWords(
        text=mine,
        only_code=empty and CODE_BLOCK.search(text) is not None,
        only_quote=empty and (forwarded is not None or QUOTE_LINE.search(without_code) is not None),
    )


def without_politeness(text: str) -> str:
    """What is looked for: the reader learned of greetings, the search takes them for the subject."""
    return THANKS.sub(r"\1", LEAD.sub("", GREETING.sub("", text)))


def says_something(text: str) -> bool:
    """Whether any word or number remains once emoji and their codes are gone."""
    return any(char.isalnum() for char in EMOJI_CODE.sub(" ", text))


def sentence_start(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def questions_of(text: str) -> str:
    """Without what is only told behind its last question: « je prépare le point de lundi »."""
    said = sentences(text)
    asked = [at for at, sentence in enumerate(said) if sentence.rstrip().endswith("?")]
    told = said[asked[-1] + 1 :] if asked else ()
    return text[: text.rfind(told[0])].rstrip() if told and told[0] in text else text
