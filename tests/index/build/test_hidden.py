from hypothesis import given
from hypothesis import strategies as st

from toolpost.index.build.hidden import hidden
from toolpost.pathnames.tables import SECRET_FOLDERS, SECRET_NAMES, SECRET_PAIRS
from toolpost.workspace.guard import Guard

PIECES = sorted({
    *SECRET_NAMES, *SECRET_FOLDERS, *(name for pair in SECRET_PAIRS for name in pair),
    *(".env", "id_rsa", "terraform.tfstate", "Terraform.TFState", ".dev.vars", "x.pem", "x.key", "example"),
    *("copy of ", " copy", " (1)", "~", "~1", "#", ".#", ".bak", ".swp", "-", "_", ".", ":", "GIT~1", "\u200b"),
    *(".ts", ".js", ".py", ".md", ".txt", ".css", ".h", ".c", ".TS", ".json", ".old", ".1"),
    *("button", "a", "config", "environ", "proc", ".git", "src"),
})  # fmt: skip
NAME = (
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3)
    .map("".join)
    .filter(lambda name: name not in {".", ".."})
)
GUARDS = (Guard(), Guard(secrets="allow"), Guard(readable=(".env", "src/*", "*.pem")))


@given(
    st.lists(NAME, max_size=3), st.lists(NAME, min_size=1, max_size=6, unique=True), st.sampled_from(GUARDS)
)
def test_it_hides_what_the_guard_hides(folders: list[str], names: list[str], guard: Guard) -> None:
    folder = "/".join(folders)
    start = f"{folder}/" if folder else ""
    assert hidden(guard, folder, names) == {name for name in names if guard.hides(f"{start}{name}")}


def test_a_plain_name_is_hidden_with_its_folder() -> None:
    assert hidden(Guard(), "home/.ssh", ["a.ts", "b.py"]) == {"a.ts", "b.py"}
    assert hidden(Guard(), "src", ["a.ts", ".env", "id_rsa"]) == {".env", "id_rsa"}
