import pytest

from toolpost.sandbox.proxy.addresses import objection
from toolpost.sandbox.proxy.hosts import Asked, hosts, is_local_name, normal_host

PRIVATE, OWN, HIDES, MANY = (
    "a private address",
    "the machine's own credentials",
    "an address that hides another",
    "no single machine",
)


def _asked(host: str, port: int = 443, scheme: str = "https", path: str = "") -> Asked:
    return Asked(host=host, port=port, scheme=scheme, path=path)


@pytest.mark.parametrize(
    ("pattern", "asked", "covered"),
    [
        ("pypi.org", _asked("pypi.org"), True),
        ("PyPI.org.", _asked("pypi.org"), True),
        ("pypi.org", _asked("pypi.org", 22), False),
        ("pypi.org:22", _asked("pypi.org", 22), True),
        ("pypi.org:22", _asked("pypi.org"), False),
        ("pypi.org", _asked("a.pypi.org"), False),
        ("pypi.org", _asked("evilpypi.org"), False),
        ("*.pypi.org", _asked("a.b.pypi.org"), True),
        ("*.pypi.org", _asked("pypi.org"), False),
        ("*.pypi.org", _asked("evilpypi.org"), False),
        ("*", _asked("any.example"), True),
        ("*", _asked("any.example", 22), False),
        ("*:22", _asked("any.example", 22), True),
        ("https://pypi.org", _asked("pypi.org"), True),
        ("https://pypi.org", _asked("pypi.org", 80, "http", "/"), False),
        ("http://pypi.org/simple", _asked("pypi.org", 80, "http", "/simple/x"), True),
        ("http://pypi.org/simple/**", _asked("pypi.org", 80, "http", "/simple"), True),
        ("http://pypi.org/Simple/*", _asked("pypi.org", 80, "http", "/Simple/x"), True),
        ("pypi.org/simple", _asked("pypi.org", 80, "http", "/simpler"), False),
        ("pypi.org/simple", _asked("pypi.org", 80, "http", "/simple/../x"), False),
        ("pypi.org/simple", _asked("pypi.org", 80, "http", "/simple/%2e%2e/x"), False),
        ("pypi.org/simple", _asked("pypi.org"), False),
        ("bücher.example", _asked("xn--bcher-kva.example"), True),
        ("[2001:DB8::1]:8080", _asked("2001:db8::1", 8080), True),
        ("10.1.2.3", _asked("10.1.2.3", 80, "http"), True),
        ("!localhost:3000", _asked("localhost", 3000, "http"), True),
    ],
)
def test_a_pattern_covers_what_it_surely_means(pattern: str, asked: Asked, *, covered: bool) -> None:
    assert hosts((pattern,)).allow(asked) is covered


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "a b",
        "user@a.example",
        "a.*.example",
        "a.example/../x",
        "a.example:x",
        "..",
        "1.2.3",
        "[::1",
        "\udc80.a",
    ],
)
def test_what_is_no_pattern_covers_nothing(pattern: str) -> None:
    assert hosts((pattern,)).patterns == ()


def test_only_a_rule_that_names_a_host_opens_what_is_private() -> None:
    known = hosts(("!*", "a.example", "!b.example", "!*.c.example"))
    names = ("a.example", "b.example", "x.c.example", "z.example")
    assert [known.open(_asked(name)) for name in names] == [False, True, True, False]
    assert all(known.allow(_asked(name)) for name in names)


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("Example.ORG.", "example.org"),
        ("a_b.example", "a_b.example"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "::1"),
        ("[0:0::ffff:1.2.3.4]", "::ffff:102:304"),
        ("127.1", ""),
        ("0127.0.0.1", ""),
        ("0x7f000001", ""),
        ("2130706433", ""),
        ("a.0x7f", ""),
        ("[fe80::1%eth0]", ""),
        ("[::1", ""),
        ("[x]", ""),
        ("", ""),
        ("a..b", ""),
        ("-a.b", ""),
        ("a b", ""),
        ("ä.b", ""),
        ("a." * 130 + "b", ""),
    ],
)
def test_a_host_has_one_spelling_or_is_none(text: str, host: str) -> None:
    assert normal_host(text) == host


def test_some_names_mean_another_machine_everywhere() -> None:
    local = ("printer", "localhost", "a.localhost", "a.local", "metadata.google.internal", "x.home.arpa")
    assert all(map(is_local_name, local))
    assert not any(map(is_local_name, ("example.org", "10.0.0.1", "::1", "notlocal.example")))


@pytest.mark.parametrize(
    ("address", "closed", "opened"),
    [
        ("93.184.215.14", "", ""),
        ("2606:2800:21f:cb07::1", "", ""),
        ("127.0.0.1", PRIVATE, ""),
        ("::1", PRIVATE, ""),
        ("10.0.0.1", PRIVATE, ""),
        ("100.64.0.1", PRIVATE, ""),
        ("169.254.1.1", PRIVATE, ""),
        ("0.0.0.0", PRIVATE, ""),
        ("192.0.0.8", PRIVATE, ""),
        ("192.88.99.1", PRIVATE, ""),
        ("198.18.0.1", PRIVATE, ""),
        ("255.255.255.255", PRIVATE, ""),
        ("fe80::1", PRIVATE, ""),
        ("fec0::1", PRIVATE, ""),
        ("fd00::1", PRIVATE, ""),
        ("2001:db8::1", PRIVATE, ""),
        ("3fff::1", PRIVATE, ""),
        ("::ffff:10.0.0.1", PRIVATE, ""),
        ("::ffff:93.184.215.14", "", ""),
        ("2002:0a00:0001::1", PRIVATE, ""),
        ("169.254.169.254", OWN, OWN),
        ("::ffff:169.254.169.254", OWN, OWN),
        ("2002:a9fe:a9fe::1", OWN, OWN),
        ("168.63.129.16", OWN, OWN),
        ("100.100.100.200", OWN, OWN),
        ("fd00:ec2::254", OWN, OWN),
        ("64:ff9b::5db8:d70e", HIDES, HIDES),
        ("64:ff9b:1::1", HIDES, HIDES),
        ("::10.0.0.1", HIDES, HIDES),
        ("::", HIDES, HIDES),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", HIDES, HIDES),
        ("2606:2800::5efe:a00:1", HIDES, HIDES),
        ("224.0.0.1", MANY, MANY),
        ("ff02::1", MANY, MANY),
        ("fe80::1%eth0", PRIVATE, ""),
        ("rubbish", "an address that cannot be read", "an address that cannot be read"),
    ],
)
def test_addresses_are_judged_by_what_they_lead_to(address: str, closed: str, opened: str) -> None:
    assert (objection(address), objection(address, opened=True)) == (closed, opened)
