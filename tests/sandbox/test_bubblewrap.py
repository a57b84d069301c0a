from pathlib import Path
from typing import Any

import pytest

from toolpost.sandbox import bubblewrap
from toolpost.sandbox.bubblewrap import Layout, arguments
from toolpost.sandbox.model import Fence, Spawn
from toolpost.sandbox.private import closed_in
from toolpost.sandbox.protect import Plan
from toolpost.sandbox.standins import covered


def _mounts(spawn: Spawn, layout: Layout) -> list[str]:
    return list(arguments(spawn, {"PATH": "/usr/bin", "A": "1"}, layout))


def _spawn(fence: Fence, **more: Any) -> Spawn:
    given: dict[str, Any] = {"argv": ("ls",), "cwd": "/w", "fence": fence, "tag": "t", **more}
    return Spawn(**given)


def test_roots_lie_over_home_and_what_is_taken_out_lies_over_roots(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("")
    (tmp_path / "keys").mkdir()
    (tmp_path / "link").symlink_to(".env")
    root = str(tmp_path)
    plan = Plan(
        held=(f"{root}/.git",),
        fixed=(f"{root}/.git/config",),
        absent=(f"{root}/.x", f"{root}/.y"),
        watched=(),
    )
    masked = (f"{root}/.env", f"{root}/keys", f"{root}/link", f"{root}/gone")
    fence = Fence(roots=(root,), readable=("/more", f"{root}/inner"), masked=masked)
    layout = Layout(home="/home/nobody-here", plans=(plan,), made=(f"{root}/.x",), sized=("--size", "9"))
    words = _mounts(_spawn(fence), layout)
    home = words.index("/home/nobody-here")
    assert words[home - 3 : home + 1] == ["--size", "9", "--tmpfs", "/home/nobody-here"]
    assert words[home + 1 :] == [
        *("--ro-bind-try", "/more", "/more", "--bind", root, root),
        *(
            "--bind",
            f"{root}/.git",
            f"{root}/.git",
            "--ro-bind",
            f"{root}/.git/config",
            f"{root}/.git/config",
        ),
        *("--ro-bind", f"{root}/.x", f"{root}/.x", *covered(f"{root}/.env", {})),
        *("--tmpfs", f"{root}/keys", "--remount-ro", f"{root}/keys", "--remount-ro", "/", "--chdir", "/w"),
    ]
    assert words[: words.index("--setenv")] == [
        *("--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--clearenv", "--new-session")
    ]


def test_a_read_only_root_needs_no_protection() -> None:
    plan = Plan(held=(), fixed=("/w/.git",), absent=(), watched=())
    words = _mounts(_spawn(Fence(roots=("/w",), writes=False)), Layout(home="/h", plans=(plan,)))
    assert words[-7:] == ["--ro-bind", "/w", "/w", "--remount-ro", "/", "--chdir", "/w"]


def test_a_terminal_stays_in_its_session_and_a_proxy_has_its_place() -> None:
    words = _mounts(_spawn(Fence(roots=(), proxy="/run/p"), terminal=True), Layout(home="/h"))
    assert "--new-session" not in words
    assert words[-7:-4] == ["--ro-bind", "/run/p", "/run/toolpost/proxy.sock"]


def test_a_toolchain_behind_a_link_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    home = tmp_path / "home"
    home.mkdir()
    (home / ".pyenv").symlink_to(tmp_path / "real")
    words = _mounts(_spawn(Fence(roots=())), Layout(home=str(home)))
    assert words[-7:-4] == ["--symlink", str(tmp_path / "real"), f"{home}/.pyenv"]


def test_where_usr_is_merged_links_stay_links(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "usr").mkdir()
    (tmp_path / "bin").symlink_to("usr/bin")
    monkeypatch.setattr(bubblewrap, "system", lambda: (f"{tmp_path}/usr", f"{tmp_path}/bin"))
    assert list(bubblewrap._system()) == [
        *("--ro-bind", f"{tmp_path}/usr", f"{tmp_path}/usr", "--symlink", "usr/bin", f"{tmp_path}/bin")
    ]


def test_what_others_may_not_read_is_closed(tmp_path: Path) -> None:
    for name, mode in (
        ("open", 0o644),
        ("closed", 0o600),
        ("sub/inner", 0o640),
        ("sub/free", 0o604),
        ("shut/x", 0o644),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(mode)
    (tmp_path / "sub").chmod(0o755)
    (tmp_path / "shut").chmod(0o700)
    (tmp_path / "link").symlink_to("closed")
    assert closed_in(str(tmp_path)) == [f"{tmp_path}/{name}" for name in ("closed", "shut", "sub/inner")]
    assert closed_in(str(tmp_path / "gone")) == []
