"""The types of the API for the pages' scripts, generated from its description: `make api`."""

import json
from collections.abc import Mapping
from textwrap import fill
from typing import Any, Final

from companion.web.server import STATIC
from tests.companion.night.test_night_endpoints import ask
from tests.companion.web.client import fetch
from tests.support.real_table import RealTable

FILE: Final = STATIC / "api.d.ts"
_HEAD: Final = """\
// Types of the API's requests and responses, made from its description: `make api`.
declare namespace Api {
  type Request<Path> = Path extends keyof Requests ? Requests[Path] : object;
"""
_SIMPLE: Final = {
    **{name: name for name in ("boolean", "null", "number", "object", "string")},
    "integer": "number",
}


def api_types() -> str:
    """Return the types of all requests and responses of the table and the organiser."""
    described = (fetch(RealTable(), "GET", "/api/openapi.json"), ask("GET", "/api/openapi.json"))
    table, night = (each.json() for each in described)
    schemas: dict[str, Any] = {"Requests": bodies(table["paths"] | night["paths"])}
    for each in (table, night):
        for name, schema in each["components"]["schemas"].items():
            assert schema == schemas.setdefault(name, schema), f"two types {name}"
    lines = [declaration(name, schema) for name, schema in sorted(schemas.items())]
    return f"{_HEAD}{''.join(lines)}}}\n"


def bodies(paths: Mapping[str, Any]) -> dict[str, object]:
    """Return the schema of an object with the body for each path, except named bodies."""
    found = {
        json.dumps(path): methods["post"]["requestBody"]["content"]["application/json"]["schema"]
        for path, methods in paths.items()
        if "post" in methods and "{" not in path
    }
    return {"properties": found, "required": list(found)}


def declaration(name: str, schema: Mapping[str, Any]) -> str:
    r"""Return the TypeScript declaration of a type.

    >>> declaration("Hole", {"anyOf": [{"type": "integer"}, {"$ref": "#/components/schemas/Path"}]})
    '  type Hole = number | Path;\n'
    """
    text = f"type {name} = {type_of(schema)};".replace(": ", ":~")
    lines = fill(text, 100, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    return lines.replace("~", " ") + "\n"


def type_of(schema: Mapping[str, Any]) -> str:
    """Return the TypeScript type of the values of a schema.

    >>> type_of({"type": "array", "items": {"anyOf": [{"enum": ["up"]}, {"type": "null"}]}})
    '("up" | null)[]'
    >>> type_of({"properties": {"a": {}, "b": {"type": "null"}}, "required": ["b"]})
    '{ a?: any; b: null }'
    >>> type_of({"type": "object", "additionalProperties": {"type": "number"}})
    'Record<string, number>'
    """
    match schema:
        case {"$ref": str(path)}:
            text = path.rpartition("/")[2]
        case {"enum": list(values)}:
            text = " | ".join(map(json.dumps, values))
        case {"anyOf": list(options)}:
            text = " | ".join(dict.fromkeys(map(type_of, options)))
        case {"prefixItems": list(items)}:
            text = f"[{', '.join(map(type_of, items))}]"
        case {"items": items}:
            item = type_of(items)
            text = f"({item})[]" if " | " in item else f"{item}[]"
        case {"properties": properties}:
            required = schema.get("required", ())
            marks = {name: "" if name in required else "?" for name in properties}
            fields = (f"{name}{marks[name]}: {type_of(each)}" for name, each in properties.items())
            text = f"{{ {'; '.join(fields)} }}"
        case {"additionalProperties": dict(values)}:
            text = f"Record<string, {type_of(values)}>"
        case _:
            text = _SIMPLE.get(schema.get("type", ""), "any")
    return text


if __name__ == "__main__":
    FILE.write_text(api_types(), encoding="utf-8")
