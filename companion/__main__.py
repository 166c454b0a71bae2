"""`cribwars`, as it is started: Ctrl-C ends it without a word, even before it has begun."""

import signal


def main() -> None:
    """Load the commands, which takes a moment in which nothing could answer a signal; run one."""
    # Whoever starts us may have us ignore it, as a shell does in the background: so it stays.
    listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if listens:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from companion.cli import main  # noqa: PLC0415  # see above

    if listens:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main.main()


if __name__ == "__main__":
    main()
