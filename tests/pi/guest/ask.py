#!/usr/bin/python3
"""Asks the page as a browser on the Pi itself does: `ask /api/settings`, `ask /api/demo '{...}'`.

A request with a body is a POST. It prints the response, and fails with its text if it is an error.
The environment's PAGE is the address of another machine.
"""

import os
import sys
import urllib.error
import urllib.request

body = sys.argv[2].encode() if len(sys.argv) > 2 else None
host = os.environ.get("PAGE", "127.0.0.1")
request = urllib.request.Request(f"http://{host}:8000{sys.argv[1]}", body)
request.add_header("Content-Type", "application/json")
try:
    with urllib.request.urlopen(request, timeout=30) as response:
        print(response.read().decode())
except urllib.error.HTTPError as error:
    sys.exit(f"{error.code}: {error.read().decode()}")
except OSError as error:
    sys.exit(f"no answer: {error}")
