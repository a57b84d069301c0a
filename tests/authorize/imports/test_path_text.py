import pytest

from toolpost.authorize.imports.path_text import of_gitignore, of_wildcard
from toolpost.result import Decision

ALLOW, DENY = Decision.ALLOW, Decision.DENY


@pytest.mark.parametrize(
    ("text", "allow", "deny"),
    [
        ("src/**", ("src/**",), ("src/**",)),
        (".env", (".env",), (".env",)),
        ("./.env", ("./.env",), (".env",)),
        ("/docs/**", ("docs/**",), ("docs/**",)),
        ("/", ("**",), ("**",)),
        ("//etc/hosts", ("/etc/hosts",), ("/etc/hosts",)),
        ("~/.zshrc", ("~/.zshrc",), ("~/.zshrc",)),
        ("build/", ("build/**",), ("build/**",)),
        ("a{b}", ("a\\{b\\}",), ("a\\{b\\}",)),
        ("!keep", (), ()),
        ("../x", (), ()),
    ],
)
def test_patterns_of_gitignore(text: str, allow: tuple[str, ...], deny: tuple[str, ...]) -> None:
    assert of_gitignore(text, ALLOW)[0] == allow
    assert of_gitignore(text, DENY)[0] == deny
    assert bool(of_gitignore(text, DENY)[1]) == (not deny)


@pytest.mark.parametrize(
    ("text", "allow", "deny"),
    [
        ("*", ("/**",), ("/**",)),
        ("packages/web/**", ("packages/web/**",), ("packages/web/**",)),
        ("src/*", ("src/**",), ("src/**",)),
        ("*.md", ("*.md",), ("*.md",)),
        ("src/*.ts", ("src/**/*.ts",), ("src/**/*.ts",)),
        ("**/x.ts", ("**/x.ts",), ("**/x.ts",)),
        ("foo*", ("foo*",), ("foo*", "**/foo*/**")),
        ("a/foo*", ("a/foo*",), ("a/foo*", "a/foo*/**")),
        ("$HOME/x", ("~/x",), ("~/x",)),
        ("a*b", ("a*b",), ()),
        ("a*/b", ("a*/b",), ()),
        ("a[b]", (), ()),
        ("../x", (), ()),
    ],
)
def test_patterns_whose_star_takes_slashes(text: str, allow: tuple[str, ...], deny: tuple[str, ...]) -> None:
    assert of_wildcard(text, ALLOW)[0] == allow
    assert of_wildcard(text, DENY)[0] == deny
