"""Scenes as tests: coroutines that a function runs at a table which it sets up."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import update_wrapper
from inspect import Parameter, Signature, signature
from typing import Any

Scene = Callable[..., Awaitable[None]]


def in_loop(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a scene without a table."""
    asyncio.run(scene())


def run_by(run: Callable[..., object], **how: object) -> Callable[[Scene], Callable[..., None]]:
    """Make a test of a scene, which `run` calls with what it has set up: the first parameter.

    All other parameters are fixtures, and so are the keywords without a default of `run`.
    """
    parameters = signature(run).parameters.values()
    keywords = {each.name: each.default for each in parameters if each.kind is each.KEYWORD_ONLY}
    needed = {name for name, default in keywords.items() if default is Parameter.empty} - set(how)

    def made(scene: Scene) -> Callable[..., None]:
        own = [*signature(scene).parameters][1:]

        def test(**fixtures: Any) -> None:  # noqa: ANN401  # any fixture
            to_scene = {name: fixtures[name] for name in own}
            to_run = {name: fixtures[name] for name in keywords if name in fixtures}
            run(lambda *there: scene(*there, **to_scene), **to_run, **how)

        wanted = [
            Parameter(name, Parameter.KEYWORD_ONLY) for name in dict.fromkeys((*own, *needed))
        ]
        vars(update_wrapper(test, scene))["__signature__"] = Signature(wanted)
        return test

    return made
