import gzip
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.fakes.github import Fault, GitHubServer

from toolpost.errors import RemoteFailed
from toolpost.limits import REMOTE_IDLE
from toolpost.workspace.github.dial import Dialer, Origin, Unanswered

CAP = 1_000


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with GitHubServer() as server:
        server.repository("octo/shop", {"README.md": b"# Shop\n"})
        yield server


@pytest.fixture
def dialer() -> Iterator[Dialer]:
    dialer = Dialer(timeout_s=10)
    yield dialer
    dialer.close()


def test_one_connection_serves_one_request_after_another(server: GitHubServer, dialer: Dialer) -> None:
    replies = [dialer.get(f"{server.url}/repos/octo/shop", {}, CAP) for _ in range(5)]
    assert {reply.status for reply in replies} == {200}
    assert (len(server.log), server.connections) == (5, 1)


def test_a_connection_that_was_closed_meanwhile_is_replaced_unnoticed(
    server: GitHubServer, dialer: Dialer
) -> None:
    server.switches.faults.append(Fault(then_close=True))
    assert dialer.get(server.url, {}, CAP).body == b"{}"
    assert dialer.get(f"{server.url}/repos/octo/shop", {}, CAP).status == 200
    assert server.connections == 2


def test_a_connection_that_is_to_be_closed_is_not_kept(server: GitHubServer, dialer: Dialer) -> None:
    server.switches.faults.append(Fault(headers={"Connection": "close"}))
    dialer.get(server.url, {}, CAP)
    dialer.get(server.url, {}, CAP)
    assert server.connections == 2


def test_threads_ask_at_once_and_only_a_few_connections_are_kept(
    server: GitHubServer, dialer: Dialer
) -> None:
    def ask(_number: int) -> int:
        return dialer.get(f"{server.url}/repos/octo/shop", {}, CAP).status

    with ThreadPoolExecutor(12) as threads:
        assert set(threads.map(ask, range(60))) == {200}
    assert server.connections <= 60
    assert sum(len(kept) for kept in dialer._idle.values()) <= REMOTE_IDLE


def test_what_is_packed_comes_out_whole(server: GitHubServer, dialer: Dialer) -> None:
    packed = gzip.compress(b"a" * 1_000)
    server.switches.faults.append(Fault(body=packed, headers={"Content-Encoding": "gzip"}))
    reply = dialer.get(server.url, {}, CAP)
    assert reply.body == b"a" * 1_000
    assert server.log[0].headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize(
    "fault",
    [
        Fault(body=b"a" * 1_001),
        Fault(body=b"a" * 1_001, headers={"Content-Encoding": "gzip"}),
        Fault(body=gzip.compress(b"a" * 100_000), headers={"Content-Encoding": "gzip"}),
        Fault(
            body=b"3e9\r\n" + b"a" * 1_001 + b"\r\n0\r\n\r\n",
            headers={"Content-Length": "", "Transfer-Encoding": "chunked"},
        ),
    ],
    ids=["length", "packed", "bomb", "chunked"],
)
def test_an_answer_past_the_cap_is_refused(server: GitHubServer, dialer: Dialer, fault: Fault) -> None:
    server.switches.faults.append(fault)
    with pytest.raises(RemoteFailed) as refused:
        dialer.get(server.url, {}, CAP)
    assert refused.value.problem().context == {"limit": CAP}
    assert dialer.get(f"{server.url}/repos/octo/shop", {}, CAP).status == 200


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (Fault(silent=True), "the connection failed (RemoteDisconnected)"),
        (Fault(body=b"a" * 100, cut=True), "the answer ended before it was whole"),
        (
            Fault(body=gzip.compress(b"a" * 100)[:-9], headers={"Content-Encoding": "gzip"}),
            "the answer ended before it was whole",
        ),
        (Fault(body=b"no gzip", headers={"Content-Encoding": "gzip"}), "the connection failed (error)"),
        (
            Fault(body=b"zz\r\n", headers={"Transfer-Encoding": "chunked"}),
            "the answer ended before it was whole",
        ),
    ],
    ids=["silent", "cut", "cut while packed", "not packed", "no chunk"],
)
def test_half_an_answer_is_none(server: GitHubServer, dialer: Dialer, fault: Fault, why: str) -> None:
    server.switches.faults.append(fault)
    with pytest.raises(Unanswered) as unanswered:
        dialer.get(server.url, {}, CAP)
    assert str(unanswered.value) == why


def test_an_answer_that_drips_in_ends_with_the_deadline(server: GitHubServer) -> None:
    dialer = Dialer(timeout_s=0.3)
    server.switches.faults.append(Fault(drip=True))
    with pytest.raises(Unanswered) as unanswered:
        dialer.get(server.url, {}, CAP)
    assert str(unanswered.value) == "no answer within 0.3 s"


def test_a_deadline_that_is_over_asks_nothing_more(server: GitHubServer) -> None:
    dialer = Dialer(timeout_s=0.3)
    dialer.get(server.url, {}, CAP)
    server.switches.faults.append(Fault(drip=True))
    with pytest.raises(Unanswered):
        dialer.get(server.url, {}, CAP)
    assert (len(server.log), server.connections) == (2, 1)


def test_a_port_where_nobody_listens_is_said(dialer: Dialer) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(Unanswered) as unanswered:
        dialer.get(f"http://127.0.0.1:{port}", {}, CAP)
    assert str(unanswered.value) == "the connection failed (ConnectionRefusedError)"


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://api.github.com/x", Origin("https", "api.github.com", 443)),
        ("http://127.0.0.1/x", Origin("http", "127.0.0.1", 80)),
        ("https://GIT.corp:8443", Origin("https", "git.corp", 8443)),
        ("https://[::1]:1/", Origin("https", "::1", 1)),
    ],
)
def test_an_origin_is_a_scheme_a_host_and_a_port(url: str, origin: Origin) -> None:
    assert Origin.of(url) == origin


@pytest.mark.parametrize(
    "url",
    [
        "",
        "github.com",
        "ftp://github.com",
        "file:///etc/passwd",
        "https://",
        "https://a@github.com",
        "https://[x",
    ],
)
def test_what_names_no_host_has_no_origin(url: str) -> None:
    with pytest.raises(ValueError):
        Origin.of(url)
