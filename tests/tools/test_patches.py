from itertools import pairwise
from pathlib import Path

import pytest
from tests.tools.hands import Hands

from toolpost.content import Diff
from toolpost.limits import WRITE_MAX
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.local.umask import executable
from toolpost.workspace.reading.text import digest

CODEX = """\
*** Begin Patch
*** Update File: a.txt
@@
 one
-two
+2
*** Add File: new/b.txt
+hello
*** Delete File: c.txt
*** Update File: d.sh
*** Move to: moved/d.sh
@@
-old
+new
*** End Patch
"""
MANY = "\n".join(("*** Begin Patch", *(f"*** Add File: {n}.txt\n+x" for n in range(201)), "*** End Patch\n"))
BEFORE = {"a.txt": "one\ntwo\nthree\n", "c.txt": "gone\n", "d.sh": "old\n"}
AFTER = {"a.txt": b"one\n2\nthree\n", "moved/d.sh": b"new\n", "new/b.txt": b"hello\n"}


@pytest.fixture
def hands(tmp_path: Path) -> Hands:
    hands = Hands(tmp_path)
    for path, text in BEFORE.items():
        hands.put(path, text, mode=0o755 if path == "d.sh" else 0o644)
    return hands


async def test_all_files_of_a_patch_are_changed_as_one(hands: Hands) -> None:
    before = hands.tree
    result = await hands("fs.patch", patch=CODEX)

    assert result.ok, result.problems
    assert hands.tree == AFTER
    assert (hands.folder / "moved" / "d.sh").stat().st_mode & 0o777 == 0o755
    told = [{key: value for key, value in file.items() if key != "diff"} for file in result.data["files"]]
    assert told == [
        {
            "path": "a.txt",
            "what": "update",
            "old_hash": digest(before["a.txt"]),
            "hash": digest(b"one\n2\nthree\n"),
        },
        {"path": "new/b.txt", "what": "add", "hash": digest(b"hello\n")},
        {"path": "c.txt", "what": "delete", "old_hash": digest(b"gone\n")},
        {
            "path": "d.sh",
            "what": "move",
            "moved_to": "moved/d.sh",
            "old_hash": digest(b"old\n"),
            "hash": digest(b"new\n"),
        },
    ]
    assert result.notes == ("undo with request_id=req-1",)
    assert [part.path for part in result.content if isinstance(part, Diff)] == [
        "a.txt",
        "new/b.txt",
        "c.txt",
        "moved/d.sh",
    ]

    await hands.data("fs.undo", request_id="req-1")
    assert hands.tree == before
    assert (hands.folder / "d.sh").stat().st_mode & 0o777 == 0o755
    assert sorted(path.name for path in hands.folder.iterdir()) == ["a.txt", "c.txt", "d.sh"]


async def test_a_dry_run_shows_every_diff_and_writes_nothing(hands: Hands) -> None:
    before = hands.tree
    dry = await hands("fs.patch", patch=CODEX, dry_run=True)
    assert (hands.tree, hands.ids, dry.notes) == (before, [], ())

    wet = await hands("fs.patch", patch=CODEX)
    assert dry.data["files"] == wet.data["files"]
    assert dry.content[:-1] == wet.content[:-1]


async def test_what_was_patched_is_known(hands: Hands) -> None:
    await hands.data("fs.patch", patch=CODEX)

    assert (await hands("fs.write", path="moved/d.sh", content="")).ok
    assert (await hands("fs.write", path="new/b.txt", content="")).ok


@pytest.mark.parametrize("word", ["patch", "input", "diff"])
async def test_a_unified_diff_is_taken_under_any_word_for_it(hands: Hands, word: str) -> None:
    unified = (
        "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
        "diff --git a/c.txt b/c.txt\ndeleted file mode 100644\n--- a/c.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n"
        "diff --git a/n.txt b/n.txt\nnew file mode 100644\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+new\n"
    )
    data = await hands.data("fs.patch", **{word: unified})

    assert [file["what"] for file in data["files"]] == ["update", "delete", "add"]
    assert hands.tree == {"a.txt": b"one\n2\nthree\n", "d.sh": b"old\n", "n.txt": b"new\n"}


async def test_the_diff_of_an_answer_can_be_sent_back_as_a_patch(hands: Hands) -> None:
    edit = {"type": "replace", "old_text": "two", "new_text": "2"}
    shown = await hands.data("fs.edit", path="a.txt", edits=[edit], dry_run=True)
    await hands.data("fs.patch", patch=shown["diff"])

    assert hands.tree["a.txt"] == b"one\n2\nthree\n"


async def test_a_file_that_is_no_text_can_still_be_moved_or_deleted(hands: Hands) -> None:
    hands.put("a.png", b"\x89PNG\r\n\x1a\n\x00")
    hands.put("b.png", b"\x89PNG\r\n\x1a\n\x01")
    moves = "diff --git a/a.png b/img/a.png\nsimilarity index 100%\nrename from a.png\nrename to img/a.png\n"
    data = await hands.data("fs.patch", patch=moves)
    await hands.data("fs.patch", patch="*** Begin Patch\n*** Delete File: b.png\n*** End Patch\n")

    assert data["files"][0]["diff"] == ""
    assert hands.tree["img/a.png"] == b"\x89PNG\r\n\x1a\n\x00"
    assert "a.png" not in hands.tree
    assert "b.png" not in hands.tree


async def test_crlf_and_encoding_of_a_patched_file_are_kept(hands: Hands) -> None:
    hands.put("a.txt", "\ufeffone\r\ntwo\r\nthree\r\n".encode("utf-16-le"))
    await hands.data("fs.patch", patch=CODEX)

    assert hands.tree["a.txt"] == "\ufeffone\r\n2\r\nthree\r\n".encode("utf-16-le")


@pytest.mark.parametrize(
    ("patch", "code"),
    [
        (CODEX.replace("-two", "-twelve"), "BAD_PATCH"),
        (CODEX.replace("c.txt", "x.txt"), "FILE_NOT_FOUND"),
        (CODEX.replace("new/b.txt", "c.txt"), "ALREADY_EXISTS"),
        (CODEX.replace("moved/d.sh", "a.txt"), "ALREADY_EXISTS"),
        (CODEX.replace("new/b.txt", "aux"), "INVALID_PATH"),
        (CODEX.replace("new/b.txt", "A.txt"), "ALREADY_EXISTS"),
        (CODEX.replace("new/b.txt", "../b.txt"), "INVALID_PATH"),
        (CODEX.replace("new/b.txt", ".git/hooks/pre-commit"), "DENIED"),
        (CODEX.replace("+2", f"+{'x' * WRITE_MAX}"), "FILE_TOO_LARGE"),
        ("@@ -1 +1 @@\n-old\n+new\n", "BAD_PATCH"),
        (MANY, "BAD_PATCH"),
        ("no patch at all", "BAD_PATCH"),
        ("", "INVALID_ARGUMENT"),
    ],
)
async def test_when_one_part_does_not_apply_nothing_is_changed(hands: Hands, patch: str, code: str) -> None:
    before = hands.tree
    problem = await hands.problem("fs.patch", patch=patch)

    assert problem.code == code
    assert (hands.tree, hands.ids) == (before, [])


async def test_files_that_changed_since_they_were_read_are_named(hands: Hands) -> None:
    hands.read("a.txt", data=b"older")
    dry = await hands("fs.patch", patch=CODEX, dry_run=True)
    assert dry.notes == ("a.txt changed since this session read it.",)

    problem = await hands.problem("fs.patch", patch=CODEX.replace("-two", "-twelve"))
    assert problem.detail.endswith(" a.txt changed since this session read it.")


async def test_a_patch_stays_within_one_root(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text("old\n")
    hands = Hands(tmp_path, {name: LocalRoot(tmp_path / name) for name in ("one", "two")})
    part = "*** Update File: {}/a.txt\n@@\n-old\n+new\n"
    both = f"*** Begin Patch\n{part.format('one')}{part.format('two')}*** End Patch\n"
    problem = await hands.problem("fs.patch", patch=both)
    assert (problem.code, problem.parameter) == ("INVALID_ARGUMENT", "patch")

    data = await hands.data("fs.patch", patch=f"*** Begin Patch\n{part.format('two')}*** End Patch\n")
    assert [file["path"] for file in data["files"]] == ["two/a.txt"]
    assert [(tmp_path / name / "a.txt").read_text() for name in ("one", "two")] == ["old\n", "new\n"]


def codex(*lines: str) -> str:
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch", ""))


async def test_a_file_deleted_and_added_in_one_patch_is_replaced(hands: Hands) -> None:
    before = hands.tree
    data = await hands.data("fs.patch", patch=codex("*** Delete File: c.txt", "*** Add File: c.txt", "+new"))

    assert [file["what"] for file in data["files"]] == ["delete", "add"]
    assert hands.tree == {**before, "c.txt": b"new\n"}
    await hands.data("fs.undo", request_id=data["request_id"])
    assert hands.tree == before


async def test_two_sections_for_one_file_are_applied_one_after_the_other(hands: Hands) -> None:
    hands.read("a.txt")
    first = ("*** Update File: a.txt", "@@", "-one", "+1")
    second = ("*** Update File: a.txt", "*** Move to: z.txt", "@@", " 1", "-two", "+2")
    third = ("*** Update File: z.txt", "@@", "-three", "+3")
    result = await hands("fs.patch", patch=codex(*first, *second, *third))

    assert result.ok, result.problems
    assert hands.tree == {"c.txt": b"gone\n", "d.sh": b"old\n", "z.txt": b"1\n2\n3\n"}
    hashes = [(file["old_hash"], file["hash"]) for file in result.data["files"]]
    steps = [
        digest(text) for text in (b"one\ntwo\nthree\n", b"1\ntwo\nthree\n", b"1\n2\nthree\n", b"1\n2\n3\n")
    ]
    assert hashes == list(pairwise(steps))
    assert result.notes == ("undo with request_id=req-1",)


async def test_a_place_that_an_earlier_section_made_free_can_be_moved_to(hands: Hands) -> None:
    await hands.data("fs.patch", patch=CODEX.replace("moved/d.sh", "c.txt"))

    assert hands.tree == {"a.txt": b"one\n2\nthree\n", "c.txt": b"new\n", "new/b.txt": b"hello\n"}


async def test_a_section_for_a_file_that_an_earlier_one_took_away_names_both(hands: Hands) -> None:
    before = hands.tree
    patch = codex("*** Delete File: c.txt", "*** Update File: c.txt", "@@", "-gone", "+here")
    problem = await hands.problem("fs.patch", patch=patch)

    assert (problem.code, problem.parameter) == ("BAD_PATCH", "patch")
    assert problem.detail.startswith("Section 2 of the patch changes c.txt, which section 1 took away: ")
    assert hands.tree == before


async def test_a_patch_that_adds_and_deletes_one_file_changes_nothing(hands: Hands) -> None:
    before = hands.tree
    result = await hands("fs.patch", patch=codex("*** Add File: n.txt", "+new", "*** Delete File: n.txt"))

    assert (result.ok, result.notes) == (True, ("The patch leaves all files as they are.",))
    assert (hands.tree, hands.ids) == (before, [])


def mode(hands: Hands, path: str) -> int:
    return (hands.folder / path).stat().st_mode & 0o777


async def test_the_modes_of_a_patch_are_not_dropped(hands: Hands) -> None:
    hands.put("a.txt", BEFORE["a.txt"], mode=0o640)
    patch = (
        "diff --git a/n.sh b/n.sh\nnew file mode 100755\n--- /dev/null\n+++ b/n.sh\n@@ -0,0 +1 @@\n+new\n"
        "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n--- a/a.txt\n+++ b/a.txt\n"
        "@@ -1 +1 @@\n-one\n+1\n"
        "diff --git a/d.sh b/e.txt\nold mode 100755\nnew mode 100644\nrename from d.sh\nrename to e.txt\n"
    )
    result = await hands("fs.patch", patch=patch)

    assert result.ok, result.problems
    assert [mode(hands, path) for path in ("n.sh", "a.txt", "e.txt")] == [executable(None), 0o750, 0o644]
    assert result.notes == (
        "n.sh is executable after the patch.",
        "a.txt is executable after the patch.",
        "e.txt is not executable after the patch.",
        "undo with request_id=req-1",
    )
    undone = await hands.data("fs.undo", request_id="req-1")
    assert [mode(hands, path) for path in ("a.txt", "d.sh")] == [0o640, 0o755]
    await hands.data("fs.undo", request_id=undone["request_id"])
    assert [mode(hands, path) for path in ("n.sh", "a.txt", "e.txt")] == [executable(None), 0o750, 0o644]
