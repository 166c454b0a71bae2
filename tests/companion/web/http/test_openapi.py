"""The API's description, and ten thousand generated requests at the real table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.schemas import APIOperation

from companion.web.http.endpoint import Endpoint
from companion.web.http.openapi import describe
from tests.companion.web.client import fetch
from tests.support.limits import TIMEOUT_S
from tests.support.program import Program, running
from tests.support.real_table import RealTable, at_table

REQUESTS = 10_000
"""As many are asked in all (S3)."""
ENDLESS = {"/api/stream"}
CHECKS = [
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
]


async def offered(table: RealTable) -> tuple[Endpoint, ...]:
    """Return the endpoints of a table's page."""
    return table.endpoints


ENDPOINTS = at_table(offered)
ASKED = [each for each in ENDPOINTS if each.path not in ENDLESS]
TAKING = [each for each in ASKED if each.request_type or each.path_values]
"""The operations that something is said to; of the others there is one question each."""
SHARE = -(-REQUESTS // (2 * len(TAKING) - 3))
"""Requests of each of them and each kind; three of them have but a few that are right."""


def test_every_operation_is_described() -> None:
    """The description has exactly the served endpoints."""
    served = fetch(RealTable(), "GET", "/api/openapi.json").json()
    described = {
        (method.upper(), path) for path, methods in served["paths"].items() for method in methods
    }
    assert {(each.method, each.path) for each in ENDPOINTS} == described
    assert msgspec.json.decode(msgspec.json.encode(describe(ENDPOINTS))) == served


def test_a_stream_has_its_events_described() -> None:
    """Each event has a type, by name; the response itself is a text."""
    described = msgspec.to_builtins(describe(ENDPOINTS))
    (content,) = described["paths"]["/api/stream"]["get"]["responses"]["200"]["content"].values()
    events = content["x-events"]["$ref"].rpartition("/")[2]
    names = {"hello", "news", "entry", "frame", "beat", "goodbye"}
    assert names == described["components"]["schemas"][events]["properties"].keys()
    assert {"type": "string"} == content["schema"]


def test_names_are_given_once() -> None:
    """A client can be generated from the description."""
    assert len(ENDPOINTS) == len({each.name for each in ENDPOINTS})


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """Run the real table on mock pins."""
    home: Path = tmp_path_factory.mktemp("described")
    with running(home, "--simulate", "--strip", "null") as started:
        yield started


def described_operation(operation: Endpoint) -> APIOperation[Any, Any, Any, Any]:
    """Return the operation as the tool reads it from the description."""
    schema = schemathesis.openapi.from_dict(msgspec.to_builtins(describe(ENDPOINTS)))
    return schema[operation.path][operation.method]


def ask_many(operation: Endpoint, mode: GenerationMode, program: Program) -> int:
    """Send an operation's share of requests. Return their number."""
    fetch_so_far = 0

    @settings(
        max_examples=SHARE,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=described_operation(operation).as_strategy(generation_mode=mode))
    def ask(case: Case[Any]) -> None:
        nonlocal fetch_so_far
        fetch_so_far += 1
        if operation.name == "press" and isinstance(case.body, dict):
            case.body["seconds"] = 0.01  # the least: else this takes hours
        case.call_and_validate(base_url=program.url.rstrip("/"), checks=CHECKS, timeout=TIMEOUT_S)

    ask()
    return fetch_so_far


@pytest.mark.program
@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("operation", ASKED, ids=lambda each: each.name)
def test_what_may_be_asked_is_answered_as_described(operation: Endpoint, program: Program) -> None:
    """Each status, type and value is described, and none is a server error (S3)."""
    assert ask_many(operation, GenerationMode.POSITIVE, program)


@pytest.mark.program
@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("operation", TAKING, ids=lambda each: each.name)
def test_what_may_not_be_asked_is_refused_as_described(
    operation: Endpoint, program: Program
) -> None:
    """Each refusal of a faulty request is a described one (S3)."""
    assert ask_many(operation, GenerationMode.NEGATIVE, program)
