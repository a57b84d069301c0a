import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from tests.workspace.texts import ODD, git, pairs

from toolpost.limits import DIFF_LINES
from toolpost.workspace.editing.diff import hunks, quoted, unified
from toolpost.workspace.editing.patch import FilePatch, PatchKind, apply_file, parse_unified


def test_a_change_is_shown_with_three_lines_around_it() -> None:
    old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
    assert unified("a.txt", old, old.replace("5", "five")) == (
        "diff --git a/a.txt b/a.txt\n"
        "--- a/a.txt\n"
        "+++ b/a.txt\n"
        "@@ -2,7 +2,7 @@\n"
        " 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    )


def test_hunks_stand_without_the_lines_that_name_the_file() -> None:
    old = "import React from 'react';\n\nconst App = () => {\n  return <div>Hello</div>;\n};\n"
    new = old.replace("const App =", "const App: React.FC =")
    assert hunks(old, new) == (
        "@@ -1,5 +1,5 @@\n"
        " import React from 'react';\n"
        " \n"
        "-const App = () => {\n"
        "+const App: React.FC = () => {\n"
        "   return <div>Hello</div>;\n"
        " };\n"
    )


def test_nothing_changed_is_an_empty_diff() -> None:
    assert unified("a", "x\n", "x\n") == ""
    assert unified("a", None, None) == ""
    assert hunks("", "") == ""


def test_a_created_file_comes_from_nowhere_and_a_deleted_one_goes_there() -> None:
    assert unified("a", None, "x\n") == (
        "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n"
    )
    assert unified("a", "x\ny\n", None) == (
        "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n"
    )


def test_an_empty_file_is_created_and_deleted_without_hunks() -> None:
    assert unified("a", None, "") == "diff --git a/a b/a\nnew file mode 100644\n"
    assert unified("a", "", None) == "diff --git a/a b/a\ndeleted file mode 100644\n"


def test_a_missing_newline_at_the_end_is_said() -> None:
    assert hunks("a\nb", "a\nb\n") == "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"
    assert hunks("a", "b") == (
        "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
    )


@pytest.mark.parametrize("odd", [*ODD, "\r"])
def test_only_a_newline_ends_a_line(odd: str) -> None:
    assert hunks(f"a{odd}b\n", f"a{odd}c\n") == f"@@ -1 +1 @@\n-a{odd}b\n+a{odd}c\n"


def test_changes_near_each_other_share_a_hunk_and_others_do_not() -> None:
    lines = [f"{number}\n" for number in range(20)]
    near, far = list(lines), list(lines)
    near[2] = near[9] = far[2] = far[10] = "x\n"
    assert hunks("".join(lines), "".join(near)).count("@@ -") == 1
    assert hunks("".join(lines), "".join(far)).count("@@ -") == 2


def test_as_many_lines_are_shown_around_a_change_as_asked_for() -> None:
    assert hunks("a\nb\nc\n", "a\nx\nc\n", context=0) == "@@ -2 +2 @@\n-b\n+x\n"
    assert hunks("a\nb\n", "a\nx\nb\n", context=1) == "@@ -1,2 +1,3 @@\n a\n+x\n b\n"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("src/a.py", "src/a.py"),
        ("héllo wörld", "héllo wörld"),
        ('say "hi"', r'"say \"hi\""'),
        ("back\\slash", r'"back\\slash"'),
        ("tab\tnew\nbell\x07esc\x1b", r'"tab\tnew\nbell\aesc\033"'),
    ],
)
def test_odd_paths_are_quoted_as_git_does(path: str, shown: str) -> None:
    assert quoted(path) == shown


def test_a_tab_ends_a_name_that_holds_a_blank() -> None:
    assert "--- a/my file\t\n+++ b/my file\t\n" in unified("my file", "a\n", "b\n")


def test_a_large_file_is_cut_down_to_what_differs_before_it_is_split() -> None:
    many = "line\n" * 500_000
    assert hunks(f"{many}a\n{many}", f"{many}b\n{many}") == (
        "@@ -499998,7 +499998,7 @@\n line\n line\n line\n-a\n+b\n line\n line\n line\n"
    )


@pytest.mark.parametrize("end", ["", "last", "last\n"])
def test_where_there_are_too_many_lines_all_between_the_first_and_last_change_is_one(end: str) -> None:
    many = "1\n2\n3\n4\n"
    middle = "\n" * (DIFF_LINES + 1)
    old, new = f"{many}a\n{middle}b\n{many}{end}", f"{many}x\n{middle}y\n{many}{end}"
    shown = hunks(old, new)
    count = DIFF_LINES + 9  # the lines between, two changed ones, three around on both sides
    assert shown.startswith(f"@@ -2,{count} +2,{count} @@\n 2\n 3\n 4\n-a\n-\n")
    assert shown.endswith("+\n+y\n 1\n 2\n 3\n")
    assert apply_file(old, parse_unified(shown)[0]) == new


@given(pairs())
@example(("a\r\nb", "a\nb"))
@example(("", "\n"))
def test_a_diff_applied_to_the_old_text_gives_the_new_one(texts: tuple[str, str]) -> None:
    old, new = texts
    if old == new:
        assert unified("f", old, new) == ""
        return
    (patch,) = parse_unified(unified("f", old, new))
    assert (patch.path, patch.kind) == ("f", PatchKind.UPDATE)
    assert apply_file(old, patch) == new


@given(pairs())
def test_bare_hunks_applied_give_the_new_text_too(texts: tuple[str, str]) -> None:
    old, new = texts
    if old != new:
        assert apply_file(old, FilePatch("f", hunks=parse_unified(hunks(old, new))[0].hunks)) == new


def _random_text(random: Random) -> str:
    stock = ["a", "b", "  a", "}", "", "é", f"x{ODD[0]}y", "tab\t", "-- a", "++ b"]
    lines = [random.choice(stock) + random.choice(["\n", "\n", "\r\n"]) for _ in range(random.randrange(12))]
    return "".join(lines) + random.choice(["", "", "end"])


def test_git_applies_what_is_shown_to_the_same_end(tmp_path: Path) -> None:
    random = Random(11)
    cases = {f"f{number}": (_random_text(random), _random_text(random)) for number in range(400)}
    cases |= {'q"uote': ("a\n", "b\n"), "with blank": ("a\n", "b\n"), "ünï\tcode": ("a\n", "b\n")}
    for name, (old, _) in cases.items():
        (tmp_path / name).write_bytes(old.encode())
    (tmp_path / "gone").write_bytes(b"x\ny")
    (tmp_path / "gone-empty").write_bytes(b"")
    patch = "".join(unified(name, old, new) for name, (old, new) in cases.items())
    patch += unified("gone", "x\ny", None) + unified("gone-empty", "", None)
    patch += unified("new", None, "n\nm") + unified("new-empty", None, "")

    git(tmp_path, "apply", "--whitespace=nowarn", "-", stdin=patch.encode())

    found = {path.name: path.read_bytes().decode() for path in tmp_path.iterdir()}
    assert found == {name: new for name, (_, new) in cases.items()} | {"new": "n\nm", "new-empty": ""}


def _code(random: Random) -> list[str]:
    """Some functions, as people write them: with blank lines between, and lines that occur again and again."""
    lines: list[str] = []
    for number in range(random.randrange(4, 12)):
        lines += [f"def f{number}(value):\n"]
        lines += [f"    step_{random.randrange(10**6)} = value\n" for _ in range(random.randrange(1, 6))]
        lines += ["    return value\n", "\n", "\n"]
    return lines


def _edited(random: Random, lines: list[str]) -> list[str]:
    """As an agent edits: some lines rewritten, a function put in or taken out."""
    made = list(lines)
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(made))
        new = [f"    new_{random.randrange(10**6)}()\n" for _ in range(random.randrange(3))]
        made[at : at + random.randrange(3)] = new
    if random.random() < 0.5:
        heads = [at for at, line in enumerate(made) if line.startswith("def ")]
        body = f"def g(value):\n    new_{random.randrange(10**6)}()\n    return value\n\n\n"
        at = random.choice(heads) if heads else 0
        made[at:at] = body.splitlines(keepends=True)
    return made


def test_git_shows_the_same_hunks_for_what_people_edit(tmp_path: Path) -> None:
    random = Random(5)
    cases = {}
    for side in ("old", "new"):
        (tmp_path / side).mkdir()
    for number in range(300):
        lines = _code(random)
        cases[f"f{number:03}"] = "".join(lines), "".join(_edited(random, lines))
    for name, (old, new) in cases.items():
        (tmp_path / "old" / name).write_text(old)
        (tmp_path / "new" / name).write_text(new)

    shown = git(tmp_path, "diff", "--no-index", "--no-color", "old", "new", codes=(1,)).decode()

    for part in shown.split("diff --git ")[1:]:
        name = part.split("\n", 1)[0][-4:]
        theirs = re.sub(r"(?m)^(@@ .* @@).*$", r"\1", part[part.index("\n@@ ") + 1 :])
        ours = hunks(*cases[name])
        if ours != theirs:  # two ways to say it that are equally short
            assert _size(ours) <= _size(theirs), f"{ours}\n{theirs}"
            cases[name] = ("", "")
    same = sum(old != new for old, new in cases.values())
    assert same >= 285


def _size(shown: str) -> int:
    return sum(line.startswith(("+", "-")) for line in shown.split("\n"))
