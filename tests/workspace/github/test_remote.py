import socket
import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.github import Fault, GitHubServer

from toolpost.errors import InvalidArgument, NoConnection, NotConfigured, RateLimited, RemoteFailed, ToolError
from toolpost.testing import FakeClock
from toolpost.version import __version__
from toolpost.workspace.github.remote import Answer, Question, Remote

TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
JSON = "application/vnd.github+json"
Opener = Callable[..., Remote]


@pytest.fixture
def servers() -> Iterator[Callable[[], GitHubServer]]:
    running: list[GitHubServer] = []

    def start() -> GitHubServer:
        server = GitHubServer()
        server.repository("octo/shop", {"README.md": b"# Shop\n"})
        running.append(server.__enter__())
        return server

    yield start
    for server in running:
        server.__exit__()


@pytest.fixture
def server(servers: Callable[[], GitHubServer]) -> GitHubServer:
    return servers()


@pytest.fixture
def opened() -> Iterator[Opener]:
    made: list[Remote] = []

    def make(base_url: str, token: Any = None, **settings: Any) -> Remote:
        made.append(Remote(base_url, token, **{"sleep": NEVER, **settings}))
        return made[-1]

    yield make
    for remote in made:
        remote.close()


def NEVER(seconds: float) -> None:
    raise AssertionError(seconds)


def ask(remote: Remote, path: str = "/repos/octo/shop", **settings: Any) -> Answer:
    return remote.get(Question(path, JSON, **settings))


def refused(remote: Remote, path: str = "/repos/octo/shop") -> ToolError:
    with pytest.raises(ToolError) as caught:
        ask(remote, path)
    assert TOKEN not in repr(caught.value.problem())
    return caught.value


def test_a_request_says_what_it_wants_and_who_asks(server: GitHubServer, opened: Opener) -> None:
    server.switches.tokens.add(TOKEN)
    ask(opened(server.url, TOKEN), etag='"x"')
    headers = server.log[0].headers
    names = ("authorization", "accept", "x-github-api-version", "if-none-match", "user-agent")
    assert [headers[name] for name in names] == [
        f"Bearer {TOKEN}",
        JSON,
        "2022-11-28",
        '"x"',
        f"toolpost/{__version__}",
    ]


def test_a_token_is_asked_for_anew_each_time(server: GitHubServer, opened: Opener) -> None:
    tokens = iter(["one", None, "", "two"])
    server.switches.tokens |= {"one", "two"}
    remote = opened(server.url, lambda: next(tokens))
    for _ in range(4):
        ask(remote)
    assert [asked.token for asked in server.log] == ["Bearer one", None, None, "Bearer two"]


def test_a_token_is_in_no_repr(opened: Opener) -> None:
    assert TOKEN not in repr(opened("https://api.github.com", TOKEN))


@pytest.mark.parametrize("token", [f"{TOKEN}\r\nX: y", f"{TOKEN} ", f"{TOKEN}\u00e9"])
def test_a_token_that_cannot_be_sent_is_refused_unseen(
    server: GitHubServer, opened: Opener, token: str
) -> None:
    error = refused(opened(server.url, token))
    assert isinstance(error, NotConfigured)
    assert error.detail == "The token for 127.0.0.1 holds characters no token has; set it again."
    assert server.log == []


def test_a_wrong_token_is_said_and_not_told(server: GitHubServer, opened: Opener) -> None:
    error = refused(opened(server.url, TOKEN))
    assert (type(error), error.context) == (NoConnection, {"host": "127.0.0.1", "status": 401})
    assert error.detail == (
        "127.0.0.1 refused the token: it is wrong, expired or revoked. Check that the token in use"
        " (GH_ENTERPRISE_TOKEN or GITHUB_ENTERPRISE_TOKEN, or the system's keyring) may read it."
    )


def test_a_server_that_wants_a_token_is_understood(server: GitHubServer, opened: Opener) -> None:
    server.switches.faults.append(Fault(401, b'{"message": "Must authenticate to access this API."}'))
    error = refused(opened(server.url))
    assert error.detail == (
        "127.0.0.1 refused access (Must authenticate to access this API.). No token is set: set one that may"
        " read it, in GH_ENTERPRISE_TOKEN or GITHUB_ENTERPRISE_TOKEN or in the system's keyring."
    )


def test_what_the_remote_says_is_shown_short_on_one_line_and_without_secrets(
    server: GitHubServer, opened: Opener
) -> None:
    said = f"No\\n\\u001b[31m {TOKEN} " + "a" * 500
    server.switches.faults.append(Fault(403, f'{{"message": "{said}"}}'.encode()))
    error = refused(opened(server.url, TOKEN))
    assert type(error) is NoConnection
    assert error.detail.startswith("127.0.0.1 refused access (No  [31m [redacted] aaa")
    assert len(error.detail) < 500


def test_a_token_of_no_known_shape_is_hidden_too(server: GitHubServer, opened: Opener) -> None:
    server.switches.faults.append(Fault(403, b'{"message": "sesame does not open this"}'))
    assert "([redacted] does not open this)" in refused(opened(server.url, "sesame")).detail


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"message": 5}', b"[" * 10_000, b"\xff"])
def test_an_error_page_that_is_no_json_is_left_out(server: GitHubServer, opened: Opener, body: bytes) -> None:
    server.switches.faults.append(Fault(418, body))
    error = refused(opened(server.url))
    assert (type(error), error.detail) == (RemoteFailed, "127.0.0.1 answered with status 418.")


def test_an_unchanged_answer_is_told_by_its_tag(server: GitHubServer, opened: Opener) -> None:
    remote = opened(server.url)
    first = ask(remote)
    assert first.status == 200
    again = ask(remote, etag=first.etag, expected=(200, 304))
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    "fault",
    [
        Fault(500),
        Fault(502),
        Fault(503, headers={"Retry-After": "1"}),
        Fault(silent=True),
        Fault(body=b"{  }", cut=True),
    ],
    ids=["500", "502", "503", "silent", "cut"],
)
def test_what_fails_for_a_moment_is_asked_again(server: GitHubServer, opened: Opener, fault: Fault) -> None:
    slept: list[float] = []
    server.switches.faults.extend([fault, fault])
    assert ask(opened(server.url, sleep=slept.append)).status == 200
    assert (slept, len(server.log)) == ([0.5, 1.0], 3)


def test_what_fails_for_longer_is_said(server: GitHubServer, opened: Opener) -> None:
    slept: list[float] = []
    server.switches.faults.extend([Fault(500), Fault(500), Fault(502)])
    error = refused(opened(server.url, sleep=slept.append))
    assert (type(error), error.context, slept) == (
        RemoteFailed,
        {"host": "127.0.0.1", "tries": 3},
        [0.5, 1.0],
    )
    assert error.detail == (
        "127.0.0.1 failed (3 tries), at last so: it answered with status 502. Try again later."
    )


def test_what_is_only_a_help_is_asked_for_once(server: GitHubServer, opened: Opener) -> None:
    server.switches.faults.append(Fault(500))
    with pytest.raises(RemoteFailed) as error:
        ask(opened(server.url), waits_s=())
    assert (error.value.context["tries"], len(server.log)) == (1, 1)


def test_a_host_that_is_not_there_is_said(opened: Opener) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    error = refused(opened(f"http://127.0.0.1:{port}", sleep=lambda _seconds: None))
    assert "the connection failed (ConnectionRefusedError)" in error.detail


def test_an_answer_that_never_ends_is_given_up(server: GitHubServer, opened: Opener) -> None:
    server.switches.faults.extend([Fault(drip=True)] * 3)
    error = refused(opened(server.url, timeout_s=0.2, sleep=lambda _seconds: None))
    assert "no answer within 0.2 s" in error.detail


def test_a_redirect_at_home_keeps_the_token_and_is_remembered_when_it_is_for_good(
    server: GitHubServer, opened: Opener
) -> None:
    server.switches.tokens.add(TOKEN)
    remote = opened(server.url, TOKEN)
    for status, moved_to in ((301, f"{server.url}/repos/octo/shop"), (302, None), (307, None)):
        server.switches.faults.append(Fault(status, headers={"Location": "/repos/octo/shop"}))
        assert ask(remote, "/repos/old/shop").moved_to == moved_to
    assert {asked.token for asked in server.log} == {f"Bearer {TOKEN}"}


def test_a_redirect_to_another_origin_goes_without_the_token(
    servers: Callable[[], GitHubServer], opened: Opener
) -> None:
    home, elsewhere = servers(), servers()
    home.switches.tokens.add(TOKEN)
    home.switches.faults.append(Fault(301, headers={"Location": f"{elsewhere.url}/repos/octo/shop"}))
    answer = ask(opened(home.url, TOKEN))
    assert (answer.status, answer.moved_to) == (200, None)
    assert [asked.token for asked in home.log] == [f"Bearer {TOKEN}"]
    assert [asked.token for asked in elsewhere.log] == [None]


def test_a_redirect_that_comes_back_home_has_the_token_again(
    servers: Callable[[], GitHubServer], opened: Opener
) -> None:
    home, elsewhere = servers(), servers()
    home.switches.tokens.add(TOKEN)
    home.switches.faults.append(Fault(302, headers={"Location": f"{elsewhere.url}/x"}))
    elsewhere.switches.faults.append(Fault(302, headers={"Location": f"{home.url}/repos/octo/shop"}))
    ask(opened(home.url, TOKEN))
    assert [asked.token for asked in [*home.log, *elsewhere.log]] == [f"Bearer {TOKEN}"] * 2 + [None]


@pytest.mark.parametrize(
    ("location", "why"),
    [
        ("", "127.0.0.1 redirected to no http or https address."),
        ("file:///etc/passwd", "127.0.0.1 redirected to no http or https address."),
        ("gopher://127.0.0.1/", "127.0.0.1 redirected to no http or https address."),
        ("https://user:word@api.github.com/", "127.0.0.1 redirected to no http or https address."),
        ("https://[x/", "127.0.0.1 redirected to no http or https address."),
        ("/caf\u00e9", "127.0.0.1 redirected to no http or https address."),
        ("/a b", "127.0.0.1 redirected to no http or https address."),
        ("http://example.com/", "127.0.0.1 redirected to an address without encryption."),
        ("http://169.254.169.254/latest/", "127.0.0.1 redirected to an address without encryption."),
    ],
)
def test_a_redirect_somewhere_unsafe_is_refused(
    server: GitHubServer, opened: Opener, location: str, why: str
) -> None:
    server.switches.faults.append(Fault(302, headers={"Location": location}))
    error = refused(opened(server.url, TOKEN))
    assert (type(error), error.detail) == (RemoteFailed, why)


def test_redirects_have_an_end(server: GitHubServer, opened: Opener) -> None:
    server.switches.faults.extend([Fault(302, headers={"Location": "/x"})] * 6)
    error = refused(opened(server.url))
    assert (type(error), len(server.log)) == (RemoteFailed, 6)
    assert error.detail == "127.0.0.1 redirected more than 5 times."


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.github.com",
        "ftp://api.github.com",
        "http://api.github.com",
        "https://me:word@api.github.com",
        "https://api.github.com?x=1",
        "https://api.github.com#x",
        "https://api.github.com/a b",
        "https://[x",
    ],
)
def test_a_base_url_that_would_betray_the_token_is_refused(url: str) -> None:
    with pytest.raises(InvalidArgument) as error:
        Remote(url, TOKEN)
    assert error.value.parameter == "base_url"
    assert "word" not in error.value.detail


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """For 127.0.0.1, signed by itself, its key in the same file."""
    made = tmp_path / "server.pem"
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1"
    )
    subprocess.run(
        [
            *command.split(),
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-keyout",
            made,
            "-out",
            tmp_path / "cert",
        ],
        check=True,
        capture_output=True,
        timeout=60,
    )
    with made.open("ab") as file:
        file.write((tmp_path / "cert").read_bytes())
    return made


def test_https_is_spoken_to_who_can_show_a_certificate(
    certificate: Path, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    with GitHubServer(certificate=certificate) as server:
        server.repository("octo/shop", {"README.md": b"# Shop\n"})
        slept: list[float] = []
        stranger = opened(server.url, sleep=slept.append)
        assert "its certificate was refused (self" in refused(stranger).detail
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        friend = opened(server.url)
        assert [ask(friend).status for _ in range(3)] == [200] * 3
        assert len(server.log) == 3


def test_https_never_falls_to_http(
    certificate: Path, opened: Opener, server: GitHubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with GitHubServer(certificate=certificate) as safe:
        safe.switches.faults.append(Fault(301, headers={"Location": f"{server.url}/repos/octo/shop"}))
        error = refused(opened(safe.url, TOKEN))
    assert error.detail == "127.0.0.1 redirected to an address without encryption."
    assert server.log == []


def test_a_limit_that_is_spent_is_kept_without_asking(server: GitHubServer, opened: Opener) -> None:
    clock = FakeClock()
    switches = server.switches
    switches.limit, switches.remaining = 60, 1
    switches.reset = int((clock.now() + timedelta(minutes=10)).timestamp())
    remote = opened(server.url, clock=clock)
    assert ask(remote).status == 200
    for _ in range(3):
        error = refused(remote)
        assert (type(error), error.context) == (
            RateLimited,
            {"host": "127.0.0.1", "reset": "2025-12-11T20:10:00Z", "limit": 60, "remaining": 0},
        )
    assert len(server.log) == 1
    clock.advance(600)
    switches.remaining = 60
    assert [ask(remote).status for _ in range(2)] == [200, 200]


def test_a_refusal_for_its_rate_holds_later_requests_back(server: GitHubServer, opened: Opener) -> None:
    clock = FakeClock()
    remote = opened(server.url, clock=clock)
    server.switches.faults.append(Fault(403, b'{"message": "secondary rate limit"}', {"Retry-After": "30"}))
    assert [refused(remote).context["reset"] for _ in range(2)] == ["2025-12-11T20:00:30Z"] * 2
    assert len(server.log) == 1
    clock.advance(31)
    assert ask(remote).status == 200


def test_another_token_has_a_limit_of_its_own(server: GitHubServer, opened: Opener) -> None:
    tokens = ["one"]
    server.switches.tokens |= {"one", "two"}
    remote = opened(server.url, lambda: tokens[0], clock=FakeClock())
    server.switches.faults.append(Fault(429))
    assert type(refused(remote)) is RateLimited
    tokens[0] = "two"
    assert ask(remote).status == 200


def test_a_path_below_the_host_is_part_of_the_base(server: GitHubServer, opened: Opener) -> None:
    server.switches.prefix = "/api/v3"
    assert ask(opened(f"{server.url}/")).status == 200
    assert server.paths == ["/api/v3/repos/octo/shop"]


def test_the_default_is_github_itself() -> None:
    remote = Remote()
    assert (remote.base_url, remote.host) == ("https://api.github.com", "api.github.com")
    assert remote.advice() == (
        "No token is set: set one that may read it, in GH_TOKEN or GITHUB_TOKEN or in the system's keyring."
    )
