"""A table on the pins of its machine, one of which is in use elsewhere."""

import asyncio

import pytest

from companion.runtime import fallbacks
from tests.support.machines import FakeChip, chip
from tests.support.real_table import RealTable

__all__ = ["chip"]


def test_a_busy_pin_costs_one_button(chip: FakeChip, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirteen buttons work, the page names the pin, and a free pin works again."""
    monkeypatch.setattr(fallbacks, "RETRY_S", 0)
    chip.users[4] = "onewire@4"
    real = RealTable(simulate=False)

    async def scene() -> None:
        async with real as table:
            lit, others = table.lit, {5, 6, 16, 17, 19, 20, 22, 23, 24, 25, 26, 27, 3}
            assert (None, others) == (lit.panel, {*chip.watched})
            (fault,) = lit.fallbacks.faults
            assert "panel.pins.1.plus_one" == fault.key
            assert str(fault.problem) == "button 1.plus_one: pin 4 is in use by onewire@4"
            chip.users.clear()
            shown: asyncio.Queue[int] = asyncio.Queue()
            checks = asyncio.create_task(
                lit.fallbacks.run(lambda faults: shown.put_nowait(len(faults)), lit.workers.parts)
            )
            while await shown.get():
                pass
            checks.cancel()
            assert others | {4} == {*chip.watched}

    asyncio.run(scene())
