"""Entry point of `cribwars`. Ctrl-C ends the program silently, even during the imports."""

import sys

from companion.cli.interrupts import killed_by_interrupts


def main() -> None:
    """Import the command line and run a command."""
    try:
        with killed_by_interrupts():
            from companion.cli import main  # noqa: PLC0415  # the import is slow

        main.main()
    except ModuleNotFoundError as error:
        sys.exit(f"cribwars: {sys.executable} has no package {error.name}: run `make demo` instead")


if __name__ == "__main__":
    main()
