"""Requests with an idempotency key: each is carried out once, however often it is sent.

A page sends a request again with the same key until it has an answer, which may have been lost on
the way. Keys are remembered until the server stops.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Final

HEADER: Final = "Idempotency-Key"
ANSWER_LIMIT: Final = 64
"""Answers that are kept; the oldest is forgotten."""


class KeptAnswers:
    """Answers to requests by their keys, as values, for use in one event loop."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, asyncio.Task[object]] = OrderedDict()

    async def once(
        self, key: Hashable, answer: Callable[[], Coroutine[Any, Any, object]]
    ) -> object:
        """Return the answer to the first request with a key, which may be this one.

        An answer that fails is forgotten. A caller that leaves does not cancel the answer.
        """
        task = self._answers.get(key)
        if task is None:
            task = self._answers[key] = asyncio.get_running_loop().create_task(answer())
            task.add_done_callback(partial(self._forget_failure, key))
            if len(self._answers) > ANSWER_LIMIT:
                self._answers.popitem(last=False)
        return await asyncio.shield(task)

    def _forget_failure(self, key: Hashable, task: asyncio.Task[object]) -> None:
        if task.cancelled() or task.exception():
            self._answers.pop(key, None)
