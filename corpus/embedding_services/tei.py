"""A server in the shape of Hugging Face's Text Embeddings Inference: `POST /embed {inputs}`, `GET /info`.

https://huggingface.github.io/text-embeddings-inference/
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import httpx

from corpus.embedding_services.remote import UNREADABLE, TryAgain
from corpus.errors import EmbedderUnavailable

REFUSED: Final = "Le service de vecteurs refuse l'accès : vérifier EMBEDDER_KEY."
NO_DOOR: Final = "Le service de vecteurs n'a pas d'adresse /embed : vérifier EMBEDDER_URL."
TOO_MUCH: Final = "Le service de vecteurs refuse des lots de cette taille : réduire EMBEDDER_BATCH."


@dataclass(frozen=True, slots=True)
class Info:
    """What a server says of itself; nothing where it does not."""

    model: str = ""
    revision: str = ""
    batch: int | None = None


class TeiService:
    """`Service`. The address is without a path of its own; the client's redirects are off."""

    def __init__(self, client: httpx.AsyncClient, url: str, *, key: str | None = None) -> None:
        self._client = client
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    async def vectors(self, texts: Sequence[str]) -> Any:
        body = {"inputs": list(texts), "normalize": True, "truncate": True}
        return await self._asked("POST", "/embed", json=body)

    async def info(self) -> Info:
        """Raises as `vectors` does."""
        told = await self._asked("GET", "/info")
        if not isinstance(told, Mapping):
            return Info()
        most = told.get("max_client_batch_size")
        return Info(str(told.get("model_id") or ""), str(told.get("model_sha") or ""), most if most else None)

    async def _asked(self, method: str, path: str, **given: Any) -> Any:
        try:
            reply = await self._client.request(method, f"{self._url}{path}", headers=self._headers, **given)
        except httpx.HTTPError as error:
            raise TryAgain from error
        if reply.status_code in (429, 500, 502, 503, 504):
            raise TryAgain(after=_seconds(reply.headers.get("retry-after", "")))
        if reply.status_code in (401, 403):
            raise EmbedderUnavailable(REFUSED)
        if reply.status_code in (413, 422):
            raise EmbedderUnavailable(TOO_MUCH)
        if reply.status_code != 200:
            raise EmbedderUnavailable(NO_DOOR)
        try:
            return reply.json()
        except ValueError as error:
            raise EmbedderUnavailable(UNREADABLE) from error


def _seconds(header: str) -> float | None:
    try:
        return max(0.0, float(header))
    except ValueError:
        return None
