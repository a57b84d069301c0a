import re
from pathlib import Path

import pytest
from tests.workspace.repository import git

from toolpost.errors import InvalidArgument
from toolpost.tools.git.dates import moment

ISO = [
    *(
        "2026-01-31",
        "1970-01-02",
        "2099-12-31",
        "2026-01-31 10:00",
        "2026-01-31T10:00Z",
        "2026-01-31T10:00:00Z",
    ),
    *("2026-01-31T10:00:00.5+02:00", "2026-01-31 10:00:00 +0200"),
]
RELATIVE = [
    *("2 weeks ago", "2.weeks.ago", "1 day ago", "49 years ago", "99 months", "9999 days ago", "3 Hours ago"),
    *("last week", "last friday", "yesterday", "midnight"),
]


@pytest.mark.parametrize("said", [*ISO, *RELATIVE])
def test_dates_and_times_ago_are_taken_as_git_reads_them(tmp_path: Path, said: str) -> None:
    assert moment(said, "since") == said
    git(tmp_path, "init", "-q")
    meant, now = (
        int(re.sub(r"\D", "", git(tmp_path, "rev-parse", f"--since={word}"))) for word in (said, "garbage")
    )
    assert meant < now or said.startswith("2099")


@pytest.mark.parametrize(
    "said",
    [
        *(
            "garbage",
            "a week ago",
            "2 fortnights ago",
            "2026-02-30",
            "2026-13-01",
            "2026-01-31T25:00",
            "2026-01",
        ),
        *("1969-12-31", "2100-01-01", "100 years ago", "ago", "2 weeks ago; x", "--all", " ", "٢ weeks ago"),
    ],
)
def test_what_git_would_take_for_another_moment_is_refused(said: str) -> None:
    with pytest.raises(InvalidArgument, match="2 weeks ago") as caught:
        moment(said, "until")
    assert caught.value.parameter == "until"


def test_today_began_at_midnight() -> None:
    assert moment(" Today ", "since") == "midnight"
