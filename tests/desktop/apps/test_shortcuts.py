import pytest
from tests.desktop.apps.shortcut_bytes import shortcut

from toolpost.desktop.apps.application import Application, Source
from toolpost.desktop.apps.shortcuts import Shortcut, application, parse, split

EXE = r"C:\Program Files\Größe\app.exe"


@pytest.mark.parametrize("is_wide", [True, False])
@pytest.mark.parametrize("is_unicode", [True, False])
def test_a_shortcut_says_what_it_starts(*, is_wide: bool, is_unicode: bool) -> None:
    data = shortcut(
        EXE,
        is_wide=is_wide,
        is_unicode=is_unicode,
        comment="Schön",
        relative="..\\x",
        folder="C:\\w",
        arguments="--a b",
    )
    assert parse(data) == Shortcut(target=EXE, comment="Schön", folder="C:\\w", arguments="--a b")


def test_a_shortcut_becomes_an_application() -> None:
    assert application(
        "C:/Menu/My App.lnk", shortcut(EXE, comment="Edits", arguments='--in "a b" 5%U')
    ) == Application(
        name="My App",
        id="My App",
        path="C:/Menu/My App.lnk",
        words=(EXE, "--in", "a b", "5%%U"),
        source=Source.START_MENU,
        description="Edits",
        also=("app.exe",),
    )


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("Readme.lnk", shortcut(EXE)),
        ("Uninstall App.lnk", shortcut(EXE)),
        ("Page.lnk", shortcut(r"C:\a\page.html")),
        ("Share.lnk", shortcut(EXE, is_local=False)),
        ("Nothing.lnk", shortcut()),
        ("Other.lnk", b"no shortcut at all"),
    ],
)
def test_what_starts_no_program_is_no_application(name: str, data: bytes) -> None:
    assert application(f"C:\\Menu\\{name}", data) is None


@pytest.mark.parametrize("is_wide", [True, False])
def test_a_shortcut_cut_off_anywhere_breaks_nothing(*, is_wide: bool) -> None:
    whole = shortcut(EXE, is_wide=is_wide, comment="c", arguments="a")
    assert all(parse(whole[:end]) is None or end >= 0x4C for end in range(len(whole)))
    assert parse(b"\0" * 200) is None


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("", ()),
        ("a  b\tc", ("a", "b", "c")),
        ('"a b" c', ("a b", "c")),
        (r"C:\x\ y", ("C:\\x\\", "y")),
        (r"a\\\"b c", ('a\\"b', "c")),
        (r'"a\\" b', ("a\\", "b")),
        ('"open', ("open",)),
        ('""', ("",)),
    ],
)
def test_arguments_are_split_as_windows_programs_do(line: str, found: tuple[str, ...]) -> None:
    assert split(line) == found
