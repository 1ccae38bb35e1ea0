"""What is said without any search: politeness, the thread's own past, questions back and refusals."""

from pipeline.routing.sentences import OUT_OF_FIELD, WHAT_QUESTION
from pipeline.routing.talk_cues import ABOUT_BOT, is_recall, is_small_talk
from pipeline.routing.words import flat, own_words
from pipeline.types import ActionRequest, Question, Route, Turn

SHOWN = 200
ABOUT = (
    "Je suis QuartierScope, un assistant pour conseillers en gestion de patrimoine. Je réponds en français, avec mes "
    "sources et leurs dates, sur l'investissement immobilier résidentiel :\n"
    "- les règles : LMNP, Relance logement (Jeanbrun), Denormandie, fin du Pinel, déficit foncier, plus-values, "
    "DPE, crédit, CIF ;\n"
    "- un lieu : prix des ventes (DVF), loyers estimés, risques, DPE, zone tendue, encadrement, Denormandie ;\n"
    "- un calcul : rendement, mensualité, taux d'effort, plus-value, déduction Relance logement ;\n"
    "- vos dossiers : je peux lire un dossier HubSpot et proposer une note ou une tâche ; rien n'est écrit "
    "sans votre clic.\n"
    "J'informe, je ne rends pas de conseil personnalisé. Essayez : « prix des T3 à Villeurbanne et "
    "risque d'inondation »."
)
HELLO = "Bonjour ! Posez-moi une question sur un dispositif, une commune ou un dossier."
THANKS = "Avec plaisir. Je reste dans ce fil si vous voulez approfondir un point."
GOODBYE = "À bientôt."
LISTENING = "Entendu. Je reste à disposition dans ce fil."
WRITING = "Demande reçue : {what}. Rien n'est écrit dans HubSpot avant la validation de la proposition."
KINDS = {"create_note": "une note", "create_task": "une tâche", "update_property": "une mise à jour du dossier"}


def talk(question: Question, route: Route) -> str:
    """The French reply of a route whose mode is `none`; never empty. Recall lists the user's own messages only."""
    if route.refusal:
        return route.refusal
    if route.intent == "clarify":
        return route.clarification or WHAT_QUESTION
    if route.intent == "recall":
        return recalled(question.history)
    if route.intent == "crm_write":
        return WRITING.format(what=_requested(route.actions))
    if route.intent == "smalltalk":
        return _small_talk(question.text)
    return OUT_OF_FIELD


def recalled(history: tuple[Turn, ...]) -> str:
    """What was asked in this thread, oldest first, or that nothing was."""
    asked = [text for turn in history if turn.author == "user" and (text := _as_asked(turn.text))]
    if not asked:
        return "Dans ce fil, vous ne m'avez encore rien demandé avant ce message, ou je n'en ai pas gardé la trace."
    lead = (
        "Dans ce fil, vous m'avez demandé :" if len(asked) > 1 else "Dans ce fil, vous m'avez demandé une seule chose :"
    )
    lines = [f"{number}. {text}" for number, text in enumerate(asked, start=1)]
    tail = (
        ["", "Je ne garde que les derniers échanges du fil ; il a pu y en avoir d'autres avant."]
        if len(history) >= 6
        else []
    )
    return "\n".join([lead, *lines, *tail])


def _as_asked(text: str) -> str:
    """One line of a user's message; nothing for politeness or for a question about the thread itself."""
    said = " ".join(own_words(text).text.split())
    if not said or is_small_talk(said) or is_recall(said):
        return ""
    return said if len(said) <= SHOWN else said[:SHOWN].rsplit(" ", 1)[0] + "…"


def _requested(actions: tuple[ActionRequest, ...]) -> str:
    named = [KINDS[kind] for kind in dict.fromkeys(action.kind for action in actions) if kind in KINDS]
    return " et ".join(named) or "une écriture"


def _small_talk(text: str) -> str:
    low = flat(own_words(text).text)
    if ABOUT_BOT.search(low):
        return ABOUT
    if "merci" in low or "bravo" in low or "thx" in low:
        return THANKS
    if any(word in low for word in ("au revoir", "bonne journee", "bonne soiree", "bientot", "bye", "demain")):
        return GOODBYE
    if any(word in low for word in ("bonjour", "salut", "bonsoir", "coucou", "hello", "hey", "ca va", "bjr", "slt")):
        return HELLO
    return LISTENING
