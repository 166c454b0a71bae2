"""Settings without their faulty values: each falls back to the one below it, the rest holds."""

import tomllib

import pytest

from companion.devices.assembly import assemble
from companion.errors import Fault, SettingsError
from companion.settings.schema import COMMAND_LINE, Settings
from companion.settings.sources import Source, flat
from companion.settings.usable import Usable, usable


def used(by_hand: str, page: str = "", command_line: str = "") -> Usable[object]:
    """What can be used of these files and options."""
    texts = {"c.toml": by_hand, "page.toml": page, COMMAND_LINE: command_line}
    sources = (
        Source(origin=origin, values=flat(tomllib.loads(text))) for origin, text in texts.items()
    )
    return usable(sources, assemble)


@pytest.mark.parametrize(
    ("by_hand", "page", "faults", "in_force"),
    [
        ("teams = 9\nbord = 1", "", ["teams", "bord"], "teams = 2  # default\n"),
        ("teams = 3", "teams = 9", ["teams"], "teams = 3  # c.toml\n"),
        ("teams = 3", "players = 4", ["players"], "players = 0  # default\n"),
        ('board = "hill"\nteams = 3', "", ["board"], "teams = 3  # c.toml\n"),
        ("strip = 3", "teams = 3", ["strip"], "teams = 3  # page.toml\n"),
        ("[panel.pins]\ndeal = 4", "", ["panel.pins.deal"], "deal = 27  # default\n"),
        ("[wiring]\nper = 'hole'\ndead = [[0, 9999]]", "", ["wiring.dead"], 'per = "hole"'),
        ("[rules]\nfinish = 'far'\nmatch_to = 7", "", ["rules.finish"], "match_to = 7  # c.toml\n"),
        ("[names]\n'a.b' = 3\n2 = 'Bo'", "", ["names.a.b"], '2 = "Bo"  # c.toml\n'),
        (
            '[strip]\ndriver = "serial:/dev/x"\nbudget_ma = "lots"',
            "[strip]\ntype = 'sk6812'",
            ["strip.budget_ma"],
            'driver = "virtual"  # default\n',
        ),
    ],
)  # fmt: skip
def test_a_faulty_value_falls_back_alone(
    by_hand: str, page: str, faults: list[str], in_force: str
) -> None:
    """Each is named; without a budget no strip is lit, whose supply may give less than usual."""
    found = used(by_hand, page)
    assert (faults, True) == (
        [fault.key for fault in found.faults],
        in_force in found.settings.toml(),
    )


def test_a_fault_that_no_file_names_takes_out_more_and_more() -> None:
    """What is named, then its table, then the last file, then the other; the defaults are sound."""
    files = [
        Source(origin="c.toml", values={"teams": 3, "lights.calm": True}),
        Source(origin="page.toml", values={"players": 6, "lights.speed": 2.0}),
    ]
    seen: list[tuple[int, int, bool, float]] = []

    def make(settings: Settings) -> None:
        calm, speed = settings.lights.calm, settings.lights.speed
        seen.append((settings.teams, settings.players, calm, speed))
        if len(seen) < 3:
            raise SettingsError(Fault(key="board", problem="does not fit"))

    assert 1 == len(usable(files, make).faults)
    assert [
        (3, 6, True, 2.0),
        (3, 0, True, 1.0),
        (2, 0, False, 1.0),
    ] == seen


def test_a_faulty_command_line_is_not_covered_up() -> None:
    """What it names is required."""
    with pytest.raises(SettingsError, match="command line: teams"):
        used("bord = 1", command_line="teams = 9")
