"""Errors of the application; a docstring is the error's default message, in French, fit to be shown."""

import hashlib

from pipeline.errors import CrmUnavailable, Retryable


class BotError(Exception):
    """Une erreur est survenue."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.__doc__ or "")


class WrongSetting(BotError):
    """Un réglage manque ou est incorrect."""


class TextsSealed(WrongSetting):
    """TEXT_KEY manque ou n'ouvre pas les textes chiffrés de cette base : remettez la clé qui les a chiffrés."""


class StoreUnavailable(Retryable, BotError):
    """La base de données ne répond pas."""


class CrmRefused(BotError):
    """HubSpot a refusé l'écriture."""


class CrmBusy(Retryable, BotError):
    """HubSpot est saturé."""

    def __init__(self, message: str | None = None, *, retry_after: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class CrmDenied(CrmUnavailable):
    """HubSpot refuse le jeton d'accès : vérifiez HUBSPOT_TOKEN"""


class CrmOutcomeUnknown(BotError):
    """HubSpot n'a pas confirmé l'écriture : elle a peut-être eu lieu."""


class JobPoisoned(BotError):
    """Ce travail a interrompu le programme trop souvent : il n'est plus repris."""


class WorkspaceGone(BotError):
    """Cet espace Slack n'a pas installé QuartierScope, ou l'a désinstallé."""


class StepFailed(BotError):
    """Une étape a échoué."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(type(cause).__name__)


class CorpusAway(Retryable, BotError):
    """La base documentaire ne répond pas."""


def reference_of(subject: str) -> str:
    """Eight characters that a user can read out and an administrator can search the log for."""
    return "QS-" + hashlib.sha256(subject.encode()).hexdigest()[:8].upper()
