"""Short forms of the campaigns: against files, the disk's power and the running program."""

import pytest

from tests.campaign.game_night import game_night
from tests.campaign.logged_disk import missing as missing_disk
from tests.campaign.program import missing as missing_program
from tests.campaign.program import soak, web
from tests.campaign.storage import damage, disk_errors, kills, missing, power_cuts
from tests.support import mosquitto


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


@pytest.mark.program
def test_the_page_bears_hostile_requests(fresh_seed: int) -> None:
    """No foreign request has an effect or a server error, and the table's own page still works."""
    verdicts = web(200, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]


@pytest.mark.program
@pytest.mark.tool(lacks=missing_program())
@pytest.mark.timeout(300)
def test_a_night_of_play_loses_nothing_and_grows_nothing(fresh_seed: int) -> None:
    """After presses, commands, demos, kills and clock jumps the rows have everything."""
    verdicts = soak(5, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]


@pytest.mark.program(lacks=mosquitto.missing())
@pytest.mark.timeout(300)
def test_a_game_night_loses_and_doubles_no_result(fresh_seed: int) -> None:
    """Broker and organiser are killed, tables cut off; the standings are those of the journals."""
    verdicts = game_night(5, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]


on_a_disk = pytest.mark.tool(lacks=missing_disk())


@on_a_disk
def test_no_cut_loses_what_was_acknowledged(fresh_seed: int) -> None:
    """Counts, undo, games, settings, phones, backup, restore and migration survive."""
    verdicts = power_cuts(90, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]
    assert verdicts.right >= 99


@on_a_disk
@pytest.mark.parametrize("control", ["normal", "nothing"])
def test_a_journal_that_does_not_wait_for_the_disk_is_found_out(control: str) -> None:
    """Without the sync at each commit the campaign finds lost commands."""
    assert power_cuts(40, 3, control).wrong.get("lost")


@on_a_disk
def test_a_folder_that_is_not_synced_is_found_out() -> None:
    """Without the sync of a folder the campaign finds files with old content."""
    assert power_cuts(10, 3, "unsynced").wrong.get("lost")
