"""Short forms of the campaigns against files: killed writers, failing disks, damage."""

import pytest

from tests.campaign.damage import damage
from tests.campaign.disk_errors import disk_errors
from tests.campaign.kills import kills, missing


@pytest.mark.tool(lacks=missing())
def test_a_kill_loses_nothing_that_was_acknowledged(fresh_seed: int) -> None:
    """This holds for a kill at any system call that writes."""
    verdicts = kills(12, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]


@pytest.mark.tool(lacks=missing())
def test_an_error_of_the_disk_loses_nothing_that_was_acknowledged(fresh_seed: int) -> None:
    """Any read or write may fail, once, for a while or for good; there is no traceback."""
    verdicts = disk_errors(10, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]


@pytest.mark.deep
def test_damage_is_named(fresh_seed: int) -> None:
    """If a file is damaged, nothing is lost or the loss is reported, without a traceback."""
    verdicts = damage(80, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]
