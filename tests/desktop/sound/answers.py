"""Answers of sound servers, as their programs give them, cut to what is read of them."""

import json
from typing import Any

SOURCES = [
    {
        "index": 50,
        "name": "alsa_input.pci",
        "description": "Built-in Mic",
        "properties": {"device.class": "sound"},
    },
    {"index": 51, "name": "alsa_output.pci.monitor", "description": "Monitor", "properties": {}},
    {"index": 52, "name": "odd", "description": "Odd", "properties": {"device.class": "monitor"}},
]


def output(index: int, *, source: int = 50, corked: bool = False, **known: str) -> dict[str, Any]:
    names = {name.replace("_", "."): value for name, value in known.items()}
    return {"index": index, "source": source, "corked": corked, "properties": names}


def recorder(index: int, pid: int, binary: str) -> dict[str, Any]:
    return output(
        index, application_name="Recorder", application_process_id=str(pid), application_process_binary=binary
    )


def text(value: Any) -> bytes:
    return json.dumps(value).encode()


def thing(number: int, kind: str, **info: Any) -> dict[str, Any]:
    return {"id": number, "type": f"PipeWire:Interface:{kind}", "info": info}


def node(number: int, media: str, **known: Any) -> dict[str, Any]:
    names = {name.replace("_", "."): value for name, value in known.items()}
    return thing(number, "Node", props={"media.class": media, **names})


def link(number: int, output: int, into: int) -> dict[str, Any]:
    return thing(number, "Link", **{"output-node-id": output, "input-node-id": into})


def client(number: int, pid: Any) -> dict[str, Any]:
    return thing(number, "Client", props={"pipewire.sec.pid": pid})
