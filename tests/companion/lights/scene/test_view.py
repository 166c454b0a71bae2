"""The view's flashes: one signal at a time at each lamp."""

from companion.lights import Flash, FlashKind, flashing


def flash(kind: FlashKind, t0: float, side: int | None = 1) -> Flash:
    """Return a flash, by default of side 1."""
    return Flash(kind=kind, side=side, t0=t0)


def test_a_running_signal_is_not_begun_again() -> None:
    """Repeated presses get the same two blinks."""
    running = flashing((), flash(FlashKind.REFUSED, 1.0))
    assert running == flashing(running, flash(FlashKind.REFUSED, 1.2))


def test_another_signal_at_the_same_lamp_waits() -> None:
    """The dealer's lamp ends one signal before the next, for any sides."""
    running = flashing((), flash(FlashKind.DEAL_HINT, 1.0, side=2))
    both = flashing(running, flash(FlashKind.DEAL_HELD, 1.5, side=None))
    assert [1.0, 3.0] == [each.t0 for each in both]


def test_other_lamps_do_not_wait() -> None:
    """Two sides' signals run in parallel."""
    running = flashing((), flash(FlashKind.REFUSED, 1.0))
    both = flashing(running, flash(FlashKind.REFUSED, 1.1, side=2))
    assert [1.0, 1.1] == [each.t0 for each in both]


def test_what_is_over_goes() -> None:
    """The list has only signals that may still be seen."""
    running = flashing((), flash(FlashKind.STUCK, 1.0))
    assert [9.0] == [each.t0 for each in flashing(running, flash(FlashKind.REFUSED, 9.0))]
