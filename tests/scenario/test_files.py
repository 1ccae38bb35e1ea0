"""A file dropped in a thread: its card, the click, the passages and where they may be found; never without a click."""

import time
from typing import Any

import pytest

from tests.scenario.stage import CAMILLE, HUGO, TOULON, Stage, shown
from tests.scenario.traces import button, left_alone, lines, rows

pytestmark = pytest.mark.usefixtures("good_day")
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


def test_a_private_channels_passages_are_found_only_there(on_stage: Stage) -> None:
    """Not in another channel, not in a direct message, not in the list of either; there, cited."""
    ts = on_stage.drop(note("Lavande"), text="@bot pour info", channel=PRIVATE)
    assert "ce salon privé" in shown(add(on_stage, ts, channel=PRIVATE))
    for channel, ask in ((TOULON, about("Lavande")), (DIRECT, about("Lavande").removeprefix("@bot "))):
        asked = on_stage.say(ask, channel=channel)
        assert said_of("Lavande") not in on_stage.answer(asked, channel=channel)
        view = sources(on_stage, "Lavande", channel=channel)
        assert "note.md" not in str(view["blocks"])
        close(on_stage, view)
    asked = on_stage.say(about("Lavande"), channel=PRIVATE)
    assert said_of("Lavande") in on_stage.answer(asked, channel=PRIVATE)
    view = sources(on_stage, "Lavande", channel=PRIVATE)
    assert "note.md" in str(view["blocks"])
    close(on_stage, view)


def test_opened_to_the_team_it_is_found_everywhere(on_stage: Stage) -> None:
    """From a direct message by the explicit click, and the card says for whom."""
    ts = on_stage.drop(note("Mimosa"), channel=DIRECT)
    assert "toute l'équipe" in shown(add(on_stage, ts, scope="team", channel=DIRECT))
    assert said_of("Mimosa") in on_stage.answer(
        on_stage.say(about("Mimosa"), channel=MARKET, user=HUGO), channel=MARKET
    )


def test_the_teams_files_answer_what_the_rules_would_ask_back_about(on_stage: Stage) -> None:
    """A price that names no commune stands in a price list; without one it is asked back, and a recipe is refused."""
    question = "@bot Quel est le prix du lot B77 du programme Nénuphar ?"
    assert "Pour quelle commune" in on_stage.answer(on_stage.say(question))
    grid = {
        "name": "grille.csv",
        "text": "Programme;Lot;Type;Prix (€)\nNénuphar;B77;T3;241500\nNénuphar;B78;T2;180000\n",
    }
    add(on_stage, on_stage.drop(grid, text="@bot pour info"))
    answer = on_stage.answer(on_stage.say(question))
    assert "241500" in answer
    assert "Dans vos fichiers" in answer
    assert "sort de mon domaine" in on_stage.answer(on_stage.say("@bot Une recette de tarte aux pommes ?"))


def test_removed_from_the_card_it_is_found_no_more(on_stage: Stage) -> None:
    """At once, with who and when on the card; a colleague's click is refused before."""
    ts = on_stage.drop(note("Narcisse"), text="@bot pour info")
    card = add(on_stage, ts)
    assert said_of("Narcisse") in on_stage.answer(on_stage.say(about("Narcisse")))
    click = {"channel": TOULON, "ts": card["ts"], "action_id": "file_remove"}
    on_stage.post("click", user=HUGO, **click)
    on_stage.until(lambda: "Seule la personne" in whispers(on_stage, ts, user=HUGO), "refusal")
    on_stage.post("click", user=CAMILLE, **click)
    assert f"par <@{CAMILLE}> le " in shown(on_stage.file(ts, "Retiré de mes sources"))
    assert said_of("Narcisse") not in on_stage.answer(on_stage.say(about("Narcisse")))
    trace = rows(on_stage, "select event from audit where subject = ? order by id", button(card))
    assert [row["event"] for row in trace][-2:] == ["source_removing", "source_removed"]


def test_the_list_searches_and_removes(on_stage: Stage) -> None:
    """By a name, by words of the content, with who and when; removed there, it says so and the card follows."""
    ts = on_stage.drop(note("Orchidée", "orchidée.md"), text="@bot pour info")
    add(on_stage, ts)
    view = sources(on_stage)
    assert "articles datés" in str(view["blocks"])
    on_stage.post("submit", user=CAMILLE, view_id=view["id"], values={"words": "résidence orchidee"})
    found = on_stage.get("views", user=CAMILLE)["modals"][-1]
    told = str(found["blocks"])
    assert "1 source sur" in told
    assert "orchidée.md" in told
    assert f"ajouté par <@{CAMILLE}> le " in told
    on_stage.post("click", user=CAMILLE, view_id=found["id"], action_id="source_withdraw")
    after = on_stage.until(
        lambda: next((v for v in on_stage.get("views", user=CAMILLE)["modals"] if "est retiré" in str(v)), None), "said"
    )
    assert "0 source sur" in str(after["blocks"])
    on_stage.file(ts, "Retiré de mes sources")
    close(on_stage, after)
    view = sources(on_stage, user=HUGO)
    assert "source_withdraw" not in str(view["blocks"])
    close(on_stage, view, user=HUGO)


def test_a_file_that_cannot_be_read_says_so_with_a_reference(on_stage: Stage) -> None:
    """A PDF that is none, Slack's sign-in page, a file deleted meanwhile: one sentence each, nothing indexed."""
    broken = on_stage.drop({"name": "abîmé.pdf", "text": "%PDF-1.4 rien"}, text="@bot pour info")
    locked = on_stage.drop(note("Pivoine"), text="@bot pour info")
    on_stage.post("faults", files_sign_in=1)
    for ts, words in ((locked, "files:read"), (broken, "abîmé.pdf")):
        card = on_stage.file(ts, "pas encore lu")
        on_stage.post("click", user=CAMILLE, channel=TOULON, ts=card["ts"], action_id="file_here")
        told = shown(on_stage.file(ts, "Rien n'a été ajouté"))
        assert words in told
        assert "QS-" in told
    assert said_of("Pivoine") not in on_stage.answer(on_stage.say(about("Pivoine")))
    assert len(lines(on_stage, "file_not_added")) >= 2


def test_the_token_is_never_sent_to_another_host(on_stage: Stage) -> None:
    """A file whose address leads elsewhere is refused before any request."""
    elsewhere = {**note("Quetsche"), "download_url": "http://127.0.0.1:9/vol"}
    ts = on_stage.drop(elsewhere, text="@bot pour info")
    card = on_stage.file(ts, "pas encore lu")
    on_stage.post("click", user=CAMILLE, channel=TOULON, ts=card["ts"], action_id="file_here")
    assert "pas hébergé par Slack" in shown(on_stage.file(ts, "Rien n'a été ajouté"))


@pytest.mark.parametrize("seconds", [0.0, 0.4, 1.2])
def test_a_file_being_added_survives_kill_9(on_stage: Stage, seconds: float) -> None:
    """Killed so long after the click: one card, one source, and its passages are there."""

    subject = f"Réséda {seconds}".replace(".", "")
    ts = on_stage.drop(note(subject), text="@bot pour info")
    card = on_stage.file(ts, "pas encore lu")
    on_stage.post("faults", slow_files_ms=600)
    on_stage.post("click", user=CAMILLE, channel=TOULON, ts=card["ts"], action_id="file_here")
    time.sleep(seconds)  # the fault itself: where the kill strikes
    on_stage.post("process", action="kill")
    on_stage.post("process", action="start")
    on_stage.file(ts, "Ajouté à mes sources")
    assert len(on_stage.files(ts)) == 1
    assert len(rows(on_stage, "select 1 from source where source_id = ? and state = 'ready'", button(card))) == 1
    assert not list((on_stage.log.parent / "uploads").glob("*"))
    assert said_of(subject) in on_stage.answer(on_stage.say(about(subject)))


def test_a_lone_mention_is_looked_up_for_its_files(on_stage: Stage) -> None:
    """An installation that hears mentions only: the message is loaded again, its file offered once."""
    ts = on_stage.drop(note("Sauge"), text="le règlement de la résidence Sauge")
    on_stage.until(lambda: left_alone(on_stage, ts, channel=TOULON, reason="not addressed"), "reason")
    mention = {
        "type": "app_mention", "user": CAMILLE, "ts": ts, "channel": TOULON, "team": "T0AUBRAC1",
        "text": f"<@{on_stage.bot}> Qu'est-ce que le Denormandie ?",
    }  # fmt: skip
    on_stage.post("emit", event=mention)
    on_stage.file(ts, "pas encore lu")
    assert "Denormandie" in on_stage.answer(ts)
    assert len(on_stage.files(ts)) == 1
