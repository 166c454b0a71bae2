"""The unit's restrictions on real systemd: each endpoint is tried under them.

They are collected by name alone, as they need root and minutes.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case

from tests.appliance.machine import Appliance, missing_package

pytestmark = [pytest.mark.timeout(600), pytest.mark.tool(lacks=missing_package())]

ENDLESS = "/api/stream"


def requests(machine: Appliance) -> Iterator[Case[Any]]:
    """Yield a request for each endpoint that the page describes, those that change nothing first.

    A game and a backup that are asked for are there. None starts the table again, which only the
    one that has its run may.
    """
    described = schemathesis.openapi.from_dict(machine.get("/api/openapi.json"))
    names = [
        (path, method)
        for path, methods in described.raw_schema["paths"].items()
        for method in methods
    ]
    drawn: list[Case[Any]] = []
    (backup,) = machine.get("/api/backups")
    known = {"number": "1", "made": backup["made"], "seconds": 0.02, "run": "another"}
    for path, method in sorted(names, key=lambda name: name[1] != "get"):

        @settings(
            max_examples=1,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        @given(described[path][method].as_strategy())
        def draw(case: Case[Any]) -> None:
            drawn.append(case)

        draw()
        case = drawn[-1]
        for values in (case.path_parameters, case.query, case.body):
            if isinstance(values, dict):
                values.update((name, known[name]) for name in values.keys() & known.keys())
        if path != ENDLESS:
            yield case


def test_every_endpoint(machine: Appliance) -> None:
    """None of them ends in an error of the server, and the exports are whole."""
    machine.page()
    machine.count()
    machine.run("systemctl", "start", "cribwars-backup.service")
    answers = {
        case.operation.label: case.call(base_url=machine.url, timeout=60)
        for case in requests(machine)
    }
    failed = {label: each.content for label, each in answers.items() if each.status_code >= 500}
    assert {} == failed
    for export in ("/api/export.csv", "/api/export.json"):
        assert b"crib-wars" in answers[f"GET {export}"].content
