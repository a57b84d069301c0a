"""A pactl, and a pw-dump with its pw-cli, that answer from files of a test's own."""

import json
from pathlib import Path
from typing import Any

from tests.desktop.apps.folders import Machine
from tests.desktop.sound.answers import SOURCES

from toolpost.desktop.sound.servers import Servers

_PACTL = """#!/bin/sh
echo "$*" >> {folder}/asked
case "$*" in
  "-f json list source-outputs") exec cat {folder}/outputs ;;
  "-f json list sources") exec cat {folder}/sources ;;
  "kill-source-output "*) test -e {folder}/firm || printf '[]' > {folder}/outputs ;;
esac
"""
_PW_DUMP = "#!/bin/sh\nexec cat {folder}/dump\n"
_PW_CLI = "#!/bin/sh\necho \"$*\" >> {folder}/asked\ntest -e {folder}/firm || printf '[]' > {folder}/dump\n"


class SoundPrograms:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.folder = machine.home
        self.environ = {"PATH": f"{machine.bin}:/usr/bin:/bin"}
        self.servers = Servers(self.environ, timeout_s=20)

    def pulse(self, *outputs: Any) -> None:
        self._write("outputs", json.dumps(outputs))
        self._write("sources", json.dumps(SOURCES))
        self.machine.program("pactl", _PACTL.format(folder=self.folder))

    def pipewire(self, *things: Any) -> None:
        self._write("dump", json.dumps(things))
        self.machine.program("pw-dump", _PW_DUMP.format(folder=self.folder))
        self.machine.program("pw-cli", _PW_CLI.format(folder=self.folder))

    def refuse(self) -> None:
        """The server says yes, and ends nothing."""
        self._write("firm", "")

    def asked(self) -> list[str]:
        """What was asked for but lists."""
        log = self.folder / "asked"
        lines = log.read_text().splitlines() if log.exists() else []
        return [line for line in lines if " list " not in line]

    def _write(self, name: str, text: str) -> None:
        Path(self.folder, name).write_text(text)
