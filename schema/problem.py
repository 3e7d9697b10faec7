"""Problem details (RFC 9457): what REST answers a refusal with."""

from typing import Any, Final, TypeAlias

from schema.errors import ERRORS

PROBLEM: Final = "application/problem+json"

Part: TypeAlias = dict[str, Any]  # one object of the document


def problem(event: Part) -> Part:
    """Return the JSON Schema of a problem; `event` is that of an event."""
    text: Part = {"type": "string"}
    fault = {"type": "object", "properties": {"path": text, "message": text}}
    return {
        "type": "object",
        "description": "Problem details (RFC 9457). Some codes add members of their own.",
        "properties": {
            "type": {"type": "string", "format": "uri-reference"},
            "title": text,
            "status": {"type": "integer"},
            "code": {"enum": sorted(ERRORS)},
            "detail": text,
            "retryable": {"type": "boolean"},
            "errors": {
                "type": "array",
                "description": "Every fault of a malformed request.",
                "items": {**fault, "required": ["path", "message"]},
            },
            "version": {
                "type": "integer",
                "description": "The current version of the match, where the request conflicts "
                "with it.",
            },
            "events": {
                "type": "array",
                "description": "What happened after the version, or the choice, that the command "
                "names; 200 events at most.",
                "items": event,
            },
            "reason": {**text, "description": "Why a move is not legal."},
            "rule": {
                "type": ["string", "null"],
                "description": "The paragraph of the rules that says so: "
                "`/docs/rules/{game}#rule-{rule}`.",
            },
        },
        "required": ["type", "title", "status", "code", "detail", "retryable"],
    }
