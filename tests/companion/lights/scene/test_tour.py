"""The tour: each sign of the lights has its own light and words, and none is too fast."""

import itertools

import numpy as np
import pytest

from companion.board import ZoneKind, load_board
from companion.commentary import languages, load_phrases
from companion.lights import Scene
from companion.lights.scene.quiet_lights import SLOT_S, SLOTS, Sign
from companion.lights.scene.tour import SIGN_S, SIGNS, sign_duration, sign_views
from companion.rules.game import HouseRules, Setup
from tests.companion.lights.flicker import most_flashes
from tests.companion.lights.games import SMALL, small_setup
from tests.companion.lights.seen import PALETTE

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
