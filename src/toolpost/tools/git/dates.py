"""Moments as callers say them. git takes any word for a date, and one it does not know for now, so they are checked."""

import re
from datetime import datetime

from toolpost.errors import InvalidArgument

_ISO = re.compile(
    r"(?:19[7-9]\d|20\d\d)-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)? ?(?:Z|[+-]\d\d:?\d\d)?)?", re.ASCII
)
"""git knows the years 1970 to 2099; of any other it takes the month and the day alone."""
_AGO = re.compile(
    r"""
    (?: [1-4]?\d[ .]years? | \d{1,2}[ .]months? | \d{1,3}[ .]weeks? | \d{1,4}[ .]days?
      | \d{1,5}[ .]hours? | \d{1,6}[ .]minutes? | \d{1,8}[ .]seconds? ) (?: [ .]ago )?
    | last[ .] (?: week | month | year | (?:mon|tues|wednes|thurs|fri|satur|sun)day )
    | yesterday | midnight | noon | now
    """,
    re.ASCII | re.VERBOSE | re.IGNORECASE,
)
"""Only as far back as 1970: git counts on from there as if it were the far future."""


def moment(said: str, parameter: str) -> str:
    """The same, in words git reads as meant."""
    words = " ".join(said.split())
    if words.lower() == "today":
        return "midnight"  # to git, today is this very second
    if _AGO.fullmatch(words) or _is_iso(words):
        return words
    raise InvalidArgument(
        f"{said!r} is no date: give one such as 2026-01-31, 2026-01-31T12:00:00Z, `2 weeks ago` or `yesterday`.",
        parameter=parameter,
    )


def _is_iso(words: str) -> bool:
    """Whether a calendar has it, too."""
    if not _ISO.fullmatch(words):
        return False
    try:
        datetime.fromisoformat(words.replace(" +", "+").replace(" -", "-").replace(" Z", "Z"))
    except ValueError:
        return False
    return True
