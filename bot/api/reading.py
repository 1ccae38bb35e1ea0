"""A request's body -> what it asks, or the French sentence that says what is wrong with it, without repeating it."""

from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError

from bot.api.problems import Problem
from bot.api.shapes import AskRequest

SAID: Final[Mapping[str, str]] = {
    "missing": "il manque",
    "string_too_long": "est trop long",
    "string_too_short": "est vide",
    "string_type": "doit être un texte",
    "string_unicode": "n'est pas un texte lisible",
    "string_pattern_mismatch": "n'a pas la forme d'un fil",
    "extra_forbidden": "n'est pas connu ici",
    "json_invalid": "le corps de la demande n'est pas du JSON",
}


def read(body: bytes) -> AskRequest:
    """Raises `Problem` with a French sentence for what is no request."""
    try:
        return AskRequest.model_validate_json(body)
    except ValidationError as error:
        raise Problem(400, said_of(error)) from None


def said_of(error: ValidationError) -> str:
    """What is wrong, field by field, without what was given."""
    wrong = []
    for each in error.errors():
        field = ".".join(map(str, each["loc"]))
        said = SAID.get(each["type"], "n'a pas la forme attendue")
        wrong.append(
            said if not field else f"il manque « {field} »" if each["type"] == "missing" else f"« {field} » {said}"
        )
    return f"Demande illisible : {' ; '.join(wrong)}."
