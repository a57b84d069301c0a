import os
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.workspace.memory import MemoryRoot

from toolpost import meter
from toolpost.call import Call, Caller, Words
from toolpost.content import Image, Text
from toolpost.define import Output, Tool
from toolpost.errors import (
    FileNotFound,
    FileTooLarge,
    InvalidArgument,
    InvalidPath,
    IoFailed,
    MissingParameter,
    NoConnection,
    NotAFile,
    NotText,
    ReadBudgetExceeded,
)
from toolpost.limits import IMAGE_MAX, KIB, LIST_MAX, MIB, OUTLINE_SYMBOLS, READ_DEFAULT, READ_MAX, WRITE_MAX
from toolpost.lint import lint
from toolpost.tools.files import tools
from toolpost.workspace.history.seen import Seen
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.reading.cache import ReadCache
from toolpost.workspace.reading.text import digest
from toolpost.workspace.root import Entry, Kind, Root, Source
from toolpost.workspace.workspace import Workspace

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


class Desk:
    """The reading tool over some roots."""

    def __init__(self, **roots: Root) -> None:
        self.cache = ReadCache()
        self.seen = Seen()
        self.workspace = Workspace(roots)
        self.call = Call(tool="fs.read", caller=Caller(session="s1"))
        self.tool: Tool = tools(self.workspace, self.cache, self.seen)[0]

    def read(self, path: str | None = None, **args: Any) -> Output:
        given = args if path is None else {"path": path, **args}
        assert self.tool.args_type is not None
        assert self.tool.run is not None
        answer = self.tool.run(msgspec.convert(given, self.tool.args_type), call=self.call)
        assert isinstance(answer, Output)
        return answer

    def data(self, path: str | None = None, **args: Any) -> Any:
        return msgspec.to_builtins(self.read(path, **args).data)


def desk(files: dict[str, bytes]) -> Desk:
    return Desk(app=MemoryRoot(files))


def file(path: str, text: str, **more: Any) -> dict[str, Any]:
    """What is told of a small UTF-8 file that was read whole."""
    data = text.encode()
    plain = {"path": path, "content": text, "size_bytes": len(data), "truncated": False, "encoding": "utf-8"}
    return {**plain, "hash": digest(data), **more}


def test_every_tool_passes_the_lint() -> None:
    assert [(tool.name, lint(tool)) for tool in tools(Workspace({}), ReadCache(), Seen())] == [
        ("fs.read", []),
        ("fs.list", []),
        ("fs.dirs", []),
    ]


def test_a_file_is_given_as_text_and_as_data() -> None:
    assert desk({"src/a.py": b"x = 1\n"}).read("src/a.py") == Output(
        content=(Text("x = 1\n"),),
        data=msgspec.convert(
            file("src/a.py", "x = 1\n", total_lines=1), type(desk({"a": b""}).read("a").data)
        ),
        usage={"read_bytes": 6},
    )


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"a\r\nb\r\n", {"line_ending": "CRLF"}),
        (b"a\rb\r", {"line_ending": "CR"}),
        (b"a\r\nb\n", {"line_ending": "mixed"}),
        ("\ufeffa\nb\n".encode(), {"bom": True}),
        ("\ufeffa\nb\n".encode("utf-16-le"), {"bom": True, "source_encoding": "utf-16-le"}),
        ("a\nbé\n".encode("cp1252"), {"source_encoding": "cp1252"}),
        (b"a\nb", {}),
    ],
)
def test_how_a_file_is_written_is_told_where_it_is_unusual(data: bytes, told: dict[str, Any]) -> None:
    answer = desk({"a.txt": data}).data("a.txt")
    unusual = {"line_ending", "bom", "source_encoding"}
    assert {name: answer[name] for name in unusual & set(answer)} == told
    assert (answer["encoding"], answer["hash"], answer["total_lines"]) == ("utf-8", digest(data), 2)
    assert not answer["content"].startswith("\ufeff")


def test_an_empty_file_is_said_to_be_empty() -> None:
    answer = desk({"a.txt": b""}).read("a.txt")
    assert msgspec.to_builtins(answer.data) == file("a.txt", "", total_lines=0)
    assert (answer.content, answer.notes) == ((Text("The file is empty."),), ("The file is empty.",))


LINES = b"1\n2\n3\n4\n5"


@pytest.mark.parametrize(
    ("asked", "content", "notes"),
    [
        ({"start_line": 2, "end_line": 3}, "2\n3\n", ()),
        ({"start_line": 4}, "4\n5", ()),
        ({"end_line": 2}, "1\n2\n", ()),
        ({"limit": 2}, "1\n2\n", ()),
        ({"start_line": 3, "limit": 2}, "3\n4\n", ()),
        ({"start_line": 3, "limit": 0}, "3\n", ()),
        ({"start_line": 1, "end_line": 4, "limit": 2}, "1\n2\n", ()),
        ({"start_line": 0, "end_line": 1}, "1\n", ("start_line was 0; lines are counted from 1.",)),
        ({"start_line": -7, "limit": 1}, "1\n", ("start_line was -7; lines are counted from 1.",)),
        (
            {"start_line": 4, "end_line": 2},
            "4\n",
            ("The range ended before it began, at line 2; line 4 alone was read.",),
        ),
        ({"start_line": 9}, "", ("The file has 5 lines; there is no line 9.",)),
        ({"from_byte": 4}, "3\n4\n5", ()),
        (
            {"from_byte": -4, "max_bytes": 9},
            "1\n2\n3\n4\n5",
            ("from_byte was -4; bytes are counted from 0.",),
        ),
        ({"from_byte": 99}, "", ("The file has 9 bytes; nothing follows byte 9.",)),
        ({"numbered": True, "start_line": 5}, "     5\t5", ()),
    ],
)
def test_a_part_is_read_and_a_bad_range_brought_into_order(
    asked: dict[str, Any], content: str, notes: tuple[str, ...]
) -> None:
    answer = desk({"a.txt": LINES}).read("a.txt", **asked)
    data = msgspec.to_builtins(answer.data)
    assert (data["content"], data["truncated"], answer.notes) == (content, False, notes)
    assert answer.content == tuple(Text(part) for part in (content, *notes) if part)


def test_a_part_tells_the_lines_it_holds() -> None:
    assert desk({"a.txt": LINES}).data("a.txt", start_line=2, end_line=3) == {
        "path": "a.txt",
        "content": "2\n3\n",
        "size_bytes": 9,
        "truncated": False,
        "encoding": "utf-8",
        "hash": digest(LINES),
        "start_line": 2,
        "end_line": 3,
        "total_lines": 5,
        "next_start_line": 4,
    }


def test_bytes_and_lines_cannot_be_asked_for_at_once() -> None:
    with pytest.raises(InvalidArgument, match="from_byte counts bytes and start_line counts lines") as caught:
        desk({"a.txt": LINES}).read("a.txt", from_byte=1, start_line=1)
    assert caught.value.parameter == "start_line"
    with pytest.raises(InvalidArgument, match="numbered counts lines"):
        desk({"a.txt": LINES}).read("a.txt", from_byte=1, numbered=True)


@pytest.mark.parametrize("text", ["é€😀\n" * 50_000, "one line " * 30_000, "a\r\nb\r\n" * 40_000 + "end"])
def test_a_truncated_answer_is_continued_to_the_exact_file(text: str) -> None:
    here = desk({"a.txt": text.encode()})
    parts: list[str] = []
    more: dict[str, int] = {}
    while True:
        answer = here.read("a.txt", **more)
        data = msgspec.to_builtins(answer.data)
        parts.append(data["content"])
        assert len(data["content"].encode()) <= READ_DEFAULT
        if not data["truncated"]:
            break
        assert answer.notes[0].endswith(f"continue with from_byte={data['next_byte']}.")
        more = {"from_byte": data["next_byte"]}
    assert len(parts) > 2
    assert "".join(parts) == text


def test_lines_are_continued_to_the_exact_file() -> None:
    text = "".join(f"line {number}\r\n" for number in range(4_500)) + "end"
    here = desk({"a.txt": text.encode()})
    parts, start = [], 1
    while True:
        answer = here.read("a.txt", start_line=start)
        data = msgspec.to_builtins(answer.data)
        parts.append(data["content"])
        if not data["truncated"]:
            break
        told = f"Truncated: lines {start} to {data['end_line']} of 4501 are shown; "
        assert answer.notes == (f"{told}continue with start_line={data['next_start_line']}.",)
        start = data["next_start_line"]
    assert "".join(parts) == text


def test_a_hint_speaks_the_words_of_the_caller() -> None:
    here = desk({"a.txt": b"12345"})
    here.call = Call(tool="fs.read", words=Words(spelling={"from_byte": "fromByte", "max_bytes": "maxBytes"}))
    assert here.read("a.txt", max_bytes=2).notes == (
        "Truncated: bytes 0 to 2 of 5 are shown; continue with fromByte=2.",
    )
    here = desk({"a.txt": "€".encode()})
    assert here.read("a.txt", max_bytes=2).notes == (
        "The next character has more bytes than max_bytes; ask for 4 or more.",
    )


def test_a_long_line_is_cut_and_the_way_to_the_rest_is_told() -> None:
    here = desk({"a.txt": b"x" * 5_000 + b"\nshort\n"})
    answer = here.read("a.txt", numbered=True)
    data = msgspec.to_builtins(answer.data)
    assert data["content"] == f"     1\t{'x' * 2_000}\n     2\tshort\n"
    assert (data["truncated"], data["cut_lines"]) == (True, [{"line": 1, "from_byte": 2_000}])
    where = "the rest of line 1 begins at from_byte=2000"
    assert answer.notes == (f"Line 1 is cut, at 2000 characters or where the answer was full; {where}.",)
    here = desk({"a.txt": (b"x" * 5_000 + b"\n") * 3})
    where = "the rest of line 2 begins at from_byte=7001"
    assert here.read("a.txt", start_line=2).notes == (
        f"2 lines are cut, at 2000 characters or where the answer was full; {where}.",
    )


def test_a_large_file_carries_an_outline_unless_a_part_was_asked_for() -> None:
    source = b"".join(b"def f%d():\n    return %d\n" % (number, number) for number in range(30_000))
    here = desk({"a.py": source})
    answer = here.read("a.py")
    data = msgspec.to_builtins(answer.data)
    assert len(data["outline"]) == OUTLINE_SYMBOLS
    assert data["outline"][:2] == [{"line": 1, "text": "def f0():"}, {"line": 3, "text": "def f1():"}]
    assert isinstance(answer.content[1], Text)
    assert "Outline, with line numbers:\n     1\tdef f0():\n     3\tdef f1():\n" in answer.content[1].text
    assert "outline" not in here.data("a.py", start_line=1)
    assert "outline" not in here.data("a.py", max_bytes=100)
    assert "outline" not in desk({"a.txt": source}).data("a.txt")


def test_an_outline_comes_instead_of_the_text_when_asked_for() -> None:
    here = desk({"a.py": b"def f():\n    pass\n", "a.txt": b"words"})
    answer = here.read("a.py", outline=True)
    outlined = [{"line": 1, "text": "def f():"}]
    expected = {**file("a.py", "def f():\n    pass\n", total_lines=2, outline=outlined), "content": ""}
    assert msgspec.to_builtins(answer.data) == expected
    assert (answer.content, answer.usage) == ((Text("     1\tdef f():"),), {"read_bytes": 15})
    assert here.read("a.txt", outline=True).notes == ("No definitions were found; read the file by lines.",)


def test_a_second_read_comes_from_the_cache_whatever_is_asked_of_it() -> None:
    here = desk({"a.txt": b"12345\n"})
    assert not here.read("a.txt", max_bytes=2).cached
    again = here.read("a.txt")
    assert again.cached
    assert msgspec.to_builtins(again.data) == file("a.txt", "12345\n", total_lines=1)
    assert (here.cache.hits, here.cache.misses) == (1, 1)


def test_a_changed_file_is_read_anew() -> None:
    root = MemoryRoot({"a.txt": b"old"})
    here = Desk(app=root)
    here.read("a.txt")
    root.files["a.txt"] = b"new"
    answer = here.read("a.txt")
    assert (answer.cached, msgspec.to_builtins(answer.data)["content"]) == (False, "new")


def test_a_session_is_known_to_have_seen_what_it_read() -> None:
    here = desk({"a.txt": b"text", "b.png": PNG, "large.txt": b"x\n" * (READ_MAX // 2 + 1)})
    here.read("a.txt", start_line=1)
    here.read("b.png")
    here.read("large.txt", limit=1)
    assert here.seen.known("s1", "memory", "a.txt") == digest(b"text")
    assert here.seen.known("s1", "memory", "large.txt") == digest(b"x\n" * (READ_MAX // 2 + 1))
    assert here.seen.known("s1", "memory", "b.png") is None
    assert here.seen.known("s2", "memory", "a.txt") is None


def test_a_file_too_large_to_be_changed_has_no_hash() -> None:
    here = desk({"large.txt": b"x\n" * (WRITE_MAX // 2 + 1)})
    data = here.data("large.txt", start_line=3, limit=1)
    assert "hash" not in data
    assert (data["content"], data["next_start_line"]) == ("x\n", 4)
    assert here.seen.known("s1", "memory", "large.txt") is None


def test_an_image_comes_as_an_image() -> None:
    assert desk({"a.png": PNG}).read("a.png").content == (Image(PNG, "image/png"),)
    assert desk({"a.png": PNG}).data("a.png") == {
        "path": "a.png",
        "media_type": "image/png",
        "size_bytes": len(PNG),
        "hash": digest(PNG),
    }


def test_an_image_is_refused_where_only_text_is_wanted_or_it_is_too_large() -> None:
    with pytest.raises(NotText, match=r"a\.png is not text but image/png, 16 bytes"):
        desk({"a.png": PNG}).read("a.png", text_only=True)
    with pytest.raises(FileTooLarge) as caught:
        desk({"a.png": PNG + b"\x00" * IMAGE_MAX}).read("a.png")
    size = len(PNG) + IMAGE_MAX
    assert caught.value.context == {"size_bytes": size, "limit": IMAGE_MAX, "mime": "image/png"}


@pytest.mark.parametrize("size", [100, READ_MAX + 100])
def test_what_is_neither_text_nor_image_is_refused_with_its_kind(size: int) -> None:
    with pytest.raises(NotText) as caught:
        desk({"a.png": b"\x7fELF" + b"\x00" * size}).read("a.png")
    assert caught.value.context == {"mime": "application/x-elf", "size_bytes": size + 4}


def test_a_file_above_the_callers_limit_is_refused_with_a_part_that_would_work() -> None:
    here = desk({"a.txt": b"x" * 200})
    with pytest.raises(FileTooLarge, match=r"a\.txt has 200 bytes; at most 100 are read at once") as caught:
        here.read("a.txt", refuse_above=100)
    part = caught.value.context["would_work"]
    assert caught.value.context == {"size_bytes": 200, "limit": 100, "would_work": part}
    assert here.data("a.txt", refuse_above=100, **part)["content"] == "x" * 100
    assert here.data("a.txt", refuse_above=200)["content"] == "x" * 200


def test_a_directory_answers_its_listing() -> None:
    here = desk({"src/a.py": b"x", **{f"many/{number}": b"" for number in range(LIST_MAX + 1)}})
    answer = here.read("src")
    note = "src is a directory: this is its listing, as the tool that lists directories gives it."
    assert msgspec.to_builtins(answer.data) == {
        "directory": "src",
        "absolute": "/memory/src",
        "files": [{"name": "a.py", "path": "src/a.py", "type": "file", "size_bytes": 1}],
        "total": 1,
        "truncated": False,
    }
    assert (answer.content, answer.notes) == ((Text("a.py"), Text(note)), (note,))
    assert answer.usage == {"lists": 1, "read_bytes": 0}
    assert here.data("many")["truncated"]


def test_with_several_roots_the_workspace_itself_answers_them() -> None:
    here = Desk(one=MemoryRoot({"a.txt": b"1"}), two=MemoryRoot({"a.txt": b"2"}))
    assert [entry["name"] for entry in here.data(".")["files"]] == ["one", "two"]
    assert here.data("two/a.txt") == file("two/a.txt", "2", total_lines=1)
    assert here.data("two")["directory"] == "two"


def test_what_is_not_there_is_said_with_what_is() -> None:
    with pytest.raises(FileNotFound) as caught:
        desk({"src/main.py": b""}).read("src/mian.py")
    assert caught.value.detail == "File not found: src/mian.py"
    assert (caught.value.parameter, caught.value.suggested) == ("path", "src/main.py")


def test_exactly_one_of_path_and_paths_is_needed() -> None:
    with pytest.raises(MissingParameter) as missing:
        desk({}).read()
    assert missing.value.parameter == "path"
    with pytest.raises(InvalidArgument, match="path and paths were both given"):
        desk({}).read("a", paths=["b"])


def test_without_a_root_nothing_is_connected() -> None:
    with pytest.raises(NoConnection):
        Desk().read("a.txt")


def test_several_files_are_each_answered_on_their_own() -> None:
    here = desk({"a.txt": b"one\n", "dir/b.txt": b"two", "c.png": PNG})
    answer = here.read(paths=["a.txt", "mising.txt", "c.png", "dir", "dir/b.txt", "../x"])
    assert msgspec.to_builtins(answer.data) == {
        "files": [
            file("a.txt", "one\n", total_lines=1),
            {"path": "mising.txt", "code": "FILE_NOT_FOUND", "error": "File not found: mising.txt"},
            {"path": "c.png", "media_type": "image/png", "size_bytes": len(PNG), "hash": digest(PNG)},
            {"path": "dir", "code": "NOT_A_FILE", "error": "dir is no file."},
            file("dir/b.txt", "two", total_lines=1),
            {
                "path": "../x",
                "code": "INVALID_PATH",
                "error": "The path leaves the root by `..`; give one that stays inside.",
            },
        ],
        "truncated": False,
    }
    assert answer.usage == {"read_bytes": 7 + len(PNG)}
    assert answer.content[:4] == (
        Text("==> a.txt <=="),
        Text("one\n"),
        Text("==> mising.txt <=="),
        Text("Error: File not found: mising.txt"),
    )


def test_several_files_share_one_answer() -> None:
    here = desk(dict.fromkeys("abc", b"x" * (300 * KIB)))
    data = here.data(paths=["a", "b", "c"], max_bytes=READ_MAX)
    sizes = [len(one.get("content", "")) for one in data["files"]]
    assert sizes == [300 * KIB, READ_MAX - 300 * KIB, 0]
    assert data["truncated"]
    assert data["files"][1]["next_byte"] == READ_MAX - 300 * KIB
    assert data["files"][2] == {
        "path": "c",
        "code": "LIMIT_EXCEEDED",
        "error": f"The answer is full, with {READ_MAX} bytes: read c in a call of its own.",
    }
    again = here.read(paths=["a", "b"], limit=1)
    assert again.cached
    assert again.notes[0].startswith("a: Line 1 is cut")


def test_a_call_costs_as_many_reads_as_it_names_files() -> None:
    cost = desk({}).tool.cost
    assert callable(cost)
    assert cost({"path": "a"}) == {"reads": 1, "concurrent_reads": 1}
    assert cost({"paths": ["a", "b", "c"]}) == {"reads": 3, "concurrent_reads": 1}


def test_bytes_are_reserved_before_they_are_given() -> None:
    asked: list[dict[str, int]] = []
    reset = meter.RESERVE.set(lambda units: asked.append(dict(units)))
    try:
        here = desk(
            {"a.txt": b"x" * 200, "b.txt": b"caf\xe9", "c.png": PNG, "d/e": b"", "f.py": b"def f(): ..."}
        )
        here.read("a.txt")
        here.read("a.txt", max_bytes=50)
        here.read("a.txt", numbered=True)
        here.read("b.txt")
        here.read("c.png")
        here.read("d")
        here.read("f.py", outline=True)
    finally:
        meter.RESERVE.reset(reset)
    assert asked == [
        {"read_bytes": 200},
        {"read_bytes": 50},
        {"read_bytes": 208},
        {"read_bytes": 12},
        {"read_bytes": len(PNG)},
        {"lists": 1},
        {"read_bytes": 19},
    ]


def test_a_spent_budget_gives_nothing_and_is_nothing_seen() -> None:
    def refuse(_units: object) -> None:
        raise ReadBudgetExceeded("spent")

    here = desk({"a.txt": b"text"})
    reset = meter.RESERVE.set(refuse)
    try:
        with pytest.raises(ReadBudgetExceeded):
            here.read("a.txt")
    finally:
        meter.RESERVE.reset(reset)
    assert here.seen.known("s1", "memory", "a.txt") is None


class Broken(BytesIO):
    def read(self, _size: int | None = -1) -> bytes:
        raise OSError(5, "Input/output error")


class BrokenRoot(MemoryRoot):
    def open(self, path: str) -> Source:
        return Source(Entry(path, Kind.FILE, 3), Broken(), 1)


def test_a_disk_that_fails_is_said_to() -> None:
    with pytest.raises(IoFailed, match=r"a\.txt could not be read: Input/output error"):
        Desk(app=BrokenRoot({"a.txt": b"abc"})).read("a.txt")


def test_characters_that_are_none_are_shown_and_said() -> None:
    data = b"good line\n" * 60_000 + b"bad \xff\n"
    here = desk({"a.log": data})
    answer = here.read("a.log", start_line=60_001)
    assert msgspec.to_builtins(answer.data)["content"] == "bad \ufffd\n"
    assert answer.notes == ("1 character is not valid utf-8, and shown as U+FFFD.",)
    wide = "\ufeffa\ud800".encode("utf-16-le", "surrogatepass")
    assert desk({"a.txt": wide}).data("a.txt")["content"] == "a\ufffd"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


def test_a_fifo_is_refused_at_once(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(NotAFile):
        Desk(app=LocalRoot(folder)).read("pipe")


def test_another_name_of_a_file_is_told(folder: Path) -> None:
    (folder / "a.txt").write_bytes(b"text")
    os.link(folder / "a.txt", folder / "b.txt")
    assert Desk(app=LocalRoot(folder)).data("a.txt")["links"] == 2


def test_a_local_folder_answers_its_listing(folder: Path) -> None:
    (folder / "src").mkdir()
    (folder / "src" / "a.py").write_bytes(b"x")
    assert Desk(app=LocalRoot(folder)).data("src") == {
        "directory": "src",
        "absolute": f"{folder.resolve()}/src",
        "files": [{"name": "a.py", "path": "src/a.py", "type": "file", "size_bytes": 1}],
        "total": 1,
        "truncated": False,
    }


def test_an_absolute_path_below_the_root_is_taken_and_any_other_refused(folder: Path) -> None:
    (folder / "a.txt").write_bytes(b"text")
    here = Desk(app=LocalRoot(folder))
    assert here.data(f"{folder.resolve()}/a.txt")["path"] == "a.txt"
    with pytest.raises(InvalidPath):
        here.read("/etc/hostname")


def test_a_sparse_gibibyte_answers_its_head_and_a_range(folder: Path) -> None:
    with (folder / "big.log").open("wb") as stream:
        stream.write(b"".join(b"line %d\n" % number for number in range(1, 20_000)))
        stream.truncate(1024 * MIB)
    here = Desk(app=LocalRoot(folder))
    data = here.data("big.log", start_line=10, limit=2)
    assert (data["content"], data["size_bytes"], data["next_start_line"]) == (
        "line 10\nline 11\n",
        1024 * MIB,
        12,
    )
    assert len(here.data("big.log")["content"]) == READ_DEFAULT


def test_a_line_break_in_a_name_made_two_lines_of_one_heading() -> None:
    answer = desk({"a\nb.txt": b"one"}).read(paths=["a\nb.txt"])
    assert answer.content == (Text("==> a\\nb.txt <=="), Text("one"))
    assert msgspec.to_builtins(answer.data)["files"] == [file("a\nb.txt", "one", total_lines=1)]
