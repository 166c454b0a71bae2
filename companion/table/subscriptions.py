"""Subscriptions of listeners that are called after each change."""

from collections.abc import Callable
from contextlib import suppress


class Subscriptions(list[Callable[[], None]]):
    """Listeners in the order in which they subscribed."""

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Add a listener. Return a function that removes it; more than one call does nothing."""
        self.append(listener)

        def unsubscribe() -> None:
            with suppress(ValueError):
                self.remove(listener)

        return unsubscribe

    def notify(self) -> None:
        """Call every listener, also where one of them removes itself."""
        for listener in tuple(self):
            listener()
