import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.desk import Run, Screen, at_terminal, process

from toolpost.cli import indexing
from toolpost.cli.main import main
from toolpost.cli.searching.asked import Where
from toolpost.cli.searching.choice import Choice
from toolpost.cli.searching.files import Indexed, read
from toolpost.cli.searching.missed import Missed
from toolpost.cli.searching.targets import Target
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.workspace import Place

FILES = {
    "a.py": "import os\nfoo = 1\nprint(foo)\n",
    "b.md": "# Foo\n\nfoo bar\n",
    "src/c.ts": "export const foo = 2;\n",
    "src/.d.ts": "declare const foo;\n",
}


@pytest.fixture(autouse=True)
def project(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(work.parent / "cache"))
    for path, text in FILES.items():
        (work / path).parent.mkdir(exist_ok=True)
        (work / path).write_text(text)
    return work


@pytest.fixture(params=["scanned", "indexed"])
def searched(request: pytest.FixtureRequest, project: Path, run: Run) -> Path:
    if request.param == "indexed":
        assert run("index", "build").code == 0
    return project


# What is found.


def test_a_pipe_gets_path_line_and_text(run: Run, searched: Path) -> None:
    assert run("search", "foo") == (
        0,
        "a.py:2:foo = 1\na.py:3:print(foo)\nb.md:3:foo bar\nsrc/c.ts:1:export const foo = 2;\n",
        "",
    )


def test_exit_codes_are_those_of_ripgrep(run: Run, searched: Path) -> None:
    assert run("search", "foo").code == 0
    assert run("search", "nothing like it") == (1, "", "")
    assert run("search", "-q", "foo") == (0, "", "")
    assert run("search", "-q", "nothing like it") == (1, "", "")
    assert run("search", "foo", "nope", "a.py").code == 2
    assert run("search", "-q", "foo", "nope", "a.py").code == 0


def test_what_cannot_be_opened_is_told_and_the_rest_is_searched(run: Run, searched: Path) -> None:
    shown = run("search", "foo", "nope", "b.md")

    assert shown == (2, "b.md:3:foo bar\n", "error: There is no file nope.\n")


def test_an_empty_pattern_matches_every_line(run: Run, searched: Path) -> None:
    assert run("search", "-c", "", "a.py").out == "3\n"
    assert run("search", "-cF", "", "a.py").out == "3\n"


def test_several_patterns_are_one_search(run: Run, searched: Path) -> None:
    assert run("search", "-e", "bar", "-e", "import", "-o").out == "a.py:1:import\nb.md:3:bar\n"
    assert run("search", "-F", "-e", "foo)", "-e", "# F", "-o").out == "a.py:3:foo)\nb.md:1:# F\n"


def test_the_last_of_several_cases_and_edges_holds(run: Run, searched: Path) -> None:
    assert run("search", "-i", "-s", "FOO").code == 1
    assert run("search", "-s", "-i", "FOO", "-l").out == "a.py\nb.md\nsrc/c.ts\n"
    assert run("search", "-w", "-x", "foo").code == 1


def test_a_file_that_is_named_is_searched_whatever_it_is_called(run: Run, searched: Path) -> None:
    assert run("search", "foo", "src/.d.ts").out == "1:declare const foo;\n"
    assert run("search", "foo", "src/.d.ts", "-tpy").out == "1:declare const foo;\n"


def test_a_binary_file_that_is_named_is_told_of_and_not_shown(run: Run, searched: Path) -> None:
    (searched / "x.bin").write_bytes(b"ab\0foo\n")

    assert run("search", "foo", "x.bin").out == 'binary file matches (found "\\0" byte around offset 2)\n'
    assert run("search", "-H", "foo", "x.bin").out.startswith("x.bin: binary file matches")
    assert run("search", "-c", "foo", "x.bin", "b.md").out == "x.bin:1\nb.md:1\n"
    assert run("search", "-l", "foo", "x.bin").out == "x.bin\n"
    assert run("search", "bar", "x.bin").code == 1
    assert run("search", "--files-without-match", "bar", "x.bin").out == "x.bin\n"
    assert "x.bin" not in run("search", "-l", "foo").out


def test_secrets_are_never_shown(run: Run, searched: Path) -> None:
    (searched / ".env").write_text("TOKEN=foo\n")

    assert ".env" not in run("search", "-uu", "-l", "foo").out
    shown = run("search", "foo", ".env")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error: .env may hold secrets")


def test_a_file_larger_than_a_search_takes_is_passed_over(
    run: Run, searched: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.cli.searching.files.SEARCH_FILE_BYTES", 10)

    assert "a.py" not in run("search", "-u", "-l", "foo").out
    assert run("search", "foo", "b.md").out == "3:foo bar\n"


def test_a_link_that_is_named_is_followed(run: Run, searched: Path) -> None:
    other = searched.parent / "other"
    other.mkdir()
    (other / "e.py").write_text("foo\n")
    (searched / "inner").symlink_to("src")
    (searched / "outer").symlink_to(other)

    assert run("search", "foo", "inner").out == "inner/c.ts:1:export const foo = 2;\n"
    assert run("search", "foo", "outer").out == "outer/e.py:1:foo\n"
    assert run("search", "-l", "foo").out == "a.py\nb.md\nsrc/c.ts\n"


def test_a_folder_outside_the_workspace_is_searched_when_it_is_named(run: Run, searched: Path) -> None:
    other = searched.parent / "other"
    other.mkdir()
    (other / "e.py").write_text("foo\n")

    assert run("search", "foo", "../other").out == "../other/e.py:1:foo\n"
    assert run("search", "-n", "foo", "../other/e.py").out == "1:foo\n"
    assert run("search", "foo", "-g*.py", str(other)).out == f"{other}/e.py:1:foo\n"


def test_below_a_root_only_the_folder_we_are_in_is_searched(
    run: Run, searched: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", str(searched))
    monkeypatch.chdir(searched / "src")

    assert run("search", "-l", "foo").out == "c.ts\n"
    assert run("search", "-l", "foo", "..").out == "../a.py\n../b.md\n../src/c.ts\n"


def test_where_we_are_in_no_root_the_whole_workspace_is_searched(
    run: Run, searched: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = searched.parent / "other"
    other.mkdir()
    (other / "e.py").write_text("foo\n")
    monkeypatch.chdir("/")
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", f"{searched}")
    assert run("search", "-l", "foo").out == "a.py\nb.md\nsrc/c.ts\n"

    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", f"{searched},{other}")
    assert run("search", "-l", "foo", "-t", "py").out == "work/a.py\nother/e.py\n"
    assert run("search", "--files", "-tmd").out == "work/b.md\n"


def test_a_path_of_a_git_revision_is_searched_there(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "Begin")):
        subprocess.run(["git", *person, *words], cwd=project, check=True, capture_output=True, timeout=60)
    (project / "b.md").write_text("changed\n")
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "git:.@HEAD")

    assert run("search", "foo", "b.md").out == "3:foo bar\n"
    assert run("search", "foo", "src").out == "src/c.ts:1:export const foo = 2;\n"
    assert run("search", "foo", "nope").code == 2


# An index and the files themselves.


def test_changes_since_the_build_are_seen(run: Run, project: Path) -> None:
    run("index", "build")
    (project / "a.py").write_text("bar = 1\n")
    (project / "b.md").unlink()
    (project / "new.py").write_text("foo\n")

    assert run("search", "foo").out == "new.py:1:foo\nsrc/c.ts:1:export const foo = 2;\n"
    assert run("search", "-v", "foo", "-tpy").out == "a.py:1:bar = 1\n"
    assert run("search", "--files").out == "a.py\nnew.py\nsrc/c.ts\n"


def test_a_damaged_index_is_no_reason_to_find_nothing(run: Run, project: Path) -> None:
    built = (run("index", "build").json[0] for _ in range(200))
    assert next(one for one in built if one["taken"] == one["files"])
    (text,) = (project.parent / "cache").glob("toolpost/index/*/*.text")
    text.chmod(0o600)
    text.write_bytes(text.read_bytes().replace(b"print", b"prinx"))

    shown = run("search", "foo", "-tpy")
    assert (shown.code, shown.out) == (0, "a.py:2:foo = 1\na.py:3:print(foo)\n")
    said = "note: The index is damaged, so the files were read: toolpost index build --full mends it.\n"
    assert shown.err == said


def test_a_page_that_turns_out_damaged_late_is_read_from_the_tree(run: Run, project: Path) -> None:
    for number in range(200):
        (project / f"many-{number:03}.txt").write_text(f"bar {'-' * 1000}\n")
    (project / "z.txt").write_text("last bar\n")
    built = (run("index", "build").json[0] for _ in range(200))
    assert next(one for one in built if one["taken"] == one["files"])  # so that no file is read again
    (text,) = (project.parent / "cache").glob("toolpost/index/*/*.text")
    text.chmod(0o600)
    text.write_bytes(text.read_bytes().replace(b"last", b"lost"))

    shown = run("search", "-v", "--", "-----")
    assert shown.out.endswith("src/c.ts:1:export const foo = 2;\nz.txt:1:last bar\n")
    assert len(shown.out.splitlines()) == len(set(shown.out.splitlines())) == 8


def test_very_many_files_are_looked_up_at_once(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.cli.searching.files.SEARCH_LOOKED_UP", 1)
    run("index", "build")

    assert run("search", "-c", "foo").out == "a.py:2\nb.md:1\nsrc/c.ts:1\n"
    assert run("search", "-c", "foo", "src").out == "src/c.ts:1\n"


def test_a_file_that_goes_away_meanwhile_is_passed_over(project: Path) -> None:
    with closing(LocalRoot(project)) as root:
        assert read(Target(place=Place(root, "", "")), "gone.py", Missed()) is None


def test_an_index_built_by_other_rules_shows_no_secret(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".env").write_text("TOKEN=foo\n")
    with monkeypatch.context() as allowing:
        allowing.setenv("TOOLPOST_WORKSPACE_SECRETS", "allow")
        run("index", "build")
        assert run("search", "-.", "TOKEN").out == ".env:1:TOKEN=foo\n"
        with indexing.grounds() as (workspace, indexes):
            snapshot = indexes.ask(indexing.one_root(workspace), lambda found: found)

    with closing(LocalRoot(project)) as root:
        target = Target(place=Place(root, "", ""))
        assert Indexed(target, Choice(Where(hidden=True)), snapshot, Missed()).text(".env") is None
    assert run("search", "-.", "TOKEN").code == 1


def test_a_search_makes_no_index(run: Run, project: Path) -> None:
    run("search", "foo")

    assert not (project.parent / "cache").exists()


def test_a_terminal_is_told_once_that_an_index_would_be_faster(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("toolpost.cli.searching.search.SEARCH_NUDGE_FILES", 1)
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    main(["search", "foo", ".", "src"])
    assert screen.getvalue() == "note: `toolpost index build` makes searches of this tree faster.\n"

    monkeypatch.setattr(sys, "stderr", second := Screen())
    main(["index", "build"])
    main(["search", "foo"])
    assert "toolpost index build" not in second.getvalue()


# How it is shown.


def test_a_terminal_gets_headings_and_colors(project: Path) -> None:
    shown = at_terminal("search", "foo", "b.md", "src", folder=project)

    path, number, match = "\x1b[0m\x1b[35m", "\x1b[0m\x1b[32m", "\x1b[0m\x1b[1m\x1b[31m"
    assert shown.out.splitlines() == [
        f"{path}b.md\x1b[0m",
        f"{number}3\x1b[0m:{match}foo\x1b[0m bar",
        "",
        f"{path}src/c.ts\x1b[0m",
        f"{number}1\x1b[0m:export const {match}foo\x1b[0m = 2;",
    ]


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TOOLPOST_COLOR", "never")])
def test_colors_can_be_switched_off(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    shown = at_terminal("search", "foo", "src", folder=project)

    assert shown.out.splitlines() == ["src/c.ts", "1:export const foo = 2;"]


def test_a_file_cannot_write_to_a_terminal(run: Run, searched: Path) -> None:
    (searched / "evil.txt").write_bytes(b"foo \x1b]0;owned\x07 foo\r\n")

    shown = run("search", "--color=always", "foo", "evil.txt")
    assert "\x1b]" not in shown.out
    assert "\x07" not in shown.out
    assert "\r" not in shown.out
    assert run("search", "foo", "evil.txt").out == "1:foo \x1b]0;owned\x07 foo\r\n"


def test_lines_around_matches_are_marked_and_groups_are_set_apart(run: Run, searched: Path) -> None:
    (searched / "n.txt").write_text("".join(f"{number}\n" for number in range(1, 13)))

    assert run("search", "-C1", "^[259]$", "n.txt").out.split() == [
        *("1-1", "2:2", "3-3", "4-4", "5:5", "6-6", "--", "8-8", "9:9", "10-10"),
    ]
    assert run("search", "-H", "-A1", "-m1", "^[23]$", "n.txt").out == "n.txt:2:2\nn.txt:3:3\n"
    assert run("search", "-B1", "-A0", "^1", "n.txt").out.split() == [
        "1:1",
        "--",
        "9-9",
        "10:10",
        "11:11",
        "12:12",
    ]
    told = [json.loads(line) for line in run("search", "--json", "-C1", "^2$", "n.txt").out.splitlines()]
    assert [one["type"] for one in told] == ["begin", "context", "match", "context", "end", "summary"]


def test_every_match_of_a_line_is_told(run: Run, searched: Path) -> None:
    (searched / "w.txt").write_text("naïve foo, éfoo foo\nfoofoo x\n")

    assert run("search", "-ow", r"foo", "w.txt").out == "1:foo\n1:foo\n"
    assert run("search", "-o", r"\w+oo", "w.txt").out == "1:foo\n1:éfoo\n1:foo\n2:foofoo\n"
    assert run("search", "--vimgrep", "foo ", "w.txt").out == (
        "w.txt:1:15:naïve foo, éfoo foo\nw.txt:2:4:foofoo x\n"
    )
    assert run("search", "--count-matches", "foo", "w.txt").out == "5\n"
    assert run("search", "--column", "x", "w.txt").out == "2:8:foofoo x\n"


def test_a_match_over_lines_is_shown_line_by_line(run: Run, searched: Path) -> None:
    assert run("search", "-U", r"Foo\n\nfoo", "b.md").out == "1:# Foo\n2:\n3:foo bar\n"
    assert run("search", "-Uo", r"Foo\n\nfoo", "b.md").out == "1:Foo\n3:foo\n"
    assert run("search", "-Uc", "o", "b.md").out == "4\n"
    assert run("search", "-Uv", r"Foo\n", "b.md").out == "2:\n3:foo bar\n"


def test_matches_that_touch_are_painted_as_one(run: Run, searched: Path) -> None:
    (searched / "w.txt").write_text("foofoo x\n")

    shown = run("search", "--color=always", "-N", "foo|z*", "w.txt")
    assert shown.out == "\x1b[0m\x1b[1m\x1b[31mfoofoo\x1b[0m x\n"


def test_lines_of_any_length_are_shown_whole(run: Run, searched: Path) -> None:
    (searched / "long.txt").write_text(f"{'x' * 100_000}foo\n")

    assert run("search", "foo", "long.txt").out == f"1:{'x' * 100_000}foo\n"


def test_ends_of_lines_that_windows_writes_do_not_hide_a_match(run: Run, searched: Path) -> None:
    (searched / "win.txt").write_bytes(b"foo\r\nbar foo\r\n")

    assert run("search", "foo$", "win.txt").out == "1:foo\n2:bar foo\n"
    assert run("search", "-x", "foo", "win.txt").out == "1:foo\n"


def test_a_limit_holds_for_all_files_together(run: Run, searched: Path) -> None:
    shown = run("search", "--limit", "2", "foo")
    assert shown.out == "a.py:2:foo = 1\na.py:3:print(foo)\n"
    assert shown.err == "note: --limit 2 is reached; there may be more.\n"
    assert run("search", "--limit", "3", "-m1", "-c", "foo").out == "a.py:1\nb.md:1\nsrc/c.ts:1\n"
    assert run("search", "-m0", "foo") == (1, "", "")


def test_numbers_of_a_search_are_told_at_its_end(run: Run, searched: Path) -> None:
    *_, blank, matches, lines, with_matches, files, printed, read, seconds = run(
        "search", "--stats", "fo+", "-tpy", "-tmd"
    ).out.splitlines()

    assert (blank, matches, lines) == ("", "3 matches", "3 matched lines")
    assert with_matches == "2 files contained matches"
    assert files.endswith(" files searched")
    assert printed == "48 bytes printed"
    assert read.endswith(" bytes searched")
    assert seconds.endswith(" seconds")
    assert "3 matches" in run("search", "--stats", "-c", "fo+", "-tpy", "-tmd").out


def test_all_types_are_listed(run: Run) -> None:
    lines = run("search", "--type-list").out.splitlines()

    assert "py: *.py, *.pyi" in lines
    assert "python: *.py, *.pyi" in lines
    assert lines == sorted(lines, key=lambda line: line.partition(":")[0])


def test_files_are_listed_without_a_pattern(run: Run, searched: Path) -> None:
    assert run("search", "--files", "src").out == "src/c.ts\n"
    assert run("search", "--files", "-q") == (0, "", "")
    assert run("search", "--files", "-tgo") == (1, "", "")
    assert run("search", "--files", "nope").code == 2
    assert run("search", "--files", "a.py").out == "a.py\n"


def test_a_name_that_is_no_text_is_passed_over(run: Run, project: Path) -> None:
    (project / os.fsdecode(b"caf\xe9.py")).write_text("foo\n")
    scanned = run("search", "--files").out
    run("index", "build")

    assert scanned == run("search", "--files").out == "a.py\nb.md\nsrc/c.ts\n"
    assert run("search", "-l", "foo").out == "a.py\nb.md\nsrc/c.ts\n"


def test_text_that_is_no_utf8_is_base64_in_json(run: Run, searched: Path) -> None:
    (searched / "odd.txt").write_bytes(b"\x01\x02foo\xff\x81\n")

    assert '"lines":{"bytes":"AQJmb2//gQo="}' in run("search", "--json", "foo", "odd.txt").out


def test_empty_matches_over_lines_end_with_the_last_line(run: Run, searched: Path) -> None:
    assert run("search", "-Uc", "z*", "b.md").code == 0
    assert run("search", "-U", "z*", "b.md").out == "1:# Foo\n2:\n3:foo bar\n"


def test_a_folder_that_is_excluded_takes_with_it_all_it_holds(run: Run, searched: Path) -> None:
    (searched / "src/deep").mkdir()
    (searched / "src/deep/x.py").write_text("foo\n")

    assert run("search", "-l", "foo", "-g!src").out == "a.py\nb.md\n"
    assert run("search", "-l", "foo", "-g!src/", "-g", "*.py").out == "a.py\n"
    assert run("search", "-l", "foo", "-g!deep", "src").out == "src/c.ts\n"


# What cannot be done.


@pytest.mark.parametrize(
    ("args", "said", "step"),
    [
        ((), "There is nothing to look for.", "toolpost search PATTERN [PATH]..."),
        (("foo(",), "The regular expression cannot be read: missing )", "toolpost search -F looks for"),
        ((r"a\nb",), "The pattern speaks of a line's end", "toolpost search -U lets it cross lines."),
        (("x" * 100_000,), "It has 100,000 characters", "toolpost search --help"),
        (("foo", "-tzzz"), "There is no file type 'zzz'.", "toolpost search --type-list"),
        (("foo", "-g", "../x"), "-g ../x: The glob holds `..`", "toolpost search --help"),
        (("foo", "-uuu"), "-uuu would search binary files", "toolpost search -uu …"),
        (("foo", "--sort", "modified"), "Invalid value for '--sort'", "toolpost search --help"),
    ],
)
def test_what_cannot_be_searched_for_is_one_line_and_the_next_step(
    run: Run, args: tuple[str, ...], said: str, step: str
) -> None:
    shown = run("search", *args)

    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error: {said}")
    assert f"\n  next: {step}" in shown.err


def test_a_reader_that_stops_reading_ends_the_search_quietly(project: Path) -> None:
    (project / "many.txt").write_text("foo\n" * 200_000)
    command = f"{sys.executable} -m toolpost search foo; echo $? >&2"
    done = subprocess.run(
        ["/bin/sh", "-c", f"({command}) | head -1"], capture_output=True, cwd=project, timeout=60, check=True
    )

    assert (done.stdout, done.stderr) == (b"a.py:2:foo = 1\n", b"141\n")


@pytest.mark.parametrize("count", [1, 200_000])
def test_a_full_disk_is_told(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], count: int
) -> None:
    (project / "many.txt").write_text("foo\n" * count)
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["search", "foo", "many.txt"]) == 1

    assert capsys.readouterr().err.startswith("error: The output cannot be written: No space left on device.")


def test_a_search_needs_neither_numpy_nor_a_parser_nor_rich(project: Path) -> None:
    process("index", "build", folder=project)
    program = (
        "import sys; from toolpost.cli.main import main; main(['search', 'foo']); "
        "heavy = {'numpy', 'tree_sitter', 'watchfiles', 'rich'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=project, capture_output=True, timeout=60, check=False
    )

    assert (done.returncode, done.stderr) == (0, b"")
