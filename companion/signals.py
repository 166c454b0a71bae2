"""Signals: events that are delivered to all subscribed listeners."""

from collections.abc import Callable
from contextlib import suppress


class Signal:
    """Signal with its `listeners`, in order of subscription."""

    def __init__(self) -> None:
        self.listeners: list[Callable[..., None]] = []

    def subscribe(self, listener: Callable[..., None]) -> Callable[[], None]:
        """Add a listener. Return a function that removes it; further calls do nothing."""
        self.listeners.append(listener)

        def unsubscribe() -> None:
            with suppress(ValueError):
                self.listeners.remove(listener)

        return unsubscribe

    def notify(self, *values: object) -> None:
        """Call every listener with these values. A listener may remove itself during the call."""
        for listener in tuple(self.listeners):
            listener(*values)
