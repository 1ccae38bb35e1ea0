"""The small fictitious firm that the sandbox starts with. Nobody here exists."""

import time
from dataclasses import replace

from sandbox.slack.state import App, Channel, Team, User, Workspace

TEAM = Team(id="T0AUBRAC1", name="Cabinet Aubrac Patrimoine (fictif)", domain="aubrac-patrimoine-fictif")

VAUBAN = Team(id="T0VAUBAN1", name="Étude Vauban Notaires (fictive)", domain="etude-vauban-fictive")
"""Another company, with which the firm shares a channel (Slack Connect)."""

# These credentials open nothing but the sandbox itself.
APP = App(
    id="A0QUARTIER",
    name="QuartierScope",
    bot_id="B0QUARTIER",
    user_id="U0QUARTIER",
    bot_token="xoxb-bac-a-sable",
    app_token="xapp-bac-a-sable",
    signing_secret="secret-du-bac-a-sable",
    verification_token="jeton-de-verification-du-bac-a-sable",
)

_PEOPLE = (
    User("U0CAMILLE", "Camille Renaud", "camille", "conseillère", "camille.renaud@aubrac.example", "4a6fa5"),
    User("U0HUGO", "Hugo Marchetti", "hugo", "conseiller", "hugo.marchetti@aubrac.example", "b5653b"),
    User("U0INES", "Inès Kadiri", "ines", "responsable conformité", "ines.kadiri@aubrac.example", "5b8c5a"),
)
_GUEST = User("U0LEA", "Léa Brun", "lea", "stagiaire, invitée", "lea.brun@ecole.example", "8a5ba5", guest=True)
_OUTSIDER = User("U0PAUL", "Paul Vasseur", "paul", "notaire, autre entreprise", "", "8f7a3d", team=VAUBAN)
_BOT = User(APP.user_id, APP.name, "quartierscope", "application", "", "2f3a4a", is_bot=True)
_ROOMS = (
    ("C0MARCHE", "marche-residentiel", "channel"),
    ("C0TOULON", "dossiers-toulon", "channel"),
    ("C0PRIVE", "conformite", "private"),
)
_SHARED = ("C0VAUBAN", "avec-etude-vauban")
_GUEST_ROOM = "C0TOULON"
_GROUP = ("G0DUO", "mpdm-camille--hugo--quartierscope-1", ("U0CAMILLE", "U0HUGO"))
"""A message of a few people, with the bot among them."""
_DIRECT = {"U0CAMILLE": "D0CAMILLE", "U0HUGO": "D0HUGO", "U0INES": "D0INES", "U0LEA": "D0LEA"}


def workspace(crowd: int = 0) -> Workspace:
    """A fresh workspace: three people, the bot, two channels, a private one, a message of two of them, a direct
    conversation each; a guest in one of the channels, and a channel shared with somebody of another company. `crowd`:
    so many public channels more, each with an adviser of its own.
    """
    now = int(time.time())
    more = [_adviser(number) for number in range(1, crowd + 1)]
    everybody = [person.id for person in _PEOPLE] + [_BOT.id]
    rooms = [
        Channel(id=room, name=name, kind="private" if kind == "private" else "channel", members=list(everybody))
        for room, name, kind in _ROOMS
    ]
    rooms += [
        Channel(id=f"C0SALON{n:04d}", name=f"salon-{n}", kind="channel", members=[*everybody, adviser.id])
        for n, adviser in enumerate(more, 1)
    ]
    next(room for room in rooms if room.id == _GUEST_ROOM).members.append(_GUEST.id)
    shared, name = _SHARED
    rooms.append(Channel(shared, name, kind="channel", members=[*everybody, _OUTSIDER.id], shared_with=VAUBAN))
    group, name, few = _GROUP
    rooms.append(Channel(group, name, kind="mpim", members=[*few, _BOT.id]))
    direct = [
        Channel(id=_DIRECT[person.id], name=person.name, kind="im", members=[person.id, _BOT.id], user=person.id)
        for person in (*_PEOPLE, _GUEST)
    ]
    for channel in (*rooms, *direct):
        channel.created = now
    return Workspace(
        team=TEAM,
        app=APP,
        users={person.id: person for person in (*_PEOPLE, _GUEST, _OUTSIDER, *more, _BOT)},
        channels={channel.id: channel for channel in (*rooms, *direct)},
    )


BREHAT = Team(id="T0BREHAT1", name="Bréhat Gestion Privée (fictive)", domain="brehat-gestion-fictive")
"""A workspace of a firm of its own, in an organisation (Enterprise Grid), for who installs the app by OAuth."""

ARMOR = "E0ARMOR01"


def second(_crowd: int = 0) -> Workspace:
    """Two people, the bot under other ids, a channel, a private one, a direct conversation each."""
    app = replace(APP, bot_id="B0BREHAT", user_id="U0QSBREHAT", bot_token="", app_token="")
    people = [
        User("U0MAEL", "Maël Kerguen", "mael", "conseiller", "mael.kerguen@brehat.example", "4a6fa5"),
        User("U0NORA", "Nora Salaün", "nora", "conseillère", "nora.salaun@brehat.example", "b5653b"),
    ]
    bot = replace(_BOT, id=app.user_id)
    everybody = [person.id for person in (*people, bot)]
    rooms = [
        Channel(id="C0BREST", name="dossiers-brest", kind="channel", members=list(everybody)),
        Channel(id="C0COMITE", name="comite", kind="private", members=list(everybody)),
    ]
    rooms += [
        Channel(
            id=f"D0{person.handle.upper()}", name=person.name, kind="im", members=[person.id, bot.id], user=person.id
        )
        for person in people
    ]
    for channel in rooms:
        channel.created = int(time.time())
    users = {person.id: person for person in (*people, bot)}
    return Workspace(BREHAT, app, users, {channel.id: channel for channel in rooms}, enterprise=ARMOR)


def _adviser(number: int) -> User:
    name = f"personne-{number}"
    return User(f"U0FOULE{number:04d}", f"Personne {number}", name, "conseiller", f"{name}@aubrac.example", "777777")
