"""OpenAI's embeddings, and those of any server that speaks its protocol, through the `openai` library."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from corpus.embedding_services.remote import UNREADABLE, TryAgain
from corpus.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from openai import AsyncOpenAI

REFUSED: Final = "Le service de vecteurs refuse l'accès : vérifier EMBEDDER_KEY."
NO_MODEL: Final = "Le service de vecteurs ne connaît pas ce modèle : vérifier EMBEDDER_MODEL et EMBEDDER_URL."
NO_CREDIT: Final = "Le compte du service de vecteurs n'a plus de crédit."
NOT_TAKEN: Final = "Le service de vecteurs refuse la demande : vérifier EMBEDDER_MODEL, EMBEDDER_DIMENSIONS et _BATCH."


class OpenAIService:
    """`Service`. `dimensions`: asked of a model that can shorten its vectors, None for its own."""

    def __init__(
        self, model: str, *, key: str, base_url: str | None, seconds: float, dimensions: int | None = None
    ) -> None:
        self._model = model
        self._given: dict[str, Any] = {"api_key": key, "base_url": base_url, "timeout": seconds, "max_retries": 0}
        self._asked: dict[str, Any] = {"dimensions": dimensions} if dimensions else {}
        self._client: AsyncOpenAI | None = None

    async def vectors(self, texts: Sequence[str]) -> Any:
        import openai

        self._client = self._client or openai.AsyncOpenAI(**self._given)
        try:
            reply = await self._client.embeddings.create(
                model=self._model, input=list(texts), encoding_format="float", **self._asked
            )
        except openai.RateLimitError as error:
            if error.code == "insufficient_quota":
                raise EmbedderUnavailable(NO_CREDIT) from error
            raise TryAgain from error
        except (openai.APIConnectionError, openai.InternalServerError) as error:  # a time limit is the former
            raise TryAgain from error
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            raise EmbedderUnavailable(REFUSED) from error
        except openai.NotFoundError as error:
            raise EmbedderUnavailable(NO_MODEL) from error
        except openai.APIStatusError as error:
            raise EmbedderUnavailable(NOT_TAKEN) from error
        except (openai.OpenAIError, ValueError) as error:
            raise EmbedderUnavailable(UNREADABLE) from error
        return _rows(reply, len(texts))

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.close()


def _rows(reply: Any, count: int) -> list[Any]:
    """In the order of the texts; the library checks nothing of what it was sent. Raises `EmbedderUnavailable`."""
    try:
        rows = {row.index: row.embedding for row in reply.data}
        return [rows[at] for at in range(count)]
    except (AttributeError, TypeError, KeyError) as error:
        raise EmbedderUnavailable(UNREADABLE) from error
