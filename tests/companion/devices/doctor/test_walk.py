"""The walk over a new board: each step is announced, done, asked about and recorded."""

from contextlib import ExitStack

from companion.devices.assembly import assemble
from companion.devices.doctor.walk import WalkReply, WalkResult, WalkStep, steps_of, walk
from companion.errors import NO_TEXT, Text
from companion.settings.load import load_settings


def test_each_step_is_announced_done_and_asked_about() -> None:
    """The observation is shown before the question, and recorded."""
    said: list[str] = []
    replies = iter([WalkReply.YES, WalkReply.NO])

    def act() -> Text:
        said.append("acted")
        return Text("seen: mode")

    def ask(question: Text) -> WalkReply:
        said.append(str(question))
        return next(replies)

    steps = [
        WalkStep(what=Text("a"), question=Text("A?"), act=act),
        WalkStep(what=Text("b"), question=Text("B?")),
    ]
    results = [*walk(steps, lambda text: said.append(str(text)), ask)]
    assert ["1 of 2: a", "acted", "  seen: mode", "A?", "2 of 2: b", "B?"] == said
    assert WalkResult(what=Text("a"), reply=WalkReply.YES, seen=Text("seen: mode")) == results[0]
    assert WalkResult(what=Text("b"), reply=WalkReply.NO, seen=NO_TEXT) == results[1]


def test_a_board_takes_twenty_steps() -> None:
    """Fourteen buttons, four patterns of the strip, two questions about the supply."""
    settings = load_settings(None, {})
    waited: list[str] = []
    with ExitStack() as opened:
        steps = steps_of(
            settings,
            assemble(settings),
            opened,
            say=lambda text: waited.append(str(text)),
            wait=lambda text: waited.append(str(text)),
            show=waited.append,
            clock=lambda: 0.0,
        )
        kinds = [str(step.what).partition(":")[0].partition(" ")[0] for step in steps]
        assert ["button"] * 14 + ["strip"] * 4 + ["supply"] * 2 == kinds
        assert "seen: nothing" == str(steps[0].act())
    assert ["  press 1.plus_one, then Enter here"] == waited
