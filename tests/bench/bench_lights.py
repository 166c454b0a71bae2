"""Time of a frame of light, from a view and a time to the light of each LED."""

import dataclasses
import itertools
import time
from collections.abc import Callable

import numpy as np

from companion.board.definition.load import load_board
from companion.board.layout import Board
from companion.lights import Light, Palette, Per, Points, Scene, View, Wiring, plan
from companion.rules.game import Entry, History, HouseRules, Peg, Setup, State, new_game

Table = tuple[str, list[str], list[list[str]]]

_FRAMES = 2_000
_FPS = 60


def measure() -> list[Table]:
    """Return tables of microseconds a frame: the compositor by view, and the wiring."""
    board = load_board("crib-wars")
    return [
        ("Compositor, us a frame", ["view", *map(str, Per)], _compositor(board)),
        ("Wiring, us a frame", ["LEDs", "us"], _wiring(board)),
    ]


def _compositor(board: Board) -> list[list[str]]:
    views = _views(board)
    scenes = [Scene(board, Palette.make(), points=Points(board, per)) for per in Per]
    rows = [
        [name, *(f"{_frames(scene, view):.1f}" for scene in scenes)] for name, view in views.items()
    ]
    changing = _alternately(views["a ghost in a time trap"], views["static"])
    return [*rows, ["each frame another view", *(f"{changing(scene):.1f}" for scene in scenes)]]


def _views(board: Board) -> dict[str, View]:
    """Return the views of the design's numbers; motion begins at time 0."""
    setup = Setup.make(board.track, HouseRules(), sides=(1, 2, 3))
    history = History(new_game(setup))
    for side, points in ((1, 29), (2, 17), (3, 28), (1, 29), (1, 29), (1, 29)):
        history.do(Peg(side=side, points=points))
    before: State = history.state
    slide = _walk_into_a_slide(history)
    still = View(state=before, ahead=before)
    return {
        "static": still,
        "two pegs moving": dataclasses.replace(
            still, motion=plan(before, slide, 0.0).joined(plan(before, _count(history), 0.0))
        ),
        "a ghost in a time trap": dataclasses.replace(still, pending=((1, 14), (2, 5))),
        "attract": dataclasses.replace(still, attract=True),
    }


def _walk_into_a_slide(history: History) -> Entry:
    front = history.state.pegs(2).front
    return history.decide(Peg(side=2, points=42 - int(front)))


def _count(history: History) -> Entry:
    return history.decide(Peg(side=3, points=29))


def _frames(scene: Scene, view: View) -> float:
    """Return microseconds a frame over the first second and a half of a view, repeated."""
    times = [n / _FPS for n in range(int(1.5 * _FPS))]
    return _microseconds(lambda t: scene.compose(view, t), times)


def _alternately(one: View, other: View) -> Callable[[Scene], float]:
    def run(scene: Scene) -> float:
        views = itertools.cycle((one, other))
        return _microseconds(lambda t: scene.compose(next(views), t), [0.0, 0.5])

    return run


def _wiring(board: Board) -> list[list[str]]:
    rows = []
    for per in Per:
        wiring = Wiring.make(board, {"per": str(per)})
        light = np.ones((wiring.points.size, 3), dtype=np.float32)
        rows.append([str(sum(wiring.leds)), f"{_spreading(wiring, light):.1f}"])
    return rows


def _spreading(wiring: Wiring, light: Light) -> float:
    return _microseconds(lambda _: wiring.spread(light), [0.0])


def _microseconds(act: Callable[[float], object], times: list[float]) -> float:
    """Return the median of ten runs, so that other work on the machine counts for little."""
    runs = []
    for _ in range(10):
        begun = time.perf_counter()
        for t in itertools.islice(itertools.cycle(times), _FRAMES // 10):
            act(t)
        runs.append((time.perf_counter() - begun) / (_FRAMES // 10) * 1e6)
    return sorted(runs)[len(runs) // 2]


if __name__ == "__main__":
    for title, header, rows in measure():
        print(title)
        for row in (header, *rows):
            print("  ".join(f"{cell:>24}" for cell in row))
