"""Set-up of a real table in a real browser: questions, settings, a restart, wiring and white."""

import random
import re
import socket
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.board import Board, load_board
from companion.lights import Per, Points, Wiring
from companion.lights.colour import chosen
from companion.settings.file import SettingsFile
from companion.settings.sources import page_file
from tests.companion.lights import built_strips
from tests.companion.web.test_accessible import AXE, found_in
from tests.support.browser import browser, faultless, fetched
from tests.support.program import HTTP, Program, run_command, running

__all__ = ["browser"]


PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1366, "height": 768}
TEXT = '# our table\nboard = "classic"  # the small one\n\n[panel]\nbounce_ms = 50  # old buttons\n'


def settings_of(folder: Path) -> Path:
    """Return the path of this home's settings."""
    return folder / ".config" / "cribwars" / "cribwars.toml"


def saved_in(folder: Path) -> dict[str, Any]:
    """Return what the page has saved in this home."""
    file = page_file(settings_of(folder))
    return tomllib.loads(file.read_text()) if file.exists() else {}


@contextmanager
def set_up(
    browser: Browser, folder: Path, text: str | None, *arguments: str, size: dict[str, int] = PHONE
) -> Iterator[tuple[Program, Page]]:
    """Serve a table whose settings file has this text, and open its set-up page."""
    if text is not None:
        settings_of(folder).parent.mkdir(parents=True)
        settings_of(folder).write_text(text)
    with (
        running(folder, *arguments) as program,
        faultless(browser, requests_fail=True, viewport=size) as page,
    ):
        page.goto(f"{program.url}setup")
        expect(page.locator("main")).to_have_attribute(
            "data-screen", re.compile("questions|settings")
        )
        yield program, page


def button(page: Page, name: str) -> None:
    """Press a visible button."""
    page.get_by_role("button", name=name, exact=True).click()


def question(page: Page, title: str) -> None:
    """Wait for a question."""
    expect(page.get_by_role("heading", name=title)).to_be_visible()


def change(page: Page, label: str, value: str) -> None:
    """Find a setting and type a value into it."""
    page.get_by_label("Find a setting").fill(label)
    page.get_by_label(label, exact=True).fill(value)


def free_port() -> int:
    """Return a free port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def spot_names(board: Board) -> dict[int, str]:
    """Return the page's name of each place of a board with one light a hole."""
    points = Points(board, Per.HOLE)
    holes = {points.index(row.lane, h): f"hole {h}" for row in points.rows for h in row.holes}
    return holes | {
        points.lamps[lamp.id]: f"lamp {lamp.id.replace('-', ' ')}" for lamp in board.lamps
    }


def calibration(program: Program) -> dict[str, Any]:
    """Return the progress."""
    return dict(HTTP.get(f"{program.url}api/calibration").json())


def test_a_new_board_is_set_up_by_questions(browser: Browser, tmp_path: Path) -> None:
    """The result is a file for `cribwars config` with exactly the answers."""
    with set_up(browser, tmp_path, None) as (program, page):
        page.goto(program.url)
        page.evaluate("localStorage.visited = ''")
        page.reload()
        page.get_by_role("link", name="Set up my board").click()
        question(page, "Which language does the table speak?")
        button(page, "Skip")
        question(page, "Which board lies on the table?")
        run_command_for = page.locator("#questions")
        run_command_for.get_by_label("Classic, 121 holes").check()
        button(page, "Next")
        question(page, "How are the lights connected")
        button(page, "Skip")
        question(page, "Who plays?")
        run_command_for.get_by_label("Sides", exact=True).select_option("3")
        run_command_for.get_by_label("Name of side 3", exact=True).fill("Cleo")
        run_command_for.get_by_label("Colour of side 3", exact=True).fill("#ffb000")
        expect(
            run_command_for.get_by_text(re.compile("side 1 .* and side 3 .* look alike"))
        ).not_to_have_count(0)
        run_command_for.get_by_label("Colour of side 3", exact=True).fill("#ffffff")
        button(page, "Next")
        question(page, "Which rules does this house play by?")
        run_command_for.get_by_text("Single rules", exact=True).click()
        run_command_for.get_by_label("Finish", exact=True).select_option("exact")
        button(page, "Next")
        question(page, "Who may open the pages?")
        run_command_for.get_by_label("Another address …").check()
        run_command_for.get_by_label("Address", exact=True).fill("192.0.2.7")
        button(page, "Next")
        expect(run_command_for.get_by_text("no such address")).to_be_visible()
        assert "web" not in saved_in(tmp_path)
        run_command_for.get_by_label("This machine alone").check()
        button(page, "Next")
        question(page, "That is all")
        expect(page.get_by_text("Nothing is to be mended.")).to_be_visible()
        assert (0, "") == program.stop()
    wanted = {
        "board": "classic",
        "teams": 3,
        "names": {"3": "Cleo"},
        "lights": {"colours": {"3": "#ffffff"}},
        "rules": {"finish": "exact"},
    }
    assert wanted == saved_in(tmp_path)
    reported = run_command(tmp_path, "config")
    place = settings_of(tmp_path).with_name("settings-of-page.toml")
    assert (0, True) == (reported.code, f"teams = 3  # {place}" in reported.out)


def test_what_people_wrote_is_never_changed(browser: Browser, tmp_path: Path) -> None:
    """A reset setting has their value again, which the page calls the usual one."""
    with set_up(browser, tmp_path, TEXT) as (_, page):
        change(page, "Bounce (ms)", "60")
        change(page, "Sleep (minutes)", "20")
        expect(page.get_by_text("2 changes are not saved.")).to_be_visible()
        button(page, "Save")
        expect(page.get_by_text("It takes effect after a restart")).to_be_visible()
        assert {"panel": {"bounce_ms": 60, "sleep_minutes": 20}} == saved_in(tmp_path)
        button(page, "Reset Sleep (minutes)")
        page.get_by_label("Find a setting").fill("bounce")
        button(page, "Reset Bounce (ms)")
        button(page, "Save")
        expect(page.get_by_text("2 changes are not saved.")).to_have_count(0)
        assert ({}, TEXT) == (saved_in(tmp_path), settings_of(tmp_path).read_text())
        bounce = page.locator("#settings [data-key='panel.bounce_ms']")
        expect(bounce.get_by_text("Usually: 50.")).to_be_visible()
        expect(bounce.get_by_role("button")).to_have_count(0)


def test_a_bad_value_is_refused_at_its_field(browser: Browser, tmp_path: Path) -> None:
    """All faults show at once, nothing is written, and the first has the focus."""
    with set_up(browser, tmp_path, TEXT, size=LAPTOP) as (_, page):
        change(page, "Bounce (ms)", "9999")
        change(page, "Hold (ms)", "-1")
        page.get_by_label("Find a setting").fill("ms")
        page.get_by_label("Find a setting").fill("")
        button(page, "Save")
        bounce = page.get_by_label("Bounce (ms)", exact=True)
        expect(bounce).to_have_attribute("aria-invalid", "true")
        expect(bounce).to_be_focused()
        fault = page.locator("[data-key='panel.bounce_ms'] .fault")
        expect(fault).to_have_text("cannot be 9999; it takes a number from 0 to 1000")
        expect(page.locator("[data-key='panel.hold_ms'] .fault")).not_to_be_empty()
        assert {} == saved_in(tmp_path)
        button(page, "Drop")
        expect(fault).to_be_empty()


def test_a_file_that_somebody_has_changed_is_not_written_over(
    browser: Browser, tmp_path: Path
) -> None:
    """It is loaded again with the change kept here, and then has both."""
    with set_up(browser, tmp_path, TEXT) as (_, page):
        theirs = TEXT.replace("[panel]", "[demo]\nspeed = 2.0\n\n[panel]")
        settings_of(tmp_path).write_text(theirs)
        change(page, "Bounce (ms)", "60")
        button(page, "Save")
        expect(page.get_by_text("has changed since this page was loaded")).to_be_visible()
        assert {} == saved_in(tmp_path)
        button(page, "Load what the file says")
        button(page, "Save")
        expect(page.get_by_text("It takes effect after a restart")).to_be_visible()
        assert {"panel": {"bounce_ms": 60}} == saved_in(tmp_path)
        assert theirs == settings_of(tmp_path).read_text()


def test_a_name_is_taken_over_at_once_with_the_same_game(browser: Browser, tmp_path: Path) -> None:
    """No restart is needed; counts, also pending ones, are kept."""
    with set_up(browser, tmp_path, TEXT) as (program, page):
        program.press("1.plus_five", "1.enter")
        program.until(1)
        program.press("2.plus_one")
        before, run = program.table(), HTTP.get(f"{program.url}api/about").json()["run"]
        page.get_by_label("Find a setting").fill("side 1")
        page.get_by_label("Side 1", exact=True).fill("Anna")
        page.keyboard.press("Enter")
        expect(page.locator("#bar")).to_contain_text("Saved, and in force.")
        about = HTTP.get(f"{program.url}api/about").json()
        assert ("Anna", run) == (about["teams"]["1"]["name"], about["run"])
        assert before == program.table()
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr


def test_a_start_that_may_fail_is_asked_for_twice(browser: Browser, tmp_path: Path) -> None:
    """The doctor's fixes show first, as a table that does not start has no page."""
    finding = {"level": "fix", "what": "no strip", "why": "there is no /dev/leds0", "remedy": "see"}
    port = str(free_port())
    with set_up(browser, tmp_path, TEXT, "--port", port) as (program, page):
        page.route("**/api/doctor", lambda route: route.fulfill(json=[finding]))
        change(page, "Bounce (ms)", "60")
        button(page, "Save")
        button(page, "Restart")
        expect(page.locator("#bar")).to_contain_text("there is no /dev/leds0")
        assert 0 == program.table()["seq"]
        button(page, "Restart all the same")
        program.started_again()
        expect(page.locator("#state")).to_have_text("The table is back, with the new settings.")
        assert (0, "") == program.stop()


def test_an_address_of_another_machine_is_refused_at_its_field(
    browser: Browser, tmp_path: Path
) -> None:
    """It is tried before it is written; the field gives reason and remedy."""
    with set_up(browser, tmp_path, TEXT, size=LAPTOP) as (_, page):
        page.get_by_label("Find a setting").fill("address")
        page.locator("#settings").get_by_label("Another address …").check()
        page.get_by_label("Address", exact=True).fill("192.0.2.7")
        button(page, "Save")
        fault = page.locator("[data-key='web.host'] .fault")
        expect(fault).to_contain_text("no such address; set [web] host")
        expect(page.get_by_label("Address", exact=True)).to_be_focused()
        assert {} == saved_in(tmp_path)


@pytest.mark.parametrize(
    ("language", "words", "anew"),
    [
        ("en", ("is back on those from before", "this machine has no such address"), "Restart"),
        ("fr", ("est revenue à ceux d'avant", "cette machine n'a pas cette"), "Redémarrer"),
    ],
)
def test_a_start_that_failed_is_reported_in_the_language_of_the_page(
    browser: Browser, tmp_path: Path, language: str, words: tuple[str, ...], anew: str
) -> None:
    """The old settings return, with the reason and what was taken back."""
    text = f'language = "{language}"\n{TEXT}'
    with set_up(browser, tmp_path, text) as (program, page):
        page.route("**/api/doctor", lambda route: route.fulfill(json=[]))
        editor = SettingsFile(settings_of(tmp_path), {}, check=lambda _: None)
        editor.change({"web.host": "192.0.2.7"})  # nothing tries it
        page.reload()
        with page.expect_response("**/api/restart"):  # the doctor's answer is ours to give
            button(page, anew)
        program.started_again()
        page.goto(f"{program.url}setup")
        for said in (*words, 'web.host = "192.0.2.7"'):
            expect(page.locator("#state")).to_contain_text(said)
        assert ({}, text) == (saved_in(tmp_path), settings_of(tmp_path).read_text())


def test_faulty_values_are_reported_beside_the_others(browser: Browser, tmp_path: Path) -> None:
    """They have file, key and remedy; the page can be used."""
    with set_up(browser, tmp_path, f"teams = 9\n{TEXT}") as (_, page):
        expect(page.locator("#state")).to_contain_text("cribwars.toml: teams: cannot be 9")
        change(page, "Bounce (ms)", "60")
        button(page, "Save")
        expect(page.get_by_text("It takes effect after a restart")).to_be_visible()
        assert {"panel": {"bounce_ms": 60}} == saved_in(tmp_path)


def test_a_phone_that_may_not_is_let_in_first(browser: Browser, tmp_path: Path) -> None:
    """It sees no settings, and is asked for its name."""

    def watching(route: Route) -> None:
        route.fulfill(json=fetched(route).json() | {"right": "watch"})

    with set_up(browser, tmp_path, TEXT) as (_, page):
        page.route("**/api/about", watching)
        page.reload()
        expect(page.get_by_label("What is this phone called?")).to_be_visible()
        expect(page.get_by_role("navigation")).to_be_hidden()


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_axe_finds_nothing_serious(browser: Browser, tmp_path: Path, size: dict[str, int]) -> None:
    """Every part of the page passes, on a phone and a laptop (S9)."""
    if not AXE.exists():
        pytest.skip("needs axe-core (npm install --no-save axe-core@4)")
    with set_up(browser, tmp_path, TEXT, size=size) as (_, page):
        for part in ("Questions", "Settings", "Lights", "Health"):
            page.get_by_role("link", name=part).click()
            expect(page.locator("main")).to_have_attribute("data-screen", part.lower())
            page.evaluate(
                "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
            )
            if part == "Lights":
                button(page, "Begin")
                expect(page.locator("#lights .dot").first).to_be_visible()
            if part == "Health":
                expect(page.locator("#health .finding").first).to_be_visible()
            assert [] == found_in(page), part
            page.evaluate("scrollTo(1e5, 0)")
            assert 0 == page.evaluate("scrollX"), part


def test_keys_alone_answer_the_questions(browser: Browser, tmp_path: Path) -> None:
    """Enter continues, each new question has the focus, and Back returns."""
    with set_up(browser, tmp_path, None) as (_, page):
        page.locator("#questions").get_by_role("button", name="Skip").press("Enter")
        question(page, "Which board lies on the table?")
        expect(page.locator("#questions h2")).to_be_focused()
        page.locator("#questions").get_by_label("Crib Wars, the long track").focus()
        page.keyboard.press("ArrowUp")
        expect(page.locator("#questions").get_by_label("Classic, 61 holes")).to_be_checked()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        question(page, "How are the lights connected")
        expect(page.locator("#questions h2")).to_be_focused()
        assert {"board": "classic"} == saved_in(tmp_path)
        button(page, "Back")
        expect(page.locator("#questions").get_by_label("Classic, 121 holes")).to_be_checked()


def test_the_brightness_slides_at_once(browser: Browser, tmp_path: Path) -> None:
    """Each step is saved and lit without a restart."""
    with set_up(browser, tmp_path, TEXT) as (_, page):
        page.get_by_label("Find a setting").fill("brightness")
        slider = page.locator("#settings").get_by_role("slider", name="Brightness")
        slider.press("ArrowRight")
        expect(page.locator("#bar")).to_contain_text("Saved, and in force.")
        assert {"lights": {"brightness": 0.55}} == saved_in(tmp_path)


def test_a_change_made_meanwhile_is_not_taken_for_saved(browser: Browser, tmp_path: Path) -> None:
    """While another change is being saved, the bar offers to save it."""
    with set_up(browser, tmp_path, TEXT) as (_, page):
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/api/settings", hold, times=1)
        page.get_by_label("Find a setting").fill("brightness")
        with page.expect_request("**/api/settings"):
            page.locator("#settings").get_by_role("slider", name="Brightness").press("ArrowRight")
        change(page, "Bounce (ms)", "60")
        expect(page.locator("#bar")).to_contain_text("2 changes are not saved.")
        held[0].continue_()
        expect(page.locator("#bar")).to_contain_text("1 change is not saved.")
        button(page, "Save")
        expect(page.locator("#bar")).to_contain_text("It takes effect after a restart.")


def test_a_setting_is_found_by_the_words_of_its_choices(browser: Browser, tmp_path: Path) -> None:
    """These are the words that the page shows for an address."""
    with set_up(browser, tmp_path, TEXT) as (_, page):
        page.get_by_label("Find a setting").fill("every phone in the house")
        expect(page.get_by_label("Every phone in the house")).to_be_visible()


def test_an_answer_without_words_does_not_end_all_saving(browser: Browser, tmp_path: Path) -> None:
    """The change is sent again until the table answers, as are later ones."""
    with set_up(browser, tmp_path, TEXT) as (_, page):
        page.route("**/api/settings", lambda route: route.fulfill(status=500), times=1)
        page.get_by_label("Find a setting").fill("brightness")
        slider = page.locator("#settings").get_by_role("slider", name="Brightness")
        for saved in (0.55, 0.6):
            with page.expect_response(
                lambda response: response.ok and response.request.method == "POST"
            ):
                slider.press("ArrowRight")
            expect(page.locator("#bar")).to_contain_text("Saved, and in force.")
            assert saved == saved_in(tmp_path)["lights"]["brightness"]


def test_rules_go_with_the_board(browser: Browser, tmp_path: Path) -> None:
    """Rules for another board are named with fitting ones; rows show the chosen set."""
    with set_up(browser, tmp_path, TEXT, size=LAPTOP) as (_, page):
        settings = page.locator("#settings")
        page.get_by_text("The game", exact=True).click()
        page.get_by_text("House rules", exact=True).click()
        settings.get_by_label("Classic, 61 holes").check()
        expect(settings.get_by_text("These rules are made for another board")).to_be_visible()
        button(page, "Play by Classic, short: 61 holes, one skunk line")
        expect(settings.get_by_text("These rules are made for another board")).to_have_count(0)
        expect(settings.get_by_label("Game to", exact=True)).to_have_value("61")
        button(page, "Drop")
        expect(settings.get_by_label("Game to", exact=True)).to_have_value("whole")


def test_a_table_without_lights_is_not_asked_about_them(browser: Browser, tmp_path: Path) -> None:
    """Supply, light test and wiring are missing while the board is only drawn."""
    with set_up(browser, tmp_path, None) as (_, page):
        expect(page.locator("#questions .progress")).to_have_text("Question 1 of 6")
        button(page, "Skip")
        button(page, "Skip")
        question(page, "How are the lights connected")
        page.locator("#questions").get_by_label("A strip on a Raspberry Pi 5").check()
        expect(page.locator("#questions .progress")).to_have_text("Question 3 of 9")


def test_a_supply_is_judged_by_the_lights_of_the_board(browser: Browser, tmp_path: Path) -> None:
    """The question says what they need, and that a small supply dims the board."""

    def lit(route: Route) -> None:
        form = fetched(route).json()
        driver = next(each for each in form["settings"] if each["key"] == "strip.driver")
        driver["value"] = "pio:/dev/leds0"
        route.fulfill(json=form)

    with set_up(browser, tmp_path, None) as (program, page):
        leds = len(HTTP.get(f"{program.url}api/about").json()["leds"])
        page.route("**/api/settings", lit)
        page.reload()
        for _ in range(3):
            button(page, "Skip")
        question(page, "How much may the lights draw?")
        run_command_for = page.locator("#questions")
        expect(run_command_for.get_by_text(f"The {leds} lights of this board")).to_be_visible()
        expect(run_command_for.get_by_text("the board is dim")).to_be_visible()
        run_command_for.get_by_label("Supply (mA)", exact=True).fill("9000")
        expect(run_command_for.get_by_text("the board is dim")).to_have_count(0)


def test_strips_that_lie_otherwise_are_found_by_tapping(browser: Browser, tmp_path: Path) -> None:
    """Strips are shuffled and reversed, an LED is skipped; the file has exactly these."""
    board = load_board("classic")
    names = spot_names(board)
    strips = built_strips.random_strips(
        board, Per.HOLE, random.Random(5), channels=1, skips=1, dead=0
    )
    with set_up(browser, tmp_path, TEXT, size=LAPTOP) as (program, page):
        page.get_by_role("link", name="Lights").click()
        page.get_by_label("One a hole, which the lanes share").check()
        button(page, "Begin")
        expect(page.locator(".calibration")).to_contain_text("pieces of strip found")
        answers = 0
        while requested_about := calibration(program)["asked"]:
            leds = range(requested_about["first"], requested_about["last"] + 1)
            lights = (strips.seen(requested_about["channel"], led) for led in leds)
            point = next((each for each in lights if each is not None), None)
            match requested_about["asked"], point:
                case "where", int():
                    button(page, f"It is at {names[point]}")
                case "where", None:
                    button(page, "I see no light")
                case "any", _:
                    button(page, "No light" if point is None else "Yes, I see light")
                case _:
                    button(page, "None stays dark")
            answers += 1
            shown = page.locator(".calibration")
            expect(shown).to_have_attribute("data-answers", str(answers))
        button(page, "Save the wiring")
        expect(page.get_by_text("The wiring is saved.")).to_be_visible()
    wired = saved_in(tmp_path)["wiring"]
    assert strips.shown() == built_strips.shown(Wiring.make(board, wired))
    assert TEXT == settings_of(tmp_path).read_text()


def test_a_tap_on_the_picture_is_where_it_falls(browser: Browser, tmp_path: Path) -> None:
    """Beside all rings it is refused with a reason; going back shows the last question."""
    with set_up(browser, tmp_path, TEXT) as (_, page):
        page.get_by_role("link", name="Lights").click()
        button(page, "Begin")
        sheet = page.locator("#lights .tapped-sheet")
        expect(sheet.locator(".dot").first).to_be_visible()
        board = load_board("classic")
        row = max(board.rows, key=lambda row: len(row.holes))
        _, x, y = list(row.places())[len(row.holes) // 2]
        box = sheet.bounding_box()
        assert box
        at = {"x": x / board.width_mm * box["width"], "y": y / board.height_mm * box["height"]}
        sheet.click(position=at)  # type: ignore[arg-type]  # as Playwright names it
        expect(page.locator("#lights .fault").last).to_contain_text("begins at an end of a row")
        button(page, "I see no light")
        button(page, "Go back")
        expect(page.get_by_role("button", name="Go back")).to_be_hidden()
        button(page, "Stop")
        expect(page.get_by_role("button", name="Begin")).to_be_visible()


def test_three_choices_are_kept(browser: Browser, tmp_path: Path) -> None:
    """After patches 3, 4 and 2 the page shows the result, saves it, and offers a restart."""
    with set_up(browser, tmp_path, TEXT, size=LAPTOP) as (_program, page):
        page.get_by_role("link", name="Lights").click()
        balance = page.locator(".white-balance")
        balance.get_by_role("button", name="Balance white").click()
        for number, patch in enumerate((3, 4, 2), start=1):
            expect(balance).to_contain_text(f"Round {number} of 3")
            balance.get_by_role("button", name=f"{patch}", exact=True).click()
        expect(balance).to_contain_text("87 %, 76 %, 100 %")
        button(page, "Keep it")
        expect(page.get_by_role("button", name="Restart")).to_be_visible()
    saved = saved_in(tmp_path)["strip"]["white_balance"]
    assert list(chosen([2, 3, 1])) == saved
