"""The set-up at a running table: settings on disk, a wiring found by looking, the strip's white."""

import asyncio
import random
import tomllib
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np
import pytest

from companion.board import load_board
from companion.devices.doctor.finding import Level
from companion.errors import BadInputError, StaleError, UnusableSettingsError
from companion.lights import Per, Wiring
from companion.settings.load import load_settings
from companion.settings.sources import page_file
from companion.web import settings_responses
from companion.web.board_lights import NoSetupError
from hardware.errors import HardwareError
from tests.companion.lights import built_strips
from tests.companion.table.bench import Bench, at_table
from tests.support.scenes import in_loop, run_by
from tests.support.services import Services

TEXT = '# ours\nboard = "classic"  # the small one\n'


class Setup:
    """Set-up of a table whose file has this text; None means no file."""

    def __init__(self, bench: Bench, folder: Path, text: str | None) -> None:
        self.by_hand = folder / "cribwars.toml"
        self.file = page_file(self.by_hand)
        if text is not None:
            self.by_hand.write_text(text)
        overrides = {"strip": {"budget_ma": 5000}}
        self.services = Services(folder, load_board("classic"), bench=bench, overrides=overrides)
        self.service, self.looked = self.services.settings, self.services.looked


def set_up(
    play: Callable[[Setup], Awaitable[None]], *, tmp_path: Path, text: str | None = TEXT
) -> None:
    """Play at a table that can be set up."""

    async def scene(bench: Bench) -> None:
        setup = Setup(bench, tmp_path, text)
        await play(setup)
        setup.services.close()

    at_table(Bench(), scene)


def reported(settings: settings_responses.SettingsForm, key: str) -> settings_responses.Setting:
    """Return one of the settings."""
    return next(each for each in settings["settings"] if each.key == key)


async def answered(
    setup: Setup, bench: built_strips.BuiltStrips
) -> settings_responses.CalibrationProgress:
    """Answer every question by looking at the lit LEDs."""
    spots = setup.service.light_test._current.spots
    found = setup.service.light_test.calibration()
    while requested := found.asked:
        lit = setup.looked.lit()
        leds = [led for _, led in lit]
        assert (requested["channel"], requested["first"], requested["last"]) == (
            lit[0][0],
            leds[0],
            leds[-1],
        )
        seen = (bench.seen(channel, led) for channel, led in lit)
        point = next((each for each in seen if each is not None), None)
        if requested["asked"] == "dark":
            point = None
        found = await setup.service.light_test.answer(
            found.answers, None if point is None else spots[point][:2]
        )
    return found


def patches(setup: Setup) -> list[list[float]]:
    """Return the light of each patch, in the order of the wire."""
    assert setup.looked.raw
    light, _ = setup.looked.raw.light(0.0)
    lit = light[light.any(axis=1)]
    changes = np.flatnonzero((lit[1:] != lit[:-1]).any(axis=1)) + 1
    return [part[0].tolist() for part in np.split(lit, changes)]


@run_by(set_up)
async def test_settings_are_shown_as_the_file_has_them(setup: Setup) -> None:
    """They have origins and known values; a new board has questions."""
    found = await setup.service.settings()
    assert (str(setup.file), False, False) == (found["file"], found["first_run"], found["pending"])
    board, budget = reported(found, "board"), reported(found, "strip.budget_ma")
    assert ("classic", "classic", str(setup.by_hand)) == (board.value, board.default, board.origin)
    assert "crib-wars" in board.suggested
    assert (5000, "command line") == (budget.value, budget.origin)
    assert "null" in reported(found, "strip.driver").suggested
    assert {key for step in found["steps"] for key in step.keys} >= {"board", "wiring"}


@run_by(set_up)
async def test_a_change_counts_from_the_next_start_on(setup: Setup) -> None:
    """Until then it is pending or taken back; a restart is a separate request."""
    stamp = (await setup.service.settings())["stamp"]
    found = await setup.service.change({"teams": 3}, stamp)
    assert found["pending"]
    assert {"teams": 3} == tomllib.loads(setup.file.read_text())
    found = await setup.service.change({"teams": None}, found["stamp"])
    assert (False, TEXT) == (found["pending"], setup.by_hand.read_text())
    setup.service.restart()
    assert (1, 1) == (setup.services.restarts, setup.services.seen)


@run_by(set_up)
async def test_names_and_lights_act_at_once(setup: Setup) -> None:
    """They change while the table runs, and nothing restarts by itself."""
    live, changes = setup.services.live, list[int]()
    live.changed.subscribe(lambda before: changes.append(before.number))
    stamp = (await setup.service.settings())["stamp"]
    found = await setup.service.change({"names.1": "Anna", "lights.brightness": 0.25}, stamp)
    assert (False, "Anna") == (found["pending"], live.now.names[1])
    assert 0.25 == live.now.assembly.light.output.brightness
    found = await setup.service.change({"teams": 3, "names.3": "Cleo"}, found["stamp"])
    assert (True, "Cleo", 2) == (found["pending"], live.now.names[3], live.now.settings.teams)
    found = await setup.service.change({"names.1": None}, found["stamp"])
    assert (True, "Amber") == (found["pending"], live.now.names[1])
    await setup.service.change({"teams": None}, found["stamp"])
    assert ([0, 1, 2], 0) == (changes, setup.services.restarts)


@run_by(set_up, text=None)
async def test_a_first_run_ends_with_the_first_setting(setup: Setup) -> None:
    """An empty file counts as no file."""
    found = await setup.service.settings()
    assert found["first_run"]
    found = await setup.service.change({}, found["stamp"])
    assert found["first_run"]
    found = await setup.service.change({"board": "crib-wars"}, found["stamp"])
    assert not found["first_run"]


@run_by(set_up)
async def test_a_fault_of_the_files_is_shown_with_the_rest(setup: Setup) -> None:
    """Settings without faults are shown as they are."""
    setup.by_hand.write_text('board = "hill"\nteams = 3\n')
    found = await setup.service.settings()
    (fault,) = found["faults"]
    assert ("hill" in str(fault), 3) == (True, reported(found, "teams").value)


@run_by(set_up)
async def test_what_this_machine_cannot_use_is_refused(setup: Setup) -> None:
    """It is tried first, nothing is written, and the strip is released."""
    stamp = (await setup.service.settings())["stamp"]
    setup.looked.troubles = [HardwareError("there is no /dev/leds0")]
    with pytest.raises(UnusableSettingsError, match=r"strip\.driver: .*no /dev/leds0"):
        await setup.service.change({"strip.driver": "pio:/dev/leds0"}, stamp)
    assert (False, None) == (setup.file.exists(), setup.looked.raw)
    await setup.service.change({"strip.driver": "pio:/dev/leds0"}, stamp)
    assert 'driver = "pio:/dev/leds0"' in setup.file.read_text()


@run_by(set_up)
async def test_the_doctor_looks_at_the_file_as_it_stands(setup: Setup) -> None:
    """It runs in a thread, and reports impossible changes before the restart."""
    levels = {finding.level for finding in await setup.service.findings()}
    assert levels <= set(Level)
    setup.by_hand.write_text("teams = 9\n")
    found = [each for each in await setup.service.findings() if each.level is Level.FIX]
    assert any("teams" in str(finding.why) for finding in found)


@run_by(in_loop)
async def test_a_demo_has_nothing_to_set_up() -> None:
    """It keeps nothing, and says so to every request."""
    service = Services(None, load_board("classic")).settings
    for requested in (
        service.settings(),
        service.change({}, ""),
        service.findings(),
        service.light_test.show("white"),
        service.light_test.calibrate(per="hole", channels=1),
        service.light_test.answer(0, None),
    ):
        with pytest.raises(NoSetupError):
            await requested
    for ask in (service.restart, service.light_test.calibration):
        with pytest.raises(NoSetupError):
            ask()


# Light


@run_by(set_up)
async def test_the_light_test_shows_the_strip_in_the_file(setup: Setup) -> None:
    """A new driver can be tried before it is in force."""
    shown = await setup.service.light_test.show("order")
    assert "order" == shown["shown"]
    assert "GRB is set" in str(shown["lines"][0])
    leds = sum(Wiring.make(load_board("classic")).leds)
    assert leds == len(setup.looked.lit())
    assert {"shown": None, "lines": []} == await setup.service.light_test.show(None)
    assert setup.looked.raw is None


@run_by(set_up)
async def test_a_strip_that_does_not_work_is_reported_before_it_counts(setup: Setup) -> None:
    """The reason is shown, and the game goes on."""
    setup.looked.troubles = [HardwareError("there is no /dev/leds0")]
    with pytest.raises(BadInputError, match="there is no /dev/leds0"):
        await setup.service.light_test.show("white")
    assert setup.looked.raw is None


@pytest.mark.parametrize("channels", [1, 2])
@run_by(set_up)
async def test_a_wiring_is_found_and_kept(setup: Setup, channels: int) -> None:
    """Runs in any order and direction, with skipped LEDs, are in the file."""
    board = load_board("classic")
    bench = built_strips.random_strips(
        board, Per.HOLE, random.Random(channels), channels=channels, skips=2, dead=0
    )
    begun = await setup.service.light_test.calibrate(per="hole", channels=channels)
    assert (True, 0, "") == (begun.begun, begun.answers, str(begun.note))
    assert board == setup.service.light_test.calibrated_board
    found = await answered(setup, bench)
    assert () == found.missing
    ended = await setup.service.light_test.end_calibration(save=True)
    assert (False, None) == (ended.begun, setup.looked.raw)
    wired = load_settings(setup.by_hand, {}).wiring
    assert bench.shown() == built_strips.shown(Wiring.make(board, wired))
    assert TEXT == setup.by_hand.read_text()


@run_by(set_up)
async def test_answers_are_taken_back_and_wrong_ones_refused(setup: Setup) -> None:
    """Back lights the last LED again; an impossible hole is refused."""
    await setup.service.light_test.calibrate(per="hole", channels=1)
    middle = setup.service.light_test._current.spots[
        setup.service.light_test._current.core.point(1, 50)
    ]
    with pytest.raises(BadInputError, match="begins at an end of a row"):
        await setup.service.light_test.answer(0, middle[:2])
    before = setup.looked.lit()
    for _ in range(2):
        found = await setup.service.light_test.answer(0, None)
        assert (1, [(0, 1)]) == (found.answers, setup.looked.lit())
    found = await setup.service.light_test.undo_answer(1)
    assert (0, before) == (found.answers, setup.looked.lit())
    with pytest.raises(StaleError):
        await setup.service.light_test.end_calibration(save=True)
    assert not setup.file.exists()


@run_by(set_up)
async def test_an_answer_about_a_light_that_was_put_out_counts_not(setup: Setup) -> None:
    """After a press the LEDs are lit again, and the question is repeated."""
    await setup.service.light_test.calibrate(per="hole", channels=1)
    before = setup.looked.lit()
    await setup.looked.press("1.plus_one")
    assert setup.looked.raw is None
    with pytest.raises(StaleError, match="look once more"):
        await setup.service.light_test.answer(0, None)
    assert (before, 0) == (setup.looked.lit(), setup.service.light_test.calibration().answers)
    await setup.looked.press("1.plus_one")
    await setup.service.light_test.undo_answer(0)
    assert before == setup.looked.lit()
    await setup.service.light_test.show("white")
    with pytest.raises(StaleError, match="look once more"):
        await setup.service.light_test.answer(0, None)
    assert before == setup.looked.lit()


@run_by(set_up)
async def test_a_strip_too_long_for_its_driver_is_lit_as_far_as_it_is_set(setup: Setup) -> None:
    """The user is informed of the consequence."""
    leds = Wiring.make(load_board("classic")).leds
    setup.looked.troubles = [HardwareError("too many LEDs for this board")]
    found = await setup.service.light_test.calibrate(per="hole-and-lane", channels=1)
    first, second = setup.looked.opened
    assert first > leds == second
    assert "Only as many LEDs" in str(found.note)


@run_by(set_up)
async def test_three_choices_are_kept_in_the_file(setup: Setup, tmp_path: Path) -> None:
    """Each round has five patches; the parts of the last choice become the setting."""
    balance = setup.service.white_balance
    assert (False, 1) == (balance.progress()["begun"], balance.progress()["round"])
    await balance.begin()
    for number, choice in enumerate((3, 2, 1), start=1):
        shown = patches(setup)
        assert 5 == len(shown)
        last = await balance.choose(number, choice)
        assert last == await balance.choose(number, 0), "a second tap answers no other round"
    assert (4, 3) == (last["round"], last["rounds"])
    assert [pytest.approx(np.array(last["white"]) * 0.25)] == patches(setup)
    await balance.end(save=True)
    assert setup.looked.raw is None
    saved = load_settings(tmp_path / "cribwars.toml", {}).strip.white_balance
    assert tuple(last["white"]) == saved
    assert 1.0 == max(last["white"]) > min(last["white"])


@run_by(set_up)
async def test_nothing_is_kept_before_the_last_choice_or_when_dropped(
    setup: Setup, tmp_path: Path
) -> None:
    """An unfinished choice cannot be saved; when dropped, it leaves the file alone."""
    balance = setup.service.white_balance
    with pytest.raises(StaleError, match="begin one"):
        await balance.choose(1, 0)
    await balance.begin()
    await balance.choose(1, 0)
    with pytest.raises(StaleError, match="rounds left"):
        await balance.end(save=True)
    await balance.end(save=False)
    assert setup.looked.raw is None
    assert TEXT == (tmp_path / "cribwars.toml").read_text()


@run_by(set_up)
async def test_a_choice_in_the_dark_does_not_count(setup: Setup) -> None:
    """After a press the patches are lit and chosen from again."""
    balance = setup.service.white_balance
    await balance.begin()
    await setup.looked.press("1.plus_one")
    with pytest.raises(StaleError, match="look once more"):
        await balance.choose(1, 0)
    assert 5 == len(patches(setup))
    assert 1 == balance.progress()["round"]


@run_by(set_up)
async def test_a_choice_on_a_strip_that_cannot_be_lit_does_not_begin(setup: Setup) -> None:
    """The error gives the reason, and there are no patches."""
    setup.looked.troubles = [HardwareError("no such device: see [strip] driver")]
    with pytest.raises(BadInputError, match="no such device"):
        await setup.service.white_balance.begin()
    assert not setup.service.white_balance.progress()["begun"]


@run_by(set_up)
async def test_a_choice_that_is_ended_meanwhile_is_none(setup: Setup) -> None:
    """A choice comes before an end at the same time; then the game is shown."""
    balance = setup.service.white_balance
    await balance.begin()
    await setup.looked.press("1.plus_one")
    chosen, ended = await asyncio.gather(
        balance.choose(1, 0), balance.end(save=False), return_exceptions=True
    )
    assert isinstance(chosen, StaleError)
    assert not isinstance(ended, BaseException)
    assert not ended["begun"]
    assert setup.looked.raw is None


@run_by(set_up, text='[strip]\ntype = "sk6812w"\n')
async def test_leds_with_white_have_nothing_to_choose(setup: Setup) -> None:
    """They show neutral light with their own white."""
    with pytest.raises(BadInputError, match="a white of their own"):
        await setup.service.white_balance.begin()
    assert setup.looked.raw is None
