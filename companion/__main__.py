"""`cribwars`, as it is started: Ctrl-C ends it without a word, even before it has begun."""

import signal


def main() -> None:
    """Import the commands and run one; until they are imported, Ctrl-C simply kills the program."""
    # A SIGINT that is ignored already, as by a shell for background jobs, stays ignored.
    handles_sigint = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if handles_sigint:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from companion.cli import main  # noqa: PLC0415  # see above

    if handles_sigint:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main.main()


if __name__ == "__main__":
    main()
