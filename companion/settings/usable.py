"""Settings without their faulty values, for a table that is to run whatever its files say.

A faulty value falls back to the one below it: of the page's file to that of the file written by
hand, of that to the default. Each fault says which value that was; nothing is done to the files.

A fault may lie between values, as where a board and a number of sides do not fit. What is named is
taken out first, then the table around it, then the rest of a file. The defaults are sound.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from companion.errors import Fault, FaultsError
from companion.settings.load import merge
from companion.settings.schema import COMMAND_LINE, Settings
from companion.settings.sources import Source, without

_Made = TypeVar("_Made")

_BUDGET: Final = "strip.budget_ma"
"""Without it no strip is lit: the default may be more than its supply gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usable(Generic[_Made]):
    """Settings that can be used, what was `made` of them, and the faults that were left out.

    `sources` are those of the settings, without the faulty values.
    """

    settings: Settings
    made: _Made
    sources: tuple[Source, ...]
    faults: tuple[Fault, ...]


def usable(
    sources: Iterable[Source], make: Callable[[Settings], _Made], faults: Iterable[Fault] = ()
) -> Usable[_Made]:
    """Return the settings of these sources, as far as something can be made of them.

    `faults` are those of the sources that were found before.

    Raises:
        FaultsError: the command line is at fault.
    """
    sound, left_out = tuple(sources), dict.fromkeys(faults)
    while True:
        try:
            settings = merge(sound)
            return Usable(
                settings=settings, made=make(settings), sources=sound, faults=tuple(left_out)
            )
        except FaultsError as error:
            less = _less(sound, error.faults)
            if less == sound or any(fault.file == COMMAND_LINE for fault in error.faults):
                raise
            sound = less
            left_out |= dict.fromkeys(error.faults)


def _less(sources: tuple[Source, ...], faults: Sequence[Fault]) -> tuple[Source, ...]:
    """Return sources without what these faults name; else without more, from the last file on."""
    less = sources
    for fault in faults:
        less = tuple(
            _without(each, fault.key) if each.origin == fault.file else each for each in less
        )
    if any(fault.key == _BUDGET for fault in faults):
        less = tuple(_without(each, "strip") for each in less)
    if less != sources:
        return less
    first = faults[0]
    last_first = sources[::-1]
    files = sorted(last_first, key=lambda each: each.origin not in first.file)
    table = first.key.rpartition(".")[0]
    for key in (first.key, table, ""):
        for source in files:
            other = _without(source, key)
            if other != source:
                return tuple(other if each is source else each for each in sources)
    return sources


def _without(source: Source, key: str) -> Source:
    if source.origin == COMMAND_LINE:
        return source
    return replace(source, values=without(source.values, key) if key else {})
