"""`/v1/openapi.json`: OpenAPI 3.1, made from the models that requests and answers are checked by."""

from typing import Any, Final

from pydantic.json_schema import models_json_schema

from bot.api.shapes import AskAnswer, AskRequest, ProblemShape, StepEvent

REFERENCE: Final = "#/components/schemas/{model}"
PROBLEMS: Final = {
    "400": "La demande ne se lit pas",
    "401": "Sans clé, ou clé refusée",
    "404": "Ce fil n'est pas de cette clé",
    "408": "La demande n'arrive pas en entier",
    "413": "La demande est trop longue",
    "429": "Trop de demandes : l'en-tête Retry-After dit quand réessayer",
    "500": "Erreur technique",
    "503": "Indisponible",
}


def document(version: str) -> dict[str, Any]:
    """The whole document, as JSON."""
    shapes = (AskRequest, AskAnswer, ProblemShape, StepEvent)
    _, found = models_json_schema([(shape, "validation") for shape in shapes], ref_template=REFERENCE)
    answers = {
        "200": {
            "description": "La réponse, entière ou au fil de l'eau",
            "content": {
                "application/json": {"schema": _reference("AskAnswer")},
                "text/event-stream": {
                    "schema": {
                        "type": "string",
                        "description": "Événements `step` et `section` (StepEvent), puis `answer` (AskAnswer) ou "
                        "`problem` (ProblemShape).",
                    }
                },
            },
        },
        **{status: _problem(said) for status, said in PROBLEMS.items()},
    }
    ask = {
        "operationId": "ask",
        "summary": "Une question, une réponse sourcée",
        "requestBody": {"required": True, "content": {"application/json": {"schema": _reference("AskRequest")}}},
        "responses": answers,
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "QuartierScope",
            "version": version,
            "description": "Les réponses de QuartierScope pour d'autres programmes. Rien n'y écrit nulle part.",
        },
        "security": [{"key": []}],
        "paths": {"/v1/ask": {"post": ask}},
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "python -m bot keys add"}},
            "schemas": found["$defs"],
        },
    }


def _reference(name: str) -> dict[str, str]:
    return {"$ref": REFERENCE.format(model=name)}


def _problem(said: str) -> dict[str, Any]:
    return {"description": said, "content": {"application/problem+json": {"schema": _reference("ProblemShape")}}}
