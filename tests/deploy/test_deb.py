"""The Debian package, built once here: its content, and a run of its program."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.support.program import HTTP, started

ROOT = Path(__file__).parents[2]
LOCKS = ROOT / "deploy/deb/locks"
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
        assert b"\x7fELF" == (site / library).read_bytes()[:4]


@needs_tools
def test_the_unpacked_program_serves_its_page(unpacked: Path, tmp_path: Path) -> None:
    """It runs from its own modules and the system's, without modules of this environment.

    It has its own library of the pins, which refuses a missing chip.
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
        [str(python), "-sc", pins], stdout=subprocess.PIPE, text=True, cwd=tmp_path, check=True
    )
    assert f"{site / 'lgpio.py'} True\n" == asked.stdout
    code = f"{inside}; from companion.cli.main import main; main()"
    data = str(tmp_path / "data")
    command = ("run", "--simulate", "--port", "0", "--data", data)
    with started(tmp_path, *command, entry=("-sc", code), python=str(python)) as program:
        assert 200 == HTTP.get(program.url).status_code
        program.press("1.plus_five", "1.enter")
        assert 1 == program.until(1)["seq"]
        program.stop()


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
