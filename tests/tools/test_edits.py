from pathlib import Path
from typing import Any

import pytest
from tests.tools.hands import Hands
from tests.workspace.memory import MemoryRoot

from toolpost.content import Data, Diff, Text
from toolpost.limits import EDITS_MAX, WRITE_MAX
from toolpost.lint import lint
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.reading.text import digest

OLD = "one\ntwo\nthree\n"


@pytest.fixture
def hands(tmp_path: Path) -> Hands:
    return Hands(tmp_path)


def replace(old: str, new: str, **more: Any) -> dict[str, Any]:
    return {"type": "replace", "old_text": old, "new_text": new, **more}


class TestWrite:
    async def test_a_new_file_is_written_and_said_so_in_the_contracts_words(self, hands: Hands) -> None:
        result = await hands("fs.write", path="a.txt", content="né\n")

        assert result.content == (
            Text("File written successfully to a.txt (4 bytes)"),
            Data(
                {
                    "path": "a.txt",
                    "size_bytes": 4,
                    "created": True,
                    "hash": digest("né\n".encode()),
                    "request_id": "req-1",
                }
            ),
        )
        assert result.notes == ("undo with request_id=req-1",)
        assert hands.tree == {"a.txt": "né\n".encode()}

    async def test_a_file_this_session_read_is_replaced(self, hands: Hands) -> None:
        hands.put("a.sh", "old", mode=0o755)
        known = hands.read("a.sh")
        data = await hands.data("fs.write", path="a.sh", content="new")

        assert (data["created"], data["old_hash"], data["hash"]) == (False, known, digest(b"new"))
        assert (hands.folder / "a.sh").stat().st_mode & 0o777 == 0o755

    async def test_what_was_written_is_known_and_can_be_written_again(self, hands: Hands) -> None:
        await hands.data("fs.write", path="a.txt", content="one")
        await hands.data("fs.write", path="a.txt", content="two")

        assert hands.tree == {"a.txt": b"two"}

    @pytest.mark.parametrize("session", ["ana", "rui"])
    async def test_a_file_this_session_has_not_read_is_not_replaced(self, hands: Hands, session: str) -> None:
        hands.put("a.txt", "old")
        hands.read("a.txt", session="eva")
        problem = await hands.problem("fs.write", path="a.txt", content="new", session=session)

        assert (problem.code, problem.parameter) == ("STALE_FILE", "path")
        assert problem.detail == (
            "a.txt is there already, and this session has not read it: read it first, then write it or edit a "
            "part of it. To replace it unread, set overwrite."
        )
        assert (hands.tree, hands.ids) == ({"a.txt": b"old"}, [])

    async def test_a_file_that_changed_since_it_was_read_is_not_replaced(self, hands: Hands) -> None:
        hands.put("a.txt", "mine")
        hands.read("a.txt", data=b"old")
        problem = await hands.problem("fs.write", path="a.txt", content="new")

        assert problem.code == "STALE_FILE"
        assert problem.detail.startswith("a.txt changed since this session read it: read it again")
        assert problem.context == {"expected": digest(b"old"), "found": digest(b"mine")}
        assert hands.tree == {"a.txt": b"mine"}

    async def test_a_file_may_be_replaced_unread_when_that_is_said(self, hands: Hands) -> None:
        hands.put("a.txt", "old")
        await hands.data("fs.write", path="a.txt", content="new", overwrite=True)

        assert hands.tree == {"a.txt": b"new"}

    @pytest.mark.parametrize("short", [False, True])
    async def test_the_right_hash_stands_for_having_read(self, hands: Hands, short: bool) -> None:
        hands.put("a.txt", "old")
        known = digest(b"old").removeprefix("sha256:") if short else digest(b"old")
        await hands.data("fs.write", path="a.txt", content="new", expectHash=known)

        assert hands.tree == {"a.txt": b"new"}

    @pytest.mark.parametrize("overwrite", [False, True])
    async def test_a_wrong_hash_is_refused_whatever_else_is_said(self, hands: Hands, overwrite: bool) -> None:
        hands.put("a.txt", "mine")
        hands.read("a.txt")
        args = {"content": "new", "expect_hash": digest(b"old"), "overwrite": overwrite}
        there = await hands.problem("fs.write", path="a.txt", **args)
        gone = await hands.problem("fs.write", path="b.txt", **args)

        assert [(one.code, one.parameter) for one in (there, gone)] == [("STALE_FILE", "expect_hash")] * 2
        assert there.detail.startswith("a.txt is not the file whose hash was expected:")
        assert gone.detail.startswith("b.txt is not there any more:")
        assert hands.tree == {"a.txt": b"mine"}

    async def test_the_same_content_again_changes_nothing(self, hands: Hands) -> None:
        file = hands.put("a.txt", "same")
        before = file.stat()
        result = await hands("fs.write", path="a.txt", content="same", overwrite=True)

        assert result.notes == ("The file had this content already.",)
        assert "request_id" not in result.data
        assert file.stat() == before
        assert hands.ids == []
        assert (await hands("fs.write", path="a.txt", content="new")).ok  # it is known by now

    async def test_folders_are_made_only_when_that_is_said(self, hands: Hands) -> None:
        problem = await hands.problem("fs.write", path="a/b/c.txt", content="")
        assert problem.slug == "not-found"
        assert list(hands.folder.iterdir()) == []

        await hands.data("fs.write", path="a/b/c.txt", content="", create_dirs=True)
        assert hands.tree == {"a/b/c.txt": b""}

    @pytest.mark.parametrize(
        ("old", "content", "new"),
        [
            (b"\xef\xbb\xbfold\r\n", "new\n", b"\xef\xbb\xbfnew\n"),
            (b"\xef\xbb\xbfold", "\ufeffnew", b"\xef\xbb\xbfnew"),
            ("\ufeffold".encode("utf-16-le"), "né\r\n", "\ufeffné\r\n".encode("utf-16-le")),
            ("old and plain".encode("utf-16-be"), "new", "new".encode("utf-16-be")),
            (b"caf\xe9", "th\u00e9", b"th\xe9"),
            (b"\x00\x01\x02\xff", "new", b"new"),
            (b"", "\ufeffnew", b"\xef\xbb\xbfnew"),
        ],
    )
    async def test_the_encoding_of_a_file_is_kept_and_its_lines_end_as_given(
        self, hands: Hands, old: bytes, content: str, new: bytes
    ) -> None:
        hands.put("a.txt", old)
        await hands.data("fs.write", path="a.txt", content=content, overwrite=True)

        assert hands.tree == {"a.txt": new}

    async def test_a_file_becomes_utf_8_when_its_old_encoding_has_no_room(self, hands: Hands) -> None:
        hands.put("a.txt", b"caf\xe9")
        result = await hands("fs.write", path="a.txt", content="→", overwrite=True)

        assert hands.tree == {"a.txt": "→".encode()}
        assert result.notes[0] == "a.txt was cp1252, which has no U+2192: it is UTF-8 now."

    async def test_what_is_no_text_is_refused(self, hands: Hands) -> None:
        (root,) = hands.workspace.roots.values()
        problem = await hands.problem("fs.write", path="a.txt", content="\ud800")

        assert (problem.code, problem.parameter) == ("INVALID_ARGUMENT", "content")
        assert (hands.tree, root.location) == ({}, str(hands.folder))

    async def test_too_much_is_refused(self, hands: Hands) -> None:
        problem = await hands.problem("fs.write", path="a.txt", content="x" * (WRITE_MAX + 1))

        assert (problem.code, problem.parameter) == ("FILE_TOO_LARGE", "content")
        assert hands.tree == {}

    @pytest.mark.parametrize(
        ("path", "code"),
        [
            (".git/hooks/pre-commit", "DENIED"),
            (".env", "DENIED"),
            ("folder", "NOT_A_FILE"),
            ("link", "INVALID_PATH"),
            ("../a.txt", "INVALID_PATH"),
            ("", "NOT_A_FILE"),
        ],
    )
    async def test_what_must_not_be_written_is_not(self, hands: Hands, path: str, code: str) -> None:
        hands.put("a.txt", "old")
        hands.put(".env", "TOKEN=1")
        (hands.folder / "folder").mkdir()
        (hands.folder / "link").symlink_to("a.txt")
        before = hands.tree
        problem = await hands.problem("fs.write", path=path, content="new", overwrite=True, create_dirs=True)

        assert problem.code == code
        assert (hands.tree, hands.ids) == (before, [])


class TestEdit:
    async def test_the_answer_is_the_diff_with_both_texts_and_hashes(self, hands: Hands) -> None:
        hands.put("a.txt", OLD, mode=0o640)
        result = await hands("fs.edit", path="a.txt", edits=[replace("two", "2")])

        new = "one\n2\nthree\n"
        hunks = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three"
        assert result.content == (
            Diff("a.txt", OLD, new, hunks),
            Data(
                {
                    "path": "a.txt",
                    "matched": ["exact"],
                    "old_hash": digest(OLD.encode()),
                    "hash": digest(new.encode()),
                    "dry_run": False,
                    "diff": f"diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n{hunks}\n",
                    "request_id": "req-1",
                }
            ),
        )
        assert result.notes == ("undo with request_id=req-1",)
        assert hands.tree == {"a.txt": new.encode()}
        assert (hands.folder / "a.txt").stat().st_mode & 0o777 == 0o640

    async def test_edits_are_made_in_order_all_or_none(self, hands: Hands) -> None:
        hands.put("a.txt", OLD)
        edits = [
            {"type": "insert", "line": 1, "new_text": "zero\n"},
            {"type": "delete", "old_text": "two\n"},
            {"type": "insert", "after": "three\n", "new_text": "four\n"},
        ]
        missed = await hands.problem("fs.edit", path="a.txt", edits=[*edits, replace("five", "5")])
        assert (missed.code, missed.parameter) == ("EDIT_NOT_FOUND", "edits[3].old_text")
        assert hands.tree == {"a.txt": OLD.encode()}

        await hands.data("fs.edit", path="a.txt", edits=edits)
        assert hands.tree == {"a.txt": b"zero\none\nthree\nfour\n"}

    async def test_a_dry_run_shows_the_same_and_writes_nothing(self, hands: Hands) -> None:
        hands.put("a.txt", OLD)
        dry = await hands("fs.edit", path="a.txt", edits=[replace("two", "2")], dry_run=True)
        assert (hands.tree, hands.ids, dry.notes) == ({"a.txt": OLD.encode()}, [], ())

        wet = await hands.data("fs.edit", path="a.txt", edits=[replace("two", "2")])
        assert {**dry.data, "dry_run": False, "request_id": wet["request_id"]} == wet

    async def test_a_unified_diff_is_an_edit_too(self, hands: Hands) -> None:
        hands.put("a.txt", OLD)
        patch = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
        data = await hands.data("fs.edit", path="a.txt", edits=[{"type": "patch", "patch": patch}])

        assert data["matched"] == ["patch"]
        assert hands.tree == {"a.txt": b"one\n2\nthree\n"}

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (b"one\r\ntwo\r\n", b"one\r\n2\r\n2\r\n"),
            (b"\xef\xbb\xbfone\ntwo\n", b"\xef\xbb\xbfone\n2\n2\n"),
            ("\ufeffone\r\ntwo\r\n".encode("utf-16-le"), "\ufeffone\r\n2\r\n2\r\n".encode("utf-16-le")),
            (b"caf\xe9\ntwo\n", b"caf\xe9\n2\n2\n"),
            (b"one\rtwo\r", b"one\r2\r2\r"),
            (b"one\ntwo", b"one\n2\n2"),
            (b"a\r\ntwo\nb\r\n", b"a\r\n2\n2\nb\r\n"),
        ],
    )
    async def test_encoding_mark_and_line_endings_are_kept(
        self, hands: Hands, old: bytes, new: bytes
    ) -> None:
        hands.put("a.txt", old)
        await hands.data("fs.edit", path="a.txt", edits=[replace("two", "2\n2")])

        assert hands.tree == {"a.txt": new}

    async def test_a_character_the_files_encoding_has_no_place_for_is_refused(self, hands: Hands) -> None:
        hands.put("a.txt", b"caf\xe9")
        problem = await hands.problem("fs.edit", path="a.txt", edits=[replace("caf", "→")])

        assert problem.code == "INVALID_ARGUMENT"
        assert "U+2192" in problem.detail
        assert hands.tree == {"a.txt": b"caf\xe9"}

    async def test_a_file_that_changed_since_it_was_read_is_edited_and_said_so(self, hands: Hands) -> None:
        hands.put("a.txt", OLD)
        hands.read("a.txt", data=b"older")
        result = await hands("fs.edit", path="a.txt", edits=[replace("two", "2")])
        assert result.notes == ("a.txt changed since this session read it.", "undo with request_id=req-1")

        again = await hands("fs.edit", path="a.txt", edits=[replace("one", "1")])
        assert again.notes == ("undo with request_id=req-2",)

    async def test_a_miss_in_a_file_that_changed_says_that_it_changed(self, hands: Hands) -> None:
        hands.put("a.txt", OLD)
        hands.read("a.txt", data=b"older")
        stale = await hands.problem("fs.edit", path="a.txt", edits=[replace("twelve", "12")])
        hands.read("a.txt")
        known = await hands.problem("fs.edit", path="a.txt", edits=[replace("twelve", "12")])

        assert stale.detail == f"{known.detail} a.txt changed since this session read it."
        assert (stale.code, stale.parameter, stale.context) == (known.code, known.parameter, known.context)

    async def test_a_file_that_is_not_the_expected_one_is_not_edited(self, hands: Hands) -> None:
        hands.put("a.txt", OLD)
        problem = await hands.problem(
            "fs.edit", path="a.txt", edits=[replace("two", "2")], expect_hash=digest(b"older")
        )
        assert (problem.code, problem.context["found"]) == ("STALE_FILE", digest(OLD.encode()))
        assert hands.tree == {"a.txt": OLD.encode()}

        known = digest(OLD.encode())
        assert (await hands("fs.edit", path="a.txt", edits=[replace("two", "2")], expect_hash=known)).ok

    async def test_edits_that_change_nothing_write_nothing(self, hands: Hands) -> None:
        file = hands.put("a.txt", OLD)
        before = file.stat()
        result = await hands("fs.edit", path="a.txt", edits=[replace("two", "two")])

        assert result.notes == ("The edits leave the file as it is.",)
        assert (result.data["diff"], hands.ids) == ("", [])
        assert file.stat() == before

    async def test_a_file_that_is_not_there_is_answered_with_one_like_it(self, hands: Hands) -> None:
        hands.put("src/settings.py", OLD)
        problem = await hands.problem("fs.edit", path="src/setings.py", edits=[replace("two", "2")])

        assert (problem.code, problem.suggested) == ("FILE_NOT_FOUND", "src/settings.py")

    async def test_what_is_not_text_is_not_edited(self, hands: Hands) -> None:
        hands.put("a.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)))
        problem = await hands.problem("fs.edit", path="a.png", edits=[replace("IHDR", "")])

        assert problem.code == "NOT_TEXT"
        assert problem.context["mime"] == "image/png"

    async def test_an_edit_must_not_make_a_file_too_large(self, hands: Hands) -> None:
        hands.put("a.txt", OLD)
        problem = await hands.problem("fs.edit", path="a.txt", edits=[replace("two", "x" * WRITE_MAX)])

        assert (problem.code, problem.parameter) == ("FILE_TOO_LARGE", "edits")

    @pytest.mark.parametrize("edits", [[], [replace("two", "2")] * (EDITS_MAX + 1)])
    async def test_as_many_edits_as_are_taken(self, hands: Hands, edits: list[Any]) -> None:
        hands.put("a.txt", OLD)

        assert (await hands.problem("fs.edit", path="a.txt", edits=edits)).parameter == "edits"


class TestRoots:
    async def test_a_root_that_cannot_be_written_to_is_read_only(self, tmp_path: Path) -> None:
        hands = Hands(tmp_path, {"memory": MemoryRoot({"a.txt": b"old"})})
        calls: list[tuple[str, dict[str, Any]]] = [
            ("fs.write", {"path": "b.txt", "content": ""}),
            ("fs.edit", {"path": "a.txt", "edits": [replace("old", "new")]}),
            ("fs.delete", {"path": "a.txt"}),
            ("fs.move", {"source": "a.txt", "target": "b.txt"}),
            ("fs.patch", {"patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n"}),
        ]

        codes = [(await hands.problem(name, **args)).code for name, args in calls]
        assert codes == ["READ_ONLY"] * 5

    async def test_with_several_roots_each_file_is_shown_with_its_roots_name(self, tmp_path: Path) -> None:
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "a.txt").write_text("old")
        hands = Hands(tmp_path, {name: LocalRoot(tmp_path / name) for name in ("one", "two")})
        edited = await hands("fs.edit", path="two/a.txt", edits=[replace("old", "new")])
        undone = await hands.data("fs.undo", request_id=edited.data["request_id"])

        assert edited.data["path"] == "two/a.txt"
        assert edited.data["diff"].startswith("diff --git a/two/a.txt b/two/a.txt\n")
        assert undone["files"] == [{"path": "two/a.txt", "what": "content"}]
        across = await hands.problem("fs.move", source="one/a.txt", target="two/b.txt")
        assert (across.code, across.parameter) == ("INVALID_ARGUMENT", "target")


def test_the_tools_have_nothing_to_mend(hands: Hands) -> None:
    effects = {name: sorted(tool.effects) for name, tool in hands.tools.items()}

    assert effects == {
        "fs.write": ["write"],
        "fs.edit": ["read", "write"],
        "fs.patch": ["delete", "read", "write"],
        "fs.delete": ["delete"],
        "fs.move": ["delete", "write"],
        "fs.undo": ["delete", "write"],
    }
    assert [lint(tool) for tool in hands.tools.values()] == [[]] * 6
    assert all(tool.blocking for tool in hands.tools.values())
