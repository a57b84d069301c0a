from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from toolpost.config.places import cache_folder, project_folder, state_folder, user_folder

Place = Callable[[Mapping[str, str]], Path]


@pytest.mark.parametrize(
    ("place", "environment", "folder"),
    [
        (user_folder, {"XDG_CONFIG_HOME": "/etc/mine", "HOME": "/home/ana"}, "/etc/mine/toolpost"),
        (user_folder, {"HOME": "/home/ana"}, "/home/ana/.config/toolpost"),
        (user_folder, {"XDG_CONFIG_HOME": "not/absolute", "HOME": "/home/ana"}, "/home/ana/.config/toolpost"),
        (state_folder, {"XDG_STATE_HOME": "/var/mine", "HOME": "/home/ana"}, "/var/mine/toolpost"),
        (state_folder, {"HOME": "/home/ana"}, "/home/ana/.local/state/toolpost"),
        (state_folder, {"XDG_STATE_HOME": "", "HOME": "/home/ana"}, "/home/ana/.local/state/toolpost"),
        (state_folder, {"XDG_STATE_HOME": "./state", "HOME": "/home/ana"}, "/home/ana/.local/state/toolpost"),
        (cache_folder, {"XDG_CACHE_HOME": "/var/mine", "HOME": "/home/ana"}, "/var/mine/toolpost"),
        (cache_folder, {"HOME": "/home/ana"}, "/home/ana/.cache/toolpost"),
        (cache_folder, {"XDG_CACHE_HOME": "cache", "HOME": "/home/ana"}, "/home/ana/.cache/toolpost"),
    ],
)
def test_each_folder_is_where_xdg_says(place: Place, environment: dict[str, str], folder: str) -> None:
    assert place(environment) == Path(folder)


def test_without_a_home_in_the_environment_the_system_is_asked() -> None:
    assert state_folder({}) == Path.home() / ".local/state/toolpost"


def test_a_projects_folder_is_looked_for_upward(tmp_path: Path) -> None:
    (tmp_path / ".toolpost").mkdir()
    (tmp_path / "src" / "deep").mkdir(parents=True)

    assert project_folder(tmp_path / "src" / "deep") == tmp_path / ".toolpost"
