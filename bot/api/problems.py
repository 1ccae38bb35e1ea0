"""What went wrong, as `application/problem+json` (RFC 9457): a French sentence, and a reference for the log."""

import json
import secrets
from collections.abc import Mapping
from typing import Final

import structlog
from starlette.requests import Request
from starlette.responses import Response

from bot.errors import BotError, StoreUnavailable
from corpus.errors import CorpusError
from pipeline.errors import PipelineError, Retryable

log = structlog.get_logger()

TITLES: Final[Mapping[int, str]] = {
    400: "Demande incorrecte",
    401: "Clé refusée",
    404: "Introuvable",
    405: "Méthode refusée",
    406: "Format refusé",
    408: "Demande trop lente",
    413: "Demande trop longue",
    422: "Sans réponse",
    429: "Trop de demandes",
    500: "Erreur technique",
    503: "Indisponible",
}
INVALID_REQUEST: Final = -32600
"""Of JSON-RPC."""
TECHNICAL: Final = "Une erreur technique est survenue."
NOT_THERE: Final = "Cette adresse n'existe pas : voir /v1/openapi.json."
NOT_SO: Final = "Cette adresse ne prend pas cette méthode : voir /v1/openapi.json."


class Problem(Exception):
    """`detail`: a French sentence, fit to be shown. `reference`: eight characters to search the log for."""

    def __init__(self, status: int, detail: str, *, retry_after: int | None = None, reference: str = "") -> None:
        super().__init__(detail)
        self.status, self.detail, self.retry_after = status, detail, retry_after
        self.reference = reference or f"QS-{secrets.token_hex(4).upper()}"

    def as_json(self) -> dict[str, object]:
        return {
            "type": "about:blank",
            "title": TITLES.get(self.status, TECHNICAL),
            "status": self.status,
            "detail": self.detail,
            "reference": self.reference,
        }

    def response(self) -> Response:
        return self._response(self.as_json(), "application/problem+json")

    def rpc_response(self) -> Response:
        """For `/mcp`: as an error of JSON-RPC, which is all that its clients show."""
        said = {"code": INVALID_REQUEST, "message": f"{self.detail} (référence {self.reference})"}
        return self._response(
            {"jsonrpc": "2.0", "id": None, "error": {**said, "data": self.as_json()}}, "application/json"
        )

    def _response(self, told: Mapping[str, object], media_type: str) -> Response:
        headers = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        if self.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        return Response(json.dumps(told, ensure_ascii=False), self.status, headers, media_type=media_type)


def problem_of(error: BaseException, *, where: str, reference: str = "") -> Problem:
    """The same, for whatever was raised; what nobody expected is logged under the reference."""
    if isinstance(error, Problem):
        problem = error
    elif isinstance(error, BotError | CorpusError | PipelineError):
        later = isinstance(error, StoreUnavailable | Retryable)
        problem = Problem(503 if later else 500, str(error), retry_after=5 if later else None, reference=reference)
    else:
        problem = Problem(500, TECHNICAL, reference=reference)
        log.error("api_failed", where=where, reference=problem.reference, error=repr(error), exc_info=error)
        return problem
    log.info("api_refused", where=where, status=problem.status, reference=problem.reference)
    return problem


async def on_error(request: Request, error: Exception) -> Response:
    """For the application: whatever a route raised."""
    if (status := getattr(error, "status_code", None)) in (404, 405):
        return Problem(status, NOT_THERE if status == 404 else NOT_SO).response()
    return problem_of(error, where=request.url.path).response()
