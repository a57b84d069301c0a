"""A file of a mapped base as it was given to the writer: for a next generation, and for who needs all of one."""

from bisect import bisect_left

from toolpost.index.disk.mapped import Base
from toolpost.index.model import Doc


def doc_of(base: Base, number: int) -> Doc:
    """All that is known of it; its text is copied once."""
    passed = reason_of(base, number)
    return Doc(
        path=base.path(number).decode("utf-8", "surrogateescape"),
        stamp=base.stamp(number),
        blob_id=base.blob_id(number),
        text=None if passed else text_of(base, number),
        passed=passed,
        extract=base.extract(number),
        exports=base.exports(number),
        tags=tuple(base.file(number).tags),
    )


def text_of(base: Base, number: int) -> bytes:
    """As the file has it: without the line end `base.text` adds where there was none."""
    added = 1 if _holds(base.no_newline, number) else 0
    return base.text.read(base.starts[number], base.starts[number + 1] - added)


def reason_of(base: Base, number: int) -> str:
    """Why it has no text; empty for one that has."""
    return next((reason for reason, ids in base.passed.items() if _holds(ids, number)), "")


def _holds(ids: memoryview, number: int) -> bool:
    at = bisect_left(ids, number)
    return at < len(ids) and ids[at] == number
