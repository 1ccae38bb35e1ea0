"""A file dropped in a thread: its card, who decides, once; and what is left alone."""

import pytest

from tests.scenario.dropping import DIRECT, about, add, note, said_of, whispers
from tests.scenario.stage import CAMILLE, HUGO, TOULON, Stage, shown
from tests.scenario.traces import button, left_alone, rows

pytestmark = pytest.mark.usefixtures("good_day")


def test_a_file_is_offered_read_after_a_click_and_cited(on_stage: Stage) -> None:
    """Name, size, kind and three buttons; then pages, passages, who and when; the question right after cites it."""
    ts = on_stage.drop(note("Amarante", "charges & règles.md"), text="@bot voici le règlement")
    card = on_stage.file(ts, "pas encore lu")
    told = shown(card)
    assert "charges &amp; règles.md" in told
    assert "Markdown · 1 Ko" in told
    offered = [e["action_id"] for b in card["blocks"] if b["type"] == "actions" for e in b["elements"]]
    assert offered == ["file_here", "file_team", "file_decline"]
    assert not rows(on_stage, "select 1 from source where state != 'offered'")
    done = shown(add(on_stage, ts))
    assert "<#C0TOULON>" in done
    assert "1 passage" in done
    assert f"Ajouté par <@{CAMILLE}> le " in done
    on_stage.say(about("Amarante").removeprefix("@bot "), thread=ts)
    answer = on_stage.answer(ts)
    assert said_of("Amarante") in answer
    assert "/files/U0CAMILLE/" in answer
    assert "charges &amp; règles.md › Résidence Amarante" in answer
    assert len(on_stage.files(ts)) == 1


def test_words_that_only_present_a_file_get_no_answer_of_their_own(on_stage: Stage) -> None:
    """The card is the answer; its thread is ours all the same, and a question beside a file is answered as usual."""
    silent = on_stage.drop(note("Bruyère"), text="@bot pour info")
    asked = on_stage.drop(note("Bruyère"), text="@bot Mon client peut-il encore acheter en Pinel ?")
    assert "Pinel" in on_stage.answer(asked)
    on_stage.file(asked, "pas encore lu")
    on_stage.file(silent, "pas encore lu")
    assert not on_stage.answers(silent)
    on_stage.say("Qu'est-ce que le Denormandie ?", thread=silent)
    assert "Denormandie" in on_stage.answer(silent)


def test_a_file_without_words_counts_in_a_direct_message(on_stage: Stage) -> None:
    """« Ici seulement » there, and opening it to the team asks once more."""
    ts = on_stage.drop(note("Capucine"), channel=DIRECT)
    card = on_stage.file(ts, "pas encore lu", channel=DIRECT)
    here, team, _ = (e for b in card["blocks"] if b["type"] == "actions" for e in b["elements"])
    assert here["text"]["text"] == "Ici seulement"
    assert "confirm" in team
    assert "confirm" not in here
    assert not on_stage.answers(ts, channel=DIRECT)


def test_a_file_that_addresses_nobody_here_is_left_alone(on_stage: Stage) -> None:
    """In a channel, in no thread of ours, without a mention; and one for a colleague inside our thread."""
    ts = on_stage.drop(note("Digitale"), text="le règlement pour tous")
    on_stage.until(lambda: left_alone(on_stage, ts, channel=TOULON, reason="not addressed"), "reason")
    assert not on_stage.thread(ts)
    ours = on_stage.drop(note("Digitale"), text="@bot pour info")
    on_stage.file(ours)
    other = on_stage.drop(note("Digitale"), text=f"<@{HUGO}> pour toi", thread=ours)
    on_stage.until(lambda: left_alone(on_stage, other, channel=TOULON, reason="somebody else"), "reason")
    assert len(on_stage.files(ours)) == 1


def test_a_colleagues_file_in_our_thread_gets_a_card(on_stage: Stage) -> None:
    """Offered without a mention, decided by who dropped it."""
    ts = on_stage.drop(note("Églantine"), text="@bot pour info")
    on_stage.file(ts)
    on_stage.drop(note("Églantine", "autre.md"), user=HUGO, thread=ts)
    card = on_stage.file(ts, name="autre.md")
    assert f"<@{HUGO}>" in shown(card)


def test_each_file_of_a_message_has_its_card_in_order(on_stage: Stage) -> None:
    """What cannot be read says why, without buttons: a link, a deleted file, a picture, an empty one, a huge one."""
    ts = on_stage.drop(
        note("Fougère"),
        {"name": "plan.pdf", "mode": "external"},
        {"name": "x.pdf", "mode": "tombstone"},
        {"name": "façade.png", "text": "x"},
        {"name": "vide.txt", "text": ""},
        {"name": "énorme.pdf", "text": "x", "size": 200_000_000},
        {"name": "extrait", "text": "à noter", "mode": "snippet", "mimetype": "text/plain"},
        text="@bot voici",
    )
    cards = on_stage.until(lambda: found if len(found := on_stage.files(ts)) == 7 else None, "seven cards")
    expected = (
        "pas encore lu", "hors de Slack", "supprimé de Slack", "ce type de fichier", "est vide",
        "200 Mo : je lis jusqu'à 50 Mo", "pas encore lu",
    )  # fmt: skip
    for card, words in zip(cards, expected, strict=True):
        assert words in shown(card)
        assert ("file_here" in shown(card)) == (words == "pas encore lu")


def test_who_may_not_decide_changes_nothing_and_is_told(on_stage: Stage) -> None:
    """A colleague who neither dropped it nor approves; a click from another team; one on an unknown card."""
    ts = on_stage.drop(note("Genêt"), text="@bot pour info")
    card = on_stage.file(ts, "pas encore lu")
    click = {"channel": TOULON, "ts": card["ts"], "action_id": "file_team"}
    on_stage.post("click", user=HUGO, **click)
    on_stage.until(lambda: "Seule la personne qui a déposé" in whispers(on_stage, ts, user=HUGO), "refusal")
    on_stage.post("click", user=CAMILLE, team="T0AUTRE", **click)
    on_stage.until(lambda: "Je ne connais pas ce fichier" in whispers(on_stage, ts, user=CAMILLE), "refusal")
    on_stage.post("click", user=HUGO, value="file:inventé", forge=True, **click)
    on_stage.until(lambda: "Je ne connais pas ce fichier" in whispers(on_stage, ts, user=HUGO), "refusal")
    assert "pas encore lu" in shown(on_stage.file(ts))
    assert not rows(on_stage, "select 1 from audit where subject = ?", button(card))


def test_declined_is_never_read(on_stage: Stage) -> None:
    """The card says who; nothing was downloaded; a click that comes late is told so; one audit row."""
    ts = on_stage.drop(note("Hortensia"), text="@bot pour info")
    card = on_stage.file(ts, "pas encore lu")
    on_stage.post("click", user=CAMILLE, channel=TOULON, ts=card["ts"], action_id="file_decline")
    assert f"à la demande de <@{CAMILLE}>" in shown(on_stage.file(ts, "Non ajouté"))
    on_stage.post("click", user=CAMILLE, channel=TOULON, ts=card["ts"], action_id="file_here")
    on_stage.until(lambda: "déjà décidé" in whispers(on_stage, ts, user=CAMILLE), "late click")
    trace = rows(on_stage, "select event, actor from audit where subject = ?", button(card))
    assert trace == [{"event": "source_declined", "actor": CAMILLE}]


def test_clicked_twice_it_is_added_once(on_stage: Stage) -> None:
    """The second click, on a screen that lags behind, is told; one job, one source."""
    ts = on_stage.drop(note("Iris"), text="@bot pour info")
    card = on_stage.file(ts, "pas encore lu")
    click = {"user": CAMILLE, "channel": TOULON, "ts": card["ts"]}
    on_stage.post("click", action_id="file_here", **click)
    on_stage.post("click", action_id="file_team", **click)
    assert "<#C0TOULON>" in shown(on_stage.file(ts, "Ajouté à mes sources"))
    on_stage.until(lambda: "déjà décidé" in whispers(on_stage, ts, user=CAMILLE), "late click")
    trace = rows(on_stage, "select event from audit where subject = ? order by id", button(card))
    assert [row["event"] for row in trace] == ["source_adding", "source_ready"]


def test_the_same_content_again_says_since_when_and_by_whom(on_stage: Stage) -> None:
    """Under another name, in another thread: nothing is indexed twice."""
    first = on_stage.drop(note("Jacinthe"), text="@bot pour info")
    add(on_stage, first)
    again = on_stage.drop(note("Jacinthe", "copie.md"), text="@bot pour info", user=HUGO)
    card = on_stage.file(again, "pas encore lu")
    on_stage.post("click", user=HUGO, channel=TOULON, ts=card["ts"], action_id="file_here")
    told = shown(on_stage.file(again, "Déjà dans mes sources depuis le"))
    assert f"ajouté par <@{CAMILLE}>" in told
    assert "sous le nom « note.md »" in told
    assert len(rows(on_stage, "select 1 from source where state = 'ready' and passages > 0 and name = 'copie.md'")) == 0
