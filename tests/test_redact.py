"""Secrets go; what only looks like one stays."""

import time
from collections.abc import Callable

import pytest

from toolpost import redact
from toolpost.redact import HIDDEN, is_secret_name

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g"
ATTACKS = {
    "ghp_" + "a1B2" * 9: HIDDEN,
    "see ghp_" + "a1B2" * 9 + " now": f"see {HIDDEN} now",
    "github_pat_" + "11AAAAAAA0" * 4: HIDDEN,
    "glpat-" + "x1" * 10: HIDDEN,
    "sk-ant-api03-" + "Ab1_" * 8: HIDDEN,
    "sk-proj-" + "Ab1_" * 8: HIDDEN,
    "key sk-" + "Ab1c" * 8: f"key {HIDDEN}",
    "xoxb-1234567890-abcdef": HIDDEN,
    "AKIA" + "ABCDEFGH12345678": HIDDEN,
    "AIza" + "a1b2c" * 7: HIDDEN,
    "sk_live_" + "a1" * 12: HIDDEN,
    "npm_" + "a1B2c" * 7: HIDDEN,
    "pypi-" + "AgEIcHl" * 6: HIDDEN,
    "hf_" + "aBcDe" * 7: HIDDEN,
    JWT: HIDDEN,
    f"Bearer%20{JWT}": f"Bearer%20{HIDDEN}",
    "eyJ" + "a" * 4000 + ".bbbbbbbbb.ccc": HIDDEN,
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest": f"{HIDDEN}\nrest",
    "-----BEGIN PRIVATE KEY-----\nMIIE cut off": HIDDEN,
    "password=hunter2!": f"password={HIDDEN}",
    "Password: hunter2": f"Password: {HIDDEN}",
    "api_key = abcdef": f"api_key = {HIDDEN}",
    '{"password": "hunter2", "user": "ada"}': f'{{"password": "{HIDDEN}", "user": "ada"}}',
    "{'token': 'abcd1234'}": f"{{'token': '{HIDDEN}'}}",
    "?token=abcd1234&page=2": f"?token={HIDDEN}&page=2",
    "Authorization: Bearer abc123def456": f"Authorization: Bearer {HIDDEN}",
    "Authorization: Basic dXNlcjpwYXNz=": f"Authorization: Basic {HIDDEN}",
    "postgres://ada:s3cret@db.example.org/x": f"postgres://ada:{HIDDEN}@db.example.org/x",
    "https://:pw@example.org": f"https://:{HIDDEN}@example.org",
}
BENIGN = [
    "http://localhost:8080/path",
    "https://example.org:8443/a?b=c@d",
    "mailto:ada@example.org",
    "the bearer token is missing",
    "a basic understanding of responsibilities",
    "task-management-dashboard-settings",
    "risk-assessment-framework-2025",
    "disk-encryption-and-backup-guide-1",
    "tokens: 1200 of 4000",
    "tokenizer=fast",
    "the secretary: Ada Lovelace",
    "eyJust.a.sentence",
    "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "00000000-0000-4000-8000-000000000001",
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
    "password=",
    "git@github.com:org/repo.git",
    "ghp_short",
    "short",
]


@pytest.mark.parametrize(("text", "shown"), ATTACKS.items(), ids=lambda text: text[:24])
def test_a_secret_is_hidden_and_what_stands_around_it_stays(text: str, shown: str) -> None:
    assert redact.text(text) == shown


@pytest.mark.parametrize("text", ATTACKS, ids=lambda text: text[:24])
def test_hiding_twice_is_hiding_once(text: str) -> None:
    assert redact.text(redact.text(text)) == redact.text(text)


@pytest.mark.parametrize("text", BENIGN)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact.text(text) == text


SECRET_NAMES = [
    "password",
    "passwd",
    "pwd",
    "pass",
    "passphrase",
    "DB_PASSWORD",
    "db.password",
    "dbPassword",
    "secret",
    "secrets",
    "client_secret",
    "clientSecret",
    "token",
    "access_token",
    "accessToken",
    "githubToken",
    "GITHUB_TOKEN",
    "refresh-token",
    "id_token",
    "api_key",
    "apiKey",
    "apikey",
    "X-Api-Key",
    "private_key",
    "privateKey",
    "AWS_SECRET_ACCESS_KEY",
    "Authorization",
    "Proxy-Authorization",
    "Cookie",
    "Set-Cookie",
    "credentials",
]
PLAIN_NAMES = [
    "path",
    "name",
    "max_tokens",
    "token_count",
    "tokens",
    "tokenizer",
    "passport",
    "compass",
    "bypass",
    "passed",
    "secretary",
    "password_hint",
    "author",
    "authority",
    "key",
    "keyboard",
    "monkey",
    "cookie_policy",
    "session_id",
    "primary_key",
    "public_key",
]


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_a_secret_is_known_by_its_name(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_a_name_that_only_looks_like_it_is_plain(name: str) -> None:
    assert not is_secret_name(name)


def test_a_value_is_searched_by_names_and_shapes_and_nothing_else_changes() -> None:
    given = {
        "user": {"name": "Ada", "password": "x", "token": ["a"], "secret": None, "pass": True, "api_key": 5},
        "log": ["fine", ("ghp_" + "a1B2" * 9, 3.5)],
        "token=abcd1234": 1,
        7: "seven",
    }
    assert redact.value(given) == {
        "user": {
            "name": "Ada", "password": HIDDEN, "token": HIDDEN, "secret": None, "pass": True, "api_key": HIDDEN
        },
        "log": ["fine", [HIDDEN, 3.5]],
        f"token={HIDDEN}": 1,
        "7": "seven",
    }  # fmt: skip


HOSTILE = ["eyJ", "-eyJ", "eyJaaaaaaaa.", "sk-", "://a:", "://", "password ", "token=", "bearer ", "basic \t"]
HOSTILE_TOO = [
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----",
    "PRIVATE KEY ",
    "xoxb-",
    "_",
    "a_",
    "token_",
    "aA",
    " ",
]


def _least_cpu(work: Callable[[], object]) -> int:
    def once() -> int:
        before = time.thread_time_ns()
        work()
        return time.thread_time_ns() - before

    return min(once() for _ in range(2))


@pytest.mark.parametrize("piece", [*HOSTILE, *HOSTILE_TOO])
@pytest.mark.parametrize("search", [redact.text, is_secret_name], ids=["text", "name"])
def test_a_hostile_text_of_eight_times_the_size_takes_about_eight_times_as_long(
    piece: str, search: Callable[[str], object]
) -> None:
    def took(size: int) -> int:
        text = "password=" + piece * (size // len(piece))
        return _least_cpu(lambda: search(text))

    assert took(1 << 17) < 8 * 4 * took(1 << 14) + 2_000_000  # quadratic would be 64 times


def test_a_megabyte_of_half_tokens_is_searched_to_its_end() -> None:
    assert redact.text("eyJ" * 350_000 + " token=abcd1234").endswith(f" token={HIDDEN}")
