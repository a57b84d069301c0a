"""Patterns of net rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.authorize.host_pattern import HostPattern, allows_host, catches_host, compile_host
from toolpost.errors import InvalidArgument


@pytest.mark.parametrize(
    ("pattern", "target"),
    [
        ("docs.python.org", "https://docs.python.org/3/"),
        ("docs.python.org", "DOCS.python.org."),
        ("*", "anything.org"),
        ("*.readthedocs.io", "https://x.readthedocs.io"),
        ("*.readthedocs.io", "a.b.readthedocs.io"),
        ("https://pypi.org", "https://pypi.org/simple"),
        ("pypi.org:443", "https://pypi.org/simple"),
        ("localhost:8080", "http://localhost:8080"),
        ("pypi.org/simple", "https://pypi.org/simple"),
        ("pypi.org/simple/*", "https://pypi.org/simple/x?y"),
        ("https://*", "https://x.org"),
        ("*:443", "https://x.org"),
        ("[::1]:80", "http://[::1]/"),
        ("::1", "[0:0:0:0:0:0:0:1]"),
        ("m\u00fcnchen.de", "xn--mnchen-3ya.de"),
        ("127.0.0.1", "0x7f000001"),
    ],
)
def test_an_allow_covers_what_it_names(pattern: str, target: str) -> None:
    assert allows_host(pattern, target)
    assert catches_host(pattern, target)


@pytest.mark.parametrize(
    ("pattern", "target"),
    [
        ("good.org", "good.org.evil.com"),
        ("good.org", "http://good.org@evil.com"),
        ("good.org", "goodXorg"),
        ("*.good.org", "good.org"),
        ("*.good.org", "evilgood.org"),
        ("good.org", "sub.good.org"),
        ("https://good.org", "http://good.org/"),
        ("good.org:443", "https://good.org:8443"),
        ("good.org/a", "https://good.org/ab"),
        ("xn--strae-oqa.de", "strasse.de"),
        ("10.0.0.1", "8.0.0.1"),
    ],
)
def test_a_host_that_only_begins_or_ends_like_it_is_another(pattern: str, target: str) -> None:
    """CVE-2026-24052: a check by how the host begins."""
    assert not allows_host(pattern, target)
    assert not catches_host(pattern, target)


@pytest.mark.parametrize(
    ("pattern", "target"),
    [
        ("good.org", "http://good.org\0.evil.com"),
        ("evil.com", "http://good.org\\@evil.com"),
        ("strasse.de", "stra\u00dfe.de"),
        ("10.0.0.1", "010.0.0.1"),
        ("https://good.org", "good.org"),
        ("good.org:443", "good.org"),
        ("good.org/a", "https://good.org/b/../a"),
        ("good.org/a", "https://good.org/%61"),
        ("good.org/a", "https://good.org/b/%252e%252e/a/x"),
        ("good.org/a", "https://good.org//a/;x/b"),
        ("good.org/a", "https://good.org/A"),
        ("good.org/a", "good.org"),
    ],
)
def test_what_may_be_meant_is_caught_and_not_allowed(pattern: str, target: str) -> None:
    assert catches_host(pattern, target)
    assert not allows_host(pattern, target)


@pytest.mark.parametrize(
    ("pattern", "target", "is_caught"),
    [
        ("evil.com", "https://evil.c", True),
        ("evil.com", "https://ev", True),
        ("*.evil.com", "https://a", True),
        ("evil.com", "https://evil.com/", True),
        ("evil.com:8080", "https://evil.com:", True),
        ("evil.com/a/b", "https://evil.com/a", True),
        ("*", "", True),
        ("evil.com", "", False),
        ("evil.com", "https://", False),
        ("evil.com", "https://good.org", False),
        ("evil.com", "https://ev/", False),
        ("evil.com/a", "https://evil.com/b", False),
    ],
)
def test_what_is_known_only_when_it_runs_is_caught_by_how_it_begins(
    pattern: str, target: str, is_caught: bool
) -> None:
    assert catches_host(pattern, target, fixed=False) is is_caught


def test_a_pattern_is_taken_apart() -> None:
    assert compile_host("HTTPS://*.Pypi.org:443/simple/") == HostPattern(
        "pypi.org", True, "https", 443, "/simple"
    )
    assert compile_host("*").is_any


@pytest.mark.parametrize(
    "pattern",
    [
        "a b",
        "*.*",
        "a.*.b",
        "x*",
        "u@x.org",
        "x.org?q",
        "x.org:a",
        "x.org/*/b",
        "x.org/../a",
        "stra\u00dfe.de",
        "*.1.2.3",
        "",
    ],
)
def test_what_is_no_host_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidArgument):
        compile_host(pattern)


@given(st.text("abz01.:-[]@/%*\u00fc\0\\ ", max_size=20), st.booleans())
def test_what_is_allowed_is_caught(target: str, fixed: bool) -> None:
    for pattern in ("a.b", "*.b", "*", "https://a/b", "a:80"):
        caught = catches_host(pattern, target, fixed=fixed)
        assert caught or not allows_host(pattern, target)
