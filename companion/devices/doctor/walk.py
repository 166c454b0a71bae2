"""Guided test of a new board (`walk`): questions about each button, the strip and the supply."""

import queue
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final

from companion.devices.assembly import Assembly
from companion.devices.button_sources import find_buttons
from companion.devices.doctor.finding import Finding
from companion.errors import NO_TEXT, Text
from companion.settings.schema import Settings
from hardware.debounce import Edge
from hardware.errors import ButtonError

PATTERNS: Final = {
    "index": Text(
        "The first LED is red, the second green, the third blue; is the last one lit too?"
    ),
    "order": Text("Was the whole strip red, then green, then blue?"),
    "zones": Text("Did each printed zone and mark light where it is printed?"),
    "white": Text("Was the far end of the strip as white as the near end, without flicker?"),
}
"""Question about each pattern of the strip."""
SUPPLY: Final = (
    Text("Are all wires, plugs and the supply cool after the white light?"),
    Text("Did the Pi and the strip stay on, without a restart, all the time?"),
)


class WalkReply(StrEnum):
    """Replies to a step."""

    YES = "yes"
    NO = "no"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkStep:
    """Step of the walk: its subject, an action, and a question after the action.

    `act` returns a line with the program's own observation, or None.
    """

    what: Text
    question: Text
    act: Callable[[], Text | None] = lambda: None


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkResult:
    """Result of a step: the person's reply, and the program's own observation in `seen`."""

    what: Text
    reply: WalkReply
    seen: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkReport:
    """Report of a walk, for people who help from elsewhere."""

    date: str
    version: str
    findings: list[Finding]
    results: list[WalkResult]


def walk(
    steps: Sequence[WalkStep], say: Callable[[Text], None], ask: Callable[[Text], WalkReply]
) -> Iterator[WalkResult]:
    """Go through the steps; yield the result of each."""
    for number, step in enumerate(steps, start=1):
        say(Text("{number} of {steps}: {what}", number=number, steps=len(steps), what=step.what))
        seen = step.act()
        if seen:
            say(Text("  {seen}", seen=seen))
        yield WalkResult(what=step.what, reply=ask(step.question), seen=seen or NO_TEXT)


def steps_of(
    settings: Settings,
    assembly: Assembly,
    opened: ExitStack,
    *,
    say: Callable[[Text], None],
    wait: Callable[[Text], None],
    show: Callable[[str], None],
    clock: Callable[[], float],
) -> list[WalkStep]:
    """Return the steps for a board; its buttons are open until `opened` ends.

    Args:
        settings: the table's settings.
        assembly: the parts made from the settings.
        opened: closes the buttons when it ends.
        say: shows a line.
        wait: asks for a press, and returns once the person has confirmed it.
        show: shows a pattern on the strip.
        clock: returns seconds, for the times of presses.

    Raises:
        ButtonError: the microcontroller that reads the buttons cannot be used.
    """
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    sources = find_buttons(settings, assembly, simulate=False)
    for _, attempt in sources.open(edges.put, opened, clock=clock).attempts:
        try:
            attempt()
        except ButtonError as error:
            say(error.text)
    names = [*assembly.pins] if not assembly.board_port else [*assembly.places]

    def press(button: str) -> Text:
        _emptied(edges)
        wait(Text("  press {button}, then Enter here", button=button))
        seen = dict.fromkeys(edge.button for edge in _emptied(edges) if edge.down)
        return Text("seen: {buttons}", buttons=", ".join(seen) or Text("nothing"))

    buttons = [
        WalkStep(
            what=Text("button {name}", name=name),
            question=Text("Was {name} seen, and nothing else?", name=name),
            act=act,
        )
        for name in names
        for act in [partial(press, name)]
    ]
    strip = [
        WalkStep(what=Text("strip: {name}", name=name), question=question, act=partial(show, name))
        for name, question in PATTERNS.items()
    ]
    return [*buttons, *strip, *(WalkStep(what=Text("supply"), question=each) for each in SUPPLY)]


def _emptied(edges: queue.SimpleQueue[Edge]) -> list[Edge]:
    taken = []
    while not edges.empty():
        taken.append(edges.get_nowait())
    return taken
