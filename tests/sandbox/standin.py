"""What stands for hosts of the internet in tests: a server on loopback, and names that lead to it or elsewhere.

Run as a program it reads an attempt from stdin, becomes an ordinary user, and tells how the attempt went.
"""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from secrets import token_hex

import msgspec
from msgspec.structs import replace
from tests.sandbox.ground import NOBODY, WAIT_S, Attempt, Ground, Outcome

from toolpost.sandbox import homes, starting
from toolpost.sandbox.launch import Streams
from toolpost.sandbox.model import Level, Spawn
from toolpost.sandbox.proxy.dialing import Dialer
from toolpost.sandbox.proxy.hosts import hosts
from toolpost.sandbox.proxy.network import Network
from toolpost.sandbox.proxy.running import Proxy

LOOPBACK = "127.0.0.1"
NAMES = {
    "allowed.test": (LOOPBACK,),
    "other.test": (LOOPBACK,),
    "inner.test": ("10.0.0.1",),
    "mixed.test": ("93.184.215.14", "192.168.1.1"),
    "cloud.test": ("169.254.169.254",),
    "mapped.test": ("::ffff:169.254.169.254",),
    "translated.test": ("64:ff9b::a9fe:a9fe",),
}
"""None of them is ever asked of a resolver, and no address but loopback is ever dialed."""


def resolves(host: str) -> tuple[str, ...]:
    if host not in NAMES:
        raise OSError("no such name")
    return NAMES[host]


NETWORK = Network(resolves=resolves)


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "http://elsewhere.test/")
            self._end(b"")
        else:
            self.send_response(200)
            self._end(f"{self.command} {self.path} of {self.headers['Host']}".encode())

    def do_POST(self) -> None:
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b"".join(iter(self._chunk, b""))
        else:
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.send_response(200)
        told = ",".join(sorted(name.lower() for name in self.headers))
        self._end(body + b"|" + told.encode())

    def _chunk(self) -> bytes:
        data = self.rfile.read(int(self.rfile.readline(), 16))
        self.rfile.readline()
        return data

    def _end(self, body: bytes) -> None:
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        return


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_request: object) -> None:
        """A client that breaks off is none of our concern."""


@contextmanager
def standing() -> Iterator[int]:
    """The port of a server that tells what it was asked."""
    with _Server((LOOPBACK, 0), _Answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join(WAIT_S)


@contextmanager
def proxied(*patterns: str, network: Network = NETWORK, secret: str = "") -> Iterator[tuple[int, Proxy]]:
    listener = socket.create_server((LOOPBACK, 0))

    async def listens() -> socket.socket:
        return listener

    proxy = Proxy(Dialer(hosts=hosts(patterns), network=network), listens, secret=secret)
    try:
        yield listener.getsockname()[1], proxy
    finally:
        proxy.close()


def said(port: int, *parts: bytes) -> bytes:
    """What a proxy answers in all."""
    with socket.create_connection((LOOPBACK, port), WAIT_S) as client:
        for part in parts:
            client.sendall(part)
        return b"".join(iter(lambda: client.recv(65_536), b""))


def reach(ground: Ground, *argv: str, hosts: tuple[str, ...], readable: tuple[str, ...] = ()) -> Outcome:
    """As `Ground.run`, with hosts."""
    fence = replace(ground.fence, hosts=hosts, readable=readable)
    tried = Attempt(argv=argv, cwd=str(ground.work), fence=fence, level=ground.level, home=str(ground.home))
    return _as_ordinary(tried) if ground.other else attempt(tried)


def attempt(tried: Attempt) -> Outcome:
    spawn = Spawn(argv=tried.argv, cwd=tried.cwd, env=tried.env, fence=tried.fence, tag=token_hex(8))
    streams = Streams(stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    started = starting.start(spawn, Level(tried.level), streams, network=NETWORK)
    try:
        with started.process as process:
            try:
                out = process.communicate(timeout=WAIT_S)[0]
            except subprocess.TimeoutExpired:
                process.kill()
                raise
    finally:
        violations = started.finish()
    return Outcome(
        code=process.returncode,
        out=out.decode("utf-8", "replace"),
        report=started.report,
        violations=violations,
    )


def _as_ordinary(tried: Attempt) -> Outcome:
    done = subprocess.run(
        (sys.executable, "-m", "tests.sandbox.standin"),
        input=msgspec.json.encode(tried),
        capture_output=True,
        check=False,
        timeout=2 * WAIT_S,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=Outcome)


def main() -> None:
    tried = msgspec.json.decode(sys.stdin.buffer.read(), type=Attempt)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    os.environ["HOME"] = tried.home
    homes.real_home.cache_clear()
    sys.stdout.buffer.write(msgspec.json.encode(attempt(tried)))


if __name__ == "__main__":
    main()
