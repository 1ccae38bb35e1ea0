"""`python -m sandbox`: the pretend services, their page, and the bot as a child."""

import argparse
import asyncio
import contextlib
import shlex
import signal
import socket
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from sandbox.app import Sandbox
from sandbox.demo.playing import play_all
from sandbox.faults import USUAL_DELAYS
from sandbox.options import DEFAULT_COMMAND, Options, environment
from sandbox.serving import bind, serving

PATIENCE_S = 20.0
MANIFEST = Path(__file__).resolve().parent.parent / "manifest.json"
_HELP = "Un Slack, un HubSpot et des données ouvertes d'essai sur cette machine, avec une page pour s'en servir."


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 after Ctrl-C or SIGTERM, 2 for a wrong option or a port that is taken."""
    asked = _parser().parse_args(argv)
    try:
        listener = bind(asked.host, asked.port)
    except OSError as error:
        print(_cannot_listen(asked.host, asked.port, error), file=sys.stderr)
        return 2
    command = asked.command[1:] if asked.command[:1] == ["--"] else asked.command
    options = Options(
        host=asked.host,
        port=asked.port,
        http=asked.http or asked.oauth,
        oauth=asked.oauth,
        live=asked.live,
        retry_delays=asked.retry_delays,
        rooms=asked.rooms,
        news_every=asked.news_every,
        manifest=asked.manifest,
        command=() if asked.no_bot else tuple(command or DEFAULT_COMMAND),
    )
    asyncio.run(_run(options, listener, open_page=asked.open, demo=asked.demo))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description=_HELP)
    parser.add_argument("--host", default="127.0.0.1", help="adresse d'écoute (127.0.0.1)")
    parser.add_argument("--port", type=_port, default=8080, help="port de la page (8080) ; 0 en prend un libre")
    parser.add_argument("--http", action="store_true", help="événements HTTP signés au lieu du Socket Mode")
    parser.add_argument(
        "--oauth", action="store_true", help="plusieurs espaces, qui installent le bot par OAuth (HTTP)"
    )
    parser.add_argument("--open", action="store_true", help="ouvre la page dans le navigateur")
    parser.add_argument("--demo", action="store_true", help="joue une conversation dans la page, une fois ouverte")
    parser.add_argument("--live", action="store_true", help="laisse les vraies données ouvertes (DVF_API_URL…)")
    parser.add_argument("--rooms", type=int, default=0, help="salons publics en plus, pour une foule (0)")
    parser.add_argument(
        "--news-every", type=int, default=0, help="minutes entre deux relevés des actualités (0 : aucun)"
    )
    parser.add_argument(
        "--manifest", type=Path, default=MANIFEST, help="manifeste qui donne les droits de l'application"
    )
    parser.add_argument("--no-bot", action="store_true", help="ne lance pas le bot, affiche son environnement")
    parser.add_argument(
        "--retry-delays", type=_delays, default=USUAL_DELAYS, help="secondes avant chaque nouvel essai (0,60,300)"
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, help="-- commande du bot (python -m bot run)")
    return parser


def _port(text: str) -> int:
    if text.isdecimal() and int(text) <= 65_535:
        return int(text)
    raise argparse.ArgumentTypeError("un nombre entre 0 et 65535")


def _delays(text: str) -> tuple[float, ...]:
    try:
        delays = tuple(float(part) for part in text.split(",") if part.strip())
    except ValueError:
        delays = (-1.0,)
    if any(delay < 0 for delay in delays):
        raise argparse.ArgumentTypeError("des secondes séparées par des virgules, par exemple 0,60,300")
    return delays


def _cannot_listen(host: str, port: int, error: OSError) -> str:
    return (
        f"Impossible d'écouter sur {host}:{port} ({error.strerror or error}) : "
        "arrêtez le programme qui occupe ce port ou choisissez-en un autre avec --port (0 : un port libre)."
    )


async def _run(options: Options, listener: socket.socket, *, open_page: bool, demo: bool) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with serving(options, listener=listener) as sandbox:
        sandbox.process.start()
        welcome = asyncio.create_task(_welcome(sandbox, open_page=open_page, demo=demo))
        await stopped.wait()
        welcome.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await welcome


async def _welcome(sandbox: Sandbox, *, open_page: bool, demo: bool) -> None:
    options = sandbox.options
    if not options.command:
        print(f"Bac à sable sur {options.base_url}. Lancez votre bot avec :", flush=True)
        for name, value in environment(options, crm_token=sandbox.crm.token).items():
            print(f"export {name}={shlex.quote(value)}", flush=True)
    if open_page:
        await asyncio.to_thread(webbrowser.open, options.base_url)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await sandbox.world.outbox.transport.ready()
    except TimeoutError:
        print(f"Le bot n'est pas encore connecté ; la page et son journal sont sur {options.base_url}.", flush=True)
        await sandbox.world.outbox.transport.ready()
    print(f"QuartierScope vous attend sur {options.base_url} (Ctrl-C pour arrêter).", flush=True)
    if demo:
        await play_all(sandbox.parts)


if __name__ == "__main__":
    sys.exit(main())
