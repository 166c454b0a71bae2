"""Short forms of the campaigns against the running program: its page, and a night of play."""

import pytest

from tests.campaign import soak
from tests.campaign.game_night import game_night
from tests.campaign.web import web
from tests.support import mosquitto


@pytest.mark.program
def test_the_page_bears_hostile_requests(fresh_seed: int) -> None:
    """No foreign request has an effect or a server error, and the table's own page still works."""
    verdicts = web(200, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]


@pytest.mark.program
@pytest.mark.tool(lacks=soak.missing())
@pytest.mark.timeout(300)
def test_a_night_of_play_loses_nothing_and_grows_nothing(fresh_seed: int) -> None:
    """After presses, commands, demos, kills and clock jumps the rows have everything."""
    verdicts = soak.soak(5, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]


@pytest.mark.program(lacks=mosquitto.missing())
@pytest.mark.timeout(300)
def test_a_game_night_loses_and_doubles_no_result(fresh_seed: int) -> None:
    """Broker and organiser are killed, tables cut off; the standings are those of the journals."""
    verdicts = game_night(5, fresh_seed)
    assert {} == verdicts.wrong, verdicts.examples[:3]
