"""What is known of a file: what the tree says of it, what its text says, and how contract 001 tells it."""

from msgspec import Struct

STAR = "*"
"""The name of `export * from source` and `from source import *`, until it is resolved."""
DEFAULT = "default"


class Export(Struct, frozen=True, gc=False, array_like=True):
    """One name a file gives to others."""

    name: str
    kind: str = ""
    """function, class, const, let, var, enum, type, interface, namespace, module, method, macro, value ...;
    empty where only the file it is passed on from could tell."""
    local: str = ""
    """What it is called within the file, where that differs: the real name of a default export, or before `as`."""
    source: str = ""
    """The module it is passed on from, as written."""
    line: int = 0
    origin: str = ""
    """The path of the file that defines it, once resolved; empty for the file's own."""


class Extract(Struct, frozen=True, gc=False, array_like=True):
    """What the syntax of one file says, without a look at any other."""

    exports: tuple[Export, ...] = ()
    imports: tuple[str, ...] = ()
    """Modules it names, as written, each once, in order; also those it passes on from."""
    marks: tuple[str, ...] = ()
    """Facts tags are made of, such as `jsx` or `decorator:Component`; sorted."""
    whole: bool = True
    """False for a file that does not parse: what could be read is here, and there may be more."""


class Stamp(Struct, frozen=True, gc=False, array_like=True):
    """What a tree tells of a file without opening it; equal stamps mean equal content."""

    size_bytes: int = 0
    modified_ns: int = 0
    changed_ns: int = 0
    inode: int = 0


class Doc(Struct, frozen=True):
    """All that is known of one file."""

    path: str
    stamp: Stamp
    blob_id: bytes
    """As git counts it: SHA-1 of `blob SIZE`, a NUL, and the bytes. Empty where the file was not read."""
    text: bytes | None
    """In UTF-8 without a byte order mark, as a search goes through it."""
    passed: str = ""
    """Why there is no text: binary, too_large, secret, not_utf8, unreadable."""
    extract: Extract = Extract()
    exports: tuple[Export, ...] = ()
    """Those of the extract, with every STAR replaced by what it stands for."""
    tags: tuple[str, ...] = ()


class File(Struct, frozen=True, gc=False):
    """A file as contract 001 tells it."""

    path: str
    exports: list[str]
    tags: list[str]
    size_bytes: int
    last_modified: str


class Statistics(Struct, frozen=True):
    total_files: int
    total_exports: int
    by_tag: dict[str, int]


class Exported(Struct, frozen=True):
    """The whole index as contract 001 tells it."""

    repo_hash: str
    generated_at: str
    files: list[File]
    statistics: Statistics


def names(exports: tuple[Export, ...]) -> list[str]:
    """What contract 001 lists: each name once; a default export as `default` and by its real name."""
    told: dict[str, None] = {}
    for export in exports:
        told[export.name] = None
        if export.name == DEFAULT and export.local:
            told[export.local] = None
    return list(told)
