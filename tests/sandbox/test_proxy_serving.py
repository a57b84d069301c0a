import asyncio
import socket
import threading
from base64 import b64encode
from collections.abc import Iterator

import pytest
from tests.sandbox.ground import WAIT_S
from tests.sandbox.standin import LOOPBACK, NAMES, NETWORK, proxied, resolves, said, standing

from toolpost.sandbox.proxy import dialing, relaying, serving
from toolpost.sandbox.proxy.hosts import hosts
from toolpost.sandbox.proxy.network import Network, resolved
from toolpost.sandbox.proxy.serving import Refusals


@pytest.fixture(name="port")
def _port() -> Iterator[int]:
    with standing() as port:
        yield port


def _ask(line: str, *headers: str) -> bytes:
    return "\r\n".join([f"{line} HTTP/1.1", *headers, "", ""]).encode()


def _parts(answer: bytes) -> tuple[str, str]:
    """The first line and the body."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.split(b"\r\n")[0].decode(), body.decode()


def test_a_request_is_passed_on_and_the_connection_ends_with_its_answer(port: int) -> None:
    with proxied(f"!allowed.test:{port}") as (own, _):
        two = _ask(f"GET http://allowed.test:{port}/one") + _ask(f"GET http://allowed.test:{port}/two")
        assert _parts(said(own, two)) == ("HTTP/1.1 200 OK", f"GET /one of allowed.test:{port}")


def test_a_body_goes_with_it_and_nothing_after_it(port: int) -> None:
    with proxied(f"!allowed.test:{port}") as (own, _):
        ask = _ask(
            f"POST http://allowed.test:{port}/", "Content-Length: 3", "Proxy-Connection: x", "X-Own: 1"
        )
        line, body = _parts(said(own, ask, b"abcGET /smuggled HTTP/1.1\r\n\r\n"))
    assert (line, body) == ("HTTP/1.1 200 OK", "abc|connection,content-length,host,x-own")


def test_a_body_in_chunks_is_written_anew(port: int) -> None:
    with proxied(f"!allowed.test:{port}") as (own, _):
        ask = _ask(f"POST http://allowed.test:{port}/", "Transfer-Encoding: chunked")
        line, body = _parts(said(own, ask, b"3;x=y\r\nabc\r\n02 \r\nde\r\n", b"0\r\nTrailer: x\r\n\r\n"))
    assert (line, body) == ("HTTP/1.1 200 OK", "abcde|connection,host,transfer-encoding")


@pytest.mark.parametrize("body", [b"zz\r\n", b"1\r\nabc\r\n", b"x" * 70_000, b"1\r\n"])
def test_a_body_that_breaks_off_ends_the_connection(port: int, body: bytes) -> None:
    with proxied(f"!allowed.test:{port}") as (own, _):
        ask = _ask(f"POST http://allowed.test:{port}/", "Transfer-Encoding: chunked")
        with socket.create_connection((LOOPBACK, own), WAIT_S) as client:
            client.sendall(ask + body)
            client.shutdown(socket.SHUT_WR)
            assert _drained(client) == b""


def test_a_body_that_is_too_short_ends_the_connection(port: int) -> None:
    with (
        proxied(f"!allowed.test:{port}") as (own, _),
        socket.create_connection((LOOPBACK, own), WAIT_S) as client,
    ):
        client.sendall(_ask(f"POST http://allowed.test:{port}/", "Content-Length: 9") + b"abc")
        client.shutdown(socket.SHUT_WR)
        assert _drained(client) == b""


def _drained(client: socket.socket) -> bytes:
    try:
        return b"".join(iter(lambda: client.recv(65_536), b""))
    except ConnectionResetError:
        return b""


def test_a_tunnel_carries_whatever_is_said_until_both_are_done() -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
        with (
            proxied(f"!allowed.test:{port}") as (own, _),
            socket.create_connection((LOOPBACK, own), WAIT_S) as client,
        ):
            client.sendall(_ask(f"CONNECT allowed.test:{port}") + b"early")
            there, _address = server.accept()
            with there:
                there.settimeout(WAIT_S)
                assert there.recv(5, socket.MSG_WAITALL) == b"early"
                there.sendall(b"\x00" * 300_000)
                there.shutdown(socket.SHUT_WR)
                answer = b"".join(iter(lambda: client.recv(65_536), b""))
                assert answer == b"HTTP/1.1 200 Connection established\r\n\r\n" + b"\x00" * 300_000
                client.sendall(b"late")
                client.shutdown(socket.SHUT_WR)
                assert there.recv(9, socket.MSG_WAITALL) == b"late"


def test_a_server_that_breaks_off_ends_the_tunnel() -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
        with (
            proxied(f"!allowed.test:{port}") as (own, _),
            socket.create_connection((LOOPBACK, own), WAIT_S) as client,
        ):
            client.sendall(_ask(f"CONNECT allowed.test:{port}"))
            there, _address = server.accept()
            assert client.recv(39, socket.MSG_WAITALL).endswith(b" established\r\n\r\n")
            there.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            there.close()
            assert _drained(client) == b""


@pytest.mark.parametrize(
    ("line", "status", "sentence"),
    [
        ("GET http://other.test/", 403, "no rule net(other.test) allows it"),
        ("CONNECT other.test:22", 403, "no rule net(other.test:22) allows it"),
        ("CONNECT [::1]:443", 403, "no rule net([::1]) allows it"),
        (
            "GET http://inner.test/",
            403,
            "leads to 10.0.0.1, which is a private address. Only a rule net!(inner.test)",
        ),
        ("GET http://cloud.test/", 403, "the machine's own credentials. No rule opens it."),
        ("GET http://mixed.test/", 403, "leads to 192.168.1.1"),
        ("CONNECT printer:443", 403, "a name of this machine or its network. Only a rule net!(printer)"),
        ("GET http://absent.test/", 502, "There is no address of absent.test."),
        ("GET /", 400, "A proxy is asked with CONNECT host:port"),
    ],
)
def test_a_refusal_says_which_rule_is_missing(line: str, status: int, sentence: str) -> None:
    known = ("inner.test", "cloud.test", "mixed.test", "printer", "absent.test")
    with proxied(*known) as (own, proxy):
        first, body = _parts(said(own, _ask(line, "Content-Length: 5"), b"hello"))
        refused = proxy.close()
    assert first.split(" ")[1] == str(status)
    assert sentence in body
    assert len(refused) == (1 if status == 403 else 0)


def test_who_else_decides_is_heard() -> None:
    heard = []

    def allows(host: str, port: int, scheme: str) -> bool:
        heard.append((host, port, scheme))
        return False

    with proxied("*", network=Network(allows=allows, resolves=resolves)) as (own, proxy):
        assert b" 403 " in said(own, _ask("CONNECT a.test:443"))
        assert b" 403 " in said(own, _ask("GET http://b.test/"))
        assert proxy.close() == ("net: a.test:443 refused", "net: b.test:80 refused")
    assert heard == [("a.test", 443, "https"), ("b.test", 80, "http")]


def test_a_name_is_looked_up_once_and_the_judged_address_is_dialed(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def turning(host: str) -> tuple[str, ...]:
        asked.append(host)
        return (LOOPBACK,) if len(asked) == 1 else ("169.254.169.254",)

    with proxied(f"!allowed.test:{port}", network=Network(resolves=turning)) as (own, _):
        assert b" 200 " in said(own, _ask(f"GET http://allowed.test:{port}/"))
        assert asked == ["allowed.test"]
        assert b" 403 " in said(own, _ask(f"GET http://allowed.test:{port}/"))


def test_a_host_that_does_not_answer_is_no_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
    with proxied(f"!allowed.test:{port}") as (own, proxy):
        answer = _parts(said(own, _ask(f"GET http://allowed.test:{port}/")))
        assert answer == ("HTTP/1.1 502 Bad Gateway", f"toolpost: allowed.test:{port} does not answer.\n")
        assert proxy.close() == ()


def test_a_resolver_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialing, "PROXY_LOOKUP_S", 0.05)
    done = threading.Event()

    def hangs(host: str) -> tuple[str, ...]:
        done.wait(WAIT_S)
        return NAMES[host]

    with proxied("*", network=Network(resolves=hangs)) as (own, _):
        assert b" 502 " in said(own, _ask("GET http://allowed.test/"))
    done.set()


def test_the_systems_resolver_knows_addresses() -> None:
    assert resolved(LOOPBACK) == (LOOPBACK,)


def test_only_who_knows_the_secret_is_served(port: int) -> None:
    def basic(text: str) -> str:
        return f"Proxy-Authorization: Basic {b64encode(text.encode()).decode()}"

    with proxied(f"!allowed.test:{port}", secret="s3cret") as (own, proxy):
        line = f"GET http://allowed.test:{port}/"
        wrong = (
            "X: y",
            basic("command:other"),
            "Proxy-Authorization: Basic !",
            "Proxy-Authorization: Bearer s3cret",
        )
        for header in wrong:
            answer = said(own, _ask(line, header))
            assert answer.startswith(b"HTTP/1.1 407 ")
            assert b'\r\nProxy-Authenticate: Basic realm="toolpost"\r\n' in answer
        assert said(own, _ask(line, basic("command:s3cret"))).startswith(b"HTTP/1.1 200 ")
        assert proxy.close() == ()


def test_a_slow_client_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "PROXY_HEAD_S", 0.05)
    with proxied("*") as (own, _):
        assert said(own, b"GET http://a.test/ HTTP/1.1\r\n") == b""


def test_a_head_without_end_is_cut_off() -> None:
    with proxied("*") as (own, _), socket.create_connection((LOOPBACK, own), WAIT_S) as client:
        client.sendall(b"GET http://a.test/ HTTP/1.1\r\n" + b"A: " + b"x" * 100_000)
        assert client.recv(12, socket.MSG_WAITALL) == b"HTTP/1.1 431"


def test_a_flood_waits_its_turn_and_passes(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "PROXY_CONNECTIONS", 2)
    monkeypatch.setattr(serving, "PROXY_HEAD_S", 0.2)
    with proxied(f"!allowed.test:{port}") as (own, _):
        idle = [socket.create_connection((LOOPBACK, own), WAIT_S) for _ in range(20)]
        try:
            assert b" 200 " in said(own, _ask(f"GET http://allowed.test:{port}/"))
        finally:
            for client in idle:
                client.close()


@pytest.mark.parametrize("name", ["PROXY_IDLE_S", "PROXY_TOTAL_S"])
def test_a_connection_on_which_nothing_moves_ends(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relaying, name, 0.1)
    with socket.create_server((LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
        with proxied(f"!allowed.test:{port}") as (own, _):
            assert said(own, _ask(f"CONNECT allowed.test:{port}")) == (
                b"HTTP/1.1 200 Connection established\r\n\r\n"
            )


def test_closing_ends_every_connection_at_once() -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
        with proxied(f"!allowed.test:{port}") as (own, proxy):
            with socket.create_connection((LOOPBACK, own), WAIT_S) as client:
                client.sendall(_ask(f"CONNECT allowed.test:{port}"))
                there, _address = server.accept()
                with there:
                    there.settimeout(WAIT_S)
                    proxy.close()
                    assert _drained(there) == b""
                    _drained(client)
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((LOOPBACK, own), WAIT_S)
            assert proxy.close() == ()


def test_refusals_are_told_once_and_not_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "PROXY_REFUSALS", 2)
    refusals = Refusals()
    for name in ("a:1", "a:1", "b:2", "c:3"):
        refusals.add(name)
    assert refusals.all() == ("net: a:1 refused", "net: b:2 refused")


async def test_an_accept_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_BUSY_S", 0)
    dialer = dialing.Dialer(hosts=hosts(()), network=NETWORK)
    with socket.socket() as unbound:  # it does not listen, so that every accept fails
        task = asyncio.ensure_future(serving.Serving(dialer, Refusals()).serve(unbound))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
