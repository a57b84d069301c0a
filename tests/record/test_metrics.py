import os
from pathlib import Path
from typing import Any

import pytest

from toolpost.bench import Bench
from toolpost.call import Call, Caller
from toolpost.define import tool
from toolpost.record.metrics import FILE, Metrics, components, folder_name, lines
from toolpost.result import Result


def flat(result: Result) -> dict[str, Any]:
    return {"component": result.call.caller.component, "tool": result.call.tool, "ok": result.ok}


@tool
async def noop() -> None:
    """Do nothing."""


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def calls(folder: Path, *names: str, called: str = "noop") -> None:
    bench = Bench([noop])
    bench.listen(Metrics(folder, flat))
    for name in names:
        await bench.call(Call(tool=called, caller=Caller(component=name)))


async def test_each_component_has_a_file_with_a_line_a_call(tmp_path: Path) -> None:
    await calls(tmp_path, "Button", "Card", "Button")
    written = {name: list(lines(file)) for name, file in components(tmp_path)}
    button = {"component": "Button", "tool": "noop", "ok": True}
    assert written == {"Button": [button, button], "Card": [{**button, "component": "Card"}]}
    assert (tmp_path / "superconnect" / "Button" / "tool-metrics.jsonl").is_file()


async def test_failed_calls_are_counted_too(tmp_path: Path) -> None:
    await calls(tmp_path, "Button", called="nope")
    ((_, file),) = components(tmp_path)
    assert [line["ok"] for line in lines(file)] == [False]


async def test_a_call_without_a_component_is_kept_apart(tmp_path: Path) -> None:
    await calls(tmp_path, "", "_")
    assert [name for name, _ in components(tmp_path)] == ["_", ""]


@pytest.mark.parametrize("name", ["../up", "..", ".", "/etc", "a/b", ".hidden", "a\\b", "ñ" * 300, "\0"])
async def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    own = tmp_path / "own"
    await calls(own, name)
    assert names(tmp_path) == ["own"]
    ((_, file),) = components(own)
    assert file == own / "superconnect" / folder_name(name) / FILE


async def test_what_cannot_be_written_fails_no_call_and_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "superconnect").write_text("in the way")
    bench = Bench([noop])
    bench.listen(Metrics(tmp_path, flat))
    assert [(await bench.call("noop")).ok for _ in range(3)] == [True] * 3
    assert caplog.messages == [f"Metrics cannot be written to {tmp_path}: Not a directory."]


async def test_no_link_below_the_folder_is_followed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The folder may be a project's own, which came from strangers."""
    own, outside = tmp_path / "own", tmp_path / "outside"
    await calls(own, "Button")
    outside.mkdir()
    (own / "superconnect" / "Card").symlink_to(outside)
    (own / "superconnect" / "Button" / FILE).unlink()
    (own / "superconnect" / "Button" / FILE).symlink_to(outside / "file")
    await calls(own, "Card", "Button")
    assert names(outside) == []
    assert len(caplog.messages) == 1


async def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    await calls(tmp_path, "Button")
    ((_, file),) = components(tmp_path)
    file.unlink()
    os.mkfifo(file)
    await calls(tmp_path, "Button")
    with pytest.raises(OSError, match="no regular file"):
        list(lines(file))


def test_a_torn_line_and_a_line_of_another_kind_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.write_text('{"tool": "a"}\n{"tool": "b\n[1]\n{"tool": "c"}\n')
    assert [line["tool"] for line in lines(file)] == ["a", "c"]
