"""Addresses that misbehave, each in its own way, for whoever reads what people name."""

import asyncio
import gzip
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from sandbox.opendata.state import OpenData

METADATA = "http://169.254.169.254/latest/meta-data/"
CHUNK = b"<p>Cette page fictive n'en finit pas.</p>\n" * 500
BOMB_BYTES = 300_000_000
LOGIN = (
    "<!doctype html><title>Connexion</title><form method=post><p>Connectez-vous pour lire cette page fictive.</p>"
    "<input name=user><input type=password name=secret><button>Entrer</button></form>"
)


def routes(state: OpenData) -> list[BaseRoute]:
    """Within /sites: /pannes/boucle, lente, sans-fin, metadonnees, encodage, absente, connexion, html-flux, bombe."""

    async def slow(request: Request) -> Response:
        await asyncio.sleep(state.seconds)
        return HTMLResponse("<p>Trop tard.</p>")

    return [
        Route("/pannes/boucle", _to("retour")),
        Route("/pannes/retour", _to("boucle")),
        Route("/pannes/metadonnees", lambda request: RedirectResponse(METADATA, 302)),
        Route("/pannes/lente", slow),
        Route("/pannes/sans-fin", lambda request: StreamingResponse(_endless(), media_type="text/html")),
        Route("/pannes/flux-sans-fin", lambda request: StreamingResponse(_endless_feed(), media_type="text/xml")),
        Route("/pannes/encodage", lambda request: Response(_mixed_feed(), media_type="application/rss+xml")),
        Route("/pannes/absente", lambda request: HTMLResponse("<h1>404</h1>", 404)),
        Route("/pannes/connexion", lambda request: HTMLResponse(LOGIN)),
        Route("/pannes/html-flux", lambda request: Response(LOGIN, media_type="application/rss+xml")),
        Route("/pannes/image", lambda request: Response(b"\x89PNG\r\n", media_type="image/png")),
        Route("/pannes/bombe", lambda request: Response(_bomb(), media_type="text/html", headers=_PACKED)),
    ]


_PACKED = {"Content-Encoding": "gzip"}


def _to(name: str):  # type: ignore[no-untyped-def]
    return lambda request: RedirectResponse(name, 302)


async def _endless() -> AsyncIterator[bytes]:
    yield b"<!doctype html><title>Sans fin</title>"
    while True:
        yield CHUNK
        await asyncio.sleep(0)


async def _endless_feed() -> AsyncIterator[bytes]:
    yield b'<?xml version="1.0"?><rss version="2.0"><channel><title>Sans fin</title>'
    number = 0
    while True:
        number += 1
        yield b"<item><guid>%d</guid><title>Encore</title><description>toujours</description></item>" % number * 50
        await asyncio.sleep(0)


def _mixed_feed() -> bytes:
    """Announced and begun in UTF-8, ended in Windows-1252."""
    start = '<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Flux fictif mêlé</title>'
    first = "<item><guid>1</guid><title>Début</title><description>L'été fictif commence en UTF-8.</description></item>"
    last = "<item><guid>2</guid><title>Après</title><description>L'été fictif finit en cp1252.</description></item>"
    return (start + first).encode() + (last + "</channel></rss>").encode("cp1252")


def _bomb() -> bytes:
    """About 300 kB that unpack to 300 MB."""
    return gzip.compress(bytes(BOMB_BYTES), compresslevel=6)
