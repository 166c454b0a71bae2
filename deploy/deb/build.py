"""Builds the Debian package from the locked wheels: `make deb`.

Needs dpkg-deb, a C compiler and a Python with its headers; pip gets the wheels by their hashes.
"""

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NoReturn

from targets import MACHINES, PYTHONS, Target, target_here

HERE: Final = Path(__file__).parent
DEPLOY: Final = HERE.parent
ROOT: Final = DEPLOY.parent
HOME: Final = Path("usr/lib/cribwars")
MTIME: Final = 1767225600
"""Time of every file, so that the same sources make the same package: the first day of 2026."""

PLACES: Final = {
    "cribwars.toml": "usr/share/cribwars/cribwars.toml",
    "boot": "usr/share/cribwars/boot",
    "broker": "usr/share/cribwars/broker",
    "cribwars.service": "usr/lib/systemd/system/cribwars.service",
    "cribwars-card.service": "usr/lib/systemd/system/cribwars-card.service",
    "cribwars-backup.service": "usr/lib/systemd/system/cribwars-backup.service",
    "cribwars-backup.timer": "usr/lib/systemd/system/cribwars-backup.timer",
    "cribwars-stick@.service": "usr/lib/systemd/system/cribwars-stick@.service",
    "mount-stick": "usr/lib/cribwars/mount-stick",
    "update/keep-previous": "usr/lib/cribwars/keep-previous",
    "update/prove-update": "usr/lib/cribwars/prove-update",
    "update/update-from-stick": "usr/lib/cribwars/update-from-stick",
    "update/cribwars-prove-update.service": "usr/lib/systemd/system/cribwars-prove-update.service",
    "update/cribwars-update@.service": "usr/lib/systemd/system/cribwars-update@.service",
    "update/confined.conf": "usr/lib/systemd/system/cribwars-prove-update.service.d/confined.conf"
    " usr/lib/systemd/system/cribwars-update@.service.d/confined.conf",
    "update/release-key.pem": "usr/share/cribwars/release-key.pem",
    "90-cribwars.rules": "usr/lib/udev/rules.d/90-cribwars.rules",
    "cribwars-network.rules": "usr/share/polkit-1/rules.d/cribwars-network.rules",
    "cribwars.sysusers": "usr/lib/sysusers.d/cribwars.conf",
    "cribwars.tmpfiles": "usr/lib/tmpfiles.d/cribwars.conf",
    "cribwars.avahi.service": "etc/avahi/services/cribwars.service",
    "cribwars-pwm.conf": "usr/share/cribwars/cribwars-pwm.conf",
    "prepare-machine": "usr/lib/cribwars/prepare-machine",
    "deb/copyright": "usr/share/doc/cribwars/copyright",
    "deb/lintian-overrides": "usr/share/lintian/overrides/cribwars",
}
"""Files of `deploy`, each with its places in the package."""
RELEASE_KEY: Final = DEPLOY / "update/release-key.pem"
"""Public half of the key with which packages are signed."""
PI_PLACES: Final = {"watchdog.conf": "usr/lib/systemd/system.conf.d/30-cribwars-watchdog.conf"}
"""Files that only the package of a Raspberry Pi has."""

UNUSED: Final = (
    *("share", "**/.gitignore", "**/tests", "**/*.pyi"),
    *("**/*.pxd", "**/*.a", "numpy/_core/include", "numpy/f2py"),  # to compile for NumPy
)
"""What the libraries bring that no program here reads."""

_PYTHON_3: Final = (
    *("-DPyInt_AsLong=PyLong_AsLong", "-DPyInt_Check=PyLong_Check"),
    *("-DPyInt_FromLong=PyLong_FromLong", "-DPyString_FromString=PyUnicode_FromString"),
)
"""Functions that lgpio calls by their names in Python 2, which SWIG no longer translates."""


def main() -> None:
    """Build the package that the command line asks for, and print its path."""
    os.umask(0o022)
    target = _target()
    version = f"{project()['version']}~{target.release}"
    file = ROOT / "dist" / f"cribwars_{version}_{target.arch}.deb"
    file.parent.mkdir(exist_ok=True)
    with TemporaryDirectory(prefix="cribwars-deb-") as folder:
        work, tree = Path(folder), Path(folder) / "tree"
        add_environment(tree, target, work)
        add_files(tree, target, version)
        add_control(tree, target, version)
        make_package(tree, file)
    sign(file)
    print(file)  # noqa: T201  # what was made


def _target() -> Target:
    here = target_here()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--release", default=here.release)
    parser.add_argument("--arch", default=here.arch)
    asked = parser.parse_args()
    if asked.release not in PYTHONS or asked.arch not in MACHINES:
        names = f"RELEASE one of {', '.join(PYTHONS)}, ARCH one of {', '.join(MACHINES)}"
        _stop(f"no package for '{asked.release}' on '{asked.arch}': make deb with {names}")
    target = Target(release=asked.release, arch=asked.arch)
    for command in ("dpkg-deb", target.compiler):
        if shutil.which(command) is None:
            _stop(f"needs {command}: install it with apt")
    return target


def project() -> dict[str, str]:
    """Return name, version and the rest from pyproject.toml, which alone has the version."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text)["project"])


def _stop(why: str) -> NoReturn:
    sys.exit(f"make deb: {why}")


def _run(*command: str | Path, **environment: str) -> str:
    """Return the output of a command."""
    return subprocess.run(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        env=os.environ | environment,
        check=True,
        encoding="utf-8",
    ).stdout


# The private environment


def add_environment(tree: Path, target: Target, work: Path) -> None:
    """Lay out an environment of the system's Python, which sees the system's modules too."""
    home = tree / HOME
    site = home / "lib" / f"python{target.python}" / "site-packages"
    pip("install", "--target", site, *target.pip_options, *locked("wheels"))
    shutil.rmtree(site / "bin")
    for record in site.glob("*/RECORD"):  # the hashes of these scripts depend on pip's Python
        kept = re.sub(r"(?m)^\.\./\.\./bin/.*\n", "", record.read_text("utf-8"))
        record.write_text(kept, "utf-8")
    builders = work / "builders"
    pip("install", "--target", builders, "--only-binary=:all:", *locked("build"))
    wheel = ("wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", work, ROOT)
    pip(*wheel, PYTHONPATH=str(builders))
    (ours,) = work.glob("cribwars-*.whl")
    shutil.unpack_archive(ours, site, "zip")
    (data,) = site.glob("cribwars-*.data")  # the documents
    shutil.copytree(data / "data", tree / "usr", dirs_exist_ok=True)
    shutil.rmtree(data)
    add_compiled(site, target, work, builders)
    for pattern in UNUSED:
        for unused in list(site.glob(pattern)):
            shutil.rmtree(unused) if unused.is_dir() else unused.unlink()
    (home / "bin").mkdir()
    (home / "bin/python").symlink_to(f"/usr/bin/python{target.python}")
    (home / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = true\nversion = {target.python}\n"
    )
    launcher = home / "bin/cribwars"
    launcher.write_text(
        "#!/usr/lib/cribwars/bin/python -sP\nfrom companion.cli.main import main\n\nmain()\n"
    )
    launcher.chmod(0o755)
    (tree / "usr/bin").mkdir()
    (tree / "usr/bin/cribwars").symlink_to("../lib/cribwars/bin/cribwars")


def locked(name: str) -> Sequence[str | Path]:
    """Return pip's arguments for the packages of a lock file."""
    return ("--require-hashes", "--no-deps", "--requirement", HERE / "locks" / f"{name}.txt")


def pip(word: str, *arguments: str | Path, **environment: str) -> None:
    """Run a command of pip, or end with a sentence if it fails."""
    quiet = ("-qq", "--disable-pip-version-check", "--no-input")
    no_compile = ("--no-compile",) if word == "install" else ()
    try:
        _run(sys.executable, "-m", "pip", word, *quiet, *no_compile, *arguments, **environment)
    except subprocess.CalledProcessError:
        _stop(f"pip {word} has failed: is a package index within reach?")


def add_compiled(site: Path, target: Target, work: Path, builders: Path) -> None:
    """Compile rpi-ws281x, which has no wheels, and lgpio, which has none for some targets."""
    download = ("download", "--no-build-isolation", "--no-binary=:all:", "--dest", work)
    pip(*download, *locked("source"), PYTHONPATH=str(builders))
    for archive in work.glob("*.tar.gz"):
        with tarfile.open(archive) as bundle:
            bundle.extractall(work, filter="data")
    (leds,), (pins,) = work.glob("rpi_ws281x-*/"), work.glob("lgpio-*/")
    shutil.copytree(leds / "rpi_ws281x", site / "rpi_ws281x")
    wrapped = leds / "rpi_ws281x_wrap.c", *sorted((leds / "lib").glob("*.c"))
    here = f"-ffile-prefix-map={work}=."  # else the libraries have the name of this folder
    _compile(site / "_rpi_ws281x.so", target, here, *wrapped, "-I", leds)
    wrapper = work / "lgpio_wrap.c"
    swig = (sys.executable, "-c", "from swig import swig; swig()", "-python", f"-I{pins}")
    _run(*swig, "-outdir", site, "-o", wrapper, pins / "lgpio.i", PYTHONPATH=str(builders))
    sources = wrapper, *sorted((pins / "src").glob("lg*.c")), pins / "src/rgpiod.c"
    _compile(site / "_lgpio.so", target, here, *sources, "-pthread", *_PYTHON_3, "-I", pins / "src")


def _compile(library: Path, target: Target, *arguments: str | Path) -> None:
    flags = ("-shared", "-fPIC", "-O2", "-g0", "-w", "-s", "-Wl,-z,relro,-z,now")
    try:
        _run(target.compiler, *flags, "-I", _headers(target), "-o", library, *arguments)
    except subprocess.CalledProcessError:
        libc = "libc6-dev" if target.compiler == "gcc" else f"libc6-dev-{target.arch}-cross"
        _stop(f"{target.compiler} has failed: is {libc} installed?")


def _headers(target: Target) -> str:
    """Return the folder with the headers of the target's Python."""
    ask = (
        "import os, sys, sysconfig; p = sysconfig.get_path('include'); "
        f"print(p if sys.version_info[:2] == {tuple(map(int, target.python.split('.')))} "
        "and os.path.exists(os.path.join(p, 'Python.h')) else '')"
    )
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    others = sorted(pyenv.glob(f"{target.python}.*/bin/python"))
    pythons: list[str | Path] = [sys.executable, f"/usr/bin/python{target.python}", *others]
    for python in pythons:
        with suppress(OSError, subprocess.CalledProcessError):
            found = _run(python, "-c", ask).strip()
            if found:
                return found
    _stop(f"needs the headers of Python {target.python}: install python{target.python}-dev")


# The rest


def add_files(tree: Path, target: Target, version: str) -> None:
    """Add unit, rules, examples and documents."""
    places = PLACES | PI_PLACES if target.arch == "arm64" else PLACES
    for name, place in ((name, each) for name, found in places.items() for each in found.split()):
        source, file = DEPLOY / name, tree / place
        file.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, file)
        else:
            shutil.copy(source, file)
    changelog = f"cribwars ({version}) stable; urgency=medium\n\n  * See CHANGELOG.md.\n\n"
    changelog += f" -- {_maintainer()}  Thu, 01 Jan 2026 00:00:00 +0000\n"
    packed = gzip.compress(changelog.encode(), mtime=0)
    (tree / "usr/share/doc/cribwars/changelog.gz").write_bytes(packed)


def _maintainer() -> str:
    return "The Crib Wars companion's founders <cribwars@users.noreply.github.com>"


def add_control(tree: Path, target: Target, version: str) -> None:
    """Add the files for dpkg: fields, scripts, the question before a purge."""
    control = tree / "DEBIAN"
    control.mkdir()
    size = sum(file.lstat().st_size for file in tree.rglob("*")) // 1024
    major, minor = map(int, target.python.split("."))
    journal = _journal_version()
    values = {
        "version": version,
        "arch": target.arch,
        "size": size,
        "maintainer": _maintainer(),
        "python": target.python,
        "next_python": f"{major}.{minor + 1}",
        "journal_writes": journal,
        "journal_reads": journal,
    }
    for name in ("control", "preinst"):
        text = (HERE / name).read_text(encoding="utf-8")
        (control / name).write_text(text.format(**values), encoding="utf-8")
    for script in ("postinst", "prerm", "postrm"):
        shutil.copy(HERE / script, control / script)
    for script in ("preinst", "postinst", "prerm", "postrm"):
        (control / script).chmod(0o755)
    shutil.copy(HERE / "templates", control / "templates")
    conffiles = sorted(f"/{file.relative_to(tree)}" for file in (tree / "etc").rglob("*.*"))
    (control / "conffiles").write_text("\n".join(conffiles) + "\n")


def _journal_version() -> str:
    """Return the journal version that the program writes, which is also the highest it reads."""
    module = (ROOT / "companion/journal/journal_file.py").read_text(encoding="utf-8")
    found = re.search(r"^VERSION: Final = (\d+)$", module, re.MULTILINE)
    assert found  # noqa: S101  # a test of the package holds it
    return found[1]


def make_package(tree: Path, file: Path) -> None:
    """Pack a tree; the same tree makes the same package."""
    for path in [tree, *tree.rglob("*")]:
        if not path.is_symlink():
            runs = path.is_dir() or (path.stat().st_mode & 0o100 and ".so" not in path.suffixes)
            path.chmod(0o755 if runs else 0o644)
        os.utime(path, (MTIME, MTIME), follow_symlinks=False)
    options = ("--root-owner-group", "-Zxz")
    new = file.with_suffix(".new")  # an interrupted build leaves no half of a package
    _run("dpkg-deb", *options, "--build", tree, new, SOURCE_DATE_EPOCH=str(MTIME))
    new.replace(file)


def sign(file: Path) -> None:
    """Put a signature beside a package if CRIBWARS_RELEASE_KEY names the private release key."""
    signature = file.with_name(f"{file.name}.sig")
    signature.unlink(missing_ok=True)
    if key := release_key():
        words = ("pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", file, "-out", signature)
        _run("openssl", *words)


def release_key() -> Path | None:
    """Return the private release key, or end if it is another one; None if no key is named."""
    named = os.environ.get("CRIBWARS_RELEASE_KEY")
    if named is None:
        return None
    try:
        public = _run("openssl", "pkey", "-in", named, "-pubout")
    except (OSError, subprocess.CalledProcessError):
        _stop(f"openssl reads no private key from {named}: make release-key makes one")
    if public != RELEASE_KEY.read_text(encoding="ascii"):
        _stop(
            f"{named} is not the private half of {RELEASE_KEY}: boards would refuse the signature"
        )
    return Path(named).resolve()


if __name__ == "__main__":
    main()
