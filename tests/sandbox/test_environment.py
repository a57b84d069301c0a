import pytest

from toolpost.errors import InvalidArgument
from toolpost.sandbox.environment import Place, environment, search_path

PLACE = Place(cwd="/work", home="/home/me", temp="/scratch")


def test_only_what_is_listed_is_passed_on() -> None:
    source = {
        "PATH": "/bin",
        "LANG": "de_DE.UTF-8",
        "TOKEN": "secret",
        "LD_PRELOAD": "/x.so",
        "TERM": "xterm",
        "USER": "me",
    }
    assert environment({}, PLACE, tag="t", source=source) == {
        "PAGER": "cat",
        "GIT_PAGER": "cat",
        "GIT_EDITOR": "false",
        "TERM": "dumb",
        "LANG": "de_DE.UTF-8",
        "USER": "me",
        "PATH": "/bin",
        "HOME": "/home/me",
        "TMPDIR": "/scratch",
        "PWD": "/work",
        "TOOLPOST_TAG": "t",
    }


def test_what_is_given_wins_but_for_the_tag() -> None:
    made = environment({"PAGER": "less", "A": "1", "TOOLPOST_TAG": "forged"}, PLACE, tag="t", source={})
    assert (made["PAGER"], made["A"], made["TOOLPOST_TAG"], made["LANG"]) == ("less", "1", "t", "C.UTF-8")


def test_a_terminal_keeps_its_name() -> None:
    said = [
        environment({}, PLACE, tag="t", terminal=True, source=source)["TERM"]
        for source in ({"TERM": "vt100"}, {})
    ]
    assert said == ["vt100", "xterm-256color"]


@pytest.mark.parametrize("given", [{"": "x"}, {"A=B": "x"}, {"A\0": "x"}, {"A": "x\0y"}])
def test_a_variable_that_would_be_another_one_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(InvalidArgument, match="variable"):
        environment(given, PLACE, tag="t", source={})


def test_programs_are_looked_for_in_absolute_folders_only() -> None:
    said = [search_path({"PATH": path}) for path in ("/a::.:b:/c:/a", "", ".")]
    assert said == ["/a:/c", "/usr/local/bin:/usr/bin:/bin", "/usr/local/bin:/usr/bin:/bin"]
