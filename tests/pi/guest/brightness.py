#!/usr/bin/python3
"""Changes the brightness on the page again and again, and prints each value that was accepted."""

import json
import subprocess
from typing import Any


def ask(*words: str) -> Any:  # noqa: ANN401  # JSON
    """Return the page's response."""
    asked = subprocess.run(["ask", *words], check=True, capture_output=True, text=True)
    return json.loads(asked.stdout)


form = ask("/api/settings")
(value,) = (
    round(100 * each["value"]) for each in form["settings"] if each["key"] == "lights.brightness"
)
while True:
    value = 20 + (value - 19) % 60
    change = {"changes": {"lights.brightness": value / 100}, "stamp": form["stamp"]}
    form = ask("/api/settings", json.dumps(change))
    print(f"percent {value}", flush=True)
