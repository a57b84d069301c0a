from toolpost.content import Diff, Image


def test_an_image_is_sent_as_base64() -> None:
    assert Image(b"\x00\xff").base64 == "AP8="


def test_a_diff_shows_its_hunks_without_the_file_lines() -> None:
    diff = Diff("a.py", "one\ntwo\nthree\n", "one\n2\nthree\n")
    assert diff.unified == "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three"


def test_equal_texts_have_an_empty_diff() -> None:
    assert Diff("a.py", "same\n", "same\n").unified == ""


def test_a_patch_that_was_given_is_shown_as_it_is() -> None:
    assert Diff("a.py", "", "", patch="@@ whole @@").unified == "@@ whole @@"
