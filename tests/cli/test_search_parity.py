"""`toolpost search` beside ripgrep: the same flags on the same tree give the same output."""

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.desk import Run

TREE = {
    ".gitignore": "ignored/\n*.log\n",
    ".hidden.py": "foo = 'hidden'\n",
    ".github/flow.yaml": "name: foo\n",
    "a.log": "foo ignored\n",
    "ignored/x.py": "foo ignored\n",
    "readme.md": "# Foo\n\nfoo bar\nfoobar\n  foo_bar baz\n\nLast FOO",
    "empty.py": "",
    "lines.txt": "".join(f"line {number} {'foo' * (number % 4 == 0)}\n" for number in range(1, 60)),
    "src/a/one.py": "import os\n\n\ndef foo(bar):\n    return foo(bar) + bar.foo\n\n\nclass Foo:\n    pass\n",
    "src/a/two.ts": "export const foo = 1;\nexport function bar() {\n  return foo;\n}\n",
    "src/a-b/three.js": "foo();\nfoo foo foo\n\n// end",
    "src/a.md": "foo\nbar\nfoo\n\n\nbar\n",
    "src/wide.py": "é = 'fooé foo'\nnaïve_foo\nλ foo λ\n日本語foo bar\n",
    "src/deep/er/still/x.css": ".foo { color: red }\n.bar { color: foo }\n",
    "src/z.json": '{"foo": ["bar", "foo"],\n "baz": null}\n',
    "long.js": f"var foo = '{'x' * 3000}';\nvar bar;\n",
}
PATTERNS = (
    *("foo", "bar", "Foo", "fo+", "foo|bar", r"\bfoo\b", r"\w+\(", "^foo", "bar$", r"f.o", r"[a-z]+_[a-z]+"),
    *(
        r"\s+foo",
        r"(?i)last",
        "nothing like it",
        r"\d+ foo",
        "é",
        r"foo\W",
        ".",
        "^$",
        r"foo(bar|;)?",
        "x{5}",
    ),
)
SWITCHES = ("-i", "-s", "-S", "-w", "-x", "-v", "-o", "-F", "--column", "-H", "-I", "--hidden", "--no-ignore")
FORMS = (
    "",
    "",
    "",
    "",
    "-c",
    "--count-matches",
    "-l",
    "--files-without-match",
    "--vimgrep",
    "--heading",
    "--color=always",
)
CONTEXT = ("", "", "", "-A1", "-B2", "-C1", "-C3", "-A0")
CHOICE = (
    "",
    "",
    "",
    "-g*.py",
    "-g!*.md",
    "-gsrc/**",
    "-g!src/a",
    "-tpy",
    "-Tjson",
    "-tmd -tcss",
    "-g*.{js,ts}",
    "-g!*.py -gx.css",
)
PATHS = (
    "",
    "",
    "",
    "src",
    "./src",
    ".",
    "src/ readme.md",
    "src/a/one.py",
    "readme.md lines.txt",
    "src/../src/a",
)


@pytest.fixture
def tree(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(work.parent / "cache"))
    if shutil.which("rg") is None:
        pytest.skip("ripgrep is not installed")
    for path, text in TREE.items():
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        (work / path).write_bytes(text.encode())
    (work / "picture.png").write_bytes(b"\x89PNG\0foo\n")
    for name in ("objects", "refs"):
        (work / ".git" / name).mkdir(parents=True)
    (work / ".git/HEAD").write_text("ref: refs/heads/main\n")
    return work


@pytest.fixture(params=["scanned", "indexed"])
def searched(request: pytest.FixtureRequest, tree: Path, run: Run) -> Path:
    """The tree, once without an index and once with one, of which some files changed since."""
    if request.param == "indexed":
        (tree / "src/a.md").write_text("foo was other\n")
        (tree / "gone.py").write_text("foo\n")
        assert run("index", "build").code == 0
        (tree / "src/a.md").write_text(TREE["src/a.md"])
        (tree / "gone.py").unlink()
    return tree


def ripgrep(folder: Path, *args: str) -> tuple[int, str]:
    done = subprocess.run(
        ["rg", "--no-config", "--no-ignore-global", "--no-ignore-parent", "--sort=path", "-g!.git", *args],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.decode()


def combinations(seed: int, count: int) -> Iterator[list[str]]:
    chance = random.Random(seed)
    for _ in range(count):
        switches = chance.sample(SWITCHES, chance.choice((0, 0, 1, 1, 2, 3)))
        numbers = chance.choice(("-n", "-n", "-n", "-N"))
        most = chance.choice(("", "", "", "-m1", "-m2"))
        rest = [chance.choice(options) for options in (FORMS, CONTEXT, CHOICE)]
        words = " ".join([numbers, *switches, most, *rest]).split()
        yield [*words, "-e", chance.choice(PATTERNS), *chance.choice(PATHS).split()]


def is_odd(args: list[str]) -> bool:
    """What ripgrep itself does strangely with inverted matches: there is nothing in them to point at."""
    others = {"-o", "--vimgrep", "--column", "--color=always"}
    return "-v" in args and bool(others & set(args))


@pytest.mark.parametrize("seed", range(4))
def test_any_flags_give_what_ripgrep_gives(run: Run, searched: Path, seed: int) -> None:
    for args in combinations(seed, 100):
        if is_odd(args):
            continue
        shown = run("search", *args)
        code, out = ripgrep(searched, *args)
        if "--files-without-match" in args:
            code = shown.code
        assert (shown.code, shown.out) == (code, out), args


@pytest.mark.parametrize("pattern", [r"foo\nbar", r"(?s)foo.bar", r"foo\n", r"\n\n", r"bar\n+def|foo"])
@pytest.mark.parametrize("flags", [(), ("-c",), ("-o",), ("-C1",), ("-l",)])
def test_a_match_over_several_lines_is_shown_as_ripgrep_does(
    run: Run, searched: Path, pattern: str, flags: tuple[str, ...]
) -> None:
    shown = run("search", "-nU", *flags, pattern)

    assert (shown.code, shown.out) == ripgrep(searched, "-nU", *flags, pattern)


@pytest.mark.parametrize(
    "flags", [(), ("-v",), ("-C1",), ("-m1",), ("-w",), ("-U",), ("-i", "-g*.py"), ("nothing like it",)]
)
def test_json_lines_are_those_of_ripgrep_but_for_times_and_sizes(
    run: Run, searched: Path, flags: tuple[str, ...]
) -> None:
    code, out = ripgrep(searched, "--json", *flags, "foo")
    shown = run("search", "--json", *flags, "foo")

    assert shown.code == code
    assert _messages(shown.out) == _messages(out)


def _messages(out: str) -> list[object]:
    told: list[object] = []
    for line in out.splitlines():
        message = json.loads(line)
        if message["type"] == "summary":
            stats = message["data"]["stats"]
            told.append({name: stats[name] for name in ("matched_lines", "matches", "searches_with_match")})
            continue
        stats = message["data"].get("stats")
        if stats:
            for name in ("elapsed", "bytes_printed", "bytes_searched"):
                del stats[name]
        told.append(message)
    return told


@pytest.mark.parametrize(
    "args", [(), ("-tpy",), ("-g!src",), ("--hidden",), ("src",), ("--no-ignore",), ("-u",), ("-uu",)]
)
def test_the_files_listed_are_those_ripgrep_lists(run: Run, searched: Path, args: tuple[str, ...]) -> None:
    assert run("search", "--files", *args)[:2] == ripgrep(searched, "--files", *args)
