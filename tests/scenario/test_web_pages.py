"""Pages, feeds and the web in a conversation: added on the command line, found by the running bot, harmless."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scenario.stage import OURS, ROOT, Stage


def ingest(on_stage: Stage, folder: Path, *addresses: str) -> "subprocess.CompletedProcess[str]":
    """The command beside the running bot, on the same database and index."""
    base = str(on_stage.http.base_url).rstrip("/")
    environment = {name: value for name, value in os.environ.items() if not OURS.match(name)} | {
        "DATABASE_URL": f"sqlite:///{folder}/bot.sqlite3",
        "VAR_DIR": str(folder),
        "OMP_NUM_THREADS": "1",
        "WEB_INTERNAL_HOSTS": base.removeprefix("http://"),
        "MEDIAWIKI_URL": f"{base}/sites/w/api.php",
        "COLUMNS": "300",
    }
    given = [address.replace("SITES", f"{base}/sites") for address in addresses]
    return subprocess.run(
        [sys.executable, "-m", "bot", "ingest", *given],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_addresses_are_added_beside_the_running_bot_and_found_at_once(on_stage: Stage) -> None:
    """A page, a feed and an article of Wikipedia, each cited by its own name; the same again changes nothing."""
    folder = on_stage.log.parent
    addresses = ("SITES/pages/bail-emphyteotique", "SITES/flux/rss.xml", "wikipedia:Location de pigeonnier")
    done = ingest(on_stage, folder, *addresses)
    assert done.returncode == 0, done.stderr
    assert "3 adresse(s) ajoutée(s)" in done.stderr
    for question, words in (
        ("Quelle est la durée d'un bail emphytéotique ?", ("77 ans", "Bail emphytéotique")),
        ("Combien de temps dure le bail de pigeonnier ?", ("onze ans", "CC BY-SA 4.0")),
        ("Que couvre l'aide à la rénovation des lavoirs ?", ("33 %", "Actualités fictives")),
    ):
        answer = on_stage.answer(on_stage.say(f"@bot {question}"))
        assert all(each in answer for each in words), answer
    again = ingest(on_stage, folder, *addresses)
    assert "3 inchangée(s)" in again.stderr, again.stderr
    assert "0 passage(s) écrits" in again.stderr


def test_addresses_that_misbehave_are_one_sentence_each(on_stage: Stage, tmp_path: Path) -> None:
    """Nothing of them is indexed, and the others are."""
    bad = {
        "SITES/pannes/boucle": "en boucle",
        "SITES/pannes/metadonnees": "seules les adresses en https",
        "SITES/pannes/sans-fin": "dépasse 5 Mo",
        "SITES/pannes/flux-sans-fin": "dépasse 5 Mo",
        "SITES/pannes/bombe": "dépasse 5 Mo",
        "SITES/pannes/absente": "rien à cette adresse",
        "SITES/pannes/connexion": "demande une connexion",
        "SITES/pannes/html-flux": "ni flux RSS ni flux Atom",
        "SITES/pannes/image": "image/png",
        "http://exemple.fr/": "seules les adresses en https",
        "https://10.0.0.1/": "n'est pas une adresse publique",
        "wikipedia:Bail": "page d'homonymie",
        "wikipedia:Rien de tel": "n'a pas d'article de ce titre",
    }
    done = ingest(on_stage, tmp_path, *bad, "SITES/pannes/encodage")
    assert done.returncode == 1
    said = dict(line.rstrip(".").split(" : ", 1) for line in done.stderr.splitlines() if " : " in line)
    for address, words in bad.items():
        assert words in said[address.replace("SITES", f"{str(on_stage.http.base_url).rstrip('/')}/sites")]
    assert "1 adresse(s) ajoutée(s)" in done.stderr
    assert f"{len(bad)} refusée(s)" in done.stderr


@pytest.mark.parametrize("mode", ["down", "slow", "html", "half_json", "empty"])
def test_an_official_page_that_fails_leaves_what_the_search_said(on_stage: Stage, mode: str) -> None:
    """The answer comes all the same."""
    on_stage.post("faults", opendata={"mode": mode, "count": 9, "seconds": 600, "service": "pages"})
    answer = on_stage.answer(on_stage.say("@bot Quel est le taux d'usure actuel ?"))
    on_stage.post("faults")
    assert "usure" in answer
    assert "Page hors liste" not in answer


@pytest.mark.parametrize(
    ("mode", "words"),
    # Fewer in a row than open the circuit breaker.
    [("down", "indisponible"), ("half_json", "inexploitable"), ("slow", "temps"), ("empty", "rien donné")],
)
def test_a_search_that_fails_is_named_and_the_corpus_answers(on_stage: Stage, mode: str, words: str) -> None:
    """In the footer; the answer comes from what is there."""
    on_stage.post("faults", opendata={"mode": mode, "count": 9, "seconds": 600, "service": "web"})
    answer = on_stage.answer(on_stage.say("@bot Quel est le taux d'usure actuel ?"))
    on_stage.post("faults")
    assert "sites officiels" in answer
    assert words in answer
    assert "5,29" in answer


def test_a_thin_corpus_and_a_search_that_fails_is_a_refusal_that_says_both(on_stage: Stage) -> None:
    """One sentence each."""
    on_stage.post("faults", opendata={"mode": "down", "count": 9, "service": "web"})
    answer = on_stage.answer(on_stage.say("@bot Que rapporte l'habitat participatif ?"))
    on_stage.post("faults")
    assert "rien trouvé d'assez précis" in answer
    assert "indisponible" in answer


def test_a_hostile_page_writes_nothing_and_links_nowhere(on_stage: Stage) -> None:
    """The corpus is thin, the page gives orders: its sentences are quoted, its orders are not followed."""
    notes = len(on_stage.notes())
    ts = on_stage.say("@bot Que rapporte l'habitat participatif ?")
    answer = on_stage.answer(ts)
    assert "conçoivent ensemble" in answer
    assert "piege.example" not in answer
    assert "<!channel>" not in answer
    assert on_stage.cards(ts) == []
    assert len(on_stage.notes()) == notes
