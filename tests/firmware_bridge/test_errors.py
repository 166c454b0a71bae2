"""Every error of the bridge is a built-in kind as well."""

import builtins

import pytest

from firmware_bridge import errors
from firmware_bridge.errors import BridgeError
from hardware.errors import HardwareError

KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, BridgeError) and kind is not BridgeError
]


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_is_a_built_in_kind(kind: type[BridgeError]) -> None:
    """An error can be caught as the built-in kind, as the bridge's, and as the hardware's."""
    built_in = [base for base in kind.__mro__ if vars(builtins).get(base.__name__) is base]
    assert {BaseException, Exception, object} < set(built_in)
    assert issubclass(kind, HardwareError)
