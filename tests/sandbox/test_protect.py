from pathlib import Path

from toolpost.pathnames import tables
from toolpost.pathnames.sensitive import is_protected
from toolpost.sandbox.placeholders import Placeholders
from toolpost.sandbox.protect import FIRST, LATER, Plan, plan, protected


def test_every_root_has_the_same_names() -> None:
    assert protected(("/a", "/b"))[:2] == ("/a/.git/config", "/a/.git/config.worktree")
    assert len(protected(("/a", "/b"))) == 2 * len((*FIRST, *LATER))


def test_the_names_are_those_the_file_tools_protect() -> None:
    assert [name for name in (*FIRST, *LATER) if not is_protected(name)] == []
    ours = {name.casefold() for name in (*FIRST, *LATER)}
    assert [name for name in tables.PROTECTED_NAMES if name not in ours] == []
    folders = tables.PROTECTED_FOLDERS - tables.SECRET_FOLDERS - {".git"}
    assert [name for name in folders if name not in ours] == []


def test_a_plan_names_what_stands_on_the_way(tmp_path: Path) -> None:
    root = str(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("")
    (tmp_path / ".git" / "modules").mkdir()
    (tmp_path / ".vscode").symlink_to("elsewhere")
    (tmp_path / ".github").write_text("a file")
    names = (
        ".git/config",
        ".git/hooks",
        ".git/commondir",
        ".git/info/attributes",
        ".git/worktrees",
        ".git/modules",
        ".gitmodules",
        ".vscode",
        ".github/workflows",
        ".mcp.json",
        ".zshrc",
        ".circleci",
        "a/b/c",
    )
    assert plan(root, (*(f"{root}/{name}" for name in names), root, "/elsewhere")) == Plan(
        held=(f"{root}/.git", f"{root}/.git/modules"),
        fixed=(f"{root}/.git/config", f"{root}/.github"),
        absent=(
            *(f"{root}/.git/{name}" for name in ("commondir", "hooks", "worktrees")),
            f"{root}/.mcp.json",
            f"{root}/a",
        ),
        watched=(
            *(f"{root}/.circleci", f"{root}/.git/commondir", f"{root}/.git/info/attributes"),
            *(f"{root}/.gitmodules", f"{root}/.vscode", f"{root}/.zshrc"),
        ),
    )


def test_where_there_is_no_repository_one_can_be_made(tmp_path: Path) -> None:
    root = str(tmp_path)
    empty = Plan(held=(), fixed=(), absent=(), watched=())
    assert plan(root, (f"{root}/.git/config", f"{root}/.git/info/attributes")) == empty


def test_a_placeholder_is_as_good_as_absent(tmp_path: Path) -> None:
    path = f"{tmp_path}/.mcp.json"
    made = Placeholders(str(tmp_path), [path])
    assert plan(str(tmp_path), (path,)).absent == (path,)
    made.remove()
