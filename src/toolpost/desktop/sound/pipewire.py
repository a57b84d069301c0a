"""What PipeWire says of those who record: the answer of `pw-dump`, a list of nodes, links and clients."""

from typing import Any

import msgspec
from msgspec import Struct

from toolpost.desktop.sound.holder import Stream, Via
from toolpost.visible import visible

DUMP = ("pw-dump",)
_TYPE = "PipeWire:Interface:"


def end(stream: Stream) -> tuple[str, ...]:
    return ("pw-cli", "destroy", str(stream.number))


class _Info(Struct):
    props: dict[str, Any] | None = None
    output: int = msgspec.field(default=-1, name="output-node-id")
    input: int = msgspec.field(default=-1, name="input-node-id")

    def text(self, *keys: str) -> str:
        values = ((self.props or {}).get(key) for key in keys)
        return visible(next((value for value in values if isinstance(value, str) and value), ""))

    def number(self, key: str) -> int:
        value = (self.props or {}).get(key)
        return value if isinstance(value, int) else 0


class _Thing(Struct):
    id: int
    type: str = ""
    info: _Info | None = None


def streams(dump: bytes) -> list[Stream]:
    """Those that are linked to a microphone. Raises ValueError for an answer that cannot be read.

    The process is the one the server saw at the other end of the socket, not what a program says of itself.
    """
    things = msgspec.json.decode(dump.decode(errors="replace"), type=list[_Thing])
    nodes, clients, links = (_of(things, kind) for kind in ("Node", "Client", "Link"))
    found: dict[int, Stream] = {}
    for link in links.values():
        node, source = nodes.get(link.input), nodes.get(link.output)
        if node is None or source is None or link.input in found:
            continue
        if node.text("media.class") == "Stream/Input/Audio" and _is_microphone(source):
            client = clients.get(node.number("client.id"), _Info())
            found[link.input] = Stream(
                via=Via.PIPEWIRE,
                number=link.input,
                device=source.text("node.description", "node.name"),
                pid=client.number("pipewire.sec.pid"),
                name=node.text("application.name", "node.description", "node.name"),
            )
    return [found[number] for number in sorted(found)]


def _of(things: list[_Thing], kind: str) -> dict[int, _Info]:
    return {thing.id: thing.info for thing in things if thing.info and thing.type == f"{_TYPE}{kind}"}


def _is_microphone(node: _Info) -> bool:
    return node.text("media.class").startswith(("Audio/Source", "Audio/Duplex"))
