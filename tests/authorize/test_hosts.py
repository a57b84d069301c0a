"""Hosts: every spelling of one is one, and what two readers may read differently is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.authorize.hosts import Place, is_metadata, is_private, normal_host, parse

METADATA = "169.254.169.254"


@pytest.mark.parametrize(
    "spelling",
    [
        "169.254.169.254",
        "http://0251.0376.0251.0376/",
        "http://0xa9fea9fe",
        "0XA9.0xFE.0xa9.0xfe",
        "2852039166",
        "169.254.43518",
        "169.16689662",
        "169.254.169.254.",
        "[::ffff:169.254.169.254]",
        "[::ffff:a9fe:a9fe]:80",
        "::ffff:a9fe:a9fe",
        "[::a9fe:a9fe]",
        "[::ffff:0:a9fe:a9fe]",
        "[64:ff9b::a9fe:a9fe]",
        "[64:ff9b:1::a9fe:a9fe]",
        "[2002:a9fe:a9fe::1]",
        "[2001:0:4136:e378:8000:63bf:5601:5601]",
        "[fe80::5efe:a9fe:a9fe]",
        "http://user:pass@169.254.169.254/latest",
        "169%2e254.169.254",
        "\u2460\u2465\u2468.254\u3002169\uff0e254",
    ],
)
def test_every_spelling_of_the_metadata_address_is_that_address(spelling: str) -> None:
    assert normal_host(spelling) == METADATA
    assert is_metadata(spelling)
    assert is_private(spelling)


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("Docs.Python.ORG", "docs.python.org"),
        ("docs.python.org.", "docs.python.org"),
        ("https://docs.python.org:443/3/?q#f", "docs.python.org"),
        ("https://good.org@evil.com/", "evil.com"),
        ("https://evil.com#@good.org", "evil.com"),
        ("https://evil.com?@good.org", "evil.com"),
        ("git@github.com:owner/name.git", "github.com"),
        ("ssh://git@github.com:22/x", "github.com"),
        ("http:evil.com", "evil.com"),
        ("http:///evil.com", "evil.com"),
        ("HTTP:/evil.com", "evil.com"),
        ("//evil.com/x", "evil.com"),
        ("evil.com/x", "evil.com"),
        ("ev%69l.com", "evil.com"),
        ("localhost:8080", "localhost"),
        ("m\u00fcnchen.de", "xn--mnchen-3ya.de"),
        ("M\u00dcN\u00adCHEN.de", "xn--mnchen-3ya.de"),
        ("mu\u0308nchen.de", "xn--mnchen-3ya.de"),
        ("XN--mnchen-3ya.de", "xn--mnchen-3ya.de"),
        ("\uff45vil.com", "evil.com"),
        ("a_b.c", "a_b.c"),
        ("::1", "::1"),
        ("[::1]:80", "::1"),
        ("[fe80::1%25eth0]", "fe80::1"),
        ("[::]", "::"),
        ("0", "0.0.0.0"),
        ("127.1", "127.0.0.1"),
        ("08.1.1.1", "8.1.1.1"),
    ],
)
def test_a_host_has_one_spelling(text: str, host: str) -> None:
    assert normal_host(text) == host


@pytest.mark.parametrize(
    "text",
    [
        "",
        "http://",
        "http://good.org\0.evil.com",
        "http://good.org%00.evil.com",
        "http://good.org\\@evil.com",
        "http://good.org%5c.evil.com",
        " good.org",
        "good.org ",
        "good .org",
        "good.org\tx",
        "good\u3000.org",
        "good\u202e.org",
        "good\ud800.org",
        "a@b@c.org",
        "a..org",
        ".org",
        "-a.org",
        "a" * 64 + ".org",
        "a." * 130 + "org",
        "x" * 3000,
        "http://good.org:x/",
        "http://good.org:70000/",
        "[::1]x",
        "[::1",
        "[zz]",
        "1.2.3.4.5",
        "999.1.1.1",
        "a.0x1",
        "09.1.1.999",
        "http://\u2100.com/",
        "*.x.org",
    ],
)
def test_what_is_read_differently_by_others_is_no_host(text: str) -> None:
    assert normal_host(text) is None
    assert not is_private(text)
    assert not is_metadata(text)


def test_two_editions_of_a_standard_give_two_hosts() -> None:
    assert parse("stra\u00dfe.de") == Place(host="xn--strae-oqa.de", twins=("strasse.de",))
    assert parse("010.0.0.1") == Place(host="8.0.0.1", twins=("10.0.0.1",))
    assert is_private("010.0.0.1")


def test_a_url_is_taken_apart() -> None:
    assert parse("https://u@x.org:8443/a/b?c#d") == Place(
        host="x.org", scheme="https", port=8443, path="/a/b", is_whole=True
    )
    places = [parse(text) for text in ("https://x.org", "x.org", "ssh://x.org:1")]
    assert [place and place.real_port for place in places] == [443, None, 1]


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.1.1",
        "172.16.0.1",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "[::1]",
        "[fc00::1]",
        "[fe80::1]",
        "localhost",
        "a.localhost",
        "printer.local",
        "db.internal",
        "x.home.arpa",
        "ip6-localhost",
        "http://LOCALHOST:80/",
    ],
)
def test_private_addresses_and_names_are_private(text: str) -> None:
    assert is_private(text)


@pytest.mark.parametrize(
    "text", ["8.8.8.8", "[2606:4700::1111]", "pypi.org", "localhost.org", "notlocal", "internal.org"]
)
def test_public_ones_are_not(text: str) -> None:
    assert not is_private(text)
    assert not is_metadata(text)


@pytest.mark.parametrize(
    "text", ["http://metadata.google.internal/x", "METADATA.google.internal.", "fd00:ec2::254"]
)
def test_the_names_of_metadata_services_are_known(text: str) -> None:
    assert is_metadata(text)


@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text_is_answered(text: str) -> None:
    assert is_private(text) in {True, False}
    assert is_metadata(text) in {True, False}


@given(st.text("abz019xX.:-[]@/%\u00fc\u00df", max_size=24))
def test_a_normal_host_stays_as_it_is(text: str) -> None:
    host = normal_host(text)
    if host is not None:
        assert normal_host(host) == host
        assert host.isascii()
