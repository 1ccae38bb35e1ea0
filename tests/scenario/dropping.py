"""What the journeys of dropped files share: files about invented residences, their questions, cards and lists."""

from typing import Any

from tests.scenario.stage import CAMILLE, TOULON, Stage, shown

PRIVATE, MARKET, DIRECT = "C0PRIVE", "C0MARCHE", "D0CAMILLE"


def note(subject: str, name: str = "note.md") -> dict[str, Any]:
    """A file about one invented residence: nobody but this file speaks of it."""
    charges = f"{said_of(subject)} de copropriété sont de 37 euros par mois."
    rule = f"La location meublée de courte durée est interdite à la résidence {subject}."
    return {"name": name, "text": f"# Résidence {subject}\n\n{charges} {rule}\n"}


def said_of(subject: str) -> str:
    """How an answer begins that quotes this file."""
    return f"À la résidence {subject}, les charges"


def about(subject: str) -> str:
    return f"@bot Quelles sont les charges de copropriété à la résidence {subject} ?"


def sources(stage: Stage, words: str = "", *, user: str = CAMILLE, channel: str = TOULON) -> dict[str, Any]:
    """The modal that `/quartier sources` opens."""
    answer = stage.post("command", user=user, channel=channel, command="/quartier", text=f"sources {words}")
    assert answer["acked"], answer
    modals = stage.until(lambda: stage.get("views", user=user)["modals"], "modal")
    for view in modals[:-1]:
        stage.post("close", user=user, view_id=view["id"])
    return dict(modals[-1])


def close(stage: Stage, view: dict[str, Any], *, user: str = CAMILLE) -> None:
    stage.post("close", user=user, view_id=view["id"])


def whispers(stage: Stage, ts: str, *, user: str, channel: str = TOULON) -> str:
    messages = stage.get("messages", channel=channel, thread_ts=ts, user=user)["messages"]
    return " ".join(shown(m) for m in messages if m.get("ephemeral_to") == user)


def add(stage: Stage, ts: str, *, scope: str = "here", channel: str = TOULON, user: str = CAMILLE) -> dict[str, Any]:
    card = stage.file(ts, "pas encore lu", channel=channel)
    stage.post("click", user=user, channel=channel, ts=card["ts"], action_id=f"file_{scope}")
    return stage.file(ts, "Ajouté à mes sources", channel=channel)
