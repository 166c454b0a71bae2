"""Every error of the bridge says whose fault it is and is a built-in kind as well."""

from __future__ import annotations

import builtins

import pytest

from firmware_bridge import errors
from firmware_bridge.errors import BridgeError, Fault
from hardware.errors import HardwareError

KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, BridgeError) and kind is not BridgeError
]


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_is_a_built_in_kind_and_names_who_is_at_fault(kind: type[BridgeError]) -> None:
    """An error can be caught as what Python calls it, as the bridge's, and as the hardware's."""
    built_in = [base for base in kind.__mro__ if vars(builtins).get(base.__name__) is base]
    assert {BaseException, Exception, object} < set(built_in)
    assert issubclass(kind, HardwareError)
    assert isinstance(kind.fault, Fault)
    assert kind.__doc__


def test_each_fault_is_somebodys() -> None:
    """There is an error for each of those who may be at fault."""
    assert set(Fault) == {kind.fault for kind in KINDS}
