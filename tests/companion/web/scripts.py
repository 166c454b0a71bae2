"""The modules that the pages load: our own and third-party ones."""

from companion.web.server import STATIC

VENDOR = STATIC / "vendor"
OWN_SCRIPTS = [file for file in sorted(STATIC.rglob("*.js")) if VENDOR not in file.parents]
