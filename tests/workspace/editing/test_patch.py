from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.workspace.texts import git, pairs, texts

from toolpost.errors import BadPatch, FileExists, FileNotFound, FileTooLarge, ToolError
from toolpost.limits import MATCH_LINES
from toolpost.workspace.editing.patch import (
    FilePatch,
    PatchKind,
    apply_file,
    parse,
    parse_codex,
    parse_unified,
)


def _apply(text: str, patch: str) -> str:
    (file,) = parse(patch if "***" in patch or patch.startswith("@@") else f"@@ -1 +1 @@\n{patch}")
    result = apply_file(text, file)
    assert result is not None
    return result


def _codex(body: str) -> str:
    return f"*** Begin Patch\n*** Update File: f\n{body}*** End Patch"


def _refusal(text: str, patch: str) -> ToolError:
    with pytest.raises(ToolError) as caught:
        _apply(text, patch)
    return caught.value


@pytest.mark.parametrize(
    ("text", "patch", "result"),
    [
        ("a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", "a\nx\nc\n"),
        ("0\n1\n2\na\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+x\n", "0\n1\n2\na\nx\n"),
        ("a\nb\n", "@@ -70,2 +70,2 @@\n a\n-b\n+x\n", "a\nx\n"),
        ("x\ny\nx\ny\n", "@@ -3,2 +3,2 @@\n x\n-y\n+z\n", "x\ny\nx\nz\n"),
        ("1\nx\n2\nx\n", "@@ -1 +1,2 @@\n 1\n+n\n@@ -4 +5 @@\n-x\n+z\n", "1\nn\nx\n2\nz\n"),
        ("", "@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n"),
        ("a\n", "@@ -1 +0,0 @@\n-a\n", ""),
        ("a\r\nb\r\n", "@@ -1,2 +1,3 @@\n a\n-b\n+x\n+y\n", "a\r\nx\r\ny\r\n"),
        ("a\nb\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+x\r\n", "a\nx\n"),
        ("a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n", "a\r\nb\n"),
        ("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+x\n", "a\nx"),
        ("a\nb", "@@ -1,2 +1,3 @@\n a\n b\n+x\n", "a\nb\nx"),
        ("a\r\nb", "@@ -2 +2,2 @@\n-b\n+x\n+y\n", "a\r\nx\r\ny"),
        ("a\nb", "@@ -1,2 +1 @@\n a\n-b\n", "a"),
        ("a\nb", "@@ -1,2 +1 @@\n a\n-b\n\\ No newline at end of file\n", "a\n"),
        ("a\nb", "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"),
        ("a\nb\n", "@@ -2 +2 @@\n-b\n+b\n\\ No newline at end of file\n", "a\nb"),
        ("a", "@@ -1 +1,2 @@\n a\n+b\n", "a\nb"),
        ("a", "@@ -1 +1 @@\n-a\n+b\r\n", "b"),
    ],
)
def test_a_unified_diff_is_applied_where_its_lines_stand(text: str, patch: str, result: str) -> None:
    assert _apply(text, patch) == result


@pytest.mark.parametrize(
    ("text", "body", "result"),
    [
        ("a\nb\nc\n", "@@\n a\n-b\n+x\n", "a\nx\nc\n"),
        ("a\nb\n", "-a\n+x\n@@\n-b\n+y\n", "x\ny\n"),
        ("a  \nb\t\n", "@@\n a\n-b\n+x\n", "a  \nx\n"),
        ("a\r\nb\r\n", "@@\n a\n+x\n b\n", "a\r\nx\r\nb\r\n"),
        ("f:\n  x\ng:\n  x\n", "@@ g:\n-  x\n+  y\n", "f:\n  x\ng:\n  y\n"),
        ("A\n f\n x\nB\n f\n x\n f\n x\n", "@@ B\n@@ f\n- x\n+ y\n", "A\n f\n x\nB\n f\n y\n f\n x\n"),
        ("f\n1\nf\nx\nx\n", "@@ f\n-x\n+y\n", "f\n1\nf\ny\nx\n"),
        ("x\ny\nx\n", "@@\n-x\n+z\n*** End of File\n", "x\ny\nz\n"),
        ("x\ny\n", "@@\n+z\n", "x\ny\nz\n"),
        ("x\r\ny", "@@\n+z\n", "x\r\ny\r\nz"),
        ("", "@@ anything\n+z\n", "z\n"),
    ],
)
def test_a_codex_patch_is_applied_where_its_lines_and_anchors_say(text: str, body: str, result: str) -> None:
    assert _apply(text, _codex(body)) == result


def test_a_hunk_that_fits_in_several_places_is_refused_with_their_lines() -> None:
    refusal = _refusal("x\ny\nx\n", _codex("@@\n-x\n+z\n"))
    assert isinstance(refusal, BadPatch)
    assert refusal.detail == (
        "Hunk 1 for f fits in 2 places, at lines 1, 3: give more lines around the one that is meant."
    )
    assert refusal.context == {"hunk": 1, "path": "f", "lines": [1, 3]}


@pytest.mark.parametrize("anchor", ["f", "no such line", "f\n@@ no such line"])
def test_anchors_that_leave_several_places_are_not_enough(anchor: str) -> None:
    refusal = _refusal("f\nx\nf\nx\n", _codex(f"@@ {anchor}\n-x\n+z\n"))
    assert refusal.context["lines"] == [2, 4]


def test_of_very_many_places_some_are_told() -> None:
    refusal = _refusal("x\n" * 300, "@@ -900 +900 @@\n-x\n+z\n")
    assert refusal.context["lines"] == list(range(1, 101))
    assert ", 100, …: give" in refusal.detail


def test_a_hunk_that_fits_nowhere_shows_the_closest_region() -> None:
    refusal = _refusal("def f():\n    return 1\n", "@@ -1,2 +1,2 @@\n def f():\n-  return 1\n+  return 2\n")
    assert isinstance(refusal, BadPatch)
    assert refusal.detail.startswith(
        "Hunk 1 does not fit. The closest region is lines 1-2; they first differ at line 2"
    )
    assert refusal.parameter == "patch"
    assert refusal.context["closest"]["text"] == "def f():\n    return 1\n"


def test_a_hunk_like_nothing_in_the_file_is_said_so() -> None:
    assert _refusal("a\n", "@@ -1 +1 @@\n-zzz\n+y\n").detail == (
        "Hunk 1 has lines that are not in the file, nor anything like them."
    )


def test_hunks_come_in_the_order_of_the_file() -> None:
    refusal = _refusal("a\nb\n", _codex("@@\n-b\n+y\n@@\n-a\n+x\n"))
    assert refusal.detail == (
        "Hunk 2 for f stands at line 1, before the end of the hunk above it: put hunks in the order of the file."
    )


@pytest.mark.parametrize("patch", ["@@ -1,0 +2 @@\n+x\n", _codex("@@ a\n+x\n")])
def test_a_hunk_that_only_adds_needs_lines_around_it(patch: str) -> None:
    refusal = _refusal("a\nb\n", patch)
    assert isinstance(refusal, BadPatch)
    assert "has only added lines" in refusal.detail


def test_a_hunk_that_says_the_file_ends_must_be_right() -> None:
    ended = "\\ No newline at end of file\n"
    assert "does not fit" in _refusal("abc\nb\n", f"@@ -1 +1 @@\n-abc\n{ended}+x\n").detail
    assert "more lines follow" in _refusal("a\nb\n", f"@@ -1 +1 @@\n-a\n+x\n{ended}").detail
    assert isinstance(_refusal("x\ny\n", _codex("@@\n-x\n+z\n*** End of File\n")), BadPatch)


def test_a_file_of_very_many_lines_is_not_patched() -> None:
    with pytest.raises(FileTooLarge):
        _apply("\n" * (MATCH_LINES + 1), "@@ -1 +1 @@\n-a\n+b\n")


def test_files_are_added_and_deleted() -> None:
    patch = "*** Begin Patch\n*** Add File: a\n+1\n+2\n*** Delete File: b\n*** End Patch"
    add, delete = parse_codex(patch)
    assert (apply_file(None, add), apply_file("anything", delete)) == ("1\n2\n", None)
    (gone,) = parse_unified("--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n")
    assert apply_file("x\ny\n", gone) is None
    assert apply_file(None, FilePatch("empty", PatchKind.ADD)) == ""


def test_a_file_that_is_there_is_not_added_and_one_that_is_not_is_not_changed() -> None:
    with pytest.raises(FileExists) as exists:
        apply_file("x", FilePatch("f", PatchKind.ADD))
    assert (exists.value.parameter, exists.value.context) == ("patch", {"path": "f"})
    for kind in (PatchKind.UPDATE, PatchKind.DELETE, PatchKind.MOVE):
        with pytest.raises(FileNotFound):
            apply_file(None, FilePatch("f", kind))


def test_a_file_that_holds_more_than_the_patch_knows_is_not_deleted() -> None:
    (gone,) = parse_unified("--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n")
    with pytest.raises(BadPatch, match="holds more"):
        apply_file("x\ny\n", gone)


def test_a_file_is_added_with_added_lines_only() -> None:
    (add,) = parse_unified("--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+x\n y\n")
    with pytest.raises(BadPatch, match="do not begin with"):
        apply_file(None, add)


def test_a_moved_file_takes_its_changes_along() -> None:
    (move,) = parse_codex("*** Begin Patch\n*** Update File: a\n*** Move to: b\n-x\n+y\n*** End Patch")
    assert (move.path, move.new_path, apply_file("x\n", move)) == ("a", "b", "y\n")


def test_either_language_is_known_by_its_look() -> None:
    assert parse(_codex("-x\n+y\n"))[0].path == "f"
    assert parse("--- a/g\n+++ b/g\n@@ -1 +1 @@\n-*** Begin Patch\n+y\n")[0].path == "g"


@given(pairs())
def test_a_patch_that_is_applied_gives_what_it_says_or_is_refused(texts: tuple[str, str]) -> None:
    """Hunks without line numbers: every one stands where it was made, or could stand elsewhere."""
    old, new = texts
    lines = [f"-{line}\n" for line in old.split("\n")[:-1]] + [f"+{line}\n" for line in new.split("\n")[:-1]]
    if not lines or "\r" in old + new:
        return
    try:
        result = _apply(old, _codex("@@\n" + "".join(lines)))
    except BadPatch:
        return
    kept = old.split("\n")[-1]
    added = "".join(line[1:] for line in lines if line.startswith("+"))
    assert result in {added + kept, kept + added, f"{old}{added}"} or old.count("\n") == 0


def test_git_makes_the_same_of_patches_that_moved(tmp_path: Path) -> None:
    """Patches made for one text, applied to it with lines put in above: git and we find the same places."""
    random = Random(23)
    stock = [f"line {number}\n" for number in range(60)]
    (tmp_path / "made").mkdir()
    expected, patch = {}, ""
    for number in range(100):
        old = random.sample(stock, 25)
        new = [line for at, line in enumerate(old) if not 3 < at < 21 or random.random() > 0.1]
        new.insert(random.randrange(4, len(new) - 4), f"new {number}\n")
        above = "".join(f"above {random.randrange(10**6)}\n" for _ in range(random.randrange(4)))
        shown = _shown(tmp_path / "made", "".join(old), "".join(new)).replace("/new", f"/f{number}")
        (tmp_path / f"f{number}").write_text(above + "".join(old))
        (file,) = parse_unified(shown)
        expected[f"f{number}"] = apply_file(above + "".join(old), file)
        assert expected[f"f{number}"] == above + "".join(new)
        patch += shown

    git(tmp_path, "apply", "-", stdin=patch.encode())

    assert {name: (tmp_path / name).read_text() for name in expected} == expected


def _shown(folder: Path, old: str, new: str) -> str:
    """What git shows for two texts, as a change of one file called `new`."""
    (folder / "old").write_text(old)
    (folder / "new").write_text(new)
    shown = git(folder, "diff", "--no-index", "--no-color", "old", "new", codes=(1,)).decode()
    return shown.replace("a/old", "a/new", 2)


_PARTS = st.sampled_from(
    [
        *(
            "--- a/f",
            "+++ b/f",
            "--- /dev/null",
            "+++ /dev/null",
            "diff --git a/f b/f",
            'diff --git "a/f" "b/f"',
        ),
        *(
            "rename from f",
            "rename to g",
            "new file mode 100644",
            "deleted file mode 100644",
            "diff --git ",
            "index ",
        ),
        *(
            "@@ -1 +1 @@",
            "@@ -1,2 +1,2 @@",
            "@@ -0,0 +1 @@",
            "@@",
            "@@ a",
            "@@ -999999999,9 +1 @@ x",
            "-- ",
            "```",
        ),
        *(
            " a",
            "-a",
            "+a",
            " b",
            "-b",
            "+b",
            "",
            "\\ No newline at end of file",
            "\\",
            "a",
            "\t",
            "-a\r",
            "+b\r",
        ),
        *("*** Begin Patch", "*** End Patch", "*** Update File: f", "*** Add File: f", "*** Delete File: f"),
        *(
            "*** Move to: g",
            "*** End of File",
            "***",
            "<<EOF",
            "EOF",
            '--- "a/\\377"',
            '+++ "b/\\q"',
            '--- "',
        ),
    ]
)


@given(st.lists(_PARTS, max_size=12), st.booleans(), texts(most=4))
def test_whatever_is_sent_as_a_patch_is_applied_or_refused(
    parts: list[str], is_codex: bool, text: str
) -> None:
    patch = "\n".join(parts)
    sent = f"*** Begin Patch\n*** Update File: f\n{patch}\n*** End Patch" if is_codex else patch
    files = []
    with suppress(BadPatch):
        files = parse(sent)
    for file in files:
        for old in (text, None):
            with suppress(BadPatch, FileExists, FileNotFound):
                apply_file(old, file)
