import os
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from toolpost.errors import GitFailed
from toolpost.limits import GIT_CONFIG_BYTES, GIT_CONFIG_FILES, GIT_OVERRIDES
from toolpost.workspace.git.config import ConfigReader, read_file
from toolpost.workspace.git.program import SETTINGS


def overrides(folder: Path) -> dict[str, str]:
    """What is set beside what always is."""
    said = ConfigReader(folder, folder).read().overrides
    pairs = {
        said[f"GIT_CONFIG_KEY_{at}"]: said[f"GIT_CONFIG_VALUE_{at}"]
        for at in range(int(said["GIT_CONFIG_COUNT"]))
    }
    assert SETTINGS.items() <= pairs.items()
    return {key: value for key, value in pairs.items() if key not in SETTINGS}


def config(folder: Path, text: str, name: str = "config") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[filter "x"]\nclean=a\nsmudge=a\nprocess=a\nrequired', {"clean": "", "smudge": "", "process": "", "required": "false"}),
        ('[diff "x"]\ntextconv=a\ncommand=a\ncachetextconv=1', {"textconv": "", "command": "", "cachetextconv": "false"}),
        ('[merge "x"]\ndriver=a\nname=fine', {"driver": "false"}),
        ('[remote "x"]\nuploadpack=a\nreceivepack=a\nvcs=a\nproxy=a\npromisor=1\nurl=fine', {
            "uploadpack": "false", "receivepack": "false", "vcs": "false", "proxy": "false", "promisor": "false"}),
        ('[trailer "x"]\ncommand=a\ncmd=a\nkey=fine', {"command": "", "cmd": ""}),
        ('[credential "x"]\nhelper=a\nusername=fine', {"helper": ""}),
        ('[gpg "x"]\nprogram=a', {"program": "false"}),
        ('[difftool "x"]\ncmd=a\npath=a', {"cmd": "", "path": "false"}),
        ('[hook "x"]\ncommand=a\nevent=pre-commit', {"event": "", "enabled": "false", "command": "false"}),
        ('[submodule "x"]\nupdate=!a\nurl=fine', {"update": "none"}),
        ('[future "x"]\nstartupCommand=a\nsomeHook=a\naHelper=a\nbestProgram=a\ncolour=fine', {
            "startupcommand": "false", "somehook": "false", "ahelper": "", "bestprogram": "false"}),
    ],
)  # fmt: skip
def test_every_key_that_names_a_program_is_overridden(
    tmp_path: Path, text: str, expected: Mapping[str, str]
) -> None:
    section = text[1 : text.index(" ")]
    assert overrides(config(tmp_path, text)) == {
        f"{section}.x.{key}": value for key, value in expected.items()
    }


def test_pagers_aliases_and_colours_are_overridden_by_their_section(tmp_path: Path) -> None:
    text = '[pager]\nlog=a\n[alias]\nst=!a\n[alias "co"]\ncommand=!a\n[color]\ndiff=always\n[color "diff"]\nmeta=red\n'
    assert overrides(config(tmp_path, text)) == {
        "pager.log": "false",
        "alias.st": "",
        "alias.co.command": "",
        "color.diff": "false",
    }


def test_what_is_always_set_is_not_set_twice(tmp_path: Path) -> None:
    assert (
        overrides(config(tmp_path, "[CORE]\nFsMonitor=a\nPAGER=a\nsshCommand=a\n[diff]\nexternal=a\n")) == {}
    )


def test_a_name_may_hold_anything(tmp_path: Path) -> None:
    text = '[filter "a=b.c \\"d\\" ñ"]\nclean=x\n[filter "B"]\nclean=x\n[filter "b"]\nclean=x\n'
    assert overrides(config(tmp_path, text)) == {
        'filter.a=b.c "d" ñ.clean': "",
        "filter.B.clean": "",
        "filter.b.clean": "",
    }


def test_files_that_are_included_count_whatever_the_condition(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    config(tmp_path, '[include]\npath=more/one\n[includeIf "onbranch:never"]\npath=two\n')
    config(tmp_path, '[include]\npath=../three\n[filter "one"]\nclean=x\n', "more/one")
    config(tmp_path, '[filter "two"]\nclean=x\n[include]\npath=config\n', "two")
    config(tmp_path, '[filter "three"]\nclean=x\n', "three")
    config(tmp_path, '[filter "tree"]\nclean=x\n', "config.worktree")
    assert overrides(tmp_path) == {f"filter.{name}.clean": "" for name in ("one", "two", "three", "tree")}


def test_a_file_below_nobodys_home_is_not_there(tmp_path: Path) -> None:
    assert overrides(config(tmp_path, "[include]\npath=~/more\npath=/nonexistent/more\n")) == {}


@pytest.mark.parametrize("path", ["~root/more", "%(prefix)/more"])
def test_a_file_named_in_a_way_only_git_knows_is_refused(tmp_path: Path, path: str) -> None:
    config(tmp_path, f'[include]\npath="{path}"\n')
    with pytest.raises(GitFailed, match="includes a file"):
        overrides(tmp_path)


def test_includes_without_end_are_refused(tmp_path: Path) -> None:
    config(tmp_path, "[include]\npath=0\n")
    for number in range(GIT_CONFIG_FILES + 1):
        config(tmp_path, f"[include]\npath={number + 1}\n", str(number))
    with pytest.raises(GitFailed, match="more than"):
        overrides(tmp_path)


def test_more_programs_than_can_be_overridden_are_refused(tmp_path: Path) -> None:
    config(tmp_path, "".join(f'[filter "{number}"]\nclean=x\n' for number in range(GIT_OVERRIDES + 1)))
    with pytest.raises(GitFailed, match="more than"):
        overrides(tmp_path)


@pytest.mark.parametrize(
    "text", ["[broken", "# " + "x" * GIT_CONFIG_BYTES + "\n[a]\nb=" + "y" * GIT_CONFIG_BYTES]
)
def test_a_configuration_that_cannot_be_read_is_refused(tmp_path: Path, text: str) -> None:
    config(tmp_path, text)
    with pytest.raises(GitFailed, match="cannot be read"):
        overrides(tmp_path)


def test_a_configuration_that_is_no_file_keeps_nobody_waiting(tmp_path: Path) -> None:
    config(tmp_path, "[include]\npath=more\n")
    os.mkfifo(tmp_path / "more")
    with pytest.raises(GitFailed, match="not a file"):
        overrides(tmp_path)


def test_refs_kept_in_another_place_are_refused(tmp_path: Path) -> None:
    config(tmp_path, "[extensions]\nrefStorage=files:///somewhere/else\n")
    with pytest.raises(GitFailed, match="refStorage"):
        overrides(tmp_path)


def test_values_come_as_git_reads_them(tmp_path: Path) -> None:
    config(tmp_path, '[user]\nname = "Ada  L" ; a comment\nname = Grace\nbare\n[a "B"]\nc = "two\\nlines"\n')
    assert list(read_file(tmp_path / "config")) == [
        ("user.name", "Ada  L"),
        ("user.name", "Grace"),
        ("user.bare", ""),
        ("a.B.c", "two\nlines"),
    ]
    assert ConfigReader(tmp_path, tmp_path).read().values["user.name"] == "Grace"


def test_it_is_read_again_only_when_a_file_changed(tmp_path: Path) -> None:
    config(tmp_path, "[include]\npath=more\n")
    reader = ConfigReader(tmp_path, tmp_path)
    _let_age(tmp_path / "config")
    first = reader.read()
    assert reader.read() is first
    config(tmp_path, '[filter "x"]\nclean=x\n', "more")
    second = reader.read()
    assert second is not first
    assert reader.read() is not second, "a file changed a moment ago may change again under the same stamp"
    _let_age(tmp_path / "more")
    third = reader.read()
    assert reader.read() is third


def _let_age(file: Path) -> None:
    until = time.monotonic() + 10
    while time.time_ns() - file.stat().st_ctime_ns < 150_000_000:
        assert time.monotonic() < until
        os.sched_yield()
