"""Errors of the pipeline; a docstring is the error's default message."""


class PipelineError(Exception):
    """La réponse n'a pas pu être préparée."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.__doc__ or "")


class Retryable:
    """Mixin: the same call may succeed later."""


class ModelUnavailable(Retryable, PipelineError):
    """Le modèle de langue ne répond pas."""


class CrmUnavailable(Retryable, PipelineError):
    """Le CRM ne répond pas."""
