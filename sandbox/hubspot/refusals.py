"""What HubSpot says when it says no: status, category, message, correlation id."""

import json
import uuid
from typing import Any


class Refusal(Exception):
    """A 4xx of HubSpot, raised anywhere below the routes and turned into its error body by them."""

    def __init__(self, status: int, category: str, message: str, **extra: Any) -> None:
        super().__init__(message)
        self.status = status
        self.body = error_body(category, message, **extra)


def error_body(category: str, message: str, **extra: Any) -> dict[str, Any]:
    return {
        "status": "error",
        "message": message,
        "correlationId": str(uuid.uuid4()),
        "category": category,
        **extra,
    }


def invalid(message: str, **extra: Any) -> Refusal:
    return Refusal(400, "VALIDATION_ERROR", message, **extra)


def invalid_property(name: str, error: str, message: str) -> Refusal:
    """HubSpot puts the list of wrong values, as JSON text, inside the message."""
    detail = {"isValid": False, "message": message, "error": error, "name": name, "localizedErrorMessage": message}
    return invalid("Property values were not valid: " + json.dumps([detail], ensure_ascii=False))


def not_found(what: str = "resource not found") -> Refusal:
    return Refusal(404, "OBJECT_NOT_FOUND", what)


def conflict(message: str) -> Refusal:
    return Refusal(409, "CONFLICT", message)


def unauthenticated() -> Refusal:
    return Refusal(
        401,
        "INVALID_AUTHENTICATION",
        "Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more "
        "details at https://developers.hubspot.com/docs/methods/auth/oauth-overview",
    )


def rate_limited() -> dict[str, Any]:
    return error_body(
        "RATE_LIMITS",
        "You have reached your ten_secondly_rolling limit.",
        errorType="RATE_LIMIT",
        policyName="TEN_SECONDLY_ROLLING",
    )
