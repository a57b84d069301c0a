"""Which part of a file a call asks for, and how the part is told: its data and what to know about it."""

from typing import Annotated, Any, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from toolpost.call import Call
from toolpost.errors import InvalidArgument
from toolpost.limits import LINE_CHARS, READ_DEFAULT, READ_LINES, READ_MANY, READ_MAX
from toolpost.workspace.reading.outline import Symbol
from toolpost.workspace.reading.parts import CutLine, Facts, Lines, Read

_ENDINGS = {"\n": "LF", "\r\n": "CRLF", "\r": "CR", "mixed": "mixed"}
_Paths = Annotated[list[str], Meta(min_length=1, max_length=READ_MANY)]
_T = TypeVar("_T")
_Size = Annotated[int, Meta(ge=0)]


class ReadFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[str | None, Meta(description="Path of the file, relative to the workspace root.")] = None
    paths: Annotated[_Paths | None, Meta(description="Several files at once, instead of path.")] = None
    start_line: Annotated[int | None, Meta(description="First line to read, counted from 1.")] = None
    end_line: Annotated[int | None, Meta(description="Last line to read, included.")] = None
    limit: Annotated[int | None, Meta(description="How many lines, instead of end_line.")] = None
    from_byte: Annotated[
        int | None, Meta(description="Where to go on in the file, as a truncated answer says.")
    ] = None
    max_bytes: Annotated[int, Meta(description="Most bytes of text to give.", ge=1, le=READ_MAX)] = (
        READ_DEFAULT
    )
    numbered: Annotated[bool, Meta(description="Put its number before each line, as cat -n does.")] = False
    outline: Annotated[
        bool, Meta(description="Give what the file defines, with line numbers, instead of its text.")
    ] = False
    text_only: Annotated[bool, Meta(description="Refuse images and directories instead of showing them.")] = (
        False
    )
    refuse_above: Annotated[
        _Size | None, Meta(description="Refuse a file of more bytes, unless a part of it is asked for.")
    ] = None
    justification: Annotated[
        str | None, Meta(description="Why the index does not answer this, where a policy asks for it.")
    ] = None

    @property
    def names_part(self) -> bool:
        return any(word is not None for word in (self.start_line, self.end_line, self.limit, self.from_byte))


class FileData(Struct, frozen=True, kw_only=True):
    """A file as data: the contracts' keys, then what else is known of it. Content is UTF-8 whatever the file is."""

    path: str
    content: str
    size_bytes: int
    truncated: bool
    encoding: str = "utf-8"
    hash: str | UnsetType = UNSET
    """Of the whole file: what `expect_hash` takes."""
    source_encoding: str | UnsetType = UNSET
    bom: bool | UnsetType = UNSET
    line_ending: str | UnsetType = UNSET
    links: int | UnsetType = UNSET
    """Names the file has: another may lie outside the root."""
    start_line: int | UnsetType = UNSET
    end_line: int | UnsetType = UNSET
    total_lines: int | UnsetType = UNSET
    next_start_line: int | UnsetType = UNSET
    next_byte: int | UnsetType = UNSET
    cut_lines: list[CutLine] | UnsetType = UNSET
    outline: list[Symbol] | UnsetType = UNSET


class ImageData(Struct, frozen=True, kw_only=True):
    path: str
    media_type: str
    size_bytes: int
    hash: str


class FailedData(Struct, frozen=True, kw_only=True):
    """One of several files that could not be read."""

    path: str
    code: str
    error: str
    suggested: Any | UnsetType = UNSET


class FilesData(Struct, frozen=True, kw_only=True):
    """Several files, in the order they were asked for."""

    files: list[Any]
    """Each a FileData, an ImageData or a FailedData."""
    truncated: bool


class Wanted(Struct, frozen=True):
    """Lines, or bytes from a place on."""

    lines: Lines | None = None
    from_byte: int = 0
    notes: tuple[str, ...] = ()


def wanted(asked: ReadFile, call: Call) -> Wanted:
    """Bad ranges are brought into order, and said so: a refusal would cost the caller a turn."""
    if asked.from_byte is not None:
        return _bytes(asked, asked.from_byte, call)
    if not asked.names_part and not asked.numbered:
        return Wanted()
    notes = []
    start = 1 if asked.start_line is None else asked.start_line
    if start < 1:
        notes.append(f"{call.said('start_line')} was {start}; lines are counted from 1.")
        start = 1
    end = _end(asked, start)
    if end is not None and end < start:
        notes.append(f"The range ended before it began, at line {end}; line {start} alone was read.")
        end = start
    lines = Lines(start=start, end=end, max_bytes=asked.max_bytes, numbered=asked.numbered)
    return Wanted(lines=lines, notes=tuple(notes))


def _bytes(asked: ReadFile, from_byte: int, call: Call) -> Wanted:
    by_lines = [name for name in ("start_line", "end_line", "limit") if getattr(asked, name) is not None]
    by_lines += ["numbered"] if asked.numbered else []
    if by_lines:
        said = call.said("from_byte")
        raise InvalidArgument(
            f"{said} counts bytes and {call.said(by_lines[0])} counts lines: send one of them.",
            parameter=by_lines[0],
        )
    if from_byte < 0:
        return Wanted(notes=(f"{call.said('from_byte')} was {from_byte}; bytes are counted from 0.",))
    return Wanted(from_byte=from_byte)


def _end(asked: ReadFile, start: int) -> int | None:
    """The nearer one of end_line and limit; a limit of nothing is one line."""
    by_limit = None if asked.limit is None else start + max(asked.limit, 1) - 1
    ends = [end for end in (asked.end_line, by_limit) if end is not None]
    return min(ends) if ends else None


def most_bytes(asked: ReadFile, facts: Facts, lines: Lines | None) -> int:
    """The most an answer can hold: what other encodings grow by in UTF-8, and numbers before lines."""
    growth = 1 if facts.coding.encoding == "utf-8" else 3
    numbers = 8 * (facts.total_lines or READ_LINES) if lines is not None and lines.numbered else 0
    return min(asked.max_bytes, facts.size_bytes * growth + numbers)


def data_of(path: str, facts: Facts, read: Read, links: int) -> FileData:
    return FileData(
        path=path,
        content=read.content,
        size_bytes=facts.size_bytes,
        truncated=read.truncated,
        hash=facts.digest or UNSET,
        source_encoding=_unless(facts.coding.encoding, "utf-8"),
        bom=_unless(facts.coding.bom, usual=False),
        line_ending=_unless(_ENDINGS[facts.line_ending], "LF"),
        links=_unless(links, 1),
        start_line=_unless(read.start_line, None),
        end_line=_unless(read.end_line, None),
        total_lines=_unless(read.total_lines, None),
        next_start_line=_unless(read.next_start_line, None),
        next_byte=_unless(read.next_byte, None),
        cut_lines=list(read.cut_lines) or UNSET,
    )


def _unless(value: _T | None, usual: _T | None) -> _T | UnsetType:
    """What is as usual is not said."""
    return UNSET if value is None or value == usual else value


def notes_of(facts: Facts, read: Read, call: Call) -> list[str]:
    notes = _place_notes(facts, read, call)
    if read.cut_lines:
        first = read.cut_lines[0]
        which = f"Line {first.line} is" if len(read.cut_lines) == 1 else f"{len(read.cut_lines)} lines are"
        rest = f"the rest of line {first.line} begins at {call.said('from_byte')}={first.from_byte}"
        notes.append(f"{which} cut, at {LINE_CHARS} characters or where the answer was full; {rest}.")
    if read.unreadable:
        which = "1 character is" if read.unreadable == 1 else f"{read.unreadable} characters are"
        notes.append(f"{which} not valid {facts.coding.encoding}, and shown as U+FFFD.")
    return notes


def _place_notes(facts: Facts, read: Read, call: Call) -> list[str]:
    if not facts.size_bytes:
        return ["The file is empty."]
    if read.start_line is not None and read.end_line is None:
        return [f"The file has {read.total_lines} lines; there is no line {read.start_line}."]
    if read.truncated and read.next_start_line is not None:
        total = "" if read.total_lines is None else f" of {read.total_lines}"
        told = f"lines {read.start_line} to {read.end_line}{total} are shown"
        return [f"Truncated: {told}; continue with {call.said('start_line')}={read.next_start_line}."]
    if read.next_byte is not None:
        return [_byte_note(facts, read, call)]
    if read.from_byte and not read.content:
        return [f"The file has {facts.size_bytes} bytes; nothing follows byte {read.from_byte}."]
    return []


def _byte_note(facts: Facts, read: Read, call: Call) -> str:
    if not read.content:
        return f"The next character has more bytes than {call.said('max_bytes')}; ask for 4 or more."
    told = f"bytes {read.from_byte} to {read.next_byte} of {facts.size_bytes} are shown"
    return f"Truncated: {told}; continue with {call.said('from_byte')}={read.next_byte}."


def outline_text(symbols: list[Symbol]) -> str:
    return "\n".join(f"{symbol.line:>6}\t{symbol.text}" for symbol in symbols)
