"""What a click on a proposal is answered, to who clicked alone: nothing where the card says it all."""

from bot.listeners.visitors import CLOSED
from bot.proposals.batches import BatchDecision
from bot.proposals.lifecycle import Decision
from bot.slack.blocks.text import escape, french_time

STATES = {
    "offered": "attend encore une décision",
    "approved": "a déjà été validée{who}",
    "executing": "a déjà été validée{who}",
    "done": "a déjà été écrite, validée{who}",
    "rejected": "a déjà été rejetée{who}",
    "expired": "a déjà expiré",
    "conflict": "a déjà été validée{who}, mais la fiche avait changé : elle n'a pas été écrite",
    "failed": "a déjà été tentée{who}, sans succès",
    "unknown": "a déjà été tentée{who}, sans que HubSpot confirme",
}
TAKEN_BACK = {
    "undoing": "L'écriture est déjà en cours d'annulation",
    "undone": "L'écriture a déjà été annulée",
}
NOTHING = "ce clic n'a rien changé."


def sentence(decision: Decision) -> str:
    """Empty for a click that did what it said."""
    row = decision.row
    match decision.verdict:
        case "accepted":
            return ""
        case "stranger":
            return CLOSED
        case "not_allowed" if row is not None:
            asker = f"<@{row['requested_by']}>"
            return f"Seule la personne qui a posé la question ({asker}) ou un approbateur peut décider ici."
        case "expired":
            return "Cette proposition a expiré : rien n'a été écrit. Redemandez-la-moi si elle est toujours utile."
        case "same":
            return "Rien n'est différent de ce que montre la carte : la proposition reste telle quelle."
        case "already" if row is not None:
            return _already(decision)
        case "changed":
            return "Le contenu enregistré ne correspond plus à ce que montrait la carte : rien n'a été écrit."
        case _:
            return f"Je ne connais pas cette proposition dans cet espace Slack : {NOTHING}"


def batch_sentence(decision: BatchDecision) -> str:
    """What a click on all did not do, line by line; empty where it did it for each that waited."""
    if decision.verdict == "changed":
        return f"Une de ces propositions a été modifiée depuis : relisez la liste, {NOTHING}"
    if not decision.each:
        return sentence(Decision(decision.verdict, decision.row))
    done = sum(one.verdict == "accepted" for one in decision.each)
    left = [one for one in decision.each if one.verdict != "accepted" and one.row is not None]
    if not left or (done and all(one.verdict == "already" for one in left)):
        return ""
    if not done and len({sentence(one) for one in left}) == 1:
        return sentence(left[0])
    lines = [f"• {escape(one.row['action']['summary'])} : {sentence(one)}" for one in left if one.row is not None]
    return "\n".join((f"Fait pour {done} sur {len(decision.each)}.", *lines))


def _already(decision: Decision) -> str:
    row = decision.row or {}
    if row["state"] == "superseded":
        return f"Cette version a été modifiée depuis : relisez la carte, {NOTHING}"
    if row["state"] in TAKEN_BACK:
        who, at = row["undone_by"], row["undone_at"]
        return f"{TAKEN_BACK[row['state']]}{f' par <@{who}> le {french_time(at)}' if who else ''} : {NOTHING}"
    who = f" par <@{row['decided_by']}> le {french_time(row['decided_at'])}" if row["decided_by"] else ""
    told = STATES.get(row["state"], "a déjà été traitée{who}").format(who=who)
    return f"Cette proposition {told} : {NOTHING}"
