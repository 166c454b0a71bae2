"""A child process: `cribwars` with lists of arguments, one after the other, as JSON in argv.

The first command that fails ends it, with its exit code.
"""

import json
import sys

from companion.cli.main import main

if __name__ == "__main__":
    for arguments in json.loads(sys.argv[1]):
        sys.argv[1:] = arguments
        main()
