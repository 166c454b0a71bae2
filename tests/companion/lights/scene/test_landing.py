"""Landings: each zone acts in its own way, in the lane of its side, without a flicker."""

import numpy as np
import pytest

from companion.board import Hole, ZoneKind
from companion.lights import Scene, View
from companion.lights.scene.landing import DOOR_HOLES
from companion.lights.scene.motion import STEP_S
from companion.rules.game import Peg, SetPegs
from tests.companion.lights.games import SMALL
from tests.companion.lights.seen import GROUND, PALETTE, POINTS, moved

BEGIN = 100.0


def landing_in(hole: int, *, calm: bool = False) -> View:
    """Return the view in which a peg walks four holes, the last of them in a zone."""
    return moved(SetPegs(side=1, front=hole - 4, back=0), Peg(side=1, points=4), calm=calm)


def lit(hole: int, share: float, *, lane: int = 1, calm: bool = False) -> list[Hole]:
    """Return the holes in the zone's colour at a share of the landing's time."""
    view = landing_in(hole, calm=calm)
    (landing,) = view.motion.landings
    colour = PALETTE.zone(landing.zone.kind)
    t = landing.start + share * (landing.end - landing.start)
    light = Scene(SMALL, PALETTE, calm=calm).compose(view, t)[0]
    paths = [hole for zone in SMALL.track.zones for hole in zone.path]
    found: list[Hole] = []
    for each in (*range(1, SMALL.track.finish + 1), *paths):
        point = POINTS.index(lane, each)
        brighter = light[point].max() > GROUND[point].max() + 0.1
        if brighter and np.allclose(light[point] / light[point].max(), colour / colour.max()):
            found.append(each)
    return found


@pytest.mark.parametrize(
    ("hole", "path"),
    [
        pytest.param(26, ["trap-26:1", "trap-26:2", "trap-26:3", 15], id="a trap drags back"),
        pytest.param(34, ["green-34:1", "green-34:2", "green-34:3", 46], id="an advance speeds on"),
    ],
)
def test_the_side_path_lights_up_hole_by_hole(hole: int, path: list[Hole]) -> None:
    """It does so from the box to its end, only in the landing side's lane."""
    lengths = [len(lit_on(hole, path, share)) for share in (0.0, 0.3, 0.5, 0.99)]
    assert sorted(lengths) == lengths
    assert (1, len(path)) == (lengths[0], lengths[-1])
    assert not lit_on(hole, path, 0.99, lane=2)


def lit_on(hole: int, path: list[Hole], share: float, *, lane: int = 1) -> list[Hole]:
    """Return the lit holes of a path."""
    return [each for each in lit(hole, share, lane=lane) if each in path]


def test_a_trap_drags_slowly_first_and_an_advance_quickly() -> None:
    """Half-way in time a trap has lit less of its path than an advance."""
    trap = [hole for hole in lit(26, 0.3) if isinstance(hole, str)]
    advance = [hole for hole in lit(34, 0.3) if isinstance(hole, str)]
    assert len(trap) < len(advance)


def test_a_box_shuts_on_its_peg() -> None:
    """Doors of light close from both sides before the peg is sent back."""
    hole = next(z.box[0] for z in SMALL.track.zones if z.kind is ZoneKind.PENALTY_BOX)
    assert {hole - DOOR_HOLES, hole + DOOR_HOLES} == set(doors(hole, 0.0))
    shut = set(range(hole - DOOR_HOLES, hole + DOOR_HOLES + 1)) - {hole, hole - 4}  # the back peg
    assert shut == set(doors(hole, 0.59))


def doors(hole: int, share: float) -> list[Hole]:
    """Return the lit holes beside a box hole."""
    return [each for each in lit(hole, share) if isinstance(each, int) and each != hole]


def test_a_slide_lights_its_way() -> None:
    """The holes to the second box glow red before the peg is there."""
    assert set(range(7, 16)) <= set(lit(6, 0.4))


def test_no_hole_of_a_landing_lights_up_twice() -> None:
    """Each point gets brighter at most once, so nothing flickers."""
    begin, seconds = BEGIN + STEP_S * 4, max(kind.facts.effect_s for kind in ZoneKind) + 1
    times = begin + np.arange(int(seconds * 64)) / 64
    scene = Scene(SMALL, PALETTE)
    for view in map(landing_in, (6, 26, 34, 40)):
        frames = np.array([scene.compose(view, float(t))[0] for t in times])
        levels = np.diff(frames.max(axis=2), axis=0)
        rises = ((levels[1:] > 0.1) & (levels[:-1] <= 0.1)).sum(axis=0)
        assert rises.max() <= 2  # a hole of a landing, and the peg on it


def test_a_landing_is_a_fade_when_calm() -> None:
    """All holes rise and fall slowly together."""
    path = {"trap-26:1", "trap-26:2", "trap-26:3"}
    assert path <= set(lit(26, 0.5, calm=True))
    assert not path & set(lit(26, 0.01, calm=True))
