import asyncio
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.desktop.apps.folders import Machine
from tests.desktop.processes import ended

from toolpost import Bench
from toolpost.atom import Atom, Command, Kind
from toolpost.authorize.profiles import PROFILES
from toolpost.call import Call
from toolpost.content import Text
from toolpost.define import Effect, Tool
from toolpost.desktop.ground import DesktopGround
from toolpost.dialects.sandra import Sandra
from toolpost.result import Result
from toolpost.tools.desktop import tools

OPEN = PROFILES["open"]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    made.program("paint")
    made.program("paint-shop")
    made.entry("org.Paint.desktop", "Name=Paint", "Comment=Draws\\npictures", "Exec=paint %F")
    return made


def _tools(machine: Machine, platform: str = "linux") -> dict[str, Tool]:
    made = tools(DesktopGround(machine.environ, platform=platform))
    return {tool.name: tool for tool in made}


async def _call(machine: Machine, tool: str, platform: str = "linux", **args: Any) -> Result:
    bench = Bench(_tools(machine, platform).values(), profile=OPEN)
    return await bench.call(Call(tool=tool, args=args))


def _text(result: Result) -> str:
    return "".join(part.text for part in result.content if isinstance(part, Text))


async def test_applications_are_found_by_name(machine: Machine) -> None:
    result = await _call(machine, "apps.find", name="paint")
    entry = f"{machine.shared}/applications/org.Paint.desktop"
    shop = f"{machine.bin}/paint-shop"
    assert result.data == {
        "applications": [
            {
                "name": "Paint",
                "id": "org.Paint.desktop",
                "path": entry,
                "exec": f"{machine.bin}/paint",
                "source": "desktop-entry",
                "description": "Draws\npictures",
            },
            {
                "name": "paint-shop",
                "id": "paint-shop",
                "path": shop,
                "exec": shop,
                "source": "search-path",
                "description": "",
            },
        ],
        "count": 2,
        "truncated": False,
        "nearest": [],
    }
    assert _text(result) == f"Paint ({entry}): Draws\\npictures\npaint-shop ({shop})"


async def test_a_short_answer_says_that_there_is_more(machine: Machine) -> None:
    result = await _call(machine, "apps.find", name="paint", limit=1)
    assert (result.data["count"], result.data["truncated"]) == (1, True)
    assert result.notes == ("1 more: raise limit, or name it more exactly.",)


async def test_where_nothing_is_found_the_nearest_names_are_told(machine: Machine) -> None:
    result = await _call(machine, "apps.find", name="prints")
    assert (result.data["applications"], result.data["nearest"]) == ([], ["Paint", "paint", "paint-shop"])
    assert _text(result) == "No application goes by prints. Alike are: Paint, paint, paint-shop."
    assert _text(await _call(machine, "apps.find", name="zzz")) == "No application goes by zzz."


async def test_an_application_is_launched_detached_and_its_process_told(machine: Machine) -> None:
    out = machine.home / "out"
    os.mkfifo(out)
    machine.program("say", f'#!/bin/sh\necho "$# $1 $HOME $(pwd)" > {out}\n')
    entry = machine.entry("say.desktop", "Name=Say", "Exec=say --now %U", f"Path={machine.bin}")
    with os.fdopen(os.open(out, os.O_RDONLY | os.O_NONBLOCK)) as said:
        result = await _call(machine, "apps.launch", path="say.desktop", files=["https://a.example/$x"])
        assert result.ok, result.problems
        assert ended(result.data["pid"])
        assert said.read() == f"2 --now {machine.home} {machine.bin}\n"
    assert result.data == {
        "pid": result.data["pid"],
        "name": "Say",
        "id": "say.desktop",
        "path": entry,
        "exec": f"{machine.bin}/say --now",
    }
    (note,) = result.notes
    assert note.startswith("There is no display here")
    assert _text(result) == f"Say was launched: process {result.data['pid']}.\n{note}"


async def test_what_find_tells_can_be_launched_in_the_words_of_the_contract(machine: Machine) -> None:
    made = _tools(machine).values()
    dialect, bench = Sandra(made), Bench(made, profile=OPEN)
    found = dialect.render(
        await bench.call(dialect.read({"tool": "local.apps.find", "args": {"name": "Paint"}}))
    )
    path = found["data"]["applications"][0]["path"]
    asked = {"tool": "local.apps.launch", "args": {"path": path}}
    launched = dialect.render(await bench.call(dialect.read(asked)))
    assert (launched["ok"], launched["tool"], launched["data"]["id"]) == (
        True,
        "local.apps.launch",
        "org.Paint.desktop",
    )
    assert ended(launched["data"]["pid"])


async def test_where_there_is_a_display_nothing_is_said_of_it(machine: Machine) -> None:
    ground = DesktopGround({**machine.environ, "WAYLAND_DISPLAY": "wayland-0"}, platform="linux")
    result = await Bench(tools(ground), profile=OPEN).call(Call(tool="apps.launch", args={"path": "paint"}))
    assert ended(result.data["pid"])
    assert result.notes == ()


@given(st.text() | st.from_regex(r"[-./a-z\0]{0,30}(\.desktop)?", fullmatch=True))
def test_no_other_text_is_an_application_or_breaks_anything(path: str) -> None:
    with TemporaryDirectory() as folder:
        made = tools(DesktopGround(Machine(Path(folder)).environ, platform="linux"))
        launch = next(tool for tool in made if tool.name == "apps.launch")
        assert launch.touches is not None
        touched = list(launch.touches({"path": path, "files": [path]}))
        assert touched[0] == Command(argv=(path, path), cwd=f"{folder}/home")
        result = asyncio.run(Bench(made, profile=OPEN).call(Call(tool="apps.launch", args={"path": path})))
        assert {problem.code for problem in result.problems} <= {
            "NOT_FOUND",
            "INVALID_ARGUMENT",
            "DENIED",
        }
        assert not result.ok


async def test_only_what_is_found_can_be_launched(machine: Machine, tmp_path: Path) -> None:
    script = tmp_path / "evil"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    (problem,) = (await _call(machine, "apps.launch", path=str(script))).problems
    assert (problem.code, problem.parameter) == ("NOT_FOUND", "path")
    (problem,) = (await _call(machine, "apps.launch", path="/usr/bin/Paint")).problems
    assert (problem.code, problem.suggested) == ("NOT_FOUND", "org.Paint.desktop")
    assert problem.context["nearest"] == ["org.Paint.desktop", "paint-shop"]


async def test_what_lies_in_the_workspace_is_no_application(machine: Machine) -> None:
    made = tools(DesktopGround(machine.environ, platform="linux", closed=(str(machine.bin),)))
    bench = Bench(made, profile=OPEN)
    found = await bench.call(Call(tool="apps.find", args={"name": "paint"}))
    launched = await bench.call(Call(tool="apps.launch", args={"path": f"{machine.bin}/paint"}))
    assert (found.data["count"], [problem.code for problem in launched.problems]) == (0, ["NOT_FOUND"])


async def test_one_of_several_that_start_a_program_must_be_chosen(machine: Machine, tmp_path: Path) -> None:
    machine.program("../opt/box")
    for name in ("one", "two"):
        machine.entry(f"{name}.desktop", f"Name={name}", f"Exec={tmp_path}/opt/box run {name}")
    (problem,) = (await _call(machine, "apps.launch", path=f"{tmp_path}/opt/box")).problems
    assert (problem.code, problem.suggested) == ("INVALID_ARGUMENT", "one.desktop")
    assert problem.context["ids"] == ["one.desktop", "two.desktop"]


@pytest.mark.parametrize(
    ("lines", "files", "code", "parameter", "said"),
    [
        (("Exec=paint", "Terminal=true"), [], "INVALID_ARGUMENT", "path", "in a terminal: run `"),
        (("DBusActivatable=true",), [], "INVALID_ARGUMENT", "path", "through D-Bus"),
        (("Exec=paint",), ["/etc/hosts"], "INVALID_ARGUMENT", "files", "X takes no files"),
        (("Exec=paint %f",), ["/etc/hosts", "/etc/hosts"], "INVALID_ARGUMENT", "files", "X takes one file"),
        (("Exec=paint %F",), ["--run=sh"], "INVALID_ARGUMENT", "files[0]", "absolute path: "),
        (("Exec=paint %F",), ["https://a.example"], "INVALID_ARGUMENT", "files[0]", "absolute path: "),
        (("Exec=paint %U",), ["file:///etc"], "INVALID_ARGUMENT", "files[0]", "or a web address: "),
        (("Exec=paint %U",), ["/no/such"], "FILE_NOT_FOUND", "files[0]", "File not found: /no/such"),
    ],
)
async def test_what_an_application_does_not_allow_is_refused(
    machine: Machine, lines: tuple[str, ...], files: list[str], code: str, parameter: str, said: str
) -> None:
    machine.entry("x.desktop", "Name=X", *lines)
    (problem,) = (await _call(machine, "apps.launch", path="x.desktop", files=files)).problems
    assert (problem.code, problem.parameter) == (code, parameter)
    assert said in problem.detail


async def test_a_program_that_cannot_be_run_is_told_so(machine: Machine) -> None:
    machine.program("broken", "#!/no/such/interpreter\n")
    (problem,) = (await _call(machine, "apps.launch", path="broken")).problems
    assert (problem.code, problem.parameter) == ("IO_FAILED", "path")


async def test_on_windows_nothing_is_launched_yet(machine: Machine) -> None:
    (problem,) = (await _call(machine, "apps.launch", "win32", path="x")).problems
    assert problem.code == "NOT_CONFIGURED"


def test_a_launch_says_which_command_it_is_and_what_is_read(machine: Machine, tmp_path: Path) -> None:
    touches = _tools(machine)["apps.launch"].touches
    assert touches is not None
    (tmp_path / "link").symlink_to("/etc/hosts")
    files = [f"{tmp_path}/x/../link", "https://a.example/"]
    assert list(touches({"path": "org.Paint.desktop", "files": files})) == [
        Command(argv=(f"{machine.bin}/paint", *files), cwd=str(machine.home)),
        Atom(kind=Kind.READ, target=f"{tmp_path}/link"),
        Atom(kind=Kind.READ, target="/etc/hosts"),
        Atom(kind=Kind.NET, target="https://a.example/"),
    ]
    assert list(touches({"path": "/sbin/poweroff"})) == [
        Command(argv=("/sbin/poweroff",), cwd=str(machine.home))
    ]
    machine.entry("bus.desktop", "Name=Bus")
    assert list(touches({"path": "bus.desktop"})) == []


async def test_a_launch_is_asked_for_and_a_search_is_not(machine: Machine) -> None:
    bench = Bench(_tools(machine).values())
    found = await bench.call(Call(tool="apps.find", args={"name": "paint"}))
    assert found.ok
    (problem,) = (await bench.call(Call(tool="apps.launch", args={"path": "paint"}))).problems
    assert problem.code == "NEEDS_APPROVAL"


def test_effects_say_what_asks(machine: Machine) -> None:
    assert {name: tool.effects for name, tool in _tools(machine).items()} == {
        "apps.find": {Effect.READ},
        "apps.launch": {Effect.LAUNCH},
        "audio.release_mic": {Effect.LAUNCH},
    }
