"""Card of lights and buttons for the table: a page A4 to print, folded into A5.

The front has the lights that appear every evening, and the panel of buttons, each with its taps
and holds. The back has the other lights. A sign is a fact that the lights show, such as a pending
count. Each sign is drawn as a row of lamps, with the light of a short game in which it appears: the
dealer's lamp, the start lamp, and the holes around the brightest hole of a lane.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, TypeAlias

import numpy as np

from companion.board import Board
from companion.board.drawing.lettering import Face, centred, line, wrap
from companion.board.drawing.outlines import with_letters
from companion.board.drawing.svg import circle, number, rect, sheet, stroke, tag, way
from companion.buttons import SIDE_ACTIONS, TABLE_ACTIONS, Gesture
from companion.commentary import Phrases
from companion.errors import Text
from companion.lights import Light, Palette, Scene, View
from companion.lights.scene.quiet_lights import Sign
from companion.lights.scene.tour import TourSign, sign_views
from companion.rules.game import Setup

WIDTH_MM: Final = 210
HEIGHT_MM: Final = 297
FRONT: Final[frozenset[TourSign]] = frozenset(
    {  # not all: the others are on the back
        Sign.PEGS,
        Sign.PENDING,
        Sign.AIMED,
        Sign.BOXED,
        Sign.FOLDED,
        Sign.REFUSED,
    }
)
"""Signs that appear every evening; a board without penalty boxes lacks some of them."""

_Row: TypeAlias = tuple[Light, str]
"""Lamps of a sign, and its meaning."""

_FOLD_MM: Final = HEIGHT_MM / 2
_MARGIN_MM, _GAP_MM = 10.0, 5.0
_TITLE_MM, _TOP_MM = 5.5, 22.0  # height of a title's capitals; top of the text below
_HOLES = 9
_LAMPS_MM: Final = 39.2 + 5j  # size of a row of lamps that is not enlarged
_FRONT_COLUMNS, _FRONT_ROW_MM, _FRONT_CAP_MM = 3, 24.0, 2.35
_BACK_COLUMNS, _BACK_LAMPS_MM, _BACK_CAP_MM = 2, 29.0, 1.95
_BUTTON_MM, _PANEL_MM, _GESTURE_CAP_MM = 13.0, 16.0, 1.8
_LEAST_LETTERS = 100  # added to the letters of a column; the sum is its share of the width
_LEADING = 1.75  # from line to line, in heights of a capital
_SAMPLED_S = np.arange(1, 15) / 4
"""Seconds after a sign begins at which its light is sampled; the brightest sample is drawn."""

_NIGHT, _INK, _UNLIT, _PANEL, _FOLD = "#14100d", "#14100d", "#3a332d", "#ece5d8", "#bbb"


def draw_card(board: Board, setup: Setup, palette: Palette, phrases: Phrases) -> str:
    """Return the card as an SVG document in the language of the phrases."""
    scene = Scene(board, palette)
    signs = {sign: _clearest(scene, view) for sign, view in sign_views(setup, 0.0).items()}
    rows = {sign: (light, _sentence(phrases.say(f"signs.{sign}"))) for sign, light in signs.items()}
    front = [row for sign, row in rows.items() if sign in FRONT]
    back = [row for sign, row in rows.items() if sign not in FRONT]
    paper = rect(0, complex(WIDTH_MM, HEIGHT_MM), fill="#fff")
    fold = stroke(way("M", 1j * _FOLD_MM, "L", WIDTH_MM + 1j * _FOLD_MM), _FOLD, 0.2)
    drawn = (
        *_heading("title", 0, phrases),
        *_front(front),
        *_panel(_TOP_MM + _FRONT_ROW_MM * _rows(front, _FRONT_COLUMNS), phrases),
        *_heading("other_lights", _FOLD_MM, phrases),
        *_back(back),
    )
    whole = sheet(WIDTH_MM, HEIGHT_MM, paper, fold, *drawn, lang=phrases.language, fill=_INK)
    return f"{with_letters(whole)}\n"


def _front(rows: Sequence[_Row]) -> Iterator[str]:
    """Yield the front's lights, large, each above its meaning."""
    width = _column_mm(_FRONT_COLUMNS)
    below = 1j * (width * _LAMPS_MM.imag / _LAMPS_MM.real + 2 * _FRONT_CAP_MM)
    for n, (light, meaning) in enumerate(rows):
        row, column = divmod(n, _FRONT_COLUMNS)
        at = complex(_MARGIN_MM + column * (width + _GAP_MM), _TOP_MM + row * _FRONT_ROW_MM)
        yield _lamps(light, at, width)
        yield from _lines(meaning, at + below, width, _FRONT_CAP_MM)


def _back(rows: Sequence[_Row]) -> Iterator[str]:
    """Yield the other lights, each beside its meaning."""
    width, most = _column_mm(_BACK_COLUMNS), _rows(rows, _BACK_COLUMNS)
    height = (HEIGHT_MM - _FOLD_MM - _TOP_MM - _MARGIN_MM) / most
    beside = _BACK_LAMPS_MM + 3
    middle = _BACK_LAMPS_MM * _LAMPS_MM.imag / _LAMPS_MM.real / 2 + _BACK_CAP_MM / 2
    for n, (light, meaning) in enumerate(rows):
        column, row = divmod(n, most)
        at = complex(_MARGIN_MM + column * (width + _GAP_MM), _FOLD_MM + _TOP_MM + row * height)
        yield _lamps(light, at, _BACK_LAMPS_MM)
        text = at + complex(beside, middle)
        yield from _lines(meaning, text, width - beside, _BACK_CAP_MM)


def _rows(rows: Sequence[_Row], columns: int) -> int:
    return -(-len(rows) // columns)


def _column_mm(columns: int) -> float:
    return (WIDTH_MM - 2 * _MARGIN_MM + _GAP_MM) / columns - _GAP_MM


def _heading(phrase: str, top: float, phrases: Phrases) -> Iterator[str]:
    """Yield the title of a side of the card, and the legend of its rows of lamps."""
    base = 1j * (top + _MARGIN_MM + _TITLE_MM)
    title = phrases.say(f"card_page.{phrase}")
    yield line(title, _MARGIN_MM + base, cap_mm=_TITLE_MM, face=Face.TITLE)
    legend = phrases.say("card_page.lights")
    right = WIDTH_MM - _MARGIN_MM + base
    yield line(legend, right, cap_mm=_FRONT_CAP_MM, text_anchor="end")


def _clearest(scene: Scene, view: View) -> Light:
    """Return the dealer's lamp, the start lamp and some holes of a lane, at the brightest time."""
    points, state = scene.points, view.state
    lane = state.setup.sides[0]
    lights = np.array([scene.compose(view, float(t))[0] for t in _SAMPLED_S])
    track = points.track(lane)
    light = lights[int(lights.max(axis=2).sum(axis=1).argmax())]
    brightest = int(light[track].max(axis=1).argmax())
    first = max(0, min(brightest - _HOLES // 2, len(track) - _HOLES))
    lamp = points.lamps.get(f"dealer-{state.dealer}", points.index(lane, 0))
    shown = [lamp, points.index(lane, 0), *track[first : first + _HOLES]]
    found: Light = light[shown]
    return found


def _lamps(light: Light, corner: complex, width: float) -> str:
    """Return the lamps in a row on a dark ground, with gaps after its first two lamps."""
    gaps = (0.0, 1.4, *[2.8] * _HOLES)
    centres = (2.7 + 3.1 * n + gap + 2.5j for n, gap in enumerate(gaps))
    lit = (
        circle(centre, 1.2, fill=_colour(lamp), stroke=_UNLIT, stroke_width=0.2)
        for centre, lamp in zip(centres, light, strict=True)
    )
    ground = rect(0, _LAMPS_MM, rx=2.5, fill=_NIGHT)
    place = f"translate({number(corner.real)} {number(corner.imag)})"
    scale = number(width / _LAMPS_MM.real)
    return tag("g", ground, *lit, transform=f"{place} scale({scale})")


def _colour(lamp: Light) -> str:
    red, green, blue = (round(255 * float(part) ** (1 / 2.2)) for part in np.clip(lamp, 0, 1))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _panel(top: float, phrases: Phrases) -> Iterator[str]:
    """Yield the buttons of a side and of the table, each above its gestures."""
    actions = (*SIDE_ACTIONS, *TABLE_ACTIONS)
    gestures = {
        action: [
            (_hold(each, phrases), _sentence(phrases.message(Text(each.does))))
            for each in action.gestures
        ]
        for action in actions
    }
    letters = [_LEAST_LETTERS + sum(len(words) for _, words in gestures[each]) for each in actions]
    room = WIDTH_MM - 2 * _MARGIN_MM + _GAP_MM
    lefts = [_MARGIN_MM + room * past / sum(letters) for past in accumulate(letters, initial=0)]
    for first, last in ((0, len(SIDE_ACTIONS)), (len(SIDE_ACTIONS), len(actions))):
        size = lefts[last] - lefts[first] - _GAP_MM + 1j * _PANEL_MM
        yield rect(lefts[first] + 1j * top, size, rx=3, fill=_PANEL)
    for action, left, right in zip(actions, lefts, lefts[1:], strict=False):
        middle = (left + right - _GAP_MM) / 2 + 1j * (top + _PANEL_MM / 2)
        yield circle(middle, _BUTTON_MM / 2, fill="#fff", stroke=_INK, stroke_width=0.5)
        yield centred(phrases.message(Text(action.label)), middle, cap_mm=2.4)
        at = left + 1j * (top + _PANEL_MM + 2.4 * _GESTURE_CAP_MM)
        for hold, words in gestures[action]:
            yield line(hold, at, cap_mm=_GESTURE_CAP_MM, face=Face.BOLD)
            at += 1j * _LEADING * _GESTURE_CAP_MM
            lines = _lines(words, at, right - left - _GAP_MM, _GESTURE_CAP_MM)
            yield from lines
            at += 1j * (len(lines) + 0.4) * _LEADING * _GESTURE_CAP_MM


def _hold(gesture: Gesture, phrases: Phrases) -> str:
    if gesture.power_on:
        return phrases.say("card_page.power_on")
    if not gesture.seconds:
        return phrases.say("card_page.tap")
    return phrases.say("card_page.hold", seconds=f"{gesture.seconds:g}")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _lines(words: str, at: complex, width: float, cap_mm: float) -> list[str]:
    """Return the lines of a text; `at` is where its first line begins."""
    return [
        line(each, at + 1j * n * _LEADING * cap_mm, cap_mm=cap_mm)
        for n, each in enumerate(wrap(words, width, cap_mm))
    ]
