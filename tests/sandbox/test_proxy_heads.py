import pytest

from toolpost.sandbox.proxy.heads import Malformed, header, request
from toolpost.sandbox.proxy.hosts import Asked


def _head(*lines: str) -> bytes:
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def test_a_tunnel_names_a_host_and_a_port() -> None:
    asked = request(_head("CONNECT PyPI.org:443 HTTP/1.1", "Proxy-Authorization:  Basic eA== "))
    assert asked.is_tunnel
    assert asked.asked == Asked(host="pypi.org", port=443, scheme="https")
    assert header(asked.headers, "proxy-authorization") == "Basic eA=="
    assert header(asked.headers, "absent") == ""


def test_a_request_goes_on_as_one_to_the_server_itself() -> None:
    asked = request(
        _head(
            "POST HTTP://Example.org/a/b?c=%20 HTTP/1.0",
            *("Host: elsewhere.example", "Connection: x-own, keep-alive", "X-Own: 1", "Keep-Alive: 5"),
            *("Proxy-Authorization: Basic eA==", "Proxy-Connection: close", "Upgrade: h2c", "TE: trailers"),
            *("Accept: */*", "Content-Length: 3", "Expect: 100-continue"),
        )
    )
    assert asked.asked == Asked(host="example.org", port=80, scheme="http", path="/a/b")
    assert asked.length == 3
    assert asked.head() == _head(
        *("POST /a/b?c=%20 HTTP/1.1", "Host: example.org", "Accept: */*", "Expect: 100-continue"),
        *("Content-Length: 3", "Connection: close"),
    )


@pytest.mark.parametrize(
    ("url", "target", "host"),
    [
        ("http://a.example", "/", "a.example"),
        ("http://a.example?x", "/?x", "a.example"),
        ("http://a.example:8080/", "/", "a.example:8080"),
        ("http://[::1]:8080/", "/", "[::1]:8080"),
        ("http://a.example:80/", "/", "a.example"),
    ],
)
def test_the_host_is_the_one_of_the_url(url: str, target: str, host: str) -> None:
    sent = request(_head(f"GET {url} HTTP/1.1", "Host: other.example")).head()
    assert sent == _head(f"GET {target} HTTP/1.1", f"Host: {host}", "Connection: close")


def test_a_body_in_chunks_stays_in_chunks() -> None:
    asked = request(_head("POST http://a.example/ HTTP/1.1", "Transfer-Encoding: Chunked"))
    assert asked.length is None
    assert b"Transfer-Encoding: chunked\r\n" in asked.head()


@pytest.mark.parametrize(
    "lines",
    [
        ("",),
        ("GET / HTTP/1.1",),
        ("GET https://a.example/ HTTP/1.1",),
        ("GET ftp://a.example/ HTTP/1.1",),
        ("GET http://a.example/ HTTP/2.0",),
        ("GET  http://a.example/ HTTP/1.1",),
        ("GET http://a.example/\ta HTTP/1.1",),
        ("GET http://a.example/\\a HTTP/1.1",),
        ("GET http://a.example/#a HTTP/1.1",),
        ("GET http://u:p@a.example/ HTTP/1.1",),
        ("GET http://a.example%2e/ HTTP/1.1",),
        ("GET http://a.example:0/ HTTP/1.1",),
        ("GET http://a.example:65536/ HTTP/1.1",),
        ("GET http:///x HTTP/1.1",),
        ("GET http://127.1/ HTTP/1.1",),
        ("G(T http://a.example/ HTTP/1.1",),
        ("CONNECT a.example HTTP/1.1",),
        ("CONNECT a.example:443/x HTTP/1.1",),
        ("CONNECT http://a.example:443 HTTP/1.1",),
        ("CONNECT [::1%25lo]:443 HTTP/1.1",),
        (f"GET http://a.example/{'x' * 9000} HTTP/1.1",),
        ("GET http://a.example/ HTTP/1.1", "no colon"),
        ("GET http://a.example/ HTTP/1.1", "A: b", " folded: c"),
        ("GET http://a.example/ HTTP/1.1", "A : b"),
        ("GET http://a.example/ HTTP/1.1", "A: b\nHost: c"),
        ("GET http://a.example/ HTTP/1.1", "A: b\x00"),
        ("POST http://a.example/ HTTP/1.1", "Content-Length: 1", "Content-Length: 2"),
        ("POST http://a.example/ HTTP/1.1", "Content-Length: +1"),
        ("POST http://a.example/ HTTP/1.1", "Content-Length: 1", "Transfer-Encoding: chunked"),
        ("POST http://a.example/ HTTP/1.1", "Transfer-Encoding: gzip, chunked"),
        ("POST http://a.example/ HTTP/1.1", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
    ],
)
def test_where_readers_could_differ_there_is_no_request(lines: tuple[str, ...]) -> None:
    with pytest.raises(Malformed):
        request(_head(*lines))
