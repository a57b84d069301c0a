import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest
from tests.cli.desk import Run, Screen, at_terminal, process

from toolpost.cli import indexing, settings
from toolpost.cli.main import main

FILES = {
    "src/button.tsx": "export function Button() {\n  return null;\n}\nexport interface ButtonProps {}\n",
    "src/app.tsx": 'import { Button } from "./button";\nexport const App = () => Button();\n',
    "src/card.test.ts": 'import { Button } from "./button";\n',
    "tool.py": "class Tool:\n    def run(self):\n        return 1\n",
}


@pytest.fixture(autouse=True)
def cache(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(work.parent / "cache"))
    return work.parent / "cache" / "toolpost" / "index"


@pytest.fixture
def project(work: Path) -> Path:
    for path, text in FILES.items():
        (work / path).parent.mkdir(exist_ok=True)
        (work / path).write_text(text)
    return work


@pytest.fixture
def built(project: Path, run: Run) -> Path:
    assert run("index", "build").code == 0
    return project


def git(folder: Path, *words: str) -> None:
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *person, *words], cwd=folder, check=True, capture_output=True, timeout=60)


# Building.


def test_a_build_tells_what_it_found_and_the_next_one_takes_it_over(run: Run, project: Path) -> None:
    (first,) = run("index", "build").json
    later = (run("index", "build").json[0] for _ in range(200))
    known = next(
        one for one in later if one["taken"] == 4
    )  # files changed this very moment are read once more
    (full,) = run("index", "build", "--full", "--workers", "1").json

    facts = ("root", "files", "exports")
    assert [first[name] for name in facts] == [str(project), 4, 4]
    assert [one["taken"] for one in (first, known, full)] == [0, 4, 0]
    assert len({one["repo_hash"] for one in (first, known, full)}) == 1
    assert set(first) == {*facts, "taken", "seconds", "searches_s", "generation", "repo_hash"}


def test_people_read_a_sentence_for_each_root(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = project.parent / "other"
    other.mkdir()
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", ".,../other")
    shown = run("index", "build", "--text")

    first, second = shown.out.splitlines()
    assert first.startswith(f"{project}: 4 files, 4 exports in ")
    assert second.startswith(f"{other}: 0 files, 0 exports in ")
    assert shown.err == ""


def test_a_terminal_sees_how_far_a_build_is(project: Path) -> None:
    shown = at_terminal("index", "build", folder=project)

    assert shown.code == 0
    assert "Reading files" in shown.out
    assert f"{project}: 4 files" in shown.out


def test_a_revision_of_git_is_indexed_like_a_folder(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-qm", "Begin")
    (project / "src/button.tsx").write_text("export const Other = 1;\n")
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "git:.@HEAD")

    assert run("index", "build").json[0]["root"] == f"{project}@HEAD"
    found = run("index", "query", "exports", "Button").json
    assert [file["path"] for file in found["files"]] == ["src/button.tsx"]
    assert run("index", "status").json[0]["freshness"] == "built"
    assert run("search", "-l", "Button").out == "src/app.tsx\nsrc/button.tsx\nsrc/card.test.ts\n"


def test_another_builder_at_work_is_a_trouble_with_its_next_step(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.index.indexes.INDEX_BUSY_S", 0.0)
    with indexing.grounds() as (workspace, indexes):
        (root,) = workspace.roots.values()
        with indexes.folder(root).writing():
            shown = run("index", "build")

    assert shown.code == 1
    assert shown.err.endswith("  next: Wait for it to end, then try again.\n")


def test_a_folder_that_cannot_hold_an_index_is_a_trouble(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLPOST_INDEX_FOLDER", str(project / "tool.py"))

    shown = run("index", "build")
    assert shown.code == 1
    assert shown.err.startswith("error: ")
    assert "\n  next: " in shown.err


def test_a_workspace_without_a_root_has_no_index(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "github:")

    shown = run("index", "status")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.splitlines() == [
        "error: A workspace without a root has no index.",
        "  next: toolpost config set workspace.roots FOLDER",
    ]


# Status.


def test_status_says_that_there_is_no_index_and_builds_none(run: Run, project: Path, cache: Path) -> None:
    shown = run("index", "status")

    assert (shown.code, shown.json) == (4, [{"root": str(project), "built": False}])
    told = run("index", "status", "--text")
    assert (told.code, told.out.split()) == (4, ["root", str(project), "built", "no"])
    assert told.err == "  next: toolpost index build\n"
    assert not cache.exists()


def test_status_tells_what_is_indexed_and_how_fresh_it_is(run: Run, built: Path) -> None:
    (told,) = run("index", "status").json

    facts = ("root", "built", "files", "exports", "freshness", "changed", "searches_ready")
    assert [told[name] for name in facts] == [str(built), True, 4, 4, "checked", 0, True]
    (built / "new.py").write_text("x = 1\n")
    assert run("index", "status").json[0]["files"] == 5
    shown = run("index", "status", "--text")
    assert "freshness       checked" in shown.out
    assert "searches_ready  yes" in shown.out
    assert shown.err == ""


def test_an_index_that_cannot_be_read_is_as_good_as_none(run: Run, built: Path, cache: Path) -> None:
    (current,) = cache.glob("*/current")
    current.write_bytes(b"nonsense")

    assert run("index", "status").json[0]["built"] is False
    assert run("search", "-l", "class").out == "tool.py\n"
    assert run("index", "build").code == 0
    assert run("index", "status").json[0]["built"] is True


def test_every_index_that_is_kept_is_listed(run: Run, built: Path) -> None:
    (told,) = run("index", "status", "--all").json
    assert (told["where"], told["files"]) == (str(built), 4)

    shown = run("index", "status", "--all", "--text")
    assert shown.out.splitlines()[0].split() == ["tree", "files", "bytes", "last", "used"]
    assert shown.out.splitlines()[1].startswith(f"{built}  4 ")


# Asking.


def paths(shown: Any) -> list[str]:
    return [file["path"] for file in shown.json["files"]]


def test_files_are_found_by_export_tag_and_path(run: Run, built: Path) -> None:
    assert paths(run("index", "query", "exports", "Button")) == ["src/button.tsx"]
    assert paths(run("index", "query", "tag", "python")) == ["tool.py"]
    assert paths(run("index", "query", "pathPrefix", "src/c")) == ["src/card.test.ts"]
    assert paths(run("index", "query", "listAll")) == sorted(FILES)


def test_json_says_how_an_export_was_matched(run: Run, built: Path) -> None:
    def signs(*args: str) -> dict[str, Any]:
        told = run("index", "query", *args).json
        return {name: told[name] for name in ("matched", "note") if name in told}

    assert signs("exports", "Button") == {"matched": "exact"}
    note = "No export is called 'Buton'; these are spelled nearly so."
    assert signs("exports", "Buton") == {"matched": "fuzzy", "note": note}
    assert signs("tag", "python") == {}
    assert list(signs("exports", "Zzz")) in (["note"], [])


def test_a_query_builds_the_index_first_where_there_is_none(run: Run, project: Path, cache: Path) -> None:
    assert paths(run("index", "query", "exports", "App")) == ["src/app.tsx"]
    assert len(list(cache.glob("*/current"))) == 1


def test_a_table_says_how_many_there_are_and_how_to_go_on(run: Run, built: Path) -> None:
    shown = run("index", "query", "listAll", "--limit", "1", "--text")
    assert shown.out == "path         exports  tags\nsrc/app.tsx  App      entrypoint, typescript\n"
    total, onward = shown.err.splitlines()
    assert total == "note: 1 of 4 files"

    cursor = onward.removeprefix("note: go on with --cursor ")
    assert paths(run("index", "query", "listAll", "--limit", "1", "--cursor", cursor)) == ["src/button.tsx"]


def test_what_is_not_there_ends_with_4(run: Run, built: Path) -> None:
    shown = run("index", "query", "exports", "Zzz", "--text")

    assert (shown.code, shown.out) == (4, "")
    assert "note: 0 of 0 files" in shown.err


def test_definitions_are_found_by_name(run: Run, built: Path) -> None:
    shown = run("index", "query", "symbols", "Tool.run")
    assert shown.json["definitions"] == [
        {
            "path": "tool.py",
            "name": "run",
            "kind": "method",
            "line": 2,
            "end_line": 3,
            "signature": "def run(self)",
            "doc": "",
            "parent": "Tool",
        }
    ]
    told = run("index", "query", "symbols", "Button", "--text")
    assert told.out.splitlines()[1].split() == ["src/button.tsx:1-3", "function", "function", "Button()"]


def test_references_tell_the_line_and_what_it_is_part_of(run: Run, built: Path) -> None:
    found = run("index", "query", "references", "Button").json["references"]
    assert [(one["path"], one["line"], one["is_definition"]) for one in found] == [
        ("src/app.tsx", 1, False),
        ("src/app.tsx", 2, False),
        ("src/button.tsx", 1, True),
        ("src/card.test.ts", 1, False),
    ]
    shown = run("index", "query", "references", "Button", "--limit", "2", "--text")
    assert "src/app.tsx:2" in shown.out
    assert "there are more: raise --limit" in shown.err


def test_imports_are_told_both_ways(run: Run, built: Path) -> None:
    assert run("index", "query", "importers", "src/button.tsx").json == {
        "files": ["src/app.tsx", "src/card.test.ts"],
        "total_matches": 2,
        "truncated": False,
    }
    assert run("index", "query", "imports", "src/app.tsx", "--text").out == "path\nsrc/button.tsx\n"
    assert run("index", "query", "imports", "nope.ts").code == 4


def test_names_like_one_are_offered(run: Run, built: Path) -> None:
    assert run("index", "query", "similar", "Buton").json["names"] == ["Button"]


def test_several_roots_are_asked_and_paths_name_them(
    run: Run, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = built.parent / "other"
    other.mkdir()
    (other / "b.ts").write_text("export const Button = 2;\n")
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", ".,../other")

    assert paths(run("index", "query", "exports", "Button")) == ["other/b.ts", "work/src/button.tsx"]
    assert run("index", "query", "importers", "work/src/button.tsx").json["total_matches"] == 2
    found = run("index", "query", "references", "Button", "--limit", "1").json
    assert [one["path"] for one in found["references"]] == ["other/b.ts"]
    one_only = run("index", "export")
    assert one_only.code == 2
    assert one_only.err.startswith("error: The workspace has 2 roots; this is about one.\n  next: ")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("exports",), "exports needs a VALUE."),
        (("listAll", "x"), "listAll takes no VALUE: it gives every file."),
        (("listAll", "--limit", "0"), "--limit 0 leaves nothing to show."),
        (("similar", "x", "--cursor", "y"), "similar comes in one answer: it takes no --cursor."),
        (
            ("listAll", "--limit", "9999"),
            "At most 200 files come in one answer, not 9999; a cursor brings the rest.",
        ),
        (("nope", "x"), "Invalid value for 'TYPE'"),
    ],
)
def test_a_query_that_cannot_be_asked_says_what_to_do(
    run: Run, built: Path, args: tuple[str, ...], said: str
) -> None:
    shown = run("index", "query", *args)

    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error: {said}")
    assert "  next: " in shown.err


@pytest.mark.parametrize("args", [("query", "exports", "Button"), ("query", "listAll"), ("status",)])
def test_questions_about_files_need_neither_numpy_nor_a_parser(built: Path, args: tuple[str, ...]) -> None:
    program = (
        "import sys; from toolpost.cli.main import main; code = main(sys.argv[1:]); "
        "heavy = {'numpy', 'tree_sitter', 'watchfiles', 'rich'} & set(sys.modules); "
        "sys.exit(f'{code} {heavy}' if code or heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "index", *args],
        cwd=built,
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")


def test_the_command_itself_imports_nothing_of_the_index() -> None:
    program = (
        "import sys, toolpost.cli.index; "
        "assert not {'numpy', 'tree_sitter', 'toolpost.index.indexes'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=60)


# Exports and maps.


def test_the_whole_index_goes_to_stdout_or_to_a_file(run: Run, built: Path) -> None:
    shown = run("index", "export")
    assert set(shown.json) == {"repo_hash", "generated_at", "files", "statistics"}
    assert paths(shown) == sorted(FILES)

    told = run("index", "export", "--out", "index.json")
    assert (told.code, told.out, told.err) == (0, "", "note: written to index.json\n")
    assert json.loads((built / "index.json").read_text())["statistics"] == shown.json["statistics"]


def test_a_file_that_cannot_be_written_is_a_trouble(run: Run, built: Path) -> None:
    shown = run("index", "export", "--out", "none/index.json")

    assert shown == (
        1,
        "",
        "error: none/index.json cannot be written: No such file or directory.\n  next: Name another file.\n",
    )


def test_a_full_disk_is_told_when_the_index_is_written_to_it(
    built: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["index", "export"]) == 1

    assert capsys.readouterr().err.startswith("error: The output cannot be written: No space left on device.")


def test_a_map_names_what_matters_within_its_budget(run: Run, built: Path) -> None:
    shown = run("index", "repo-map", "--tokens", "200", "--text")
    assert "Button.tsx" not in shown.out
    assert "  button.tsx: function Button, interface ButtonProps" in shown.out

    made = run("index", "repo-map", "--focus", "tool.py").json
    assert made["tokens"] <= 2000
    assert made["total_files"] == 4
    refused = run("index", "repo-map", "--tokens", "0")
    assert refused.code == 2
    assert refused.err.startswith("error: A map takes 1 to ")


# Removing.


def test_the_index_of_a_tree_is_removed_by_where_it_is(run: Run, built: Path) -> None:
    freed = run("index", "gc", "--remove", ".").json["freed_bytes"]

    assert freed > 0
    assert run("index", "status").code == 4
    assert run("index", "gc", "--remove", ".") == (
        4,
        "",
        "error: There is no index of ..\n  next: toolpost index status --all lists them.\n",
    )


def test_what_was_not_used_or_is_too_much_goes(run: Run, built: Path) -> None:
    assert run("index", "gc", "--text").out == "0 bytes freed\n"
    assert run("index", "gc", "--older-than", "1").json == {"freed_bytes": 0}
    assert run("index", "gc", "--max-bytes", "0").json["freed_bytes"] > 0
    assert run("index", "status", "--all").json == []


# Watching.


class Watching:
    """A child that watches, and the lines it has printed."""

    def __init__(self, folder: Path, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "toolpost", "index", "watch", *args],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(os.environ),
        )
        self._lines: Queue[str] = Queue()
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.decode())

    def line(self) -> str:
        return self._lines.get(timeout=60)

    def json(self) -> Any:
        return json.loads(self.line())

    def end(self, number: signal.Signals) -> tuple[int, str]:
        self.process.send_signal(number)
        code = self.process.wait(timeout=60)
        self._thread.join(timeout=60)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        with self.process.stdout, self.process.stderr:
            return code, self.process.stderr.read().decode()


@contextmanager
def watching(folder: Path, *args: str) -> Iterator[Watching]:
    started = Watching(folder, *args)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.process.kill()
            started.end(signal.SIGKILL)


def test_a_watcher_tells_every_change_until_it_is_terminated(built: Path) -> None:
    with watching(built) as child:
        assert child.json() == {"root": str(built), "files": 4, "freshness": "watched"}
        (built / "new.py").write_text("x = 1\n")
        added = child.json()
        (built / "tool.py").write_text("y = 1\n")
        changed = child.json()
        (built / "new.py").unlink()
        removed = child.json()

        assert [one["added"] for one in (added, changed, removed)] == [["new.py"], [], []]
        assert [one["changed"] for one in (added, changed, removed)] == [[], ["tool.py"], []]
        assert [one["removed"] for one in (added, changed, removed)] == [[], [], ["new.py"]]
        assert child.end(signal.SIGTERM) == (0, "")


def test_others_ask_the_watcher_instead_of_looking_themselves(run: Run, built: Path) -> None:
    with watching(built) as child:
        child.json()
        (built / "new.py").write_text("fresh = 1\n")

        assert run("index", "status").json[0]["freshness"] == "watched"
        assert run("search", "fresh").out == "new.py:1:fresh = 1\n"
        with watching(built, "--text") as second:
            assert second.line() == f"watching {built}: 5 files, watched\n"
            (built / "tool.py").unlink()
            time, where, told = second.line().split()
            assert (time.endswith("Z"), where, told) == (True, f"{built}:", "-tool.py")
            said = "note: Another process answers others already; this one only watches.\n"
            assert second.end(signal.SIGINT) == (0, said)
        assert child.end(signal.SIGINT) == (0, "")


def test_a_watcher_builds_first_where_there_is_no_index(project: Path) -> None:
    with watching(project, "--text") as child:
        assert child.line() == f"watching {project}: 4 files, watched\n"
        assert child.end(signal.SIGTERM) == (0, "")


def test_at_a_terminal_lists_are_tables(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)

    assert main(["index", "query", "tag", "python"]) == 0
    assert "tool.py" in screen.getvalue()
    assert process("index", "status", folder=built).json[0]["built"] is True
    assert indexing.shelf(settings.settled()).all()[0].files == 4


def test_an_index_the_system_refuses_is_noted_and_the_others_go_on(
    run: Run, built: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (current,) = cache.glob("*/current")
    other = built.parent / "other"
    other.mkdir()
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "../other")
    assert run("index", "build").code == 0
    current.unlink()
    current.symlink_to("current")
    trouble = f"{current} cannot be read: Too many levels of symbolic links."

    listed = run("index", "status", "--all")
    assert listed.code == 0
    assert {one["where"]: one.get("trouble") for one in listed.json} == {
        str(built): trouble,
        str(other): None,
    }
    assert run("index", "status", "--all", "--text").err == f"note: {trouble}\n"
    removed = run("index", "gc", "--max-bytes", "0")
    assert (removed.code, removed.err) == (0, f"note: {trouble}\n")
    assert [one["where"] for one in run("index", "status", "--all").json] == [str(built)]
