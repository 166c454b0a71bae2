"""The choice of the strip's white at a table: patches are lit, the result is saved."""

import asyncio
from pathlib import Path

import numpy as np
import pytest

from companion.errors import BadInputError, StaleError
from companion.settings.load import load_settings
from hardware.errors import HardwareError
from tests.companion.web.settings.test_settings_service import TEXT, Setup, set_up


def patches(setup: Setup) -> list[list[float]]:
    """Return the light of each patch, in the order of the wire."""
    assert setup.looked.bare
    light, _ = setup.looked.bare.light(0.0)
    lit = light[light.any(axis=1)]
    changes = np.flatnonzero((lit[1:] != lit[:-1]).any(axis=1)) + 1
    return [part[0].tolist() for part in np.split(lit, changes)]


def test_three_choices_are_kept_in_the_file(tmp_path: Path) -> None:
    """Each round has five patches; the parts of the last choice become the setting."""

    async def play(setup: Setup) -> None:
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
        assert setup.looked.bare is None
        saved = load_settings(tmp_path / "cribwars.toml", {}).strip.white_balance
        assert tuple(last["white"]) == saved
        assert 1.0 == max(last["white"]) > min(last["white"])

    set_up(tmp_path, play)


def test_nothing_is_kept_before_the_last_choice_or_when_dropped(tmp_path: Path) -> None:
    """An unfinished choice cannot be saved; when dropped, it leaves the file alone."""

    async def play(setup: Setup) -> None:
        balance = setup.service.white_balance
        with pytest.raises(StaleError, match="begin one"):
            await balance.choose(1, 0)
        await balance.begin()
        await balance.choose(1, 0)
        with pytest.raises(StaleError, match="rounds left"):
            await balance.end(save=True)
        await balance.end(save=False)
        assert setup.looked.bare is None
        assert TEXT == (tmp_path / "cribwars.toml").read_text()

    set_up(tmp_path, play)


def test_a_choice_in_the_dark_does_not_count(tmp_path: Path) -> None:
    """After a press the patches are lit and chosen from again."""

    async def play(setup: Setup) -> None:
        balance = setup.service.white_balance
        await balance.begin()
        await setup.looked.press("1.plus_one")
        with pytest.raises(StaleError, match="look once more"):
            await balance.choose(1, 0)
        assert 5 == len(patches(setup))
        assert 1 == balance.progress()["round"]

    set_up(tmp_path, play)


def test_a_choice_on_a_strip_that_cannot_be_lit_does_not_begin(tmp_path: Path) -> None:
    """The error gives the reason, and there are no patches."""

    async def play(setup: Setup) -> None:
        setup.looked.troubles = [HardwareError("no such device: see [strip] driver")]
        with pytest.raises(BadInputError, match="no such device"):
            await setup.service.white_balance.begin()
        assert not setup.service.white_balance.progress()["begun"]

    set_up(tmp_path, play)


def test_a_choice_that_is_ended_meanwhile_is_none(tmp_path: Path) -> None:
    """A choice comes before an end at the same time; then the game is shown."""

    async def play(setup: Setup) -> None:
        balance = setup.service.white_balance
        await balance.begin()
        await setup.looked.press("1.plus_one")
        chosen, ended = await asyncio.gather(
            balance.choose(1, 0), balance.end(save=False), return_exceptions=True
        )
        assert isinstance(chosen, StaleError)
        assert not isinstance(ended, BaseException)
        assert not ended["begun"]
        assert setup.looked.bare is None

    set_up(tmp_path, play)


def test_leds_with_white_have_nothing_to_choose(tmp_path: Path) -> None:
    """They show neutral light with their own white."""

    async def play(setup: Setup) -> None:
        with pytest.raises(BadInputError, match="a white of their own"):
            await setup.service.white_balance.begin()
        assert setup.looked.bare is None

    set_up(tmp_path, play, text='[strip]\ntype = "sk6812w"\n')
