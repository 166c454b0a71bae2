"""Proves a release from its files alone: `python3 deploy/release/prove.py FOLDER`.

Needs openssl, a Python with venv, and a package index within reach of pip. Each proof is a line. A
line that begins with "not tried" names the tool that is missing; a failed proof ends the script.
`make test-appliance` and `make test-pi` install and start the packages of dist/ on real systemd.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NoReturn
from urllib.request import Request, urlopen
from zipfile import ZipFile

KEY: Final = Path(__file__).parents[1] / "update/release-key.pem"
PACKAGES: Final = ("companion", "firmware_bridge", "hardware")
MANIFEST: Final = "crib-wars.rpi-imager-manifest"
START_TIMEOUT_S: Final = 60


def main() -> None:
    """Prove the files of the folder that the command line names."""
    if len(sys.argv) != 2:  # noqa: PLR2004  # its own name, and the folder
        fail("name the folder with the files of a release")
    folder = Path(sys.argv[1]).resolve()
    with TemporaryDirectory(prefix="cribwars-proof-") as work:
        prove_sums(folder, KEY)
        prove_names(folder)
        prove_wheel(folder, Path(work))
        prove_pipx(folder, Path(work))
        prove_source(folder, Path(work))
        prove_packages(folder)
        prove_card(folder)


def prove_sums(folder: Path, key: Path) -> None:
    """Prove that the release key has signed the checksums, and these name all other files."""
    _verify(folder / "SHA256SUMS", key)
    lines = (folder / "SHA256SUMS").read_text("ascii").splitlines()
    stated = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    for file in folder.iterdir():
        if file.name.startswith("SHA256SUMS"):
            continue
        digest = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else None
        if stated.pop(file.name, "") != digest:
            fail(f"{file.name} is not the file that SHA256SUMS names")
    if stated:
        fail(f"{min(stated)} is missing")
    say("the release key has signed SHA256SUMS, which fits every file")


def prove_names(folder: Path) -> None:
    """Prove that everything that a release has is there."""
    version = _version(folder)
    debs = [f"cribwars_{version}~{each}.deb" for each in _targets()]
    names = {
        *(f"cribwars-{version}-py3-none-any.whl", f"cribwars-{version}.tar.gz"),
        *(f"cribwars-card-{version}.zip", "LICENSES.txt", "SHA256SUMS", "SHA256SUMS.sig"),
        *(f"{deb}{end}" for deb in debs for end in ("", ".sig")),
    }
    found = {file.name for file in folder.iterdir()} - {MANIFEST}
    if names != found:
        fail(f"missing or too many: {', '.join(sorted(names ^ found))}")
    say(f"all files of version {version} are there")


def prove_wheel(folder: Path, work: Path) -> None:
    """Prove that the wheel plays, installed into an empty environment."""
    python = _environment(work / "wheel")
    _run(python, "-m", "pip", "install", *_QUIET, "--no-compile", _wheel(folder))
    play(python.with_name("cribwars"), work / "home")
    say("the wheel, installed into an empty environment, takes a count")


def prove_pipx(folder: Path, work: Path) -> None:
    """Prove the same with pipx, of this machine or from the package index."""
    pipx = [shutil.which("pipx") or ""]
    if not pipx[0]:
        python = _environment(work / "pipx")
        try:
            _run(python, "-m", "pip", "install", *_QUIET, "pipx")
        except SystemExit:
            say("pipx: it is not here, and not in the package index", "not tried")
            return
        pipx = [str(python), "-m", "pipx"]
    places = {"PIPX_HOME": str(work / "pipx-home"), "PIPX_BIN_DIR": str(work / "bin")}
    _run(*pipx, "install", "--python", sys.executable, _wheel(folder), **places)
    play(work / "bin/cribwars", work / "pipx-home/home")
    say("the wheel, installed by pipx, takes a count")


def prove_source(folder: Path, work: Path) -> None:
    """Prove that wheel and source archive have the same files, and one makes the other."""
    (archive,) = folder.glob("cribwars-*.tar.gz")
    _run(sys.executable, "-m", "pip", "wheel", *_QUIET, "--no-deps", "--wheel-dir", work, archive)
    ours, built = _contents(_wheel(folder)), _contents(_wheel(work))
    if ours != built:
        fail(f"the source archive makes another wheel: {min(ours.items() ^ built.items())[0]}")
    with tarfile.open(archive) as bundle:
        files = {each.name.partition("/")[2] for each in bundle.getmembers() if each.isfile()}
    needed = {name for name in files if name.partition("/")[0] in PACKAGES}
    if missing := needed ^ {name for name in ours if name.partition("/")[0] in PACKAGES}:
        fail(f"only in one of wheel and source archive: {min(missing)}")
    say(f"the source archive makes the same wheel, with all {len(needed)} files of its packages")


def prove_packages(folder: Path) -> None:
    """Prove that each Debian package is signed and what its name says; lintian finds nothing."""
    if shutil.which("dpkg-deb") is None:
        say("the Debian packages: dpkg-deb is not here", "not tried")
        return
    debs = sorted(folder.glob("*.deb"))
    for deb in debs:
        _verify(deb, KEY)
        fields = _run(
            "dpkg-deb", "--show", "--showformat=${Package}_${Version}_${Architecture}", deb
        )
        if f"{fields}.deb" != deb.name:
            fail(f"{deb.name} is in truth {fields}")
    say(
        f"the release key has signed {len(debs)} Debian packages, and they are what their names say"
    )
    if shutil.which("lintian") is None:
        say("the policy of Debian: lintian is not here", "not tried")
        return
    root = ["--allow-root"] if os.geteuid() == 0 else []
    _run("lintian", *root, "--fail-on", "error,warning", *debs)
    say("lintian finds no error and no warning in them")


def prove_card(folder: Path) -> None:
    """Prove that the card has the package of its system, and the manifest names an image."""
    (archive,) = folder.glob("cribwars-card-*.zip")
    (deb,) = folder.glob("*~trixie_arm64.deb")
    with ZipFile(archive) as bundle:
        if deb.name not in bundle.namelist() or bundle.read(deb.name) != deb.read_bytes():
            fail(f"{archive.name} does not have this {deb.name}")
        script = bundle.read("crib-wars-install.sh").decode()
    if deb.name not in script:
        fail(f"{archive.name} does not install {deb.name}")
    say("the card has the package for arm64 and trixie, and installs it")
    if not (folder / MANIFEST).exists():
        say("the manifest for Imager: there is none", "not tried")
        return
    (entry,) = json.loads((folder / MANIFEST).read_text("utf-8"))["os_list"]
    if not entry["url"].startswith("https://"):
        fail(f"{MANIFEST} names an image of one machine: {entry['url']}")
    say("the manifest names a public image")


def play(command: Path, home: Path) -> None:
    """Start the program with an empty home, and enter a count on its page."""
    words = [str(command), "run", "--simulate", "--port", "0", "--data", str(home / "data")]
    own = {"PATH": os.environ["PATH"], "HOME": str(home)}
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, env=own, encoding="utf-8") as program:
        assert program.stdout is not None  # noqa: S101  # both are pipes
        assert program.stderr is not None  # noqa: S101
        try:
            url = program.stdout.readline().removeprefix("ready ").strip()
            if not url:
                fail(f"{command} does not start:\n{program.stderr.read()}")
            for button in ("1.plus_five", "1.enter"):
                _ask(f"{url}api/press", {"button": button, "seconds": 0.02})
            deadline = time.monotonic() + START_TIMEOUT_S
            while _ask(f"{url}api/table")["seq"] == 0:
                if time.monotonic() > deadline:
                    fail(f"{command} does not take a count")
                time.sleep(0.1)
        finally:
            program.send_signal(signal.SIGTERM)


def say(what: str, how: str = "proved") -> None:
    """Print the line of a proof."""
    print(f"{how}: {what}", flush=True)


def fail(why: str) -> NoReturn:
    """End with one sentence."""
    sys.exit(f"prove: {why}")


_QUIET: Final = ("-qq", "--disable-pip-version-check", "--no-input")


def _ask(url: str, body: object = None) -> dict[str, object]:
    data = None if body is None else json.dumps(body).encode()
    asked = Request(url, data, {"Content-Type": "application/json"})  # noqa: S310  # of the program
    with urlopen(asked, timeout=START_TIMEOUT_S) as response:  # noqa: S310
        return dict(json.load(response))


def _run(*command: str | Path, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=kept | environment,
        check=False,
        encoding="utf-8",
    )
    if done.returncode:
        fail(f"{' '.join(map(str, command))} has failed:\n{done.stdout}")
    return done.stdout


def _verify(file: Path, key: Path) -> None:
    signature = file.with_name(f"{file.name}.sig")
    if not signature.exists():
        fail(f"{file.name} has no signature: {signature.name} is missing")
    words = ("-rawin", "-pubin", "-inkey", key, "-sigfile", signature, "-in", file)
    _run("openssl", "pkeyutl", "-verify", *words)


def _environment(folder: Path) -> Path:
    _run(sys.executable, "-m", "venv", folder)
    return folder / "bin/python"


def _wheel(folder: Path) -> Path:
    wheels = [*folder.glob("cribwars-*.whl")]
    if len(wheels) != 1:
        fail(f"a release has one wheel, but {folder} has {len(wheels)}")
    return wheels[0]


def _version(folder: Path) -> str:
    return _wheel(folder).name.split("-")[1]


def _targets() -> list[str]:
    return ["_".join(each) for each in product(("bookworm", "trixie"), ("amd64", "arm64"))]


def _contents(wheel: Path) -> dict[str, bytes]:
    """Return the files of a wheel, without those that name its builder."""
    with ZipFile(wheel) as bundle:
        names = [name for name in bundle.namelist() if not name.endswith(("/RECORD", "/WHEEL"))]
        return {name: bundle.read(name) for name in names}


if __name__ == "__main__":
    main()
