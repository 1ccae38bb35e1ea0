"""What is said without any search: politeness, the thread's own past, complaints, questions back and refusals."""

import re
from collections.abc import Sequence
from typing import Any, Final

from corpus.questions.asked import question_of
from corpus.sentences import sentences
from corpus.types import Passage
from pipeline.action_types import ActionRequest, ProposedAction
from pipeline.planning.said_back import KIND_NAMES, described
from pipeline.planning.sentences import OUT_OF_FIELD, WHAT_QUESTION
from pipeline.talk.restating import OF_THREAD, openings, told_again
from pipeline.text.about import about
from pipeline.text.cleaning import harmless, inert
from pipeline.thread_state import CRITERIA, Frame, ThreadState
from pipeline.types import Citation, Question, Route, ToolResult, Turn
from pipeline.understanding import cues
from pipeline.understanding.offline.orders import cancels, orders_in_quotes, orders_nothing
from pipeline.understanding.own_words import flat, own_words
from pipeline.understanding.roles import row_of

SHOWN: Final = 200
MOST_RECALLED: Final = 6
ESTIMATED: Final = re.compile(r"frais (?:estimés|empruntés)|supposés")
"""Results beside the answer: with fees that nobody told."""
HELLO = "Bonjour ! Posez-moi une question sur un dispositif, une commune ou un dossier."
THANKS = "Avec plaisir. Je reste dans ce fil si vous voulez approfondir un point."
GOODBYE = "À bientôt."
LISTENING = "Entendu. Je reste à disposition dans ce fil."
SORRY = (
    "Merci de me le dire. Voici sur quoi ma dernière réponse s'appuie, pour la vérifier :\n{sources}\n"
    "Dites-moi ce qui est faux (un chiffre, une commune, une hypothèse) : je recalcule ou je cherche autrement."
)
SORRY_EMPTY = (
    "Merci de me le dire. Ce fil ne contient pas encore de réponse sourcée : redites-moi la question en une phrase, "
    "avec la commune, les chiffres ou le dossier, et je reprends de zéro."
)
WRITING = "Demande reçue : {what}. Rien n'est écrit dans HubSpot avant la validation de la proposition."
KINDS = {"create_note": "une note", "create_task": "une tâche", "update_property": "une mise à jour du dossier"}
CANCELLED = (
    "D'accord, je laisse tomber : je n'ai rien écrit dans HubSpot, et une proposition encore affichée ci-dessus peut "
    "être rejetée d'un clic."
)
QUOTED = (
    "Ces mots sont cités ou rapportés : j'y lis une demande, mais je n'en fais aucune écriture. Si elle vient de vous, "
    "redites-la sans guillemets."
)
NOT_WRITTEN = "Bien noté : je n'écris rien dans HubSpot."
NOTHING_FOUND = "Je n'ai rien trouvé d'assez précis dans mes sources pour l'affirmer sans inventer."
NEAREST_ASKED = "La question la plus proche à laquelle mes sources répondent :"
OF_PLACES = (
    "De la commune, je peux vous donner les prix médians et leur évolution, les loyers estimés, les risques et les "
    "zonages."
)
NEAREST = "Ce qui s'en approche le plus :"
QUOTED_SENTENCES: Final = 2
"""Of the nearest entry's answer."""
NOT_SEARCHED = "Je ne peux pas répondre pour l'instant, faute d'avoir pu chercher."
ASK_AGAIN = "Reposez-moi la question dans un moment."
SAY_MORE = "Précisez le dispositif, la commune ou le cas de votre client, et je cherche à nouveau."
SOURCES = re.compile(r"\bsources?\b|\bdonnees\b|\bchiffres\b|d'ou (?:tu|ca|vient|viennent|sort)|\bref(?:erence)?s?\b")
NUMBER = re.compile(r"\(n° (\d+)\)")
SILENT = re.compile(r"Le dossier « .+ » \(n° (\d+)\) ne le dit pas")
FIRST = re.compile(r"\bpremie?re?s?\b|\b(?:au|du) (?:tout )?(?:debut|depart)\b|\binitial")


def spoken(question: Question, route: Route, state: ThreadState) -> tuple[str, tuple[Citation, ...]]:
    """`talk`, or what is told again of the last answer, with what that cites."""
    again = told_again(question) if route.intent == "recall" else None
    return (again.text, again.citations) if again is not None else (talk(question, route, state), ())


def talk(question: Question, route: Route, state: ThreadState) -> str:
    """The French reply of a route whose mode is `none`; never empty. Recall lists the users' own messages only."""
    if route.refusal:
        return route.refusal
    if route.intent == "clarify":
        return route.clarification or WHAT_QUESTION
    if not route.actions and route.intent in ("smalltalk", "recall") and orders_in_quotes(question.text):
        return QUOTED
    if route.intent == "recall":
        return recalled(question, state)
    if route.intent == "complaint":
        return complained(question.history)
    if route.intent == "capabilities":
        return about(cues.said("about", flat(question.text)))
    if route.actions:
        return WRITING.format(what=_requested(route.actions))
    if cancels(question.text):
        return CANCELLED
    if orders_nothing(question.text) and not route.actions:
        return NOT_WRITTEN
    if route.intent in ("smalltalk", "crm_write"):
        return _small_talk(question.text)
    return OUT_OF_FIELD


def recalled(question: Question, state: ThreadState) -> str:
    """The sources of the last answer when they are asked for; else all that was asked in this thread, and on what its
    answers opened, oldest first."""
    low = flat(question.text)
    if SOURCES.search(low):
        sources = _sources(question.history)
        return f"Ma dernière réponse citait :\n{sources}" if sources else "Ma dernière réponse ne citait aucune source."
    asked = [_line(text) for text in state.said[:-1] if text.strip()]
    if not asked:
        return "Dans ce fil, vous ne m'avez encore rien demandé avant ce message, ou je n'en ai pas gardé la trace."
    lead = (
        "Dans ce fil, vous m'avez demandé :" if len(asked) > 1 else "Dans ce fil, vous m'avez demandé une seule chose :"
    )
    told = [lead, *(f"{number}. {text}" for number, text in enumerate(asked, start=1))]
    results = _results(state, first=FIRST.search(low) is not None)
    answered = [f"- {inert(one)}" for one, _ in openings(question.history)]
    told += ["", OF_THREAD, *answered] if answered else []
    return "\n".join([*told, *(["", "Résultats gardés :", *results] if results else [])])


def _results(state: ThreadState, *, first: bool) -> list[str]:
    """A line for each calculation of the thread: what it counted with, and what came out first."""
    held = {(f.kind, repr(f.slots), f.options): f for f in state.frames if f.results and f.calculates}
    kept = list(held.values())
    return [_line_of(frame) for frame in (kept[:1] if first else kept[-MOST_RECALLED:])]


def _line_of(frame: Frame) -> str:
    told = ", ".join(described(role, values) for role, values in frame.slots.items() if row_of(role).label)
    found = [
        f for name in CRITERIA for f in frame.results if f.label.startswith(name) and not ESTIMATED.search(f.label)
    ]
    each = [f"{f.label[:1].lower()}{f.label[1:]} {_shown(f.value, f.unit)}" for f in dict.fromkeys(found)]
    return f"- {told or KIND_NAMES[frame.kind]} : {' ; '.join(each[:3])}"


def _shown(value: float, unit: str) -> str:
    text = f"{value:,.2f}".rstrip("0").rstrip(".").replace(",", "\u202f").replace(".", ",")
    return f"{text}\u00a0{unit}".strip()


def complained(history: tuple[Turn, ...]) -> str:
    """The source, the method and a way on, instead of an excuse."""
    sources = _sources(history)
    return SORRY.format(sources=sources) if sources else SORRY_EMPTY


def _sources(history: tuple[Turn, ...]) -> str:
    found = next((turn.sources for turn in reversed(history) if turn.author == "assistant" and turn.sources), ())
    return "\n".join(dict.fromkeys(f"- {harmless(source)}" for _, source in found))


def _line(text: str) -> str:
    said = inert(own_words(text).text)
    return said if len(said) <= SHOWN else said[:SHOWN].rsplit(" ", 1)[0] + "…"


def _requested(actions: tuple[ActionRequest, ...]) -> str:
    named = [KINDS[action.kind] for action in actions if action.kind in KINDS]
    return " et ".join(dict.fromkeys(named)) or "une écriture"


def proposing(text: str, actions: Sequence[ProposedAction], remarks: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """What is proposed, line by line, so that it can be checked without its card; why nothing is, where nothing is."""
    if not actions:
        return (" ".join(remarks), ()) if remarks else (text, remarks)
    lines = [f"- {action.summary}{_quoted(action)}" for action in actions]
    return "\n".join(["Je propose, à valider d'un clic :", *lines]), remarks


def _quoted(action: ProposedAction) -> str:
    """The beginning of what would be written."""
    told = action.fields.get("hs_note_body") or action.fields.get("hs_task_subject") or ""
    line = inert(told)
    return f" : « {line if len(line) <= SHOWN else line[:SHOWN].rsplit(' ', 1)[0] + '…'} »" if line else ""


def deals_listed(results: Sequence[ToolResult]) -> dict[str, Any] | None:
    """What the last list of deals or tasks was asked with, so that « le plus gros ? » and « total ? » go on with it."""
    asked = [r.call.arguments for r in results if r.call.tool == "crm" and r.error is None]
    lists = [arguments for arguments in asked if arguments.get("view") in ("deals", "tasks")]
    return {name: value for name, value in lists[-1].items() if name != "asker_email"} if lists else None


def deal_read(results: Sequence[ToolResult]) -> str | None:
    """The number of the one deal that the CRM told of, in our own sentence about it; also where that is all it says."""
    for result in results:
        if result.call.tool == "crm" and result.error and (silent := SILENT.match(result.error)):
            return silent[1]
    told = [match[1] for r in results if r.call.tool == "crm" and r.error is None and (match := NUMBER.search(r.text))]
    one = [r for r in results if r.call.tool == "crm" and r.call.arguments.get("view", "deal") in ("deal", "brief")]
    if told and len(one) == 1 and not one[0].choices:
        return told[0]  # the closed deals of its name, which it tells too, are not the one meant
    return (
        told[0]
        if told and len(set(NUMBER.findall(" ".join(r.text for r in results if r.call.tool == "crm")))) == 1
        else None
    )


def _small_talk(text: str) -> str:
    low = flat(own_words(text).text)
    if any(word in low for word in ("merci", "bravo", "thx", "thanks", "top", "super", "nickel", "parfait", "genial")):
        return THANKS
    if any(
        word in low for word in ("au revoir", "bonne journee", "bonne soiree", "bientot", "bye", "demain", "bon week")
    ):
        return GOODBYE
    if any(
        word in low for word in ("bonjour", "salut", "bonsoir", "coucou", "hello", "hey", "ca va", "bjr", "slt", "la ?")
    ):
        return HELLO
    return LISTENING


def nearest(
    results: Sequence[ToolResult],
    passages: Sequence[Passage],
    *,
    called: bool,
    failed: Sequence[str] = (),
    vague: bool = True,
    not_held: str = "",
    entry: Passage | None = None,
    places: bool = False,
) -> str:
    """What the tools said of their failure, and what comes nearest: a way on, never a wall. A search that `failed` has
    found nothing out: nothing is said of what the sources hold. `vague`: more words of the question would help;
    `not_held`: the sentence that names what no source holds; `entry`: the nearest question that is answered, told with
    the beginning of its answer; `places`: whether a commune is named, of which the tools tell something else."""
    if not_held:
        asks = question_of(entry) if entry is not None else ""
        beside = f"{NEAREST_ASKED} {_linked(asks, entry.url)}" if entry is not None and asks else ""
        return "\n\n".join(filter(None, (not_held, OF_PLACES if places else beside)))
    failures = dict.fromkeys(result.error for result in results if result.error)
    if failed and not passages:
        return "\n".join([" ".join((NOT_SEARCHED, *failed, *failures)), "", ASK_AGAIN])
    told = [*failures] if called and failures else [" ".join((NOTHING_FOUND, *failures))]
    titles = dict.fromkeys((passage.title, passage.url) for passage in passages[:6])
    if entry is not None and not failures and (asks := question_of(entry)):
        told += ["", f"{NEAREST_ASKED} {_linked(asks, entry.url)}", f"> {_beginning(entry.text)}"]
    elif titles:
        links = [f"- {_linked(title, url)}" for title, url in list(titles)[:3]]
        told += ["", NEAREST, *links]
    return "\n".join([*told, "", SAY_MORE] if vague and not failures else told)


def _beginning(text: str) -> str:
    """The first sentences of an entry's answer, whole: what is asked for may stand in them."""
    return harmless(" ".join(sentences(text)[:QUOTED_SENTENCES]))


def _linked(title: str, url: str) -> str:
    clean = harmless(title)
    return f"[{clean}]({url})" if url.startswith("https://") and not re.search(r"[()\s]", url) else clean


def last_answer(history: Sequence[Turn]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The last answer that had sources, with their list: what « note ça » is about; and (title, address) of those that
    have one. A question back, a refusal or a proposal is nothing to keep."""
    told = next((turn for turn in reversed(history) if turn.author == "assistant" and turn.sources), None)
    if told is None:
        return "", ()
    named = (source.rpartition(" - ") for _number, source in told.sources)
    linked = dict.fromkeys((title, url) for title, _, url in named if url.startswith("https://"))
    return signed(told.text, list(told.sources)), tuple(linked)


def signed(text: str, sources: list[tuple[int, str]]) -> str:
    """The text and the list of its sources: what a note has to hold to make sense in the CRM. Passages of one page
    share its line."""
    numbers: dict[str, list[str]] = {}
    for number, source in sources:
        numbers.setdefault(source, []).append(f"[{number}]")
    lines = [f"{' '.join(ids)} {source}" for source, ids in numbers.items()]
    return "\n".join((text, "", "Sources :", *lines)) if lines else text
