"""Pages of a PDF as pixels, and the holes in them: an oracle that knows no drawing."""

import math
from typing import NamedTuple

import numpy as np
import pypdfium2
from numpy.typing import NDArray

_PIXELS_A_MM = 10


class Raster(NamedTuple):
    """Brightness of a page, 0 to 255, in rows from below, with its pixels for each millimetre."""

    pixels: NDArray[np.float64]
    across: float
    up: float

    def window_at(self, x_mm: float, y_mm: float, radius_mm: float) -> tuple[float, float]:
        """Return the centre of a disc within a darker or a lighter ring, expected at a place.

        Both are infinite if there is no disc.
        """
        left, below = int((x_mm - 3) * self.across), int((y_mm - 3) * self.up)
        size = 6 * _PIXELS_A_MM + 1
        around = self.pixels[below : below + size, left : left + size]
        rows, columns = np.indices(around.shape) + 0.5
        x, y = (left + columns) / self.across, (below + rows) / self.up
        within = np.hypot(x - x_mm, y - y_mm) < radius_mm
        disc = np.median(around[within])
        ring = max(np.percentile(around[within], (2, 98)), key=lambda edge: abs(edge - disc))
        if ring == disc:
            return math.inf, math.inf
        inside = np.clip((around - (ring + disc) / 2) / (disc - ring), 0, 0.5) * within
        total = max(inside.sum(), 1e-9)
        return float((inside * x).sum() / total), float((inside * y).sum() / total)


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Return width and height of each page in millimetres."""
    pages = pypdfium2.PdfDocument(pdf)
    return [
        (width / 72 * 25.4, height / 72 * 25.4) for width, height in (p.get_size() for p in pages)
    ]


def raster(pdf: bytes, page: int) -> Raster:
    """Return a page, counted from 1, at about ten pixels for each millimetre."""
    shown = pypdfium2.PdfDocument(pdf)[page - 1]
    width, height = (side / 72 * 25.4 for side in shown.get_size())
    pixels = shown.render(scale=_PIXELS_A_MM * 25.4 / 72).to_numpy().mean(axis=2)[::-1]
    return Raster(pixels.astype(float), pixels.shape[1] / width, pixels.shape[0] / height)
