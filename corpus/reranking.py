"""A reranking service over HTTP: Jina, Cohere, vLLM and TEI answer the same question in nearly the same words.

`RERANKER_URL` is the whole address (`…/v1/rerank`, `…/v2/rerank`, `…/rerank`). With a model's name the request is the
one of Jina, Cohere and vLLM (`documents`, answered by `results[].relevance_score`); without one it is TEI's, which
serves a single model (`texts`, answered by a bare list of `score`).
"""

import math
from collections.abc import Sequence
from typing import Any

import httpx

from corpus.errors import RerankerUnavailable


class HttpReranker:
    """`Reranker`. The client's own time limit bounds a call; the caller sets its deadline on top."""

    def __init__(self, client: httpx.AsyncClient, url: str, *, api_key: str | None = None, model: str = "") -> None:
        self._client = client
        self._url = url
        self._model = model
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One a text, in the order given. Raises `RerankerUnavailable`."""
        if not texts:
            return []
        body: dict[str, Any] = {"query": query}
        if self._model:
            body |= {"model": self._model, "documents": list(texts), "top_n": len(texts)}
        else:
            body |= {"texts": list(texts), "truncate": True}
        try:
            reply = await self._client.post(self._url, json=body, headers=self._headers)
            reply.raise_for_status()
            return _read(reply.json(), len(texts))
        except httpx.HTTPError as error:
            raise RerankerUnavailable from error
        except (ValueError, TypeError, KeyError) as error:  # not JSON, or of another shape
            raise RerankerUnavailable("Le service de reclassement a répondu de façon illisible.") from error


def _read(found: Any, count: int) -> list[float]:
    """Raises `ValueError`, `TypeError` or `KeyError` unless each text has exactly one finite score."""
    rows = found["results"] if isinstance(found, dict) else found
    scores: dict[int, float] = {}
    for row in rows:
        score = float(row["relevance_score"] if "relevance_score" in row else row["score"])
        if row["index"] in scores or not math.isfinite(score):
            raise ValueError
        scores[row["index"]] = score
    if set(scores) != set(range(count)):
        raise ValueError
    return [scores[position] for position in range(count)]
