"""The API's description (OpenAPI 3.1), made from the endpoints and their types.

Each endpoint becomes an operation. Its schemas come from the types that the server decodes and
encodes, so that the description cannot differ from the program. The refusals follow from the
endpoint: 400, 413 and 415 if it takes a body, 404 if its path has placeholders.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any, Final, NotRequired, TypedDict

import msgspec

from companion.web.http.endpoint import (
    COOKIE,
    EVENT_STREAM,
    JSON,
    TOKEN,
    Call,
    Endpoint,
    Right,
    endpoint,
    endpoints_of,
)
from companion.web.http.route import HEADER

SchemaOf = Mapping[object, dict[str, object]]
"""The schemas of requests and responses by their types."""

_SCHEMAS: Final = "#/components/schemas/{name}"
_WHO: Final = {
    Right.WATCH: "Everybody in the network may send this request.",
    Right.SCORE: "A paired phone may send this request.",
    Right.RUN: "A phone that was paired to run the table may send this request.",
    Right.NEAR: "Only the machine that the table runs on may send this request.",
}
_REFUSALS: Final = {
    400: "The request cannot be read, or asks for something impossible.",
    403: "The caller lacks the right for this, or another site's page sent the request.",
    404: "Nothing has that name.",
    408: "The awaited event did not come in time.",
    409: "The rules or the state of the table forbid this; nothing was changed.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    421: "This machine has no such name.",
    429: "These were too many requests: wait as Retry-After says.",
    503: "This is not possible now: try again later.",
}
_EVERYWHERE: Final = (421, 429)
_STRING: Final[dict[str, object]] = {"type": "string"}
_TEXT: Final = {413, 421}
"""Statuses of refusals in plain text; the pages' requests never get them."""


class SettingFault(TypedDict):
    """Fault in the settings: `key` names the setting, if any; `text` says problem and remedy."""

    key: str | None
    text: str
    problem: str
    remedy: str


class Refusal(TypedDict):
    """Refusal of a request, with the reason in one line.

    `rule` is the number of the rule of the game that forbids the request. `faults` are all faults
    in the settings that were sent.
    """

    error: str
    rule: NotRequired[str | None]
    faults: NotRequired[list[SettingFault]]


def describe(endpoints: Iterable[Endpoint]) -> dict[str, object]:
    """Return the description of these endpoints as a JSON value.

    >>> describe(())["openapi"]
    '3.1.0'
    """
    known = sorted(endpoints, key=lambda each: (each.path, each.method))
    bodies = [each.request_type for each in known if each.request_type and each.changes]
    types = [Refusal, *bodies, *(each.response_type for each in known if each.response_type)]
    described, schemas = _schemas(types)
    schema_of = dict(zip(types, described, strict=True))
    paths: dict[str, dict[str, object]] = {}
    for each in known:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Crib Wars",
            "version": "1",
            "description": "The page's server at a Crib Wars table.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"phone": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


class ApiDescription:
    """Endpoint that describes the given endpoints and itself."""

    def __init__(self, described: Sequence[Endpoint]) -> None:
        self._whole = cache(lambda: describe((*described, *endpoints_of(self))))

    @endpoint("GET", "/api/openapi.json", Right.WATCH)
    async def _openapi(self, _call: Call[None]) -> dict[str, Any]:
        """Return this description."""
        return self._whole()


def _as_sent(schema: dict[str, Any]) -> dict[str, object]:
    """Return the schema of a response; fields with a default are always sent, hence required.

    The schema of a request, which forbids further fields, is returned unchanged.
    """
    if schema.get("additionalProperties") is False:
        return schema
    properties: dict[str, dict[str, object]] = schema.get("properties", {})
    required = schema.get("required", ())
    sent = [name for name, each in properties.items() if name in required or "default" in each]
    for each in properties.values():
        each.pop("default", None)
    return schema | {"required": sent} if sent else schema


def _schemas(types: Sequence[Any]) -> tuple[list[dict[str, object]], dict[str, Any]]:
    described, schemas = msgspec.json.schema_components(
        types, ref_template=_SCHEMAS, schema_hook=lambda _text: _STRING
    )
    return [dict(each) for each in described], {k: _as_sent(v) for k, v in schemas.items()}


def _operation(endpoint: Endpoint, schema_of: SchemaOf) -> dict[str, object]:
    described: dict[str, object] = {
        "operationId": endpoint.name,
        "summary": endpoint.description,
        "description": _WHO[endpoint.right],
        "parameters": [*_path_values(endpoint), *_query(endpoint), *_key(endpoint)],
        "responses": _responses(endpoint, schema_of),
    }
    if endpoint.right in {Right.SCORE, Right.RUN}:  # without WATCH, NEAR
        described["security"] = [{"phone": []}, {}]
    if endpoint.changes:
        body = schema_of.get(endpoint.request_type, {"type": "object"})
        schema = body | _number_of_fields(endpoint)
        content = {JSON: {"schema": schema}}
        described["requestBody"] = {"required": True, "content": content}
    return described


def _number_of_fields(endpoint: Endpoint) -> dict[str, object]:
    """Return the limits on the number of fields, for a body that must have exactly one."""
    one = getattr(endpoint.request_type, "one_field", False)
    return {"minProperties": 1, "maxProperties": 1} if one else {}


def _path_values(endpoint: Endpoint) -> list[dict[str, object]]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "pattern": f"^({pattern})$"},
        }
        for name, pattern in endpoint.path_values.items()
    ]


def _query(endpoint: Endpoint) -> list[dict[str, object]]:
    if endpoint.request_type is None or endpoint.changes:
        return []
    (_, schemas) = _schemas([endpoint.request_type])
    shape: Any = schemas[endpoint.request_type.__name__]
    return [
        {"name": name, "in": "query", "required": name in shape.get("required", ()), "schema": one}
        for name, one in shape["properties"].items()
    ]


def _key(endpoint: Endpoint) -> list[dict[str, object]]:
    if not endpoint.changes:
        return []
    text = "A new key for each request; requests with the same key are carried out once."
    schema = {"type": "string", "pattern": f"^{TOKEN}$"}
    return [
        {"name": HEADER, "in": "header", "required": False, "description": text, "schema": schema}
    ]


def _responses(endpoint: Endpoint, schema_of: SchemaOf) -> dict[str, object]:
    done: dict[str, object] = {"description": "Done."}
    if endpoint.response_type or endpoint.media != JSON:
        schema = schema_of.get(endpoint.response_type, _STRING)
        is_stream = endpoint.media == EVENT_STREAM
        content = {"schema": _STRING, "x-events": schema} if is_stream else {"schema": schema}
        done["content"] = {endpoint.media: content}
    statuses = {*_EVERYWHERE, *endpoint.error_statuses}
    if endpoint.path_values:
        statuses.add(404)
    if endpoint.right is not Right.WATCH or endpoint.changes:
        statuses.add(403)
    if endpoint.changes:
        statuses |= {400, 413, 415}
    if endpoint.request_type:
        statuses.add(400)
    status = "200" if "content" in done else "204"
    refused = {str(each): _refused(each, endpoint, schema_of[Refusal]) for each in sorted(statuses)}
    empty = {"204": {"description": "There is nothing."}} if endpoint.may_be_empty else {}
    return {status: done, **empty, **refused}


def _refused(status: int, endpoint: Endpoint, refusal: dict[str, object]) -> dict[str, object]:
    media = "text/plain" if status in _TEXT else JSON
    if status == HTTPStatus.NOT_FOUND and endpoint.media.startswith("text/html"):
        media = endpoint.media
    schema = refusal if media == JSON else _STRING
    return {"description": _REFUSALS[status], "content": {media: {"schema": schema}}}
