from pathlib import Path

import pytest

from toolpost.sandbox.there import exists, is_folder, top_names
from toolpost.sandbox.toolchains import at_home, beneath, toolchains


def _made(top: Path, *names: str) -> str:
    for name in names:
        (top / name).mkdir(parents=True, exist_ok=True)
    return str(top.resolve())


def test_of_home_only_programs_and_libraries_are_shown(tmp_path: Path) -> None:
    home = _made(
        tmp_path, ".cargo/bin", ".cargo/registry", ".ssh", ".rustup", ".local/share/keyrings", ".nvm/versions"
    )
    assert toolchains(home, "") == tuple(
        f"{home}/{name}" for name in (".cargo/bin", ".cargo/registry", ".rustup", ".nvm")
    )
    assert at_home(home) == (".cargo/bin", ".cargo/registry", ".rustup", ".nvm")


def test_a_folder_of_the_path_is_shown_and_no_more(tmp_path: Path) -> None:
    home = _made(tmp_path, "tools/bin", "tools/secret")
    assert toolchains(home, f"{home}/tools/bin:relative:{home}/gone:/usr/bin") == (f"{home}/tools/bin",)


def test_a_virtual_environment_is_shown_whole_with_what_it_was_made_from(tmp_path: Path) -> None:
    home = _made(tmp_path, "v/bin", "python/3.11/bin")
    (tmp_path / "v" / "pyvenv.cfg").write_text("")
    (tmp_path / "python" / "3.11" / "bin" / "python").write_text("")
    (tmp_path / "v" / "bin" / "python").symlink_to(tmp_path / "python" / "3.11" / "bin" / "python")
    assert toolchains(home, f"{home}/v/bin") == (f"{home}/v", f"{home}/python/3.11")


def test_shims_are_shown_with_what_they_lead_to(tmp_path: Path) -> None:
    home = _made(tmp_path / "me")
    tools = _made(tmp_path / "t", "pyenv/shims", "pyenv/libexec", "mine/shims", "mine/letters")
    assert toolchains(home, f"{tools}/pyenv/shims:{tools}/mine/shims") == (
        f"{tools}/pyenv",
        f"{tools}/mine/shims",
    )


def test_shims_right_below_home_do_not_open_it(tmp_path: Path) -> None:
    home = _made(tmp_path, "shims", "versions")
    assert toolchains(home, f"{home}/shims") == (f"{home}/shims",)


def test_an_odd_path_does_not_open_home(tmp_path: Path) -> None:
    home = _made(tmp_path / "me", ".pyenv/bin")
    (tmp_path / "me" / "pyvenv.cfg").write_text("")
    assert toolchains(home, f"{home}:{tmp_path}:/:{home}/.pyenv/bin") == (f"{home}/.pyenv",)


def test_an_outer_folder_takes_the_inner_ones_place(tmp_path: Path) -> None:
    home = _made(tmp_path / "home")
    tools = _made(tmp_path / "t", "a/bin")
    assert toolchains(home, f"{tools}/a/bin:{tools}/a") == (f"{tools}/a",)


@pytest.mark.parametrize("home", ["", "/"])
def test_without_a_home_there_is_nothing_in_it(home: str) -> None:
    assert at_home(home) == ()


def test_beneath_goes_by_whole_names() -> None:
    said = [beneath(path, "/a/b") for path in ("/a/b", "/a/b/c", "/a/bc", "/a")]
    assert (said, beneath("/x", "/")) == ([True, True, False, False], True)


def test_what_we_may_not_look_at_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = [exists(str(tmp_path / name)) for name in ("file", "gone", "file/below", "nul\0")]
    assert said == [True, False, False, False]
    assert (is_folder(str(tmp_path)), is_folder(str(tmp_path / "file"))) == (True, False)
    assert [set(top_names(str(tmp_path / name))) for name in ("", "gone")] == [{"file"}, set()]
