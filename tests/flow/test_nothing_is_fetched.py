"""A schema never makes anyone fetch anything."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from toolpost import Bench
from toolpost.define import from_schema
from toolpost.errors import BadTool


class Counting(HTTPServer):
    """A real server on loopback that gives a schema to whoever asks, and counts."""

    requests = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/schema.json"


class Handler(BaseHTTPRequestHandler):
    server: Counting

    def do_GET(self) -> None:
        self.server.requests += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"type": "object"}')

    def log_message(self, *_args: Any) -> None: ...


@pytest.fixture
def server() -> Iterator[Counting]:
    with Counting(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join(20)


PLACES: dict[str, Callable[[str], dict[str, Any]]] = {
    "the whole": lambda url: {"$ref": url},
    "a part": lambda url: {"type": "object", "properties": {"a": {"$ref": url}}},
    "an alternative": lambda url: {"anyOf": [{"type": "null"}, {"$ref": f"{url}#/x"}]},
    "behind a definition": lambda url: {"$defs": {"a": {"$ref": url}}, "$ref": "#/$defs/a"},
    "by its own id": lambda url: {"$id": url, "properties": {"a": {"$ref": "other.json"}}},
    "a dynamic one": lambda url: {"$dynamicRef": url},
    "its meta-schema": lambda url: {"$schema": url},
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("which", ["input", "output"])
def test_a_remote_reference_is_refused_at_registration_and_never_fetched(
    server: Counting, place: str, which: str
) -> None:
    schema = PLACES[place](server.url)
    parts = {"input": (schema, None), "output": ({"type": "object"}, schema)}
    input_schema, output_schema = parts[which]
    bench = Bench()
    with pytest.raises(BadTool, match="cannot be used"):
        bench.add(from_schema("work", "", input_schema, lambda _args: {}, output_schema=output_schema))
    assert (bench.tools, server.requests) == ((), 0)


def test_a_reference_that_no_rule_reads_is_not_fetched_either(server: Counting) -> None:
    schema = {"type": "object", "default": {"$ref": server.url}, "examples": [{"$ref": server.url}]}
    bench = Bench([from_schema("work", "", schema, lambda _args: "ran", blocking=False)])
    assert (bench.call_sync("work").text, server.requests) == ("ran", 0)


def test_nor_is_a_file_read(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"type": "object"}')
    with pytest.raises(BadTool, match="never fetched"):
        Bench([from_schema("work", "", {"$ref": (tmp_path / "s.json").as_uri()}, None)])


def test_the_server_would_have_noticed(server: Counting) -> None:
    with urlopen(server.url, timeout=20) as answer:
        assert answer.read() == b'{"type": "object"}'
    assert server.requests == 1
