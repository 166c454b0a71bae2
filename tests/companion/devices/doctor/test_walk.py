"""The walk over a new board: each step told, acted on, asked about, and kept with its reply."""

from contextlib import ExitStack

from companion.devices.assembly import assemble
from companion.devices.doctor.walk import WalkReply, WalkResult, WalkStep, steps_of, walk
from companion.settings.load import load_settings


def test_each_step_is_announced_done_and_asked_about() -> None:
    """In this order; what the program has seen is told before the question, and kept."""
    said: list[str] = []
    replies = iter([WalkReply.YES, WalkReply.NO])

    def act() -> str:
        said.append("acted")
        return "seen: mode"

    def ask(question: str) -> WalkReply:
        said.append(question)
        return next(replies)

    steps = [WalkStep(what="a", question="A?", act=act), WalkStep(what="b", question="B?")]
    results = [*walk(steps, said.append, ask)]
    assert ["1 of 2: a", "acted", "  seen: mode", "A?", "2 of 2: b", "B?"] == said
    assert WalkResult(what="a", reply=WalkReply.YES, seen="seen: mode") == results[0]
    assert WalkResult(what="b", reply=WalkReply.NO, seen="") == results[1]


def test_a_board_takes_twenty_steps() -> None:
    """Fourteen buttons, four patterns of the strip, two questions about the supply."""
    settings = load_settings(None, {})
    waited: list[str] = []
    with ExitStack() as opened:
        steps = steps_of(
            settings,
            assemble(settings),
            opened,
            say=waited.append,
            wait=waited.append,
            show=waited.append,
            clock=lambda: 0.0,
        )
        kinds = [step.what.partition(":")[0].partition(" ")[0] for step in steps]
        assert ["button"] * 14 + ["strip"] * 4 + ["supply"] * 2 == kinds
        assert "seen: nothing" == steps[0].act()
    assert ["  press 1.plus_one, then Enter here"] == waited
