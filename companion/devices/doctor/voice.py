"""Findings about the voice: whether a program speaks, and a sound device can be opened for it."""

import os
from collections.abc import Iterator
from pathlib import Path

from companion.commentary.speech import find_voice
from companion.devices.doctor.finding import Finding
from companion.errors import Text
from companion.settings.schema import Settings
from hardware.pi.machine import mode_of


def voice_findings(
    settings: Settings, root: Path = Path("/"), *, path: str | None = None
) -> Iterator[Finding]:
    """Yield findings about the voice if settings ask for one.

    Args:
        settings: they ask for it in games, or in the demo.
        root: where the machine's devices lie.
        path: folders of the speech program; None for those of `PATH`.
    """
    in_demo = settings.demo.voice and settings.was_set("demo.voice")
    if settings.voice == "off" and not in_demo:
        return
    yield _voice(root, find_voice(path))
    driver = settings.strip.driver
    if mode_of(driver) == "pwm":
        text = "{driver} has the hardware of the headphone socket, which stays silent"
        remedy = (
            "connect the loudspeaker to HDMI or to a USB sound card, or drive the strip otherwise"
        )
        yield Finding.note("voice", Text(text, driver=driver), remedy)


def _voice(root: Path, program: str | None) -> Finding:
    if program is None:
        return Finding.fix(
            "voice", "no program speaks here", "install espeak-ng (sudo apt install)"
        )
    devices = sorted(root.glob("dev/snd/pcmC*p"))
    if (root / "proc").is_dir() and not devices:  # elsewhere than on Linux sound has no files
        remedy = "connect HDMI with sound or a USB sound card, or turn the voice off"
        return Finding.fix("voice", "there is no sound card", remedy)
    if devices and not any(os.access(device, os.R_OK | os.W_OK) for device in devices):
        text = "{device} may not be opened by this user"
        remedy = "add the user to the group audio, sudo usermod -aG audio $USER"
        return Finding.fix("voice", Text(text, device=devices[0]), remedy)
    return Finding.ok("voice", Text("{program} speaks, as far as files can tell", program=program))
