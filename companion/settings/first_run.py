"""Questions for the first run of a board, step by step, and warnings about the answers."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.settings.schema import COMMAND_LINE, DEFAULT, Settings
from companion.toml.text import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One page of the first-run questions: `keys` are the settings, and tables, that it sets.

    With `needs_lights` it is left out if no strip is set.
    """

    id: str
    title: str
    help: str
    keys: tuple[str, ...] = ()
    needs_lights: bool = False


STEPS = (
    Step(
        id="language",
        title="Which language does the table speak?",
        help="On its pages and aloud. A voice takes a loudspeaker and espeak-ng.",
        keys=("language", "voice"),
    ),
    Step(
        id="board",
        title="Which board lies on the table?",
        help="A board that came with this program, or a board file of your own.",
        keys=("board",),
    ),
    Step(
        id="strip",
        title="How do the lights hang on this machine?",
        help="Without lights leave it at virtual: the board is then drawn on the page.",
        keys=("strip.driver", "strip.type", "strip.order", "strip.pins"),
    ),
    Step(
        id="supply",
        title="How much may the lights draw?",
        help="Milliamps of the supply that feeds them. What would want more is dimmed.",
        keys=("strip.budget_ma",),
        needs_lights=True,
    ),
    Step(
        id="light-test",
        title="Do they light up?",
        help="Red, green, blue in this order, then every light in a colour of its own.",
        needs_lights=True,
    ),
    Step(
        id="wiring",
        title="How do the strips lie?",
        help="Say whether lanes share a light, then tap where you see it.",
        keys=("wiring",),
        needs_lights=True,
    ),
    Step(
        id="sides",
        title="Who plays?",
        help="How many sides, what they are called and their colours.",
        keys=("teams", "players", "names", "lights.colours"),
    ),
    Step(
        id="rules",
        title="Which rules does this house play by?",
        help="Begin with a set of rules, then change single ones.",
        keys=("preset", "rules"),
    ),
    Step(
        id="phones",
        title="Who may open the pages?",
        help="Phones are score pads, hands of cards and screens, if they are in the same network.",
        keys=("web.host",),
    ),
)
"""The steps in order: no light can be tapped before strip and supply work."""


def first_run(settings: Settings) -> bool:
    """Return True if no settings file has set anything yet."""
    return set(settings.origins.values()) <= {DEFAULT, COMMAND_LINE}


def wiring_changes(found: Mapping[str, Value]) -> dict[str, Value | None]:
    """Return the changes that replace the settings file's `[wiring]` by a calibration's."""
    keys = ("per", "channels", "chains", "skipped", "dead")
    return {f"wiring.{key}": found.get(key) or None for key in keys}
