import pytest
from tests.workspace.memory import MemoryRoot

from toolpost.errors import FileNotFound, InvalidPath
from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.scope import Scope
from toolpost.workspace.workspace import Workspace

APP = MemoryRoot({".gitignore": b"*.o\n", "src/a.py": b"", "src/b.o": b"", "x": b""})
LIB = MemoryRoot({"src/c.py": b"", "src/dist/d.py": b""})
BOTH = Workspace({"lib": LIB, "app": APP})


def _shown(scope: Scope, since: bytes = b"") -> list[str]:
    return [item.shown for item in scope.items(since=since) if not item.entry.is_dir]


def test_one_root_is_gone_through_by_its_own_paths() -> None:
    scope = Scope(Workspace({"app": APP}), "src")
    assert [(item.shown, item.relative) for item in scope.items()] == [("src/a.py", "a.py")]
    assert scope.passed == {"ignored": 1, "unlisted": 0}
    assert scope.file is None


def test_all_roots_are_gone_through_in_the_order_of_their_names() -> None:
    for path in ("", ".", "./"):
        scope = Scope(BOTH, path)
        assert _shown(scope) == [
            "app/.gitignore",
            "app/src/a.py",
            "app/x",
            "lib/src/c.py",
            "lib/src/dist/d.py",
        ]
    assert [item.relative for item in Scope(BOTH, "lib/src").items()] == ["c.py", "dist", "dist/d.py"]


def test_a_scope_goes_on_from_any_place_in_any_root() -> None:
    for path in ("", "app", "lib/src"):
        whole = list(Scope(BOTH, path).items())
        for item in whole:
            rest = [other.shown for other in whole if other.key >= item.key]
            assert [other.shown for other in Scope(BOTH, path).items(since=item.key)] == rest


def test_one_file_is_a_scope_by_itself() -> None:
    scope = Scope(BOTH, "app/src/b.o")
    assert scope.file is not None
    assert [(item.shown, item.relative) for item in scope.items()] == [("app/src/b.o", "b.o")]
    assert scope.passed == {"ignored": 0, "unlisted": 0}


def test_what_is_excluded_goes_with_all_below_it() -> None:
    items = Scope(BOTH, "").items(exclude=Glob("dist"))
    assert [item.shown for item in items if item.shown.startswith("lib")] == ["lib/src", "lib/src/c.py"]
    items = Scope(BOTH, "").items(exclude=Glob("lib/**"))
    assert [item.shown for item in items if item.shown.startswith("lib")] == []


def test_ignored_entries_come_on_request() -> None:
    items = Scope(BOTH, "app/src").items(ignored=True)
    assert [item.shown for item in items] == ["app/src/a.py", "app/src/b.o"]


def test_two_passes_count_what_they_leave_out_once() -> None:
    scope = Scope(BOTH, "")
    list(scope.items())
    list(scope.items(since=b"lib/"))
    assert scope.passed == {"ignored": 1, "unlisted": 0}


def test_a_path_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(FileNotFound):
        Scope(BOTH, "app/nowhere")
    with pytest.raises(InvalidPath):
        Scope(BOTH, "nowhere")
