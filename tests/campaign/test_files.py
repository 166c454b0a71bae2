"""Short forms of the campaigns against files: killed writers, failing disks, damage."""

import pytest

from tests.campaign.damage import damage
from tests.campaign.disk_errors import disk_errors
from tests.campaign.kills import kills, missing


@pytest.mark.tool(lacks=missing())
def test_a_kill_loses_nothing_that_was_acknowledged(fresh_seed: int) -> None:
    """Whichever writing system call it comes at."""
    verdicts = kills(12, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]


@pytest.mark.tool(lacks=missing())
def test_an_error_of_the_disk_loses_nothing_that_was_acknowledged(fresh_seed: int) -> None:
    """Whichever read or write fails, once, for a while or for good; no traceback."""
    verdicts = disk_errors(10, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]


@pytest.mark.deep
def test_damage_is_named(fresh_seed: int) -> None:
    """Of a damaged file either nothing is lost, or the loss is told; no traceback."""
    verdicts = damage(80, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]
