"""The pictures of docs/building.md, drawn from the artefacts: `python -m tests.kit_pictures`."""

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Final

import numpy as np
import pypdfium2
import trimesh
from PIL import Image, ImageDraw

from companion.board import load_board
from companion.kit.cards import new_document, pdf_of
from companion.kit.kit import KitOptions, make_kit
from companion.kit.svg_canvas import draw_svg
from companion.settings.load import load_settings
from tests.support.program import ROOT

FOLDER: Final = ROOT / "docs" / "pictures"
QUALITY: Final = 82
BOARD: Final = "crib-wars"
CROSSING_MM: Final = (300, 225, 460, 335)
"""Area around the place where the slide from 150 passes over the bridge of 180."""
GAP: Final = 24
SEEN_FROM: Final = (-0.55, -0.75, 0.9)
OF_GRID: Final = ("grid/test-5-holes.stl", "grid/tile-01.stl")


def main() -> None:
    """Make all pictures."""
    FOLDER.mkdir(exist_ok=True)
    night, day = (kit_of(finish) for finish in ("night", "day"))
    save("sheet-night", page(night["sheet.pdf"], 0, 72))
    save("sheet-day", page(day["sheet.pdf"], 0, 72))
    save("sheet-crossing", cropped(page(night["sheet.pdf"], 0, 254), CROSSING_MM, 10.0))
    save("tiles", beside(page(night["sheet-a4.pdf"], number, 60) for number in (0, 2)))
    save("grid", beside([solid(night[path]) for path in OF_GRID]))
    save("wiring", page(drawn(night["wiring.svg"].decode()), 0, 60))
    save("cards", beside([*pages(night["rules.pdf"], 90), page(night["labels.pdf"], 0, 60)]))


def kit_of(finish: str) -> dict[str, bytes]:
    """Return the kit in a finish."""
    file = FOLDER / "cribwars.toml"
    file.write_text(f'[sheet]\nfinish = "{finish}"\n', "utf-8")
    try:
        return make_kit(load_board(BOARD), load_settings(file, {}), KitOptions())
    finally:
        file.unlink()


def page(pdf: bytes, number: int, dpi: int) -> Image.Image:
    """Return a page of a PDF as pixels."""
    shown: Image.Image = pypdfium2.PdfDocument(pdf)[number].render(scale=dpi / 72).to_pil()
    return shown.convert("RGB")


def pages(pdf: bytes, dpi: int) -> list[Image.Image]:
    """Return all pages of a PDF."""
    return [page(pdf, number, dpi) for number in range(len(pypdfium2.PdfDocument(pdf)))]


def cropped(image: Image.Image, area_mm: Sequence[float], pixels_a_mm: float) -> Image.Image:
    """Return a part of a picture at half its size."""
    part = image.crop(tuple(round(side * pixels_a_mm) for side in area_mm))  # type: ignore[arg-type]  # four sides
    return part.resize((part.width // 2, part.height // 2))


def beside(images: Iterable[Image.Image]) -> Image.Image:
    """Return pictures side by side on grey."""
    shown = list(images)
    size = (sum(i.width + GAP for i in shown) + GAP, max(i.height for i in shown) + 2 * GAP)
    whole, left = Image.new("RGB", size, "#8a8a8a"), GAP
    for image in shown:
        whole.paste(image, (left, GAP + (size[1] - 2 * GAP - image.height) // 2))
        left += image.width + GAP
    return whole


def drawn(svg: str) -> bytes:
    """Return one of our drawings as a PDF of its size."""
    width, height = (
        float(side) for side in svg.partition('viewBox="0 0 ')[2].partition('"')[0].split()
    )
    canvas = new_document("", (width, height))
    draw_svg(canvas, svg, height)
    return pdf_of(canvas)


def solid(stl: bytes) -> Image.Image:
    """Return a solid seen from above and aside; far triangles are drawn first."""
    mesh = trimesh.load(BytesIO(stl), file_type="stl")
    assert isinstance(mesh, trimesh.Trimesh)
    eye = np.array(SEEN_FROM) / np.linalg.norm(SEEN_FROM)
    right = np.cross([0, 0, 1], eye)
    right /= np.linalg.norm(right)
    flat = np.stack([mesh.triangles @ right, -(mesh.triangles @ np.cross(eye, right))], axis=-1)
    flat -= flat.min(axis=(0, 1))
    flat *= 620 / flat.max()
    image = Image.new("RGB", tuple(np.ceil(flat.max(axis=(0, 1))).astype(int) + 1), "#ffffff")
    draw = ImageDraw.Draw(image)
    light = np.clip(mesh.face_normals @ np.array([-0.2, -0.5, 0.84]), 0, 1)
    for face in np.argsort((mesh.triangles @ eye).mean(axis=1)):
        if mesh.face_normals[face] @ eye > 0:
            grey = int(40 + 150 * light[face])
            draw.polygon([tuple(point) for point in flat[face]], fill=(grey, grey, grey))
    return image


def save(name: str, image: Image.Image) -> None:
    """Write a picture."""
    image.save(FOLDER / f"{name}.jpg", quality=QUALITY)


if __name__ == "__main__":
    main()
