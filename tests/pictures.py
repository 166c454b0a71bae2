"""The pictures of the README and of docs/: `python -m tests.pictures`."""

import shutil
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
import pypdfium2
import trimesh
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, expect, sync_playwright

from companion.board import load_board
from companion.kit.cards import new_document, pdf_of
from companion.kit.kit import KitOptions, make_kit
from companion.kit.sheet_pdf import draw_svg
from companion.rules.game import Command, Peg, SetPegs
from companion.settings.load import load_settings
from tests.support.browser import ARGUMENTS, PROGRAMS, Served, live, served
from tests.support.program import ROOT
from tests.support.real_table import RealTable

FOLDER: Final = ROOT / "docs" / "pictures"
QUALITY: Final = 82
BOARD: Final = "crib-wars"
CROSSING_MM: Final = (300, 225, 460, 335)
"""Area around the place where the slide from 150 passes over the bridge of 180."""
GAP: Final = 24
SEEN_FROM: Final = (-0.55, -0.75, 0.9)
OF_GRID: Final = ("grid/test-5-holes.stl", "grid/tile-01.stl")


def draw_kit() -> None:
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


STILL_MS: Final = 2500
"""Time after which all pegs rest."""
LET_SIGN_STAND: Final = """() => {
    for (let last = setTimeout(() => {}); last; last -= 1) clearTimeout(last);
}"""
BEFORE: Final[tuple[Command, ...]] = (
    SetPegs(side=1, front=118, back=106),
    SetPegs(side=2, front=132, back=121),
    SetPegs(side=3, front=233, back=205),
    Peg(side=3, points=4),
    Peg(side=2, points=6),
    Peg(side=1, points=6),
)
SLIDE: Final = Peg(side=2, points=12)
"""Count from 138 into the red slide at 150."""
WON: Final[tuple[Command, ...]] = (
    SetPegs(side=1, front=290, back=278),
    SetPegs(side=2, front=340, back=331),
    SetPegs(side=3, front=352, back=345),
    Peg(side=3, points=12),
)
"""Counts after which side 3 wins."""
TRAPPED: Final = 6
"""Count of side 1 that would land in the trap at 130."""


def take_pages() -> None:
    """Take all pictures."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise SystemExit("the pictures need the package chromium")
    FOLDER.mkdir(exist_ok=True)
    with served(RealTable(sides=3, board="crib-wars")) as table, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=Path(program), args=ARGUMENTS)
        for command in BEFORE:
            table.execute(command)
        _take_tv(browser, table)
        for key in ["plus_five", "plus_one"]:
            table.do(lambda shown, key=key: shown.lit.table.tap(f"1.{key}"))  # type: ignore[misc]  # key is bound
        _take_page(browser, table)
        _take_phone(browser, table)
        for key in ("1.undo", "1.undo"):
            table.do(lambda shown, key=key: shown.lit.table.tap(key))  # type: ignore[misc]  # key is bound
        _take_win(browser, table)
    with served(RealTable(board="crib-wars")) as table, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=Path(program), args=ARGUMENTS)
        _take_hand(browser, table)


def _opened(browser: Browser, url: str, width: int, height: int, **how: Any) -> Page:  # noqa: ANN401  # as Playwright takes them
    window = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark", locale="en", **how
    )
    page = window.new_page()
    page.goto(url)
    live(page)
    return page


def _take_tv(browser: Browser, table: Served) -> None:
    page = _opened(browser, table.url + "tv", 1920, 1080)
    table.execute(SLIDE)
    expect(page.locator(".plate")).to_contain_text("Red slide")
    page.evaluate(LET_SIGN_STAND)
    _save(page, "tv")


def _take_page(browser: Browser, table: Served) -> None:
    page = _opened(browser, table.url, 1440, 900)
    page.get_by_role("button", name="Not now").click()
    expect(page.locator("[data-side='1'] .pending")).to_have_text(f"+{TRAPPED}")
    page.get_by_role("button", name="View").click()
    page.get_by_role("switch", name="Trap adviser").check()
    page.keyboard.press("Escape")
    expect(page.locator("[data-side='1'] .advice")).not_to_be_empty()
    _save(page, "page")


def _take_phone(browser: Browser, table: Served) -> None:
    page = _opened(browser, table.url + "pad?side=1", 390, 844, device_scale_factor=2)
    expect(page.locator("#pending")).to_have_text(f"+{TRAPPED}")
    expect(page.locator("#lands")).not_to_be_empty()
    _save(page, "phone")


def _take_win(browser: Browser, table: Served) -> None:
    page = _opened(browser, table.url + "tv", 1920, 1080)
    for command in WON:
        table.execute(command)
    expect(page.locator("#win-title")).to_be_visible()
    _save(page, "win")


def _take_hand(browser: Browser, table: Served) -> None:
    page = _opened(browser, table.hand(), 390, 844, device_scale_factor=2)
    cards = page.locator("#own button")
    for card in (0, 3):
        cards.nth(card).click()
    _save(page, "hand")


def _save(page: Page, name: str) -> None:
    page.wait_for_timeout(STILL_MS)
    page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=QUALITY)
    page.context.close()


if __name__ == "__main__":
    draw_kit()
    take_pages()
