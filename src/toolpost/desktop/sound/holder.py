"""A process that holds the microphone, by a device or by a stream of the sound server."""

from enum import StrEnum

from msgspec import Struct

from toolpost.desktop.sound.processes import Process


class Via(StrEnum):
    DEVICE = "device"
    PULSE = "pulseaudio"
    PIPEWIRE = "pipewire"


class Stream(Struct, frozen=True, kw_only=True):
    """What a program records through a sound server."""

    via: Via
    number: int
    """The server's own number for it."""
    device: str
    pid: int = 0
    """0 where the server does not say."""
    name: str = ""
    program: str = ""
    """What the program says of itself; empty where the server knows the process by itself."""


class Holder(Struct, frozen=True, kw_only=True):
    device: str
    via: Via
    process: Process | None = None
    """None: a stream of a process that cannot be seen, such as one in a container."""
    stream: Stream | None = None

    @property
    def pid(self) -> int:
        return self.process.pid if self.process else 0

    @property
    def name(self) -> str:
        said = self.stream.name if self.stream else ""
        return said or (self.process.name if self.process else "")

    @property
    def sign(self) -> tuple[object, ...]:
        """What makes it the same one later."""
        began = self.process.began if self.process else 0
        return (self.via, self.device, self.pid, began, self.stream.number if self.stream else 0)
