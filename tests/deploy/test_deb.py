"""The package and its unit, and the settings and pins of the guides."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path

import pytest
from gpiozero.pins.pi import PiBoardInfo

from companion.buttons import BUTTONS, DEFAULT_PINS, DEFAULT_PLACES
from companion.devices.assembly import assemble
from companion.runtime.start import STRIP_TIMEOUT_S
from companion.settings.load import load_settings
from tests.support.program import HTTP, started
from tests.support.simavr_harness import MEGA, UNO

ROOT = Path(__file__).parents[2]
LOCKS = ROOT / "deploy/deb/locks"
COPYRIGHT = ROOT / "deploy/deb/copyright"
PACKAGES = ("companion", "firmware_bridge", "hardware")
DPKG_DEB = shutil.which("dpkg-deb")
_MISSING = next((name for name in ("dpkg-deb", "gcc") if shutil.which(name) is None), "")
LINTIAN = shutil.which("lintian")
needs_tools = pytest.mark.tool(lacks=_MISSING and f"needs the package {_MISSING}")


@pytest.fixture(scope="module")
def package() -> Path:
    """Return the package of this machine's release, as `make deb` makes it."""
    build = [sys.executable, str(ROOT / "deploy/deb/build.py")]
    run = subprocess.run(build, capture_output=True, text=True, check=False)
    assert 0 == run.returncode, run.stderr
    return Path(run.stdout.strip())


@pytest.fixture(scope="module")
def unpacked(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files of the package."""
    folder = tmp_path_factory.mktemp("unpacked")
    subprocess.run([str(DPKG_DEB), "-R", str(package), str(folder)], check=True)
    return folder


DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = DEPLOY / "cribwars.service"
ANALYZE = shutil.which("systemd-analyze")
FIRST_PAGE_S = 10
"""Seconds that a slow Pi may take until the page answers."""
needs_systemd = pytest.mark.tool(lacks="" if ANALYZE else "needs the package systemd")


def analyze(*arguments: str | Path) -> str:
    """Return the output of systemd-analyze on both streams."""
    run = subprocess.run(
        [str(ANALYZE), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return run.stdout


def exposure(unit: Path) -> float:
    """Return the exposure of a unit file with its drop-ins, from 0 (safe) to 10 (exposed)."""
    said = analyze("security", "--offline=true", "--no-pager", unit)
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said)
    assert found is not None, said
    return float(found[1])


def settings() -> dict[str, str]:
    """Return the unit's settings, the last value of each."""
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("=") for line in lines if "=" in line and not line.startswith("#"))
    return {key: value for key, _, value in pairs}


@pytest.fixture
def pwm_unit(tmp_path: Path) -> Path:
    """Return the unit with the PWM drop-in beside it, running /bin/true."""
    unit = tmp_path / UNIT.name
    runnable = re.sub(r"(?m)^ExecStart=.*$", "ExecStart=/bin/true", UNIT.read_text("utf-8"))
    unit.write_text(runnable, encoding="utf-8")
    drop_ins = tmp_path / "cribwars.service.d"
    drop_ins.mkdir()
    shutil.copy(DEPLOY / "cribwars-pwm.conf", drop_ins)
    return unit


GUIDE = (Path(__file__).parents[2] / "docs" / "bridge.md").read_text(encoding="utf-8")
UNO_PINS = {f"D{n}": str(n) for n in range(2, 8)}
UNO_PINS |= {f"B{n}": str(n + 8) for n in range(1, 5)} | {f"C{n}": f"A{n}" for n in range(6)}
MEGA_PINS = {f"A{n}": str(22 + n) for n in range(8)} | {f"C{n}": str(37 - n) for n in range(8)}


def _listed(text: str) -> list[str]:
    """Parse the numbers of "0 to 3" or "4, 5"."""
    first, to, last = text.partition(" to ")
    return [str(n) for n in range(int(first), int(last) + 1)] if to else text.split(", ")


GUIDE_TO_STRIPS = (Path(__file__).parents[2] / "docs/strips.md").read_text(encoding="utf-8")
STRIPS = [
    text
    for text in re.findall(r"^```toml\n(.*?)^```", GUIDE_TO_STRIPS, re.MULTILINE | re.DOTALL)
    if "[wiring]" in text
]
LEDS = [(605, 601), (399 + 9,), (173, 230)]
WIRING = (Path(__file__).parents[2] / "deploy" / "wiring.md").read_text(encoding="utf-8")
REVISIONS = {"Zero 2 W": 0x902120, "3 B": 0xA02082, "4 B": 0xC03111, "5": 0xD04170}
STRIP_PINS = {
    10: "strip, SPI or PIO",
    13: "strip, PWM channel 1",
    18: "strip, PWM channel 0",
    21: "strip, PCM",
}


def table(*header: str) -> list[list[str]]:
    """Return the rows of the only table with this header, as cells without markup."""
    lines = iter(WIRING.splitlines())
    assert "| " + " | ".join(header) + " |" in lines
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip(" `*") for cell in line.strip("|").split("|")])
    return rows


def header_table() -> dict[int, tuple[str, str]]:
    """Return signal and use of each header pin from wiring.md."""
    found = {}
    for row in table("Use", "Signal", "Pin", "Pin", "Signal", "Use"):
        use, signal, odd, even, other_signal, other_use = row
        found[int(odd)] = (signal, use)
        found[int(even)] = (other_signal, other_use)
    return found


def test_the_lock_files_name_no_host() -> None:
    """They have only names, versions and hashes."""
    pin, digest = r"[a-z0-9-]+==[\w.]+ \\", r"    --hash=sha256:[0-9a-f]{64}( \\)?"
    for name in ("wheels", "build", "source"):
        lines = (LOCKS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        assert [] == [line for line in lines[1:] if not re.fullmatch(f"{pin}|{digest}", line)]


@needs_tools
def test_the_package_has_what_it_promises(package: Path, unpacked: Path) -> None:
    """Its name has version and architecture; it contains program, service and drivers."""
    assert package.parent == ROOT / "dist"
    assert re.fullmatch(rf"cribwars_{version('cribwars')}~\w+_(amd64|arm64)\.deb", package.name)
    files = {str(file.relative_to(unpacked)) for file in unpacked.rglob("*")}
    assert {
        "usr/bin/cribwars",
        "usr/lib/systemd/system/cribwars.service",
        "usr/lib/udev/rules.d/90-cribwars.rules",
        "etc/avahi/services/cribwars.service",
    } <= files
    site = next((unpacked / "usr/lib/cribwars/lib").glob("*/site-packages"))
    for library in ("_rpi_ws281x.so", "_lgpio.so"):
        content = (site / library).read_bytes()
        assert b"\x7fELF" == content[:4]
        assert b"cribwars-deb-" not in content  # the same sources make the same package


@needs_tools
def test_the_unpacked_program_serves_its_page(unpacked: Path, tmp_path: Path) -> None:
    """It runs from its own modules and the system's, without modules of this environment.

    It has its own library of the pins, which refuses a missing chip. It leaves no compiled files.
    """
    (site,) = (unpacked / "usr/lib/cribwars/lib").glob("*/site-packages")
    inside = f"import sys; sys.path[:0] = ['{site}']"
    python = (unpacked / "usr/lib/cribwars/bin/python").readlink()
    if not python.exists():
        pytest.skip(f"needs {python}")
    pins = (
        f"{inside}; import lgpio; lgpio.exceptions = False; "
        "print(lgpio.__file__, lgpio.gpiochip_open(1000) == lgpio.CANNOT_OPEN_CHIP)"
    )
    asked = subprocess.run(
        [str(python), "-Bsc", pins], stdout=subprocess.PIPE, text=True, cwd=tmp_path, check=True
    )
    assert f"{site / 'lgpio.py'} True\n" == asked.stdout
    code = f"{inside}; from companion.cli.main import main; main()"
    data = str(tmp_path / "data")
    command = ("run", "--simulate", "--port", "0", "--data", data)
    with started(tmp_path, *command, entry=("-Bsc", code), python=str(python)) as program:
        assert 200 == HTTP.get(program.url).status_code
        program.press("1.plus_five", "1.enter")
        assert 1 == program.until(1)["seq"]
        program.stop()


def licences() -> dict[str, list[str]]:
    """Return the licences of each pattern in the list of all files that a release ships."""
    paragraphs = re.findall(
        r"^Files: (.+)\nCopyright: (?:.+\n)+?License: (.+)$",
        COPYRIGHT.read_text("utf-8"),
        re.MULTILINE,
    )
    return {
        pattern: re.split(" and | or ", found)
        for patterns, found in paragraphs
        for pattern in patterns.split()
    }


def test_the_licences_of_files_of_others_are_listed() -> None:
    """The list has each folder with a licence file of its own; the wheel has the list."""
    files = (file for name in PACKAGES for file in (ROOT / name).rglob("LICENSE*"))
    assert {f"{file.parent.relative_to(ROOT)}/*" for file in files} <= licences().keys()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert str(COPYRIGHT.relative_to(ROOT)) in project["license-files"]


@needs_tools
def test_the_licences_of_packages_of_others_are_listed(unpacked: Path) -> None:
    """The list has each file and folder beside ours once, with the licences of its metadata."""
    (site,) = (unpacked / "usr/lib/cribwars/lib").glob("*/site-packages")
    listed = {pattern.removesuffix("/*"): names for pattern, names in licences().items()}
    del listed["*"]
    for path in site.iterdir():
        if path.name.partition("-")[0] in {*PACKAGES, "cribwars"}:
            continue
        fitting = [names for pattern, names in listed.items() if fnmatch(path.name, pattern)]
        assert 1 == len(fitting), path.name
        if (metadata := path / "METADATA").exists():
            stated = re.findall(r"(?m)^License(?:-Expression)?: (.+)$", metadata.read_text("utf-8"))
            for name in re.split(" AND | OR ", " AND ".join(stated)):
                assert any(each.startswith(name) for each in fitting[0]), path.name


@needs_tools
@pytest.mark.tool(lacks="" if LINTIAN else "needs the package lintian")
def test_lintian_finds_nothing(package: Path) -> None:
    """There is no error and no warning of ours; those from the makers of wheels are overridden."""
    root = ["--allow-root"] if os.geteuid() == 0 else []
    command = [str(LINTIAN), *root, "--fail-on", "error,warning", str(package)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [line for line in run.stdout.splitlines() if line.startswith(("E:", "W:"))]
    assert ([], 0) == (found, run.returncode)


@pytest.mark.tool(lacks="" if shutil.which("openssl") else "needs the package openssl")
@pytest.mark.parametrize("is_own", [True, False])
def test_a_package_is_signed_with_the_release_key_alone(tmp_path: Path, *, is_own: bool) -> None:
    """The environment names the key; a key whose public half is not packed is refused."""
    openssl, public = str(shutil.which("openssl")), tmp_path / "release-key.pem"
    for name in ("own", "other"):
        make = ("genpkey", "-algorithm", "ed25519", "-out", f"{tmp_path}/{name}.pem")
        subprocess.run([openssl, *make], check=True)
    half = ("pkey", "-in", f"{tmp_path}/own.pem", "-pubout", "-out", str(public))
    subprocess.run([openssl, *half], check=True)
    package = tmp_path / "cribwars.deb"
    package.write_bytes(b"a package")
    code = "import build, sys; from pathlib import Path; build.RELEASE_KEY = Path(sys.argv[1]); "
    sign = [
        sys.executable,
        "-c",
        f"{code} build.sign(Path(sys.argv[2]))",
        str(public),
        str(package),
    ]
    key = str(tmp_path / ("own.pem" if is_own else "other.pem"))
    environment = {**os.environ, "PYTHONPATH": str(LOCKS.parent), "CRIBWARS_RELEASE_KEY": key}
    run = subprocess.run(sign, env=environment, capture_output=True, text=True, check=False)
    assert (is_own, is_own) == (run.returncode == 0, Path(f"{package}.sig").exists())
    if is_own:
        inputs = ("-sigfile", f"{package}.sig", "-in", str(package), "-inkey", str(public))
        subprocess.run([openssl, "pkeyutl", "-verify", "-rawin", "-pubin", *inputs], check=True)
    else:
        assert "is not the private half" in run.stderr


@needs_systemd
def test_the_service_is_exposed_at_most_1_5() -> None:
    """Without root the unit's exposure stays at 1.5 or below."""
    assert exposure(UNIT) <= 1.5


@needs_systemd
def test_the_right_for_pwm_is_fenced_in(pwm_unit: Path) -> None:
    """With the PWM drop-in the exposure stays at 1.8 or below, and is worse than without."""
    assert exposure(UNIT) < exposure(pwm_unit) <= 1.8


@needs_systemd
def test_units_of_sticks_and_updates_are_fenced_in(tmp_path: Path) -> None:
    """A unit that mounts needs the machine's own view of files; one that runs dpkg changes them."""
    assert exposure(DEPLOY / "cribwars-stick@.service") <= 3.5
    for name in ("cribwars-update@.service", "cribwars-prove-update.service"):
        unit = Path(shutil.copy(DEPLOY / "update" / name, tmp_path))
        drop_ins = tmp_path / f"{name}.d"
        drop_ins.mkdir()
        shutil.copy(DEPLOY / "update/confined.conf", drop_ins)
        assert exposure(unit) <= 2.5


@needs_systemd
def test_systemd_understands_every_line(pwm_unit: Path) -> None:
    """Each section and setting of the unit and its drop-in is known to systemd."""
    said = analyze("verify", "--man=no", pwm_unit)
    assert [line for line in said.splitlines() if str(pwm_unit.parent) in line] == []


def test_nothing_hides_the_board_or_its_groups() -> None:
    """Neither the board's revision nor the devices and their groups are hidden."""
    assert set() == {"ProcSubset", "PrivateUsers", "PrivateDevices"} & settings().keys()


def test_its_groups_are_those_of_its_user() -> None:
    """Strip, buttons and sound, which the service may open, its user may open in a shell, too."""
    lines = (DEPLOY / "cribwars.sysusers").read_text(encoding="utf-8").splitlines()
    groups = [line.split()[2] for line in lines if line.startswith("m ")]
    assert groups == settings()["SupplementaryGroups"].split()
    assert {"audio", "gpio", "spi", "dialout"} == set(groups)
    assert "\nDeviceAllow=char-alsa rw\n" in UNIT.read_text(encoding="utf-8")


def test_a_frozen_program_is_back_within_40_seconds() -> None:
    """The time has watchdog, signal, the wait before the next start, and the start."""
    service = settings()
    assert "notify" == service["Type"]
    seconds = sum(int(service[name]) for name in ("WatchdogSec", "TimeoutStopSec", "RestartSec"))
    assert seconds + FIRST_PAGE_S <= 40
    assert STRIP_TIMEOUT_S + int(service["RestartSec"]) + FIRST_PAGE_S <= 40


def test_lgpio_can_make_its_pipe() -> None:
    """The service has a folder for temporary files, where `hardware.pins` lets lgpio make it."""
    assert "yes" == settings()["PrivateTmp"]


def test_the_page_can_save_settings() -> None:
    """Besides its own folders the service can write only the folder of the settings file."""
    service = settings()
    assert ("strict", "-/etc/cribwars") == (service["ProtectSystem"], service["ReadWritePaths"])
    assert "--config /etc/cribwars/cribwars.toml" in service["ExecStart"]


def test_a_start_that_fails_is_tried_for_ever() -> None:
    """It is tried every five seconds without a limit, so that nobody has to log in."""
    service = settings()
    assert ("on-failure", "5", "0") == (
        service["Restart"],
        service["RestartSec"],
        service["StartLimitIntervalSec"],
    )


def test_the_command_line_is_the_installed_one() -> None:
    """The unit starts the program of the package, with the settings that it makes.

    It names nothing else, so that a missing part falls back.
    """
    service = settings()
    assert "/usr/bin/cribwars run --config /etc/cribwars/cribwars.toml" == service["ExecStart"]
    assert ["cribwars"] * 3 == [
        service[f"{kind}Directory"] for kind in ("State", "Cache", "Runtime")
    ]
    assert "yes" == service["RuntimeDirectoryPreserve"]


def test_the_log_is_bounded() -> None:
    """A repeated fault writes a bounded number of lines in each half minute."""
    service = settings()
    assert ("30s", "200") == (service["LogRateLimitIntervalSec"], service["LogRateLimitBurst"])


def test_the_pins_are_those_of_the_firmware() -> None:
    """Each number is the button's pin on an Uno and a Mega, as the emulators have it."""
    rows = re.findall(
        r"^\| ((?:Side|Deal).*?) \| ([\d to,]+) \| (.*?) \| (.*?) \|", GUIDE, re.MULTILINE
    )
    numbers = [number for row in rows for number in _listed(row[1])]
    labels = [label for row in rows for label in row[0].rpartition(": ")[2].split(", ")]
    buttons = [(BUTTONS[name].action.label, str(n)) for name, n in DEFAULT_PLACES.items()]
    assert buttons == list(zip(labels, numbers, strict=True))
    for column, kind, names in ((2, UNO, UNO_PINS), (3, MEGA, MEGA_PINS)):
        reported = [pin for row in rows for pin in _listed(row[column])]
        assert [names[pin] for pin in kind.pins[:14]] == reported


@pytest.mark.parametrize(("text", "leds"), list(zip(STRIPS, LEDS, strict=True)))
def test_each_example_of_a_wiring_has_its_leds(
    tmp_path: Path, text: str, leds: tuple[int, ...]
) -> None:
    """In a settings file each example has the stated number of LEDs."""
    file = tmp_path / "cribwars.toml"
    file.write_text(text, encoding="utf-8")
    assert leds == assemble(load_settings(file, {})).light.wiring.leds


@pytest.mark.parametrize("revision", REVISIONS.values(), ids=REVISIONS.keys())
def test_the_header_is_the_real_one(revision: int) -> None:
    """Each pin has the signal that gpiozero knows for this model, each button its BCM pin."""
    real = PiBoardInfo.from_revision(revision).headers["J8"].pins
    assert {number: pin.name for number, pin in real.items()} == {
        number: signal for number, (signal, _) in header_table().items()
    }
    for name, _, bcm, pin in table("Button", "Key", "BCM", "Header"):
        assert (name, f"GPIO{bcm}") == (name, real[int(pin)].name)


def test_the_buttons_are_those_of_the_program() -> None:
    """The table of buttons has every default button, in order, on its BCM pin."""
    rows = {key: (name, int(bcm)) for name, key, bcm, _ in table("Button", "Key", "BCM", "Header")}
    labels = {name: each.action.label for name, each in BUTTONS.items()}
    named = {
        name: (f"Side {name[0]}, {labels[name]}" if "." in name else labels[name], pin)
        for name, pin in DEFAULT_PINS.items()
    }
    assert list(named.items()) == list(rows.items())


def test_both_tables_tell_the_same() -> None:
    """The uses in the header are the buttons' names and the strip's pins, each once."""
    uses = {signal: use for signal, use in header_table().values() if signal.startswith("GPIO")}
    buttons = {
        f"GPIO{bcm}": name.replace(",", "")
        for name, _, bcm, _ in table("Button", "Key", "BCM", "Header")
    }
    strips = {f"GPIO{bcm}": use for bcm, use in STRIP_PINS.items()}
    named = {signal: use for signal, use in uses.items() if signal in buttons | strips}
    assert buttons | strips == named
    assert {"free", "never (ID)", "held by SPI", "serial console"} == set(uses.values()) - set(
        named.values()
    )
