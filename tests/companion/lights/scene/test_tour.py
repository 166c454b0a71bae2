"""Signs: the table of quiet lights, and the tour, in which each has its own light and words."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from companion.board import ZoneKind, load_board
from companion.commentary import languages, load_phrases
from companion.lights import Scene
from companion.lights.scene.quiet_lights import (
    QUIET_LIGHTS,
    SLOT_S,
    SLOTS,
    LightArea,
    Sign,
    first_shown,
)
from companion.lights.scene.tour import SIGN_S, SIGNS, sign_duration, sign_views
from companion.rules.game import HouseRules, Setup
from tests.companion.lights.flicker import most_flashes
from tests.companion.lights.games import SMALL, small_setup
from tests.companion.lights.seen import PALETTE

DOCS = Path(__file__).parents[4] / "docs" / "lights.md"
T0 = 100.0


def test_the_language_has_every_sign_once() -> None:
    """Each sign has a view, and each language words for exactly the signs."""
    assert {*Sign, *ZoneKind} == set(SIGNS)
    for language in languages():
        phrases = load_phrases(language).phrases
        assert set(SIGNS) == {key[6:] for key in phrases if key.startswith("signs.")}


def test_a_board_shows_the_signs_that_are_possible_on_it() -> None:
    """All zones show all signs, even in a game of two; without zones theirs are left out."""
    for lanes in ((1, 2), (2, 3), (1, 2, 3)):
        assert tuple(SIGNS) == tuple(sign_views(small_setup(lanes), T0))
    zones = {"aimed", "boxed", "box-move", "free-next", "folded", *ZoneKind}
    for name in ("classic", "classic-61"):
        setup = Setup.make(load_board(name).track, HouseRules(), sides=(1, 2))
        assert zones == set(SIGNS) - set(sign_views(setup, T0))


@pytest.mark.parametrize("calm", [False, True])
def test_no_two_signs_look_alike(*, calm: bool) -> None:
    """Each sign has light of its own at some time of a rhythm."""
    scene = Scene(SMALL, PALETTE, calm=calm)
    seen = {
        sign: np.array([scene.compose(view, T0 + n / 8)[0] for n in range(72)])
        for sign, view in sign_views(small_setup(), T0, calm=calm).items()
    }
    pairs = itertools.combinations(seen, 2)
    assert [] == [pair for pair in pairs if np.ptp([seen[s] for s in pair], axis=0).max() <= 0.03]


def test_the_whole_tour_takes_two_minutes() -> None:
    """This holds for the shipped boards, to a few seconds."""
    setup = Setup.make(load_board("crib-wars").track, HouseRules(), sides=(1, 2, 3))
    assert 125 >= len(sign_views(setup, T0)) * SIGN_S


def test_each_sign_lasts_as_long_as_its_light() -> None:
    """Its rhythm is shown whole, at half speed when calm, and its pegs arrive."""
    for calm, speed in itertools.product((False, True), (0.25, 1.0, 4.0)):
        seconds = sign_duration(calm=calm, speed=speed)
        views = sign_views(small_setup(), T0, calm=calm, speed=speed).values()
        ends = [view.motion.end - T0 for view in views]
        assert seconds >= max(SLOTS * SLOT_S * (2 if calm else 1), *ends)


def test_no_sign_flashes_too_fast() -> None:
    """There are at most three flashes a second, before any limiter."""
    scene = Scene(SMALL, PALETTE)
    flashes = {
        sign: most_flashes(lambda t, view=view: scene.compose(view, t)[0], T0, SIGN_S)  # type: ignore[misc]
        for sign, view in sign_views(small_setup(), T0).items()
    }
    assert {} == {sign: count for sign, count in flashes.items() if count > 3}


# The table of quiet lights


def test_the_documentation_shows_the_table() -> None:
    """`docs/lights.md` has the scene's own table."""
    phrases = load_phrases("en")
    rows = [f"| {light.area} | {phrases.say(f'signs.{light.sign}')} |\n" for light in QUIET_LIGHTS]
    table = f"| where | light and its meaning |\n| --- | --- |\n{''.join(rows)}"
    assert table in DOCS.read_text("utf-8")


def test_an_area_shows_the_first_light_that_is_due() -> None:
    """A due move in the box precedes the side's fold; nothing due shows nothing."""
    due = {Sign.FOLDED: True, Sign.BOX_MOVE: True, Sign.TURN: False}
    shown = first_shown(LightArea.START_LAMP, due)
    assert shown
    assert Sign.BOX_MOVE is shown.sign
    assert first_shown(LightArea.START_LAMP, {Sign.SKUNK: True}) is None


def test_rhythms_of_an_area_differ_and_are_slow() -> None:
    """All rhythms of an area differ, with at most three rises a second."""
    rhythms = [(each.area, each.slots) for each in QUIET_LIGHTS if len(each.slots) < SLOTS]
    assert len(rhythms) == len(set(rhythms))
    second = int(1 / SLOT_S)
    for _, slots in rhythms:
        lit = [n % SLOTS in slots for n in range(2 * SLOTS)]
        rises = [later and not earlier for earlier, later in itertools.pairwise(lit)]
        assert all(sum(rises[n : n + second]) <= 3 for n in range(len(rises) - second))
