"""Errors of the corpus; a docstring is the error's default message."""


class CorpusError(Exception):
    """Le corpus documentaire n'a pas pu être lu."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.__doc__ or "")


class MalformedArticle(CorpusError):
    """Un article du corpus est mal formé."""

    def __init__(self, message: str | None = None, *, document_id: str = "") -> None:
        super().__init__(message)
        self.document_id = document_id


class VectorMismatch(CorpusError):
    """Le vecteur n'a pas la taille attendue : réindexer le corpus avec le modèle de vecteurs actuel."""


class StaleIndex(VectorMismatch):
    """L'index a été fait par une autre version : lancer `python -m bot reindex`, puis redémarrer le bot."""


class IndexUnavailable(CorpusError):
    """La base documentaire ne répond pas."""


class OldSchema(IndexUnavailable):
    """L'index est d'un schéma plus ancien : lancer `python -m bot reindex`, puis redémarrer le bot."""


class EmbedderUnavailable(CorpusError):
    """Le calcul des vecteurs n'est pas disponible."""


class DimensionChanged(EmbedderUnavailable):
    """Le service de vecteurs a changé la taille de ses vecteurs."""

    @classmethod
    def between(cls, before: int, now: int) -> "DimensionChanged":
        """Says both, and what to do."""
        return cls(
            f"Le service de vecteurs rend des vecteurs de {now} dimensions au lieu de {before} : redémarrer le bot,"
            " puis lancer `python -m bot reindex`. Rien n'a été perdu."
        )


class RerankerUnavailable(CorpusError):
    """Le service de reclassement ne répond pas."""


class UnreadableFile(CorpusError):
    """Ce fichier n'a pas pu être lu."""


class UnreadableSource(CorpusError):
    """Cette adresse n'a pas pu être lue."""
