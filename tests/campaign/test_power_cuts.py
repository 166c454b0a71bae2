"""The power may be cut at any write, and again while the files are opened."""

import pytest

from tests.campaign.logged_disk import missing
from tests.campaign.power_cuts import power_cuts

pytestmark = pytest.mark.tool(lacks=missing())


def test_no_cut_loses_what_was_acknowledged(fresh_seed: int) -> None:
    """Counts, undo, games, settings, phones, backup, restore and migration survive."""
    verdicts = power_cuts(90, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]
    assert verdicts.right >= 99


@pytest.mark.parametrize("control", ["normal", "nothing"])
def test_a_journal_that_does_not_wait_for_the_disk_is_found_out(control: str) -> None:
    """Without the sync at each commit the campaign finds lost commands."""
    assert power_cuts(40, 3, control).wrong.get("lost")


def test_a_folder_that_is_not_synced_is_found_out() -> None:
    """Without the sync of a folder the campaign finds files with old content."""
    assert power_cuts(10, 3, "unsynced").wrong.get("lost")
