"""What the desktop tools stand on; everything a test must be able to replace is a parameter here."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from toolpost.desktop.apps.application import Application
from toolpost.desktop.apps.closed import Closed
from toolpost.desktop.apps.installed import Installed
from toolpost.desktop.detached import Start, Starter
from toolpost.desktop.environment import environment
from toolpost.desktop.sound.microphone import Microphone
from toolpost.desktop.sound.servers import Servers


class DesktopGround:
    def __init__(
        self,
        environ: Mapping[str, str] = os.environ,
        *,
        home: str = "",
        platform: str = sys.platform,
        microphone: Microphone | None = None,
        closed: tuple[str, ...] = (),
    ) -> None:
        """`closed` are the roots of the workspace: nothing in them is an installed application."""
        shut = Closed(closed)
        self.home = home or environ.get("HOME", "") or "/"
        self.platform = platform
        self._environment = environment(environ, self.home, shut)
        self.installed = Installed(environ, self.home, platform, closed=shut)
        self.microphone = microphone or Microphone(Servers(self._environment))
        self._starter = Starter()

    @property
    def has_display(self) -> bool:
        names = ("DISPLAY", "WAYLAND_DISPLAY")
        return self.platform == "darwin" or any(self._environment.get(name) for name in names)

    def start(self, application: Application, files: tuple[str, ...] = ()) -> int:
        """The number of the process, which is none of ours. Raises IoFailed."""
        folder = application.folder if Path(application.folder or "?").is_dir() else self.home
        return self._starter.start(Start(application.argv(files), self._environment, folder))
