"""What breaks between two OpenAPI documents: operations, parameters, bodies, answers."""

from collections.abc import Iterator, Mapping
from typing import Any

from scripts.compatibility.json_schema import Comparison, Part, Resolve, Use, resolver

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def breaks(old: Part, new: Part) -> Iterator[str]:
    """Yield one sentence for each break."""
    compare = Rest(resolver(old), resolver(new))
    for path, item in old["paths"].items():
        for method in METHODS:
            if method not in item:
                continue
            place = f"{method.upper()} {path}"
            after = new["paths"].get(path, {}).get(method)
            if after is None:
                yield f"{place}: the operation is gone"
            else:
                yield from compare.operation(item[method], after, place)
    if missing := set(_schemes(old)) - set(_schemes(new)):
        yield f"security: {', '.join(sorted(missing))} is gone"


def _schemes(document: Part) -> Mapping[str, Any]:
    schemes: Mapping[str, Any] = document.get("components", {}).get("securitySchemes", {})
    return schemes


class Rest:
    """Compares operations."""

    def __init__(self, old: Resolve, new: Resolve) -> None:
        self._old = old
        self._new = new
        self._schemas = Comparison(old, new)

    def operation(self, old: Part, new: Part, place: str) -> Iterator[str]:
        """Yield one sentence for each break of one operation."""
        name = old.get("operationId")
        if name != new.get("operationId"):
            yield f"{place}: operationId was {name}, is now {new.get('operationId')}"
        yield from self._parameters(old, new, place)
        yield from self._body(old.get("requestBody"), new.get("requestBody"), place)
        for status, answer in old.get("responses", {}).items():
            after = new.get("responses", {}).get(status)
            if after is not None:
                yield from self._answer(answer, after, f"{place} {status}")
            elif status < "400":
                # An error that no longer happens breaks nobody.
                yield f"{place}: no longer answers {status}"

    def _parameters(self, old: Part, new: Part, place: str) -> Iterator[str]:
        before, after = self._named(old, self._old), self._named(new, self._new)
        for key, parameter in before.items():
            where = f"{place} ?{key[1]}" if key[0] == "query" else f"{place} {key[0]} {key[1]}"
            if key not in after:
                yield f"{where}: is gone"
                continue
            now = after[key]
            if now.get("required") and not parameter.get("required"):
                yield f"{where}: is now required"
            yield from self._schemas.breaks(parameter["schema"], now["schema"], Use.SENT, where)
        for key, parameter in after.items():
            if key not in before and parameter.get("required"):
                yield f"{place} {key[0]} {key[1]}: is new and required"

    def _named(self, operation: Part, resolve: Resolve) -> dict[tuple[str, str], Part]:
        parameters = [resolve(parameter) for parameter in operation.get("parameters", ())]
        return {(parameter["in"], parameter["name"]): parameter for parameter in parameters}

    def _body(self, old: Part | None, new: Part | None, place: str) -> Iterator[str]:
        if new is not None and new.get("required") and not (old or {}).get("required"):
            yield f"{place} body: is now required"
        if old is None:
            return
        if new is None:
            yield f"{place} body: is gone"
            return
        yield from self._content(old, new, Use.SENT, f"{place} body")

    def _answer(self, old: Part, new: Part, place: str) -> Iterator[str]:
        yield from self._content(self._old(old), self._new(new), Use.READ, place)
        for header in old.get("headers", {}):
            if header not in new.get("headers", {}):
                yield f"{place}: the header {header} is gone"

    def _content(self, old: Part, new: Part, use: Use, place: str) -> Iterator[str]:
        for media, content in old.get("content", {}).items():
            after = new.get("content", {}).get(media)
            if after is None:
                yield f"{place}: {media} is gone"
            else:
                where = place if media == "application/json" else f"{place} {media}"
                yield from self._schemas.breaks(content["schema"], after["schema"], use, where)
