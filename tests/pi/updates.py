"""The plug, pulled in updates, which take long. `make test-pi` runs them."""

import secrets

import pytest

from tests.pi.parts import missing_package
from tests.pi.plug import CUTS, plug

pytestmark = [pytest.mark.timeout(2400), pytest.mark.tool(lacks=missing_package())]


@pytest.mark.parametrize("kind", ["update"] * CUTS)
def test_a_pulled_plug_loses_nothing(kind: str) -> None:
    """The last version that worked goes on, or the new one does."""
    assert {} == plug(1, secrets.randbelow(10**6), [kind]).wrong
