"""A commune's status and risks: what the sources say now that they did not say at the last digest."""

from datetime import date

from bot.digests.findings import Finding, evidence
from bot.digests.values import Entry, Kind
from corpus.places import Place
from corpus.sentences import sentences

KINDS: dict[str, Kind] = {"status": "status", "zone": "status", "risks": "risk"}


def place_entry(place: Place, part: str, now: Finding, before: Finding, *, slot: date) -> Entry | None:
    """The new sentences with their source, and the source as it was; None where nothing changed. Risks are compared by
    their figures, since the service words the same state in several ways; a status by what it says."""
    if part == "risks" and now["figures"] == before["figures"]:
        return None
    known = set(sentences(before["text"]))
    fresh = [sentence for sentence in sentences(now["text"]) if sentence not in known]
    if not fresh:
        return None
    read_on = date.fromisoformat(before["read_on"])
    told = " ".join(f"{sentence.rstrip('.')} [1]." for sentence in fresh[:3])
    text = f"**{place.name}**, changement depuis le {read_on:%d/%m/%Y} [2] : {told}"
    return Entry(
        kind=KINDS[part],
        text=text,
        evidence=(evidence(now, told=text), evidence(before, earlier=True)),
        key=f"{part}:{place.insee}:{slot.isoformat()}",
        communes=(place.insee,),
    )
