from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.workspace.texts import texts

from toolpost.errors import (
    BadPatch,
    EditAmbiguous,
    EditNotFound,
    InvalidArgument,
    LimitExceeded,
    MissingParameter,
    ToolError,
)
from toolpost.limits import MATCHES_MAX
from toolpost.workspace.editing.edit import Edit, Edited, apply
from toolpost.workspace.editing.match import find


def _replace(text: str, old: str, new: str, **rest: Any) -> Edited:
    return apply(text, [Edit(old_text=old, new_text=new, **rest)])


def _insert(text: str, new: str, **rest: Any) -> str:
    return apply(text, [Edit(type="insert", new_text=new, **rest)]).text


def _delete(text: str, old: str, **rest: Any) -> str:
    return apply(text, [Edit(type="delete", old_text=old, **rest)]).text


def _refusal(text: str, *edits: Edit) -> ToolError:
    with pytest.raises(ToolError) as caught:
        apply(text, edits)
    return caught.value


def _outcome(text: str, edits: list[Edit]) -> Edited | ToolError:
    try:
        return apply(text, edits)
    except ToolError as refusal:
        return refusal


@pytest.mark.parametrize(
    ("text", "old", "new", "result", "step"),
    [
        ("a b c", "b", "x", "a x c", "exact"),
        ("a", "a", r"$& \0 \g<0> $1 %s {}", r"$& \0 \g<0> $1 %s {}", "exact"),
        ("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n", "line_endings"),
        ("a\nb\n", "a\r\nb\r\n", "x\r\ny\r\n", "x\ny\n", "line_endings"),
        ("a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n", "exact"),
        ("a\r\nb\r\n", "a\r\nb", "x\ny", "x\ny\r\n", "exact"),  # who quotes line endings means them
        ("a\r\nb\nc", "b\n", "x\ny\n", "a\r\nx\ny\nc", "exact"),
        ("a\r\nb\nc", "a", "x\ny", "x\r\ny\r\nb\nc", "exact"),
        ("ab", "a", "x\r\ny", "x\r\nyb", "exact"),
        ("a\nb\n", "b\n", "x", "a\nx\n", "exact"),
        ("a\r\nb\r\n", "\nb\n", "", "a\r\n", "line_endings"),
        ("a\nb", "b", "x", "a\nx", "exact"),
        ("a\nb", "b", "x\n", "a\nx\n", "exact"),
        ("a\nb", "a\nb\n", "x\ny\n", "x\ny", "line_endings"),
        ("a\n", "a\n", "", "", "exact"),
        ("a  \nb\n", "a\nb\n", "x\n", "x\n", "trailing_blanks"),
        ("  f(\n    a)\n", "f(\n  a)\n", "g(\n  b,\n\n  c)\n", "  g(\n    b,\n\n    c)\n", "indent"),
        (
            "\tif a:\n\t\tb\n",
            "    if a:\n        b\n",
            "    if c:\n        d\n",
            "\tif c:\n\t\td\n",
            "indent",
        ),
        ("  if a:\n    b\n", "\tif a:\n\t\tb\n", "\tif c:\n\t\t\td\n", "  if c:\n      d\n", "indent"),
        ("x = “a” \u2013 b\n", 'x = "a" - b', 'x = "c"', 'x = "c"\n', "unicode"),
        ("a\u2028b\n", "a\u2028b", "c", "c\n", "exact"),
    ],
)
def test_old_text_becomes_new_text(text: str, old: str, new: str, result: str, step: str) -> None:
    assert _replace(text, old, new) == Edited(result, (step,))


def test_every_place_is_replaced_when_all_are_meant() -> None:
    assert _replace("a b a b", "a", "aa", replace_all=True).text == "aa b aa b"
    assert _replace("aaa", "aa", "b", replace_all=True).text == "ba"


def test_each_place_gets_the_shift_and_line_ending_of_its_own() -> None:
    text = "  a(\n    1)\n-\n\ta(\n\t  1)\n"
    assert _replace(text, "a(\n  1)\n", "b(\n  2)\n", replace_all=True).text == (
        "  b(\n    2)\n-\n\tb(\n\t  2)\n"
    )
    assert _replace("a\r\na\n", "a", "x\ny", replace_all=True).text == "x\r\ny\r\nx\ny\n"


def test_two_places_are_one_too_many_unless_all_are_meant() -> None:
    refusal = _refusal("a = 1\nb = 2\na = 1\nc = 3\n", Edit(old_text="a = 1", new_text="x"))
    assert isinstance(refusal, EditAmbiguous)
    assert refusal.detail == (
        "The text of edits[0].old_text is in the file 2 times, at lines 1, 3. "
        "Give more of the text around the one that is meant, or set replace_all."
    )
    assert refusal.parameter == "edits[0].old_text"
    assert refusal.suggested == "a = 1\nb = 2"
    assert refusal.context == {
        "count": 2,
        "lines": [1, 3],
        "unique": [{"line": 1, "text": "a = 1\nb = 2"}, {"line": 3, "text": "b = 2\na = 1"}],
    }


def test_two_places_that_overlap_are_ambiguous_too() -> None:
    assert _refusal("x\nx\nx\n", Edit(type="delete", old_text="x\nx\n")).context["lines"] == [1, 2]


def test_two_places_that_overlap_are_not_said_to_be_two_that_could_be_replaced() -> None:
    refusal = _refusal("aaa", Edit(old_text="aa", new_text="b"))
    assert refusal.detail == (
        "The text of edits[0].old_text is in the file at 2 places that overlap, at lines 1, 1. "
        "Give more of the text around the one that is meant, or set replace_all, which takes the first."
    )
    assert apply("aaa", [Edit(old_text="aa", new_text="b", replace_all=True)]).text == "ba"
    insert = _refusal("aaa", Edit(type="insert", after="aa", new_text="b"))
    assert insert.detail.endswith("around the one that is meant.")


def test_more_places_than_can_be_changed_at_once_are_refused() -> None:
    refusal = _refusal("a" * (MATCHES_MAX + 1), Edit(old_text="a", new_text="b", replace_all=True))
    assert isinstance(refusal, LimitExceeded)
    assert refusal.parameter == "edits[0].old_text"


def test_text_that_is_not_there_is_refused_with_the_closest_region() -> None:
    refusal = _refusal(
        "def f():\n\treturn value\n",
        Edit(old_text="def f():", new_text="def g():"),
        Edit(old_text="def g():\n  return  value", new_text=""),
    )
    assert isinstance(refusal, EditNotFound)
    assert refusal.parameter == "edits[1].old_text"
    assert refusal.context["closest"]["first_difference"] == {
        "line": 2,
        "column": 1,
        "file": "`→return·value`",
        "given": "`··return··value`",
    }


def test_a_shift_the_new_text_has_no_room_for_is_refused() -> None:
    refusal = _refusal("a:\n  b\n", Edit(old_text="  a:\n    b\n", new_text="  a:\nb\n"))
    assert isinstance(refusal, EditNotFound)
    assert (refusal.parameter, refusal.suggested) == ("edits[0].old_text", "a:\n  b\n")
    assert refusal.context == {"line": 1}


@pytest.mark.parametrize(
    ("text", "line", "new", "result"),
    [
        ("a\nb\n", 1, "x", "x\na\nb\n"),
        ("a\nb\n", 2, "x\n", "a\nx\nb\n"),
        ("a\nb\n", 3, "x", "a\nb\nx\n"),
        ("a\nb", 3, "x", "a\nb\nx"),
        ("a\nb", 3, "x\ny\n", "a\nb\nx\ny"),
        ("a\r\nb\r\n", 2, "x\ny", "a\r\nx\r\ny\r\nb\r\n"),
        ("a\r\nb", 3, "x\n", "a\r\nb\r\nx"),
        ("", 1, "x", "x"),
        ("a\n", 1, "", "\na\n"),
        ("a\x0bb\nc\n", 2, "x", "a\x0bb\nx\nc\n"),
    ],
)
def test_text_is_inserted_before_a_line_as_lines_of_its_own(
    text: str, line: int, new: str, result: str
) -> None:
    assert apply(text, [Edit(type="insert", line=line, new_text=new)]) == Edited(result, ("line",))


@pytest.mark.parametrize(("line", "nearest"), [(0, 1), (-3, 1), (4, 3), (99, 3)])
def test_a_line_the_file_does_not_have_is_refused_with_the_nearest(line: int, nearest: int) -> None:
    refusal = _refusal("a\nb\n", Edit(type="insert", line=line, new_text="x"))
    assert isinstance(refusal, InvalidArgument)
    assert (refusal.parameter, refusal.suggested) == ("edits[0].line", nearest)
    assert refusal.detail == "The file has 2 lines: edits[0].line can be 1 to 3, which appends."


@pytest.mark.parametrize(
    ("text", "anchor", "new", "result"),
    [
        ("import a\nrest\n", {"after": "import a"}, "import b", "import a\nimport b\nrest\n"),
        ("import a\nrest\n", {"after": "import a\n"}, "import b", "import a\nimport b\nrest\n"),
        ("import a  \nrest\n", {"after": "import a"}, "import b\n", "import a  \nimport b\nrest\n"),
        ("import a\r\nrest\r\n", {"after": "import a"}, "x\ny", "import a\r\nx\r\ny\r\nrest\r\n"),
        ("f {\n}\n", {"after": "f {"}, "\n  x", "f {\n  x\n}\n"),
        ("f(a)\n", {"after": "f(a"}, ", b", "f(a, b)\n"),
        ("a\nb", {"after": "b"}, "c", "a\nb\nc"),
        ("a\nb", {"after": "b\n"}, "c\n", "a\nb\nc"),
        ("a\nb", {"after": "b"}, "\nc\n", "a\nb\nc\n"),
        ("a\nb\n", {"before": "b"}, "x", "a\nx\nb\n"),
        ("a\n    b\n", {"before": "b"}, "    x", "a\n    x\n    b\n"),
        ("f(a)\n", {"before": "a)"}, "b, ", "f(b, a)\n"),
        ("a\nx b", {"before": "b\n"}, "y\n", "a\nx y\nb"),
        ("  if a:\n    b\n", {"before": "if a:\n  b\n"}, "if c:\n  d", "  if c:\n    d\n  if a:\n    b\n"),
        ("  if a:\n    b\n", {"after": "if a:\n  b\n"}, "if c:\n  d", "  if a:\n    b\n  if c:\n    d\n"),
    ],
)
def test_text_is_inserted_at_an_anchor(text: str, anchor: dict[str, str], new: str, result: str) -> None:
    assert _insert(text, new, **anchor) == result


def test_an_ambiguous_anchor_is_refused_with_its_places() -> None:
    refusal = _refusal("}\na\n}\n}\n", Edit(type="insert", after="}", new_text="x"))
    assert isinstance(refusal, EditAmbiguous)
    assert refusal.parameter == "edits[0].after"
    assert (refusal.context["count"], refusal.context["lines"]) == (3, [1, 3, 4])
    assert "replace_all" not in refusal.detail


def test_an_anchor_that_is_not_there_is_refused() -> None:
    refusal = _refusal("a\n", Edit(type="insert", before="zzz", new_text="x"))
    assert isinstance(refusal, EditNotFound)
    assert refusal.parameter == "edits[0].before"


@pytest.mark.parametrize(
    "anchors", [{}, {"line": 1, "after": "a"}, {"after": "a", "before": "a"}, {"after": ""}]
)
def test_an_insert_has_one_anchor_and_only_one(anchors: dict[str, Any]) -> None:
    refusal = _refusal("a\n", Edit(type="insert", new_text="x", **anchors))
    assert isinstance(refusal, InvalidArgument)
    assert refusal.parameter == "edits[0]"


@pytest.mark.parametrize(
    ("text", "old", "result"),
    [
        ("a\nb\nc\n", "b\n", "a\nc\n"),
        ("a\nb\nc\n", "b", "a\nc\n"),
        ("a\n  b  \nc\n", "b", "a\nc\n"),
        ("a\n  b\n  c\n", "b\n", "a\n  c\n"),
        ("a\r\nb\r\nc\r\n", "b", "a\r\nc\r\n"),
        ("a\nb", "b", "a"),
        ("a\r\nb", "b", "a"),
        ("a\nb", "b\n", "a"),
        ("b", "b", ""),
        ("a b c\n", " b", "a c\n"),
        ("a\nb", "\n", "ab"),
        ("a\n\nb", "b", "a\n"),
        ("a;\n  b\n", ";\n  ", "ab\n"),
        ("a\n   \nb\n", "   ", "a\n\nb\n"),
        ("a\nb\nc\nd\n", "b\nc", "a\nd\n"),
        ("ab\n", "b\n", "a\n"),
    ],
)
def test_deleted_text_is_gone_and_so_is_a_line_of_which_nothing_is_left(
    text: str, old: str, result: str
) -> None:
    assert _delete(text, old) == result


def test_every_place_is_deleted_when_all_are_meant() -> None:
    assert _delete("a\nb\na\nb a\n", "a", replace_all=True) == "b\nb \n"
    assert _delete("x\na\na", "a", replace_all=True) == "x"


def test_a_patch_is_applied_by_its_context() -> None:
    patch = "--- a/f\n+++ b/f\n@@ -90,3 +90,3 @@\n a\n-b\n+x\n c\n"
    assert apply("0\r\na\r\nb\r\nc\r\n", [Edit(type="patch", patch=patch)]) == Edited(
        "0\r\na\r\nx\r\nc\r\n", ("patch",)
    )
    codex = "*** Begin Patch\n*** Update File: f\n@@\n-b\n+x\n*** End Patch"
    assert apply("a\nb\n", [Edit(type="patch", patch=codex)]).text == "a\nx\n"


def test_a_patch_that_does_not_fit_names_its_parameter() -> None:
    refusal = _refusal("a\n", Edit(type="patch", patch="@@ -1 +1 @@\n-b\n+c\n"))
    assert isinstance(refusal, BadPatch)
    assert (refusal.parameter, refusal.context["hunk"]) == ("edits[0].patch", 1)


@pytest.mark.parametrize(
    "patch",
    [
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n",
        "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n",
        "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    ],
)
def test_a_patch_of_an_edit_changes_this_one_file(patch: str) -> None:
    refusal = _refusal("a\n", Edit(type="patch", patch=patch))
    assert isinstance(refusal, BadPatch)
    assert refusal.parameter == "edits[0].patch"
    assert "this one file" in refusal.detail


def test_edits_are_applied_in_order_each_to_what_the_last_one_left() -> None:
    edits = [
        Edit(old_text="one", new_text="two"),
        Edit(old_text="two", new_text="three"),
        Edit(type="insert", line=1, new_text="zero"),
        Edit(type="delete", old_text="end"),
    ]
    assert apply("one\nend\n", edits) == Edited("zero\nthree\n", ("exact", "exact", "line", "exact"))


def test_no_edits_change_nothing() -> None:
    assert apply("a", []) == Edited("a", ())


def test_an_edit_whose_text_an_earlier_one_took_away_names_both() -> None:
    refusal = _refusal(
        "a b c\r\nd\r\n",
        Edit(old_text="d", new_text="e"),
        Edit(old_text="b c", new_text="x"),
        Edit(type="insert", line=1, new_text="first"),
        Edit(old_text="a b", new_text="y"),
    )
    assert isinstance(refusal, EditNotFound)
    assert refusal.parameter == "edits[3].old_text"
    assert refusal.context["taken_by"] == "edits[1]"
    assert refusal.detail.startswith(
        "The text of edits[3].old_text was in the file until edits[1] changed it"
    )


def test_a_text_that_never_was_there_is_blamed_on_no_edit() -> None:
    refusal = _refusal("a\n", Edit(old_text="a", new_text="b"), Edit(old_text="zzz", new_text=""))
    assert "taken_by" not in refusal.context


@pytest.mark.parametrize(
    ("edit", "error", "field"),
    [
        (Edit(old_text="", new_text="x"), InvalidArgument, "old_text"),
        (Edit(type="delete", old_text=""), InvalidArgument, "old_text"),
        (Edit(old_text="a"), MissingParameter, "new_text"),
        (Edit(new_text="a"), MissingParameter, "old_text"),
        (Edit(type="insert", line=1), MissingParameter, "new_text"),
        (Edit(type="delete"), MissingParameter, "old_text"),
        (Edit(type="patch"), MissingParameter, "patch"),
        (Edit(old_text="a", new_text="b", line=3), InvalidArgument, "line"),
        (Edit(type="delete", old_text="a", new_text="b"), InvalidArgument, "new_text"),
        (Edit(type="insert", line=1, new_text="a", replace_all=True), InvalidArgument, "replace_all"),
        (Edit(type="patch", patch="x", old_text="a"), InvalidArgument, "old_text"),
    ],
)
def test_an_edit_has_what_its_type_takes_and_nothing_else(
    edit: Edit, error: type[ToolError], field: str
) -> None:
    refusal = _refusal("a\n", edit)
    assert type(refusal) is error
    assert refusal.parameter == f"edits[0].{field}"


def test_what_an_edit_does_not_take_may_be_there_empty() -> None:
    edit = Edit(type="insert", line=1, new_text="x", old_text="", after="", before="", patch="")
    assert apply("a\n", [edit]).text == "x\na\n"


def test_an_edit_reads_from_json_and_refuses_what_it_does_not_know() -> None:
    assert msgspec.json.decode(b'{"old_text":"a","new_text":"b"}', type=Edit) == Edit(
        old_text="a", new_text="b"
    )
    for wrong in (b'{"type":"swap"}', b'{"oldtext":"a"}', b'{"type":"insert","line":0}'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(wrong, type=Edit)


def test_a_file_of_carriage_returns_alone_has_lines_and_keeps_them() -> None:
    edits = [
        Edit(old_text="b\r", new_text="x\ny\r"),
        Edit(type="insert", line=1, new_text="0"),
        Edit(type="delete", old_text="c\n"),
    ]
    assert apply("a\rb\rc\r", edits).text == "0\ra\rx\ry\r"


@given(texts(), st.data())
def test_nothing_outside_the_place_is_changed(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    old = text[start : data.draw(st.integers(start, len(text)))]
    new = data.draw(st.text("ab$\\&", max_size=5))
    found = find(text, old) if old else None
    if found is None or len(found.spans) != 1 or found.twin:
        return
    (span,) = found.spans
    result = _replace(text, old, new).text
    assert result.startswith(text[: span.start] + new)
    kept = text[span.end :]
    assert result[span.start + len(new) :] in {kept, f"{kept}\n", f"{kept}\r\n"}


@given(texts(), st.integers(1, 20), st.text("ab\n", max_size=6))
def test_an_inserted_line_leaves_all_others_as_they_are(text: str, line: int, new: str) -> None:
    lines = text.count("\n") + (not text.endswith("\n") and text != "")
    if "\r" in text and "\n" not in text:
        return
    if line > lines + 1:
        assert isinstance(_refusal(text, Edit(type="insert", line=line, new_text=new)), InvalidArgument)
        return
    result = _insert(text, new, line=line)
    offset = sum(len(part) + 1 for part in text.split("\n")[: line - 1])
    assert result.startswith(text[:offset])
    assert result.endswith(text[offset:])
    assert result.replace("\r\n", "\n").count("\n") >= text.count("\n") + new.count("\n") - (not text)


_SOME = st.one_of(st.none(), st.text("ab \t\n\r“", max_size=5))


@given(
    texts(most=5),
    st.lists(
        st.builds(
            Edit,
            type=st.sampled_from(["replace", "insert", "delete", "patch"]),
            old_text=_SOME,
            new_text=_SOME,
            line=st.one_of(st.none(), st.integers(1, 5)),
            after=_SOME,
            before=st.none(),
            replace_all=st.booleans(),
            patch=st.none(),
        ),
        max_size=3,
    ),
)
def test_whatever_is_sent_as_edits_is_made_or_refused(text: str, edits: list[Edit]) -> None:
    came = _outcome(text, edits)
    if isinstance(came, ToolError):
        assert str(came.parameter).startswith("edits[")
        return
    assert len(came.steps) == len(edits)
    assert came.text.endswith("\n") or not text.endswith("\n") or not came.text


def test_a_mode_in_the_patch_of_an_edit_is_not_lost_in_silence() -> None:
    patch = "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
    refusal = _refusal("a\n", Edit(type="patch", patch=patch))
    assert (refusal.code, refusal.parameter) == ("BAD_PATCH", "edits[0].patch")
