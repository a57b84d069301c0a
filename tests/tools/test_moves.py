from pathlib import Path

import pytest
from tests.tools.hands import Hands

from toolpost.call import Call
from toolpost.content import Data, Text
from toolpost.define import Output
from toolpost.limits import WRITE_MAX
from toolpost.tools.moves import DeletedData, DeleteFile
from toolpost.workspace.history.change import Change, Request
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.reading.text import digest


@pytest.fixture
def hands(tmp_path: Path) -> Hands:
    return Hands(tmp_path)


class TestDelete:
    async def test_a_file_goes_and_can_be_had_back(self, hands: Hands) -> None:
        hands.put("a.sh", "old", mode=0o755)
        result = await hands("fs.delete", path="a.sh")

        assert result.content == (
            Text("Deleted a.sh"),
            Data({"path": "a.sh", "deleted": True, "can_undo": True, "request_id": "req-1"}),
        )
        assert result.notes == ("undo with request_id=req-1",)
        assert hands.tree == {}

        await hands.data("fs.undo", request_id="req-1")
        assert hands.tree == {"a.sh": b"old"}
        assert (hands.folder / "a.sh").stat().st_mode & 0o777 == 0o755

    async def test_what_was_deleted_is_not_known_any_more(self, hands: Hands) -> None:
        hands.put("a.txt", "old")
        hands.read("a.txt")
        await hands.data("fs.delete", path="a.txt")
        hands.put("a.txt", "old")

        assert (await hands.problem("fs.write", path="a.txt", content="new")).code == "STALE_FILE"

    @pytest.mark.parametrize("path", ["folder", "link", "large"])
    async def test_what_cannot_be_kept_goes_and_that_is_said(self, hands: Hands, path: str) -> None:
        (hands.folder / "folder").mkdir()
        (hands.folder / "link").symlink_to("elsewhere")
        hands.put("large", b"x" * (WRITE_MAX + 1))
        result = await hands("fs.delete", path=path)

        assert not (hands.folder / path).is_symlink()
        assert not (hands.folder / path).exists()
        assert result.data["can_undo"] is False
        assert result.notes == (f"{path} was not kept, so this cannot be undone.",)
        assert (await hands.problem("fs.undo", request_id="req-1")).code == "NOT_FOUND"

    @pytest.mark.parametrize(
        ("path", "code"),
        [
            ("full", "NOT_A_FILE"),
            ("gone.txt", "FILE_NOT_FOUND"),
            (".git/config", "DENIED"),
            (".env", "DENIED"),
            ("../work", "INVALID_PATH"),
        ],
    )
    async def test_what_must_stay_stays(self, hands: Hands, path: str, code: str) -> None:
        hands.put("full/a.txt", "old")
        hands.put(".git/config", "[core]")
        hands.put(".env", "TOKEN=1")
        before = hands.tree

        assert (await hands.problem("fs.delete", path=path)).code == code
        assert (hands.tree, hands.ids) == (before, [])

    async def test_a_file_that_is_not_there_is_answered_with_one_like_it(self, hands: Hands) -> None:
        hands.put("notes.md", "")
        problem = await hands.problem("fs.delete", filePath="note.md")

        assert (problem.code, problem.suggested) == ("FILE_NOT_FOUND", "notes.md")


class TestMove:
    async def test_a_file_changes_its_place_and_stays_known(self, hands: Hands) -> None:
        hands.put("a.txt", "text")
        result = await hands("fs.move", source="a.txt", target="b.txt")

        assert result.content == (
            Text("Moved a.txt to b.txt"),
            Data({"source": "a.txt", "target": "b.txt", "request_id": "req-1"}),
        )
        assert hands.tree == {"b.txt": b"text"}
        assert (await hands("fs.write", path="b.txt", content="new")).ok

    async def test_a_folder_moves_with_all_it_holds_and_back(self, hands: Hands) -> None:
        hands.put("old/a.txt", "a")
        await hands.data("fs.move", source="old", target="new")
        assert hands.tree == {"new/a.txt": b"a"}

        undone = await hands.data("fs.undo", request_id="req-1")
        assert undone["files"] == [{"path": "old", "what": "moved"}]
        assert hands.tree == {"old/a.txt": b"a"}

    @pytest.mark.parametrize(
        "words", [("from", "to"), ("source_path", "target_path"), ("src", "dst"), ("oldPath", "newPath")]
    )
    async def test_other_agents_words_are_taken(self, hands: Hands, words: tuple[str, str]) -> None:
        hands.put("a.txt", "text")
        await hands.data("fs.move", **dict(zip(words, ("a.txt", "b.txt"), strict=True)))

        assert hands.tree == {"b.txt": b"text"}

    async def test_a_folder_as_the_target_gets_the_path_in_it_suggested(self, hands: Hands) -> None:
        hands.put("a.txt", "text")
        (hands.folder / "notes").mkdir()
        problem = await hands.problem("fs.move", source="a.txt", target="notes")

        assert (problem.code, problem.parameter, problem.suggested) == (
            "ALREADY_EXISTS",
            "target",
            "notes/a.txt",
        )
        await hands.data("fs.move", source="a.txt", target=problem.suggested)
        assert hands.tree == {"notes/a.txt": b"text"}

    async def test_nothing_that_is_there_is_replaced(self, hands: Hands) -> None:
        for path in ("a.txt", "b.txt", "notes/a.txt"):
            hands.put(path, path)
        before = hands.tree
        for target in ("b.txt", "notes", "a.txt"):
            problem = await hands.problem("fs.move", source="a.txt", target=target)
            assert problem.code in {"ALREADY_EXISTS", "INVALID_ARGUMENT"}
            assert str(problem.suggested) == "UNSET"

        assert (hands.tree, hands.ids) == (before, [])

    async def test_a_target_outside_is_refused_by_its_own_name(self, hands: Hands) -> None:
        hands.put("a.txt", "text")
        problem = await hands.problem("fs.move", source="a.txt", target="../b.txt")

        assert (problem.code, problem.parameter) == ("INVALID_PATH", "target")
        assert (await hands.problem("fs.move", source="b.txt", target="c.txt")).suggested == "a.txt"


class TestUndo:
    async def test_an_edit_is_undone_and_that_can_be_undone(self, hands: Hands) -> None:
        hands.put("a.txt", "old")
        await hands.data("fs.write", path="a.txt", content="new", overwrite=True)
        undone = await hands("fs.undo", request_id="req-1")

        assert undone.content == (
            Text("Undid req-1:\na.txt: content"),
            Data(
                {
                    "undone": "req-1",
                    "files": [{"path": "a.txt", "what": "content"}],
                    "request_id": "req-2",
                }
            ),
        )
        assert undone.notes == ("undo with request_id=req-2",)
        assert hands.tree == {"a.txt": b"old"}
        await hands.data("fs.undo", requestId="req-2")
        assert hands.tree == {"a.txt": b"new"}

    async def test_what_was_put_back_is_known_and_what_is_gone_is_not(self, hands: Hands) -> None:
        hands.put("a.txt", "old")
        await hands.data("fs.write", path="a.txt", content="new", overwrite=True)
        await hands.data("fs.undo", request_id="req-1")
        (root,) = hands.workspace.roots.values()
        assert hands.seen.known("ana", root.key, "a.txt") == digest(b"old")

        created = await hands.data("fs.write", path="b.txt", content="new")
        await hands.data("fs.undo", request_id=created["request_id"])
        assert hands.seen.known("ana", root.key, "b.txt") is None

    async def test_twice_there_is_nothing_to_undo(self, hands: Hands) -> None:
        await hands.data("fs.write", path="a.txt", content="new")
        await hands.data("fs.undo", request_id="req-1")
        result = await hands("fs.undo", request_id="req-1")

        assert result.text == "Nothing to undo: the files are as they were before req-1."
        assert result.data == {"undone": "req-1", "files": []}

    async def test_a_file_that_changed_since_is_left_unless_forced(self, hands: Hands) -> None:
        await hands.data("fs.write", path="a.txt", content="new")
        hands.put("a.txt", "mine")
        problem = await hands.problem("fs.undo", request_id="req-1")
        assert (problem.code, problem.parameter) == ("STALE_FILE", "request_id")
        assert hands.tree == {"a.txt": b"mine"}

        await hands.data("fs.undo", request_id="req-1", force=True)
        assert hands.tree == {}

    async def test_an_unknown_id_is_answered_with_the_newest_of_this_session_alone(
        self, hands: Hands
    ) -> None:
        await hands.data("fs.write", path="a.txt", content="a")
        await hands.data("fs.write", path="b.txt", content="b", session="rui")
        problem = await hands.problem("fs.undo", request_id="req-9")

        assert problem.code == "NOT_FOUND"
        assert problem.context == {"newest": ["req-1"]}
        assert (await hands.problem("fs.undo", request_id="req-2")).code == "NOT_FOUND"
        assert sorted(hands.tree) == ["a.txt", "b.txt"]

    async def test_a_change_of_another_workspace_is_not_undone_from_this_one(
        self, hands: Hands, tmp_path: Path
    ) -> None:
        (tmp_path / "other").mkdir()
        other = LocalRoot(tmp_path / "other")
        hands.changes.apply(Request("req-other", "ana"), other, [Change(path="a.txt", data=b"")])
        problem = await hands.problem("fs.undo", request_id="req-other")

        assert problem.code == "NOT_FOUND"
        assert (tmp_path / "other" / "a.txt").exists()

    def test_a_call_without_an_id_gets_one(self, hands: Hands) -> None:
        tool = hands.tools["fs.delete"]
        hands.put("a.txt", "old")
        assert tool.run is not None
        answer = tool.run(DeleteFile(path="a.txt"), call=Call(tool="fs.delete"))

        assert isinstance(answer, Output)
        assert isinstance(answer.data, DeletedData)
        assert answer.data.request_id == "req-1"


class TestNames:
    async def test_a_move_makes_the_folders_it_is_asked_to_make(self, hands: Hands) -> None:
        hands.put("a.txt", "text")
        problem = await hands.problem("fs.move", source="a.txt", target="new/x/a.txt")
        assert (problem.code, problem.parameter) == ("DIRECTORY_NOT_FOUND", "target")
        assert "create_dirs" in problem.detail

        moved = await hands.data("fs.move", source="a.txt", target="new/x/a.txt", createDirs=True)
        assert hands.tree == {"new/x/a.txt": b"text"}
        await hands.data("fs.undo", request_id=moved["request_id"])
        assert [path.name for path in hands.folder.iterdir()] == ["a.txt"]

    @pytest.mark.parametrize(
        ("target", "code", "suggested"),
        [
            ("aux", "INVALID_PATH", "aux_"),
            ("src\\b.txt", "INVALID_PATH", "src/b.txt"),
            ("README", "ALREADY_EXISTS", "readme"),
        ],
    )
    async def test_a_target_that_cannot_live_everywhere_is_refused_with_one_that_can(
        self, hands: Hands, target: str, code: str, suggested: str
    ) -> None:
        hands.put("a.txt", "text")
        hands.put("readme", "there")
        before = hands.tree
        problem = await hands.problem("fs.move", source="a.txt", target=target)

        assert (problem.code, problem.parameter, problem.suggested) == (code, "target", suggested)
        assert (hands.tree, hands.ids) == (before, [])

    async def test_what_is_suggested_begins_with_the_root_where_there_are_several(
        self, tmp_path: Path
    ) -> None:
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
        hands = Hands(tmp_path, {name: LocalRoot(tmp_path / name) for name in ("one", "two")})
        problem = await hands.problem("fs.write", path="two/nul", content="")

        assert (problem.code, problem.suggested) == ("INVALID_PATH", "two/nul_")

    async def test_an_undo_of_a_move_names_the_file_that_is_in_the_way(self, hands: Hands) -> None:
        hands.put("a.txt", "old")
        moved = await hands.data("fs.move", source="a.txt", target="b.txt")
        hands.put("a.txt", "another")
        problem = await hands.problem("fs.undo", request_id=moved["request_id"])

        assert problem.code == "STALE_FILE"
        assert problem.detail.startswith("a.txt is in the way: ")
        await hands.data("fs.move", source="a.txt", target="c.txt")
        await hands.data("fs.undo", request_id=moved["request_id"])
        assert hands.tree == {"a.txt": b"old", "c.txt": b"another"}
