"""Base of the organiser's commands, which are values and change a plan."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.errors import BadInputError
from companion.night.messages import NightMessage, serialize
from companion.night.outcomes import Seat, SeatedGame
from companion.night.plan import PLAN_LIMIT_BYTES, NightPlan

Games = Mapping[Seat, SeatedGame]
"""The outcomes so far."""


class PlanCommand(NightMessage, frozen=True, kw_only=True, tag_field="command"):
    """Base of all commands; `command` in its JSON is its name."""

    def carry_out(self, plan: NightPlan, games: Games) -> NightPlan:
        """Return the plan after this command, with the next revision.

        Raises:
            BadInputError: the command does not fit the plan; the text says what to do.
        """
        changed = replace(self._change(plan, games), revision=plan.revision + 1)
        if len(serialize(changed)) > PLAN_LIMIT_BYTES:
            text = "the night is as large as it can be: begin a new one for what follows"
            raise BadInputError(text)
        return changed

    def _change(self, plan: NightPlan, games: Games, /) -> NightPlan:
        raise NotImplementedError
