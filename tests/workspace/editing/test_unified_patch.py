import pytest

from toolpost.errors import BadPatch
from toolpost.limits import PATCH_FILES, PATCH_HUNKS
from toolpost.workspace.editing.hunk import FilePatch, Hunk, Line, PatchKind
from toolpost.workspace.editing.unified_patch import parse_unified

CHANGE = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
HUNK = Hunk((Line(" ", "a\n"), Line("-", "b\n"), Line("+", "c\n")), start=1)


def _one(text: str) -> FilePatch:
    (patch,) = parse_unified(text)
    return patch


@pytest.mark.parametrize(
    "head",
    [
        "--- a/f.py\n+++ b/f.py\n",
        "--- f.py\n+++ f.py\n",
        "--- a/f.py\t2024-01-01 10:00:00\n+++ b/f.py\t2024-01-02 10:00:00\n",
        "diff --git a/f.py b/f.py\nindex 1234567..89abcde 100644\n--- a/f.py\n+++ b/f.py\n",
        "From: someone\nSubject: a commit\n\nIt says:\n--- \n f.py | 2 +-\n\ndiff --git a/f.py b/f.py\n--- a/f.py\n+++ b/f.py\n",
        "```diff\n--- a/f.py\n+++ b/f.py\n",
        '--- "a/f.py"\n+++ "b/f.py"\n',
    ],
)
def test_a_changed_file_is_read_whatever_stands_above_it(head: str) -> None:
    assert _one(head + CHANGE) == FilePatch("f.py", PatchKind.UPDATE, None, (HUNK,))


def test_bare_hunks_are_a_patch_without_a_path() -> None:
    assert _one(CHANGE) == FilePatch("", hunks=(HUNK,))


def test_files_are_added_deleted_and_moved() -> None:
    patch = (
        "diff --git a/new b/new\nnew file mode 100644\nindex 0000000..1\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n"
        "diff --git a/old b/old\ndeleted file mode 100644\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-o\n"
        "diff --git a/from b/to\nsimilarity index 90%\nrename from from\nrename to to\n--- a/from\n+++ b/to\n"
        f"{CHANGE}"
        "diff --git a/x y b/x z\nsimilarity index 100%\nrename from x y\nrename to x z\n"
        "diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n"
        'diff --git "a/gone\\t" "b/gone\\t"\ndeleted file mode 100644\n'
        "\n--- /dev/null\n+++ b/plain\n@@ -0,0 +1 @@\n+p\n"
    )
    assert parse_unified(patch) == [
        FilePatch("new", PatchKind.ADD, hunks=(Hunk((Line("+", "n\n"),), start=0),), is_executable=False),
        FilePatch("old", PatchKind.DELETE, hunks=(Hunk((Line("-", "o\n"),), start=1),)),
        FilePatch("from", PatchKind.MOVE, "to", (HUNK,)),
        FilePatch("x y", PatchKind.MOVE, "x z"),
        FilePatch("empty", PatchKind.ADD, is_executable=False),
        FilePatch("gone\t", PatchKind.DELETE),
        FilePatch("plain", PatchKind.ADD, hunks=(Hunk((Line("+", "p\n"),), start=0),)),
    ]


@pytest.mark.parametrize(
    ("shown", "path"),
    [
        (r'"a/f\303\266\303\266 \"x\" \\ \t\n\a\033"', 'föö "x" \\ \t\n\a\x1b'),
        ('"a/ünï"', "ünï"),
        ("a/with blank\t", "with blank"),
        ("a/b/a/f", "b/a/f"),
    ],
)
def test_quoted_paths_are_read_as_git_writes_them(shown: str, path: str) -> None:
    other = shown.replace("a/", "b/", 1)
    assert _one(f"--- {shown}\n+++ {other}\n{CHANGE}").path == path


def test_a_folder_called_a_stays() -> None:
    assert _one(f"--- a/f\n+++ a/f\n{CHANGE}").path == "a/f"


def test_the_mark_of_a_missing_newline_takes_it_from_the_line_above() -> None:
    patch = "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
    assert _one(patch).hunks[0].lines == (Line(" ", "a\n"), Line("-", "b"), Line("+", "c"))


def test_a_patch_without_its_last_newline_means_one() -> None:
    assert _one(CHANGE.removesuffix("\n")).hunks == (HUNK,)


def test_lines_that_look_like_headers_belong_to_a_hunk_that_counts_them() -> None:
    patch = "@@ -1,3 +1,3 @@\n a\n--- x\n+++ y\n b\n-- \n2.39.5\n"
    assert _one(patch).hunks[0].lines == (
        Line(" ", "a\n"),
        Line("-", "-- x\n"),
        Line("+", "++ y\n"),
        Line(" ", "b\n"),
    )


@pytest.mark.parametrize(
    "head", ["@@ -1,9 +1,9 @@", "@@ -1 +1 @@", "@@ -1,1 +1,2 @@ def f():", "@@ ... @@", "@@"]
)
def test_wrong_or_missing_counts_are_not_believed(head: str) -> None:
    patch = f"--- a/f\n+++ b/f\n{head}\n a\n-b\n+c\n\n--- a/g\n+++ b/g\n{CHANGE}"
    first, second = parse_unified(patch)
    assert first.hunks[0].lines == HUNK.lines
    assert second == FilePatch("g", hunks=(HUNK,))


def test_an_empty_line_is_an_empty_line_of_the_file() -> None:
    patch = "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n"
    assert _one(patch).hunks[0].old == ["a\n", "\n", "b\n"]
    assert _one(patch.replace("-1,3 +1,3", "-1,9 +1,9") + "\n\n").hunks[0].old == ["a\n", "\n", "b\n"]


def test_empty_lines_between_hunks_belong_to_none() -> None:
    assert _one(f"{CHANGE}\n\n{CHANGE}").hunks == (HUNK, HUNK)


def test_a_patch_sent_with_carriage_returns_is_read_without_them() -> None:
    patch = f"--- a/f\n+++ b/f\n{CHANGE}"
    assert _one(patch.replace("\n", "\r\n")) == _one(patch)
    assert _one("@@ -1,2 +1 @@\r\n a\r\n\r\n-b\r\n").hunks[0].old == ["a\n", "\n", "b\n"]


def test_carriage_returns_of_the_file_are_kept() -> None:
    assert _one("@@ -1,2 +1,2 @@\n a\r\n--- x\r\n+c\r\n").hunks[0].old == ["a\r\n", "-- x\r\n"]
    assert _one("@@ -1,2 +1 @@\n a\r\n\r\n-b\r\n").hunks[0].old == ["a\r\n", "\r\n", "b\r\n"]


@pytest.mark.parametrize(
    ("patch", "said", "line"),
    [
        ("", "has no hunk", 1),
        ("just words\n", "has no hunk", 2),
        ("--- a/f\n+++ b/f\n-a\n+b\n", "without hunks", 3),
        ("@@ -1,2 +1,2 @@\n", "hunk without lines", 2),
        ("@@ -1,2 +1,2 @@\n a\n-b\nc\n+d\n", "begins with none of", 4),
        ("@@ -1 +1 @@\n\\ No newline at end of file\n", "follows no other", 2),
        (f"--- a/f\n+++ b/f\n{CHANGE}words\n{CHANGE}", "belongs to no file", 8),
        (f"--- a/f\n+++ b/g\n{CHANGE}", "names two files, f and g", 1),
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "names no file", 1),
        ("diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", "only together with lines", 1),
        ("diff --git a/f b/f\nnew file mode 100600\n", "only 100644 and 100755", 1),
        ("diff --git a/f b/f\nindex 1..2\nGIT binary patch\nliteral 3\n", "binary", 1),
        ("diff --git a/f b/f\nBinary files a/f and b/f differ\n", "binary", 1),
        ("diff --git a/f b/g\ncopy from f\ncopy to g\n", "copies a file", 1),
        (
            "diff --git a/f b/f\nnew file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+t\n",
            "a link",
            1,
        ),
        ('--- "a/\\377"\n+++ "b/\\377"\n' + CHANGE, "no UTF-8 text", 1),
    ],
)
def test_a_patch_that_cannot_be_read_is_refused_with_the_line(patch: str, said: str, line: int) -> None:
    with pytest.raises(BadPatch, match=said) as caught:
        parse_unified(patch, parameter="edits[2].patch")
    assert caught.value.parameter == "edits[2].patch"
    assert caught.value.context == {"line": line}
    assert f"(line {line} of the patch)" in caught.value.detail


def test_a_patch_has_an_end() -> None:
    with pytest.raises(BadPatch, match="more than"):
        parse_unified("@@ -1 +1 @@\n-a\n+b\n" * (PATCH_HUNKS + 1))
    with pytest.raises(BadPatch, match="more than"):
        parse_unified("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n" * (PATCH_FILES + 1))


@pytest.mark.parametrize(("mode", "runs"), [("100644", False), ("100755", True)])
def test_the_mode_a_file_gets_is_not_lost(mode: str, runs: bool) -> None:
    changed = f"diff --git i/f.py w/f.py\nold mode 100664\nnew mode {mode}\n--- i/f.py\n+++ w/f.py\n{CHANGE}"
    moved = f"diff --git a/a b/b\nold mode 100644\nnew mode {mode}\nrename from a\nrename to b\n"
    added = f"diff --git a/n b/n\nnew file mode {mode}\n"

    assert parse_unified(changed + moved + added) == [
        FilePatch("f.py", PatchKind.UPDATE, None, (HUNK,), runs),
        FilePatch("a", PatchKind.MOVE, "b", (), runs),
        FilePatch("n", PatchKind.ADD, None, (), runs),
    ]
