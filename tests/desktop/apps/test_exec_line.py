import pytest

from toolpost.desktop.apps.exec_line import Asked, Takes, expanded, literal, plain, takes, words


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("firefox %u", ("firefox", "%u")),
        ('"/opt/my app/run" --title "a \\"b\\" \\$c"  x', ("/opt/my app/run", "--title", 'a "b" $c', "x")),
        ('sh -c "echo $HOME; rm x"', ("sh", "-c", "echo $HOME; rm x")),
        ('a""b "" c\\ d', ("ab", "", "c d")),
        ("", ()),
    ],
)
def test_a_line_is_split_by_its_own_quoting(line: str, found: tuple[str, ...]) -> None:
    assert words(line) == found


@pytest.mark.parametrize("line", ['a "b', "a \\", "a %x", "a %"])
def test_what_the_format_does_not_know_is_refused(line: str) -> None:
    with pytest.raises(ValueError):
        words(line)


ASKED = Asked(name="Files", icon="folder", entry="/e.desktop", files=("/a", "/b"))


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("x %F", ("x", "/a", "/b")),
        ("x %U end", ("x", "/a", "/b", "end")),
        ("x %f", ("x", "/a")),
        ("x --file=%u", ("x", "--file=/a")),
        ("x %i %c %k", ("x", "--icon", "folder", "Files", "/e.desktop")),
        ("x 100%% %d %v", ("x", "100%")),
    ],
)
def test_codes_stand_for_what_is_opened(line: str, made: tuple[str, ...]) -> None:
    assert expanded(words(line), ASKED) == made


def test_codes_that_stand_for_nothing_leave_no_argument() -> None:
    assert expanded(words('x %f %U %i "" -%u'), Asked(name="Files")) == ("x", "", "-")


def test_a_file_with_a_code_in_its_name_is_one_argument_as_it_is() -> None:
    assert expanded(words("x %f"), Asked(name="", files=("/a %F; b",))) == ("x", "/a %F; b")
    assert expanded((literal("/50%U/x"),), ASKED) == ("/50%U/x",)
    assert plain(literal("/50%U/x")) == "/50%U/x"


def test_a_line_says_what_it_takes() -> None:
    assert takes(words("x")) == takes(words("x %c")) == Takes(0, addresses=False)
    assert takes(words("x %f")) == Takes(1, addresses=False)
    assert takes(words("x --url=%u")) == Takes(1, addresses=True)
    assert takes(words("x %F")) == Takes(None, addresses=False)
    assert takes(words("x %U")) == Takes(None, addresses=True)
