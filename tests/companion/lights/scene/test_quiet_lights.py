"""The table of quiet lights, and its picture in the documentation."""

from itertools import pairwise
from pathlib import Path

from companion.commentary import load_phrases
from companion.lights.scene.quiet_lights import (
    QUIET_LIGHTS,
    SLOT_S,
    SLOTS,
    LightArea,
    Sign,
    first_shown,
)

DOCS = Path(__file__).parents[4] / "docs" / "lights.md"


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
        rises = [later and not earlier for earlier, later in pairwise(lit)]
        assert all(sum(rises[n : n + second]) <= 3 for n in range(len(rises) - second))
