"""Scales: the steps in which the LEDs of a strip can show light, and the pixels that show them.

A colour here is the red, green, blue or white light of one LED. A scale splits it into whole steps
and a rest. `hardware.output` rounds some rests up, and the scale writes the steps as pixels. Most
strips have 255 equal steps; with gamma they are unequal. If each LED has a current of its own, its
steps depend on its peak, its brightest colour. Light of 0.3 is half way between bytes 76 and 77:

>>> light = np.array([[0.3, 0.0, 0.0]], np.float32)
>>> steps = LinearScale().split(light, peaks=light.max(axis=1))
>>> steps.whole[0].tolist(), float(steps.rest[0, 0].round(2))
([76, 0, 0], 0.5)

A tenth of this light would be byte 7.65. An APA102 shows it as byte 237 at current 1 of 31:

>>> scale = CurrentScale()
>>> scale.pixels(scale.split(light / 10, peaks=light.max(axis=1) / 10))[0].tolist()
[237, 0, 0, 1]
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hardware.errors import StripError

Pixels: TypeAlias = NDArray[Any]
"""Pixels of one channel: a row for each LED, with its colours, then `extra_columns` more values."""

Lights: TypeAlias = NDArray[np.float32]
Rests: TypeAlias = NDArray[np.floating]
Indices: TypeAlias = NDArray[np.intp]

LINEAR: Final[NDArray[np.float64]] = np.arange(256) / 255
"""Response of strips that dim by pulse width, as nearly all do: light is proportional to bytes."""

LINEAR.setflags(write=False)

CODE_MAX: Final = 255
CURRENT_MAX: Final = 31
WORD_MAX: Final = 65535

_UNITS: Final = CODE_MAX * CURRENT_MAX
_EXACT: Final = 1e-9  # steps to add before int(): a float may fall just short of a whole number
_LAST_CODE: Final = CODE_MAX + 0.49  # a colour up to this value rounds to byte 255


@dataclass(slots=True, kw_only=True)
class LightSteps:
    """Light of LEDs, one per row: `whole` counts steps; `rest` is a part of the next step.

    `currents` has the current of each LED, shape (n, 1), on a `CurrentScale`, or else None.
    """

    whole: NDArray[Any]
    rest: Rests
    currents: NDArray[np.uint8] | None = None


class Scale(ABC):
    """Steps in which a strip shows light.

    `floor` is the light of the first step above darkness; no step adds more than `largest_rise`.
    """

    floor: float
    largest_rise: float
    dtype: type[np.uint8 | np.uint16] = np.uint8
    extra_columns = 0
    """Columns of a pixel beside its colours."""

    @abstractmethod
    def split(self, colours: Lights, peaks: Lights) -> LightSteps:
        """Split light into steps and rests.

        `colours` has the shape (n, 3) or (n, 4); `peaks` is the largest colour of each LED, (n,).
        """

    @abstractmethod
    def rises(self, steps: LightSteps, elements: Indices) -> NDArray[np.floating]:
        """Return the light that one more step adds to each of these elements of `whole.ravel()`."""

    @abstractmethod
    def total(self, steps: LightSteps) -> float:
        """Return the light of all whole steps together; the strip's amperes rise with it."""

    @abstractmethod
    def pixels(self, steps: LightSteps) -> Pixels:
        """Return the pixels that show the whole steps."""

    @abstractmethod
    def light(self, pixels: Pixels) -> NDArray[np.float64]:
        """Return the light, 0 to 1, of each colour of these pixels."""

    @property
    def is_bytes(self) -> bool:
        return self.dtype is np.uint8 and not self.extra_columns

    def bytes(self, pixels: Pixels) -> Pixels:
        """Return pixels as a byte for each colour; a lit colour is at least 1."""
        if self.is_bytes:
            return pixels
        light = self.light(pixels) * CODE_MAX
        return np.maximum(np.rint(light), light > 0).astype(np.uint8)

    @abstractmethod
    def at_most(self, light: float) -> float:
        """Return the largest light of one colour up to `light` that the strip can show exactly."""


class LinearScale(Scale):
    """Scale of `top` equal steps from darkness to full light, as bytes or as words of 16 bits."""

    def __init__(self, top: int = CODE_MAX) -> None:
        self.top = top
        self.dtype = np.uint8 if top <= CODE_MAX else np.uint16
        self.floor = self.largest_rise = 1 / top

    def split(self, colours: Lights, peaks: Lights) -> LightSteps:  # noqa: ARG002  # steps are equal
        light = colours * np.float32(self.top)
        whole: NDArray[Any] = light.astype(self.dtype)
        return LightSteps(whole=whole, rest=np.asarray(light - whole, np.float32))

    def rises(self, steps: LightSteps, elements: Indices) -> NDArray[np.floating]:  # noqa: ARG002  # steps are equal
        return np.full(len(elements), self.floor)

    def total(self, steps: LightSteps) -> float:
        return int(steps.whole.sum(dtype=np.int64)) / self.top

    def pixels(self, steps: LightSteps) -> Pixels:
        return steps.whole

    def light(self, pixels: Pixels) -> NDArray[np.float64]:
        return pixels / self.top

    def at_most(self, light: float) -> float:
        return int(light * self.top + _EXACT) / self.top


class TableScale(Scale):
    """Scale of unequal steps: `response` has the light of each byte.

    Raises:
        StripError: the response is not 256 values that go from 0 to 1 without ever falling.
    """

    def __init__(self, response: NDArray[np.float64]) -> None:
        response = np.asarray(response, np.float64)
        if response.shape != LINEAR.shape or not (
            response[0] == 0 and response[-1] == 1 and (np.diff(response) >= 0).all()
        ):
            raise StripError("the strip's driver must give a response of 256 values from 0 up to 1")
        self._response = response
        self._lights, self._bytes = np.unique(response, return_index=True)
        self._rises = np.append(np.diff(self._lights), np.inf)
        self.floor = float(self._lights[1])
        self.largest_rise = float(self._rises[:-1].max())

    def split(self, colours: Lights, peaks: Lights) -> LightSteps:  # noqa: ARG002  # steps are the same for all LEDs
        below = np.searchsorted(self._lights, colours, side="right") - 1
        rest = (colours - self._lights.take(below)) / self._rises.take(below)
        return LightSteps(whole=below.astype(np.uint8), rest=rest)

    def rises(self, steps: LightSteps, elements: Indices) -> NDArray[np.floating]:
        return self._rises.take(steps.whole.take(elements))

    def total(self, steps: LightSteps) -> float:
        return float(self._lights.take(steps.whole).sum())

    def pixels(self, steps: LightSteps) -> Pixels:
        return self._bytes.take(steps.whole).astype(np.uint8)

    def light(self, pixels: Pixels) -> NDArray[np.float64]:
        return self._response.take(pixels)

    def at_most(self, light: float) -> float:
        return float(self._lights[np.searchsorted(self._lights, light, side="right") - 1])


class CurrentScale(Scale):
    """Scale with a byte for each colour and a current, 1 to 31, for each LED.

    Light is the product of byte and current. Each LED gets the least current, at least `lowest`, at
    which its brightest colour fits into a byte. The current is a pixel's fourth column.
    """

    extra_columns = 1

    def __init__(self, lowest: int = 1) -> None:
        self._lowest = lowest
        self.floor = lowest / _UNITS
        self.largest_rise = CURRENT_MAX / _UNITS

    def split(self, colours: Lights, peaks: Lights) -> LightSteps:
        wanted = peaks[:, None] * np.float32(_UNITS / _LAST_CODE)
        currents = np.clip(wanted.astype(np.uint8) + 1, self._lowest, CURRENT_MAX).astype(np.uint8)
        codes = colours * (np.float32(_UNITS) / currents)
        np.minimum(codes, np.float32(_LAST_CODE), out=codes)
        whole = codes.astype(np.uint8)
        return LightSteps(whole=whole, rest=codes - whole, currents=currents)

    def rises(self, steps: LightSteps, elements: Indices) -> NDArray[np.floating]:
        assert steps.currents is not None  # noqa: S101  # from `split`
        leds = elements // steps.whole.shape[1]
        return np.asarray(steps.currents.take(leds) / _UNITS)

    def total(self, steps: LightSteps) -> float:
        assert steps.currents is not None  # noqa: S101  # from `split`
        return int((steps.whole.sum(axis=1, dtype=np.int64) * steps.currents[:, 0]).sum()) / _UNITS

    def pixels(self, steps: LightSteps) -> Pixels:
        assert steps.currents is not None  # noqa: S101  # from `split`
        return np.hstack([steps.whole, steps.currents])

    def light(self, pixels: Pixels) -> NDArray[np.float64]:
        return np.asarray(pixels[:, :-1] * (pixels[:, -1:] / _UNITS))

    def at_most(self, light: float) -> float:
        current = min(max(int(light * _UNITS / _LAST_CODE) + 1, self._lowest), CURRENT_MAX)
        return int(light * _UNITS / current + _EXACT) * current / _UNITS


BYTES: Final = LinearScale()  # scale of nearly all strips
WORDS: Final = LinearScale(WORD_MAX)  # scale of chips with 16 bits a colour
