"""Each team's own HubSpot: connected from its Home tab, read and written with its own token, never another team's."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.scenario.stage import Stage, is_card, shown, stage
from tests.scenario.test_any_workspace import AUBRAC, BREHAT, BREST, MAEL, ask, install
from tests.scenario.traces import lines, rows

OTHER_PORTAL, OUR_PORTAL = "148000002", "14900001"
STAGE = "À quel stade est le dossier 9001 ?"


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("portals"), options=("--oauth",)) as ready:
        install(ready, AUBRAC)
        install(ready, BREHAT)
        yield ready


def link(on: Stage, team: str, user: str) -> str:
    """The address behind « Connecter HubSpot » in this person's Home tab; "" without one."""

    def published() -> Any:
        return on.get("views", workspace=team, user=user)["home"] or {}

    before = published().get("hash")
    on.post("open_home", workspace=team, user=user)
    home = on.until(lambda: (view := published()).get("hash") != before and view, "Home tab")
    buttons = [block["accessory"] for block in home["blocks"] if block.get("accessory")]
    return next((each["url"] for each in buttons if "hubspot/connect" in each.get("url", "")), "")


def connect(on: Stage, address: str, portal: str) -> httpx.Response:
    """As a browser does it: the link, HubSpot's page and its button, back."""
    page = httpx.get(address, trust_env=False)
    assert page.status_code == 200, page.text
    ticket = address.rpartition("=")[2]
    form = {"client_id": "00000000-bac-a-sable", "state": ticket, "portal": portal, "said": "yes"}
    back = address.partition("/connect")[0] + "/oauth_redirect"
    agreed = on.http.post("/hubspot/oauth/authorize", data={**form, "redirect_uri": back})
    cookie = {"Cookie": page.headers["set-cookie"].partition(";")[0]}
    return httpx.get(agreed.headers["location"], headers=cookie, trust_env=False)


def said(on: Stage, ts: str, *, team: str, channel: str, word: str) -> str:
    def look() -> str | None:
        found = [
            m for m in on.get("messages", workspace=team, channel=channel, thread_ts=ts)["messages"] if m.get("bot_id")
        ]
        return next((shown(m) for m in found if word in shown(m)), None)

    return on.until(look, f"« {word} »")


def test_a_team_without_a_portal_reads_nobodys(on: Stage) -> None:
    """Another team has connected its own, and this one is told that it has none."""
    assert connect(on, link(on, AUBRAC, "U0CAMILLE"), OUR_PORTAL).status_code == 200
    ts = ask(on, STAGE, team=BREHAT, user=MAEL, channel=BREST)
    said(on, ts, team=BREHAT, channel=BREST, word="HubSpot")
    assert "connecté" in said(on, ts, team=BREHAT, channel=BREST, word="HubSpot")
    assert link(on, AUBRAC, "U0CAMILLE") == "", "it has one"


def test_each_team_reads_and_writes_its_own_portal(on: Stage) -> None:
    """The same deal number is another deal in each; a note that is approved here stands here."""
    on.post("installation", crm_seconds=200)
    assert connect(on, link(on, BREHAT, MAEL), OTHER_PORTAL).status_code == 200
    ts = ask(on, STAGE, team=BREHAT, user=MAEL, channel=BREST)
    assert "Kermor 9001" in said(on, ts, team=BREHAT, channel=BREST, word="9001")
    ours = ask(on, STAGE, team=AUBRAC, user="U0CAMILLE", channel="C0TOULON")
    assert "Kermor" not in said(on, ours, team=AUBRAC, channel="C0TOULON", word="9001")
    note = ask(on, "ajoute une note sur le dossier 9001 : relire le bail", team=BREHAT, user=MAEL, channel=BREST)
    card = on.until(lambda: _card(on, note), "card")
    before = len(on.get("crm", portal=OUR_PORTAL)["notes"])
    place: dict[str, Any] = {"workspace": BREHAT, "user": MAEL, "channel": BREST}
    on.post("click", **place, ts=card["ts"], action_id="proposal_approve")
    on.until(lambda: len(on.get("crm", portal=OTHER_PORTAL)["notes"]) == before + 1, "note")
    assert len(on.get("crm", portal=OUR_PORTAL)["notes"]) == before
    assert lines(on, "crm_token_renewed", team=BREHAT), "it had too little time left at each of them"
    held = rows(on, "select access_token, refresh_token from crm_account")
    assert len(held) == 2
    assert all(str(value).startswith("scellé:") for row in held for value in row.values())


def test_a_link_connects_once_and_in_the_browser_that_opened_it(on: Stage) -> None:
    rows_before = rows(on, "select portal_id from crm_account order by team_id")
    base = str(on.get("state")["installing"])
    assert httpx.get(f"{base}/hubspot/connect", params={"ticket": "invente"}, trust_env=False).status_code == 403
    back = f"{base}/hubspot/oauth_redirect"
    for cookie in ({}, {"Cookie": "quartierscope-hubspot=invente"}):
        answer = httpx.get(back, params={"state": "invente", "code": "x"}, headers=cookie, trust_env=False)
        assert (answer.status_code, "expiré" in answer.text) == (403, True)
    assert rows(on, "select portal_id from crm_account order by team_id") == rows_before
    assert lines(on, "crm_connected", team=BREHAT)


def test_a_portal_that_takes_its_yes_back_is_connected_no_more(on: Stage) -> None:
    """The team is told that it has none, and its Home tab offers to connect one again; the other's stands."""
    on.post("installation", revoke_portal=OTHER_PORTAL)
    ts = ask(on, STAGE, team=BREHAT, user=MAEL, channel=BREST)
    assert "connecté" in said(on, ts, team=BREHAT, channel=BREST, word="HubSpot")
    assert link(on, BREHAT, MAEL)
    assert [row["portal_id"] for row in rows(on, "select portal_id from crm_account")] == [OUR_PORTAL]


def _card(on: Stage, ts: str) -> dict[str, Any] | None:
    found = on.get("messages", workspace=BREHAT, channel=BREST, thread_ts=ts)["messages"]
    return next((message for message in found if is_card(message)), None)
