from toolpost.desktop.apps.entry_format import is_true, locales, parse, text, texts

FILE = """
# a comment
Lost=before any group
[Desktop Entry]
Name = Files
Name[de]=Dateien
Name[de_AT]=Datei\\sEn
Comment=a\\tb\\\\c\\q
Keywords=one;two\\;half;;three
Hidden=true
no line of the format
[Desktop Action new]
Name=New window
[Desktop Entry]
Icon=x=y
"""


def test_a_file_is_read_into_groups_and_what_is_no_line_is_passed_over() -> None:
    groups = parse(FILE)
    assert groups == {
        "Desktop Entry": {
            "Name": "Files",
            "Name[de]": "Dateien",
            "Name[de_AT]": "Datei\\sEn",
            "Comment": "a\\tb\\\\c\\q",
            "Keywords": "one;two\\;half;;three",
            "Hidden": "true",
            "Icon": "x=y",
        },
        "Desktop Action new": {"Name": "New window"},
    }


def test_a_value_is_told_in_the_nearest_language_and_without_escapes() -> None:
    group = parse(FILE)["Desktop Entry"]
    assert text(group, "Name", ("de_AT", "de")) == "Datei En"
    assert text(group, "Name", ("de_CH", "de")) == "Dateien"
    assert text(group, "Name", ("fr",)) == "Files"
    assert text(group, "Comment") == "a\tb\\c\\q"
    assert text(group, "Absent") == ""


def test_several_values_stand_with_semicolons_between_them() -> None:
    assert texts(parse(FILE)["Desktop Entry"], "Keywords") == ("one", "two;half", "three")


def test_only_true_is_true() -> None:
    assert is_true({"a": "true"}, "a")
    assert is_true({"a": "1"}, "a")
    assert not is_true({"a": "True"}, "a")
    assert not is_true({}, "a")


def test_the_language_comes_from_the_first_variable_that_is_set() -> None:
    assert locales({"LC_ALL": "sr_RS.UTF-8@latin", "LANG": "de"}) == (
        "sr_RS@latin",
        "sr_RS",
        "sr@latin",
        "sr",
    )
    assert locales({"LC_ALL": "", "LC_MESSAGES": "de_AT", "LANG": "fr"}) == ("de_AT", "de")
    assert locales({"LANG": "C.UTF-8"}) == locales({"LANG": "POSIX"}) == locales({}) == ()
