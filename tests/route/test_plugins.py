import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from toolpost.define import Tool, tool
from toolpost.route import plugins, trust
from toolpost.route.plugins import Plugin, State

FILE = (
    "from toolpost import tool\n@tool\ndef greet(name: str) -> str:\n    'Greet somebody.'\n    return name\n"
)


def greet(name: str) -> str:
    """Greet somebody."""
    return name


ONE = tool(greet)
MANY = [ONE]
NOT_TOOLS = [ONE, 5]


def give() -> list[Tool]:
    return [ONE]


def names(plugin: Plugin) -> list[str]:
    return [tool.name for tool in plugin.tools]


def point(value: str) -> EntryPoint:
    return EntryPoint(name="mine", value=f"{__name__}:{value}" if value else __name__, group=plugins.GROUP)


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])


@pytest.mark.parametrize("value", ["ONE", "MANY", "give", ""])
def test_an_entry_point_gives_a_tool_some_tools_or_a_callable(value: str) -> None:
    (plugin,) = plugins.installed([point(value)])

    assert (plugin.state, names(plugin)) == (State.LOADED, ["greet"])
    assert plugin.tools[0].source == "a package:mine"


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("NOT_TOOLS", "TypeError: expected tools, got int"),
        ("nothing", f"AttributeError: module '{__name__}' has no attribute 'nothing'"),
    ],
)
def test_a_broken_entry_point_is_named_with_its_error(value: str, error: str) -> None:
    (plugin,) = plugins.installed([point(value)])

    assert (plugin.state, plugin.error) == (State.BROKEN, error)
    assert plugin.fix.startswith("Upgrade or remove a package")


def test_this_installation_brings_no_tools_of_its_own() -> None:
    assert all(plugin.state in State for plugin in plugins.installed())


def test_a_file_gives_every_tool_it_names_once(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FILE + "again = greet\n")
    plugin = plugins.file(path)

    assert names(plugin) == ["greet"]
    assert plugin.tools[0].source == str(path)


def test_a_list_called_tools_says_which_and_a_source_of_its_own_stays(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FILE + "@tool(source='else')\ndef wave() -> str: ...\nTOOLS = lambda: [wave]\n")
    plugin = plugins.file(path)

    assert names(plugin) == ["wave"]
    assert plugin.tools[0].source == "else"


def test_types_of_a_file_are_found_by_name(tmp_path: Path) -> None:
    path = tmp_path / "typed.py"
    path.write_text(
        "from __future__ import annotations\nfrom msgspec import Struct\nfrom toolpost import tool\n"
        "class Inner(Struct):\n    size: int\nclass Args(Struct):\n    inner: Inner\n"
        "@tool\ndef measure(args: Args) -> str:\n    'Measure it.'\n    return ''\n"
    )
    assert plugins.file(path).error == ""


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("raise KeyError('x')", "KeyError: 'x'"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("def", "SyntaxError: invalid syntax (mine.py, line 1)"),
        ("raise ValueError('a\\nb')", "ValueError: a"),
        ("TOOLS = [1]", "TypeError: expected tools, got int"),
    ],
)
def test_a_broken_file_is_named_with_its_error_on_one_line(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    before = set(sys.modules)
    plugin = plugins.file(path)

    assert (plugin.state, plugin.error, plugin.tools) == (State.BROKEN, error, ())
    assert plugin.fix == f"Mend the file, then: toolpost lint {path}"
    if text.startswith("raise"):
        assert set(sys.modules) == before


def test_what_is_no_file_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "large.py").write_text("# too much\n")
    monkeypatch.setattr(plugins, "PLUGIN_BYTES", 5)

    assert plugins.file(tmp_path / "gone.py").error == "No such file or directory"
    assert plugins.file(tmp_path / "pipe.py").error == "not a file"
    assert plugins.file(tmp_path / "large.py").error == "larger than 5 bytes"


def test_the_bytes_that_were_judged_are_the_bytes_that_run(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("raise SystemExit")

    assert names(plugins.run(path, FILE.encode())) == ["greet"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".toolpost" / "tools").mkdir(parents=True)
    return tmp_path / ".toolpost"


def test_a_project_without_a_folder_has_no_plugins(tmp_path: Path) -> None:
    assert list(plugins.project(None, trust.Store())) == []
    assert list(plugins.project(tmp_path, trust.Store())) == []


def test_a_projects_file_runs_only_with_the_bytes_that_were_trusted(folder: Path) -> None:
    path = folder / "tools" / "mine.py"
    path.write_text(FILE)
    (before,) = plugins.project(folder, trust.Store())
    store = trust.Store().adding(path.resolve(), path.read_bytes())
    (trusted,) = plugins.project(folder, store)
    path.write_text(FILE + "\n")
    (changed,) = plugins.project(folder, store)

    assert (before.state, before.tools) == (State.UNTRUSTED, ())
    assert (trusted.state, names(trusted)) == (State.LOADED, ["greet"])
    assert (changed.state, changed.tools) == (State.CHANGED, ())


def test_a_link_in_a_project_is_judged_by_what_it_points_to(folder: Path, tmp_path: Path) -> None:
    real = tmp_path / "real.py"
    real.write_text(FILE)
    (folder / "tools" / "link.py").symlink_to(real)
    (loaded,) = plugins.project(folder, trust.Store().adding(real.resolve(), real.read_bytes()))

    assert names(loaded) == ["greet"]


def test_a_projects_file_that_cannot_be_read_is_said(folder: Path) -> None:
    (folder / "tools" / "loop.py").symlink_to("nowhere.py")
    (plugin,) = plugins.project(folder, trust.Store())

    assert (plugin.state, plugin.error) == (State.BROKEN, "No such file or directory")


def test_a_module_is_imported_by_name() -> None:
    assert names(plugins.module("tests.route.test_plugins:MANY")) == ["greet"]
    assert plugins.module("no.such.module").state is State.MISSING


def test_a_store_comes_back_as_it_was_written_and_private(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "trust.json"
    store = trust.Store().adding(Path("/a.py"), b"1").adding(Path("/b.py"), b"2").adding(Path("/a.py"), b"3")
    trust.write(path, store)

    assert trust.read(path) == store
    assert [one.path for one in store.files] == ["/b.py", "/a.py"]
    assert store.removing(Path("/a.py")).knows(Path("/a.py")) is False
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["trust.json"]


def test_a_store_that_is_none_trusts_nothing(tmp_path: Path) -> None:
    path = tmp_path / "trust.json"
    assert trust.read(path) == trust.Store()

    path.write_text("[]")
    path.chmod(0o600)
    with pytest.raises(trust.TrustError, match="is no trust store"):
        trust.read(path)
    path.chmod(0o644)
    with pytest.raises(trust.TrustError, match="not private"):
        trust.read(path)
    with pytest.raises(trust.TrustError, match="cannot be read"):
        trust.read(tmp_path)
