"""The first start of a fresh card with the folder of `make card`. `make test-card` runs it."""

import runpy
from pathlib import Path

import pytest

from tests.appliance.machine import ROOT, built
from tests.appliance.page import until
from tests.pi.machine import CARD, VIRT, powered
from tests.pi.parts import RELEASE, blank_card, fat_part, layer, missing_package, run, tool

pytestmark = [pytest.mark.timeout(2400), pytest.mark.tool(lacks=missing_package())]
FIRST_START_S = 1500.0
ANSWERS = {
    'hostname = "crib-wars"': 'hostname = "anna-board"',
    'language = ""': 'language = "fr"',
    "#teams = 3": "teams = 9",
    'network = ""': 'network = "Home; sweet"',
    'password = ""': 'password = "fifteen # two"',
    'country = ""': 'country = "FR"',
    '1 = ""': '1 = "Anna"',
}
"""What an owner writes into the card's file; nine sides are a mistake."""


def test_a_new_card_from_power_on_to_the_first_count(tmp_path: Path) -> None:
    """It installs without a network, restarts, and plays; only the mistake is left to mend."""
    folder, image = tmp_path / "card", tmp_path / "card.img"
    build = runpy.run_path(str(ROOT / "deploy/card/build.py"))
    build["lay_out"](folder, built(RELEASE, "arm64"))
    text = (folder / "crib-wars.txt").read_text()
    for old, new in ANSWERS.items():
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "crib-wars.txt").write_text(text.replace("\n", "\r\n"))
    run("cp", "--sparse=always", blank_card(), image)
    run(*tool("mcopy"), "-i", fat_part(image), *sorted(folder.iterdir()), "::")
    card = layer(image, tmp_path / CARD)
    with powered(VIRT, card, tmp_path, is_set_up=False, log_in=False) as pi:
        pi.listen(FIRST_START_S)
        assert 0 == pi.process.wait(60), pi.last_words()
    with powered(VIRT, card, tmp_path, is_set_up=False) as pi:
        pi.page()
        pi.run("cloud-init status --wait", check=False, seconds=600)  # it writes to the console
        pi.press("1.plus_one", "1.enter")
        until(lambda: pi.get("/api/table")["seq"] == 1, 60, "the first count")
        about = pi.get("/api/about")
        assert "fr" == about["language"]
        [fault] = [line for line in pi.news()["notices"] if "crib-wars.txt" in line]
        assert "teams" in fault
        assert "anna-board" == pi.run("hostname").strip()
        wifi = "802-11-wireless.ssid,802-11-wireless-security.psk"
        kept = pi.run(f"nmcli --show-secrets --get-values {wifi} connection show home")
        assert ["Home; sweet", "fifteen # two"] == kept.split("\n")[:2]
        assert "fifteen # two" not in pi.run("cat /boot/firmware/crib-wars.txt")
        assert "regdom=FR" in pi.run("cat /boot/firmware/cmdline.txt")
