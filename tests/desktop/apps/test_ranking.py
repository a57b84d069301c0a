import pytest

from toolpost.desktop.apps.application import Application, Source
from toolpost.desktop.apps.ranking import rank


def _app(
    name: str, identity: str = "", *also: str, source: Source = Source.DESKTOP_ENTRY, said: str = ""
) -> Application:
    return Application(
        name=name, id=identity or name, path=f"/{name}", source=source, also=also, description=said
    )


KNOWN = [
    _app("Taschenrechner", "org.gnome.Calculator.desktop", "Calculator", "arithmetic"),
    _app("LibreOffice Calc", "libreoffice-calc.desktop", "Spreadsheet"),
    _app("Visual Studio Code", "code.desktop", "Text Editor"),
    _app("Firefox", "firefox.desktop", "Web Browser", said="Browse the World Wide Web"),
    _app("Firefox Nightly", "nightly.desktop"),
    _app("Text Editor", "org.gnome.TextEditor.desktop"),
    _app("firefox", "firefox", source=Source.SEARCH_PATH),
    _app("recalculate", "recalculate", source=Source.SEARCH_PATH),
]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("FIREFOX", ["firefox.desktop", "firefox", "nightly.desktop"]),
        ("fire", ["firefox.desktop", "nightly.desktop", "firefox"]),
        ("nightly", ["nightly.desktop"]),
        ("calculator", ["org.gnome.Calculator.desktop"]),
        ("calc", ["org.gnome.Calculator.desktop", "libreoffice-calc.desktop", "recalculate"]),
        ("spreadsheet", ["libreoffice-calc.desktop"]),
        ("text editor", ["org.gnome.TextEditor.desktop", "code.desktop"]),
        ("calc libreoffice", ["libreoffice-calc.desktop"]),
        ("vscode", ["code.desktop"]),
        ("vsc", ["code.desktop"]),
        ("fierfox", ["firefox.desktop", "firefox"]),
        ("vscodes", []),
        ("zzz", []),
        ("?!", []),
        ("", []),
    ],
)
def test_the_likeliest_comes_first(asked: str, found: list[str]) -> None:
    assert [one.id for one in rank(asked, KNOWN)] == found


def test_the_nearest_spelling_comes_first_among_those_merely_alike() -> None:
    known = [_app("inkscapes"), _app("inkscape")]
    assert [one.id for one in rank("inkskape", known)] == ["inkscape", "inkscapes"]
