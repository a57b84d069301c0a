import plistlib
from pathlib import Path
from typing import Any

import pytest

from toolpost.desktop.apps.application import Application, Source
from toolpost.desktop.apps.bundles import bundle, every, folders

INFO = {
    "CFBundleDisplayName": "Kalender",
    "CFBundleName": "Calendar",
    "CFBundleIdentifier": "com.apple.iCal",
    "CFBundleExecutable": "Calendar",
    "CFBundleGetInfoString": "Keeps dates",
}
CALENDAR = Application(
    name="Kalender",
    id="com.apple.iCal",
    path="/Applications/Calendar.app",
    words=("/Applications/Calendar.app/Contents/MacOS/Calendar",),
    source=Source.BUNDLE,
    description="Keeps dates",
    also=("Kalender", "Calendar"),
)


@pytest.mark.parametrize("form", [plistlib.FMT_XML, plistlib.FMT_BINARY])
def test_a_bundle_says_what_it_is_in_either_form(form: plistlib.PlistFormat) -> None:
    assert bundle("/Applications/Calendar.app", plistlib.dumps(INFO, fmt=form)) == CALENDAR


def test_a_bundle_that_says_little_goes_by_its_folder() -> None:
    found = bundle("/A/My App.app", plistlib.dumps({"CFBundleExecutable": "run", "CFBundleName": 5}))
    assert found is not None
    assert (found.name, found.id, found.program) == ("My App", "My App", "/A/My App.app/Contents/MacOS/run")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no list",
        b"bplist00\xff\xff",
        b"<plist><dict>",
        plistlib.dumps(["a"]),
        plistlib.dumps({"CFBundleName": "no program"}),
        plistlib.dumps({"CFBundleExecutable": "../../../bin/sh"}),
        plistlib.dumps({**INFO, "LSBackgroundOnly": True}),
    ],
)
def test_what_has_no_program_or_window_is_no_application(data: bytes) -> None:
    assert bundle("/Applications/X.app", data) is None


def _bundle(folder: Path, info: Any) -> None:
    (folder / "Contents").mkdir(parents=True)
    (folder / "Contents" / "Info.plist").write_bytes(plistlib.dumps(info))


def test_bundles_are_found_in_folders_and_one_below(tmp_path: Path) -> None:
    _bundle(tmp_path / "A.app", {**INFO, "CFBundleIdentifier": "a"})
    _bundle(tmp_path / "Utilities" / "B.app", {**INFO, "CFBundleIdentifier": "b"})
    _bundle(tmp_path / "Deep" / "Deeper" / "C.app", INFO)
    (tmp_path / "Empty.app").mkdir()
    assert [one.id for one in every((str(tmp_path / "absent"), str(tmp_path)))] == ["a", "b"]


def test_the_users_own_come_first() -> None:
    assert folders("/Users/u") == ("/Users/u/Applications", "/Applications", "/System/Applications")
