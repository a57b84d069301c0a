"""fs.read, and with it fs.list and fs.dirs: how a caller sees the workspace.

The text of an answer is the file's own, then, apart from it, what to know: where it was cut and how to go on.
The data holds the same content with its facts, for dialects that have a shape of their own.
"""

from collections.abc import Mapping
from typing import Any, BinaryIO

from msgspec import UNSET, Struct, structs

from toolpost import meter
from toolpost.call import Call
from toolpost.content import Content, Image, Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import (
    FileNotFound,
    FileTooLarge,
    InvalidArgument,
    IoFailed,
    LimitExceeded,
    MissingParameter,
    NotAFile,
    NotText,
    ToolError,
)
from toolpost.limits import (
    IMAGE_MAX,
    LIST_MAX,
    OUTLINE_BYTES,
    OUTLINE_CHARS,
    OUTLINE_SYMBOLS,
    READ_MAX,
    WRITE_MAX,
)
from toolpost.schema import Schema, schema_of
from toolpost.tools.listing import ListFolder, Listing, listing, listing_tools
from toolpost.tools.nearest import no_file
from toolpost.tools.oneline import one_line
from toolpost.tools.part import (
    FailedData,
    FileData,
    FilesData,
    ImageData,
    ReadFile,
    data_of,
    most_bytes,
    notes_of,
    outline_text,
    wanted,
)
from toolpost.workspace.history.seen import Seen
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.reading.cache import Kept, ReadCache
from toolpost.workspace.reading.mime import IMAGES, mime_of
from toolpost.workspace.reading.outline import Symbol, outline
from toolpost.workspace.reading.parts import (
    Facts,
    Read,
    facts_by_head,
    facts_of,
    read_bytes,
    read_head,
    read_lines,
    stream_of,
)
from toolpost.workspace.reading.text import digest, not_text
from toolpost.workspace.root import Source
from toolpost.workspace.workspace import Place, Workspace

_DESCRIPTION = (
    "Read a file of the workspace: its text, or a part of it by lines or bytes. A long file is cut, and the "
    "answer says how to go on; images come as images, and a directory as its listing."
)
_ALIASES = {
    "file_path": "path",
    "filePath": "path",
    "absolute_path": "path",
    "offset": "start_line",
    "startLine": "start_line",
    "endLine": "end_line",
    "fromByte": "from_byte",
    "maxBytes": "max_bytes",
}


def tools(workspace: Workspace, cache: ReadCache, seen: Seen) -> tuple[Tool, ...]:
    ground = Ground(workspace, cache, seen)

    def read_file(asked: ReadFile, call: Call) -> Output:
        return read(ground, asked, call)

    def read_at_once(asked: ReadFile, call: Call) -> Output:
        return read_ready(ground, asked, call)

    reading = from_function(
        read_file,
        at_once=read_at_once,
        name="fs.read",
        title="Read a file",
        description=_DESCRIPTION,
        effects=("read",),
        tags=("files",),
        examples=(
            {"name": "a file", "input": {"path": "src/main.py"}},
            {"name": "lines 40 to 80", "input": {"path": "src/main.py", "start_line": 40, "end_line": 80}},
            {"name": "two files", "input": {"paths": ["README.md", "pyproject.toml"]}},
        ),
        codes={"max_bytes:maximum": "LIMIT_EXCEEDED"},
        cost=_cost,
        aliases=_ALIASES,
        output_schema=_answer(),
        idempotent=True,
        source="toolpost",
    )
    return (reading, *listing_tools(workspace))


def _answer() -> Schema:
    kinds = (FileData, ImageData, FilesData, Listing)
    return {"type": "object", "anyOf": [schema_of(kind) for kind in kinds]}


class Ground(Struct, frozen=True):
    """What reading stands on."""

    workspace: Workspace
    cache: ReadCache
    seen: Seen


class Opened(Struct, frozen=True):
    """A text file, ready to be read in part."""

    place: Place
    stream: BinaryIO
    facts: Facts
    links: int = 1
    is_cached: bool = False


def _cost(args: Mapping[str, Any]) -> dict[str, int]:
    return {"reads": len(args.get("paths") or ("path",)), "concurrent_reads": 1}


def read(ground: Ground, asked: ReadFile, call: Call) -> Output:
    if asked.paths is not None and asked.path is not None:
        raise InvalidArgument("path and paths were both given: send one of them.", parameter="paths")
    if asked.paths is not None:
        return _several(ground, asked, asked.paths, call)
    if asked.path is None:
        raise MissingParameter(
            "path is missing: name the file to read, such as src/main.py.", parameter="path"
        )
    if ground.workspace.names_roots(asked.path):
        return _folder(ground, asked.path, call)
    try:
        return _one(ground, asked, asked.path, call)
    except NotAFile:
        if asked.text_only or not _is_folder(ground, asked.path):
            raise
        return _folder(ground, asked.path, call)


def read_ready(ground: Ground, asked: ReadFile, call: Call) -> Output:
    """One small file that is in memory; everything else waits, and is for a thread: BlockingIOError."""
    if asked.path is None or asked.paths is not None or ground.workspace.names_roots(asked.path):
        raise BlockingIOError
    place = ground.workspace.place(asked.path)
    if not isinstance(place.root, LocalRoot):
        raise BlockingIOError
    try:
        source = place.root.open_ready(place.path)
    except NotAFile:  # perhaps a directory, which is listed
        raise BlockingIOError from None
    _refuse_too_large(asked, place, source)
    return _shown(ground, asked, place, source, call)


def _one(ground: Ground, asked: ReadFile, path: str, call: Call) -> Output:
    place = ground.workspace.place(path)
    try:
        source = place.root.open(place.path)
    except FileNotFound:
        raise no_file(ground.workspace, place, path) from None
    try:
        with source:
            _refuse_too_large(asked, place, source)
            return _shown(ground, asked, place, source, call)
    except OSError as failed:
        raise IoFailed(
            f"{place.shown} could not be read: {failed.strerror or type(failed).__name__}.", parameter="path"
        ) from None


def _shown(ground: Ground, asked: ReadFile, place: Place, source: Source, call: Call) -> Output:
    try:
        opened = _opened(ground.cache, place, source)
    except NotText:
        if asked.text_only:
            raise
        return _image(place, source)
    return _outline(opened) if asked.outline else _part(ground, asked, opened, call)


def _opened(cache: ReadCache, place: Place, source: Source) -> Opened:
    """A file up to READ_MAX is read whole and kept; of a larger one only the head is looked at."""
    key = cache.key(place.root)
    kept = cache.find(key, place.path, source)
    if kept is not None:
        return Opened(place, stream_of(kept.data), kept.facts, source.links, is_cached=True)
    data = source.stream.read(min(source.entry.size_bytes, READ_MAX) + 1)
    if len(data) > source.entry.size_bytes:  # it grew since it was opened
        data += source.stream.read(READ_MAX + 1 - len(data))
    if len(data) <= READ_MAX:
        kept = Kept(data, facts_of(data, place.shown))
        cache.keep(key, place.path, source, kept)
        return Opened(place, stream_of(data), kept.facts, source.links)
    size = source.stream.seek(0, 2)
    facts = facts_by_head(source.stream, size, place.shown, hashed=size <= WRITE_MAX)
    return Opened(place, source.stream, facts, source.links)


def _part(ground: Ground, asked: ReadFile, opened: Opened, call: Call) -> Output:
    want = wanted(asked, call)
    place, facts = opened.place, opened.facts
    meter.need(read_bytes=most_bytes(asked, facts, want.lines))
    if want.lines is not None:
        got = read_lines(opened.stream, facts, want.lines)
    else:
        got = read_bytes(opened.stream, facts, from_byte=want.from_byte, max_bytes=asked.max_bytes)
    if facts.digest:
        ground.seen.saw(call.caller.session, place.root.key, place.path, facts.digest)
    notes = [*want.notes, *notes_of(facts, got, call)]
    data = data_of(place.shown, facts, got, opened.links)
    room = min(OUTLINE_SYMBOLS, asked.max_bytes // (4 * OUTLINE_CHARS))
    symbols = _symbols(opened, room) if got.truncated and not asked.names_part else []
    told = [*notes, f"Outline, with line numbers:\n{outline_text(symbols)}"] if symbols else notes
    return Output(
        content=_texts(got.content, "\n".join(told)),
        data=structs.replace(data, outline=symbols or UNSET),
        usage={"read_bytes": len(got.content.encode())},
        notes=tuple(notes),
        cached=opened.is_cached,
    )


def _outline(opened: Opened) -> Output:
    place, facts = opened.place, opened.facts
    symbols = _symbols(opened, OUTLINE_SYMBOLS)
    text = outline_text(symbols)
    meter.need(read_bytes=len(text.encode()))
    notes = () if symbols else ("No definitions were found; read the file by lines.",)
    nothing = Read(content="", truncated=False, total_lines=facts.total_lines)
    return Output(
        content=_texts(text, *notes),
        data=structs.replace(data_of(place.shown, facts, nothing, opened.links), outline=symbols),
        usage={"read_bytes": len(text.encode())},
        notes=notes,
        cached=opened.is_cached,
    )


def _symbols(opened: Opened, most: int) -> list[Symbol]:
    return outline(read_head(opened.stream, opened.facts, OUTLINE_BYTES), opened.place.path, most=most)


def _image(place: Place, source: Source) -> Output:
    """An image as an image; anything else that is not text is refused again."""
    source.stream.seek(0)
    data = source.stream.read(IMAGE_MAX + 1)
    media_type = mime_of(data)
    size = source.stream.seek(0, 2)
    if media_type not in IMAGES:
        raise not_text(data, name=place.shown, size_bytes=size)
    if size > IMAGE_MAX:
        raise FileTooLarge(
            f"{place.shown} is an image of {size} bytes; at most {IMAGE_MAX} are shown.",
            parameter="path",
            size_bytes=size,
            limit=IMAGE_MAX,
            mime=media_type,
        )
    meter.need(read_bytes=size)
    told = ImageData(path=place.shown, media_type=media_type, size_bytes=size, hash=digest(data))
    return Output(content=(Image(data, media_type),), data=told, usage={"read_bytes": size})


def _refuse_too_large(asked: ReadFile, place: Place, source: Source) -> None:
    size, limit = source.entry.size_bytes, asked.refuse_above
    if limit is None or size <= limit or asked.names_part:
        return
    part = {"from_byte": 0, "max_bytes": min(limit, READ_MAX)}
    raise FileTooLarge(
        f"{place.shown} has {size} bytes; at most {limit} are read at once.",
        parameter="path",
        size_bytes=size,
        limit=limit,
        would_work=part,
    )


def _is_folder(ground: Ground, path: str) -> bool:
    place = ground.workspace.place(path)
    return place.root.stat(place.path).is_dir


def _folder(ground: Ground, path: str, call: Call) -> Output:
    """A caller that takes a folder for a file gets what it needs to go on; it counts as a listing."""
    meter.need(lists=1)
    told = listing(ground.workspace, ListFolder(path=path, limit=LIST_MAX), call)
    note = f"{one_line(path) or 'The workspace'} is a directory: this is its listing, as the tool that lists directories gives it."
    return structs.replace(
        told,
        content=(*told.content, Text(note)),
        notes=(*told.notes, note),
        usage={"lists": 1, "read_bytes": 0},
    )


def _several(ground: Ground, asked: ReadFile, paths: list[str], call: Call) -> Output:
    """Each file with an answer or an error of its own; READ_MAX bytes in all."""
    room = READ_MAX
    answers: list[Output] = []
    for path in paths:
        try:
            answer = _one_of_several(ground, asked, path, room, call)
        except ToolError as error:
            answer = _failed(path, error)
        room -= answer.usage["read_bytes"]
        answers.append(answer)
    data = FilesData(
        files=[answer.data for answer in answers],
        truncated=any(isinstance(answer.data, FileData) and answer.data.truncated for answer in answers),
    )
    return Output(
        content=tuple(
            part for path, answer in zip(paths, answers, strict=True) for part in _headed(path, answer)
        ),
        data=data,
        usage={"read_bytes": sum(answer.usage["read_bytes"] for answer in answers)},
        notes=tuple(
            f"{one_line(path)}: {note}"
            for path, answer in zip(paths, answers, strict=True)
            for note in answer.notes
        ),
        cached=all(answer.cached for answer in answers),
    )


def _one_of_several(ground: Ground, asked: ReadFile, path: str, room: int, call: Call) -> Output:
    if room <= 0:
        raise LimitExceeded(f"The answer is full, with {READ_MAX} bytes: read {path} in a call of its own.")
    return _one(ground, structs.replace(asked, max_bytes=min(asked.max_bytes, room)), path, call)


def _failed(path: str, error: ToolError) -> Output:
    told = FailedData(path=path, code=error.code, error=error.detail, suggested=error.suggested)
    return Output(content=(Text(f"Error: {error.detail}"),), data=told, usage={"read_bytes": 0})


def _headed(path: str, answer: Output) -> tuple[Content, ...]:
    return (Text(f"==> {one_line(path)} <=="), *answer.content)


def _texts(*parts: str) -> tuple[Content, ...]:
    return tuple(Text(part) for part in parts if part)
