"""Questions of the set-up page when the program runs for the first time, step by step."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import Text
from companion.settings.schema import COMMAND_LINE, DEFAULT, Settings
from companion.toml.values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One page of the first-run questions; `keys` are the settings that it asks for.

    If `needs_lights` is True, a game table without a strip leaves the step out.
    """

    id: str
    title: Text
    help: Text
    keys: tuple[str, ...] = ()
    needs_lights: bool = False


STEPS = (
    Step(
        id="language",
        title=Text("Which language does the table speak?"),
        help=Text(
            "Language of the pages and the voice. A voice needs a loudspeaker and espeak-ng."
        ),
        keys=("language", "voice"),
    ),
    Step(
        id="board",
        title=Text("Which board lies on the table?"),
        help=Text("A board that came with this program, or a board file of your own."),
        keys=("board",),
    ),
    Step(
        id="strip",
        title=Text("How are the lights connected to this machine?"),
        help=Text("Without lights choose the first: the board is then drawn on the page."),
        keys=("strip.driver", "strip.type", "strip.order", "strip.pins"),
    ),
    Step(
        id="supply",
        title=Text("How much may the lights draw?"),
        help=Text("Milliamperes of their supply. Light that would draw more is dimmed."),
        keys=("strip.budget_ma",),
        needs_lights=True,
    ),
    Step(
        id="light-test",
        title=Text("Do they light up?"),
        help=Text("Choose a test, and compare the lights with the words below it."),
        needs_lights=True,
    ),
    Step(
        id="wiring",
        title=Text("How do the strips lie?"),
        help=Text("Say how many lights there are. Then tap on the picture where you see light."),
        keys=("wiring",),
        needs_lights=True,
    ),
    Step(
        id="sides",
        title=Text("Who plays?"),
        help=Text("The number of the sides, their names and their colours."),
        keys=("teams", "players", "names", "lights.colours"),
    ),
    Step(
        id="rules",
        title=Text("Which rules does this house play by?"),
        help=Text("Choose a set of rules; then you can change single rules."),
        keys=("preset", "rules"),
    ),
    Step(
        id="phones",
        title=Text("Who may open the pages?"),
        help=Text("Phones in the same network can be score pads, hands of cards and screens."),
        keys=("web.host",),
    ),
)
"""The steps in order: strip and supply must work before the user can tap a light."""


def first_run(settings: Settings) -> bool:
    """Return True if no settings file has set anything yet."""
    return set(settings.origins.values()) <= {DEFAULT, COMMAND_LINE}


def wiring_changes(found: Mapping[str, Value]) -> dict[str, Value | None]:
    """Return the changes that replace `[wiring]` with the result of a calibration."""
    keys = ("per", "channels", "chains", "skipped", "dead")
    return {f"wiring.{key}": found.get(key) or None for key in keys}
