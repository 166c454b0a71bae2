"""Page A4 to print, which explains lights and buttons.

A sign is a fact that the lights show, such as a pending count. The card draws each sign as
the tour of the lights shows it on the board, in a row of lamps: the dealer's lamp, the start lamp,
and the holes around the brightest hole of a lane.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from companion.board import Board
from companion.board.drawing.svg import circle, sheet, tag, words
from companion.buttons import SIDE_ACTIONS, TABLE_ACTIONS, Gesture
from companion.commentary import Phrases
from companion.errors import Text
from companion.lights import Light, Palette, Scene, View
from companion.lights.scene.tour import sign_views
from companion.rules.game import Setup

WIDTH_MM: Final = 210
HEIGHT_MM: Final = 297
_MARGIN_MM, _LAMP_MM, _LABEL_MM, _HEADINGS_MM = 12, 3.1, 4.6, 33.0
_HOLES = 9
_TEXT_X_MM = 56
_SAMPLED_S = np.arange(1, 15) / 4
"""Seconds after a sign begins at which its light is sampled; the brightest sample is drawn."""

_NIGHT, _INK, _UNLIT = "#14100d", "#14100d", "#3a332d"
_FONT = "Helvetica, Arial, sans-serif"


def draw_card(board: Board, setup: Setup, palette: Palette, phrases: Phrases) -> str:
    """Return the page as an SVG document in the language of the phrases."""
    rows = list(_sign_rows(board, setup, palette, phrases))
    gestures = list(_gesture_rows(phrases))
    room = HEIGHT_MM - 2 * _MARGIN_MM - _HEADINGS_MM - _LABEL_MM * len(gestures)
    row = room / len(rows)
    y = _MARGIN_MM + 6.0
    drawn = [_heading(phrases.say("card_page.title"), y, size=6.0)]
    y += 8
    drawn.append(_heading(phrases.say("card_page.lights"), y))
    for lamps, line in rows:
        y += row
        drawn += [_strip(lamps, y), _line(line, y)]
    y += row + 3
    drawn.append(_heading(phrases.say("card_page.buttons"), y))
    for label, line in gestures:
        y += _LABEL_MM
        drawn += [_text(label, _MARGIN_MM, y), _line(line, y)]
    page = tag("rect", width=WIDTH_MM, height=HEIGHT_MM, fill="#fff")
    whole = sheet(
        WIDTH_MM, HEIGHT_MM, page, *drawn, lang=phrases.language, font_family=_FONT, fill=_INK
    )
    return f"{whole}\n"


def _sign_rows(
    board: Board, setup: Setup, palette: Palette, phrases: Phrases
) -> Iterator[tuple[Light, str]]:
    scene = Scene(board, palette)
    for sign, view in sign_views(setup, 0.0).items():
        yield _clearest(scene, view), phrases.say(f"signs.{sign}")


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


def _strip(lamps: Light, y: float) -> str:
    """Return the lamps in a row on a dark ground, with gaps after the first two lamps."""
    back = tag(
        "rect",
        x=_MARGIN_MM,
        y=y - 3.4,
        width=_TEXT_X_MM - _MARGIN_MM - 3,
        height=5,
        rx=2.5,
        fill=_NIGHT,
    )
    gaps = (0.0, 1.4, *[2.8] * _HOLES)
    centres = (
        complex(_MARGIN_MM + 2.6 + n * _LAMP_MM + gap, y - 0.9) for n, gap in enumerate(gaps)
    )
    lit = (
        circle(centre, 1.15, fill=_colour(lamp), stroke=_UNLIT, stroke_width=0.2)
        for centre, lamp in zip(centres, lamps, strict=True)
    )
    return back + "".join(lit)


def _colour(lamp: Light) -> str:
    red, green, blue = (round(255 * float(part) ** (1 / 2.2)) for part in np.clip(lamp, 0, 1))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _gesture_rows(phrases: Phrases) -> Iterator[tuple[str, str]]:
    """Yield the gestures of each button, and the words for their effects."""
    for action in (*SIDE_ACTIONS, *TABLE_ACTIONS):
        for gesture in action.gestures:
            yield (
                _label(phrases.message(Text(action.label)), gesture, phrases),
                phrases.message(Text(gesture.does)),
            )


def _label(name: str, gesture: Gesture, phrases: Phrases) -> str:
    if gesture.power_on:
        return phrases.say("card_page.power_on", button=name)
    if not gesture.seconds:
        return phrases.say("card_page.tap", button=name)
    return phrases.say("card_page.hold", button=name, seconds=f"{gesture.seconds:g}")


def _line(line: str, y: float) -> str:
    """Return the SVG text of a sentence beside its lamps or button."""
    return _text(line[:1].upper() + line[1:], _TEXT_X_MM, y)


def _text(line: str, x: float, y: float) -> str:
    return words(line, complex(x, y), font_size=2.9)


def _heading(line: str, y: float, *, size: float = 4.4) -> str:
    return words(line, complex(_MARGIN_MM, y), font_size=size, font_weight="bold")
