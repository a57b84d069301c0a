import pytest

from toolpost.errors import BadPatch
from toolpost.limits import PATCH_ANCHORS, PATCH_FILES, PATCH_HUNKS
from toolpost.workspace.editing.codex_patch import parse_codex
from toolpost.workspace.editing.hunk import FilePatch, Hunk, Line, PatchKind

PATCH = """\
*** Begin Patch
*** Add File: docs/new.md
+# Title
+
+text
*** Delete File: old.py
*** Update File: src/app.py
*** Move to: src/main.py
@@ class App:
@@   def run(self):
 before

-old
+new
 after
@@
-last
+the last
*** End of File

*** Update File: plain.py
-a
+b
*** Add File: empty
*** End Patch
"""


def test_every_part_of_the_language_is_read() -> None:
    change = (
        Line(" ", "before\n"),
        Line(" ", "\n"),
        Line("-", "old\n"),
        Line("+", "new\n"),
        Line(" ", "after\n"),
    )
    last = Hunk((Line("-", "last\n"), Line("+", "the last\n")), at_end=True)
    assert parse_codex(PATCH) == [
        FilePatch(
            "docs/new.md",
            PatchKind.ADD,
            hunks=(Hunk((Line("+", "# Title\n"), Line("+", "\n"), Line("+", "text\n"))),),
        ),
        FilePatch("old.py", PatchKind.DELETE),
        FilePatch(
            "src/app.py",
            PatchKind.MOVE,
            "src/main.py",
            (Hunk(change, anchors=("class App:", "def run(self):")), last),
        ),
        FilePatch("plain.py", hunks=(Hunk((Line("-", "a\n"), Line("+", "b\n"))),)),
        FilePatch("empty", PatchKind.ADD),
    ]


@pytest.mark.parametrize(
    "sent",
    [
        PATCH.replace("\n", "\r\n"),
        f"\n  {PATCH}\n\n",
        f"<<'EOF'\n{PATCH}EOF\n",
        f'<<"EOF"\n{PATCH}EOF',
        f"<<PATCH\n{PATCH}PATCH\n",
        PATCH.removesuffix("\n"),
    ],
)
def test_a_patch_is_read_however_it_was_wrapped(sent: str) -> None:
    assert parse_codex(sent) == parse_codex(PATCH)


def test_a_file_may_be_moved_and_left_as_it_is() -> None:
    patch = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch"
    assert parse_codex(patch) == [FilePatch("a", PatchKind.MOVE, "b")]


def test_empty_lines_before_the_end_of_the_file_are_lines_and_others_are_not() -> None:
    patch = "*** Begin Patch\n*** Update File: a\n@@\n-x\n\n*** End of File\n\n*** End Patch"
    assert parse_codex(patch)[0].hunks[0].old == ["x\n", "\n"]


@pytest.mark.parametrize(
    ("body", "said", "line"),
    [
        ("", "changes nothing", 2),
        ("*** Rename File: x", "begins no file", 2),
        ("*** Add File: x\n+a\nb", "begins no file", 4),
        ("*** Add File: ", "names no file", 2),
        ("*** Update File: x", "updates x without any lines", 3),
        ("*** Update File: x\n@@ def f():", "hunk without lines", 4),
        ("*** Update File: x\n a\nb", "begins no file", 4),
        ("*** Update File: x\n" + "@@ a\n" * (PATCH_ANCHORS + 1) + " a", "`@@` lines above one hunk", 15),
    ],
)
def test_a_patch_that_cannot_be_read_is_refused_with_the_line(body: str, said: str, line: int) -> None:
    between = f"{body}\n" if body else ""
    with pytest.raises(BadPatch, match=said) as caught:
        parse_codex(f"*** Begin Patch\n{between}*** End Patch", parameter="input")
    assert (caught.value.parameter, caught.value.context) == ("input", {"line": line})


def test_a_patch_without_its_beginning_or_end_is_refused() -> None:
    with pytest.raises(BadPatch, match="must begin with"):
        parse_codex("*** Update File: x\n*** End Patch")
    with pytest.raises(BadPatch, match="cut off"):
        parse_codex("*** Begin Patch\n*** Update File: x\n-a\n+b")


def test_a_patch_has_an_end() -> None:
    with pytest.raises(BadPatch, match="more than"):
        parse_codex("*** Begin Patch\n" + "*** Delete File: x\n" * (PATCH_FILES + 1) + "*** End Patch")
    hunks = "@@\n-a\n+b\n" * (PATCH_HUNKS + 1)
    with pytest.raises(BadPatch, match="more than"):
        parse_codex(f"*** Begin Patch\n*** Update File: x\n{hunks}*** End Patch")
