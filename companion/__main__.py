"""`cribwars`, as it is started: Ctrl-C ends it without a word, even before it has begun."""

from companion.cli.interrupts import killed_by_interrupts


def main() -> None:
    """Import the command line and run a command."""
    with killed_by_interrupts():
        from companion.cli import main  # noqa: PLC0415  # takes a moment

    main.main()


if __name__ == "__main__":
    main()
