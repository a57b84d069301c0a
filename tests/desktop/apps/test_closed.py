from pathlib import Path

import pytest

from toolpost.desktop.apps.closed import Closed


@pytest.mark.parametrize(
    ("path", "held"),
    [
        ("{r}", True),
        ("{r}/a/b", True),
        ("{r}/../x", False),
        ("{r}x", False),
        ("{l}/a", True),
        ("{r}\0", False),
    ],
)
def test_a_folder_holds_what_lies_in_it_or_leads_there(path: str, tmp_path: Path, *, held: bool) -> None:
    root, link = tmp_path / "root", tmp_path / "link"
    root.mkdir()
    link.symlink_to(root)
    given = path.format(r=root, l=link)
    assert (Closed((str(root),)).holds(given), Closed((f"{link}/",)).holds(given)) == (held, held)
    assert not Closed().holds(given)
