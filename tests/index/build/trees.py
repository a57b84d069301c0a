"""Trees with every sort of file, their indexes, and all that is told in one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from toolpost.index.build.build import Built, build
from toolpost.index.disk.docs import doc_of
from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import Base, latest
from toolpost.limits import SEARCH_FILE_BYTES
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Root

FILES: dict[str, bytes] = {
    ".gitignore": b"*.log\n/out/\n!keep.log\n",
    ".hidden/a.ts": b"export const hidden = 1\n",
    "README.md": "# Grün\n".encode(),
    "bom.ts": b"\xef\xbb\xbfexport const bom = 1\n",
    "crlf.ts": b"export const crlf = 1\r\n",
    "data.bin": b"\0\1\2",
    "empty.txt": b"",
    "lib/.gitignore": b"*.tmp\n",
    "lib/a.ts": b"export function a() {}\nexport default class Shop {}\n",
    "lib/b.py": b"def b():\n    return 1\n",
    "lib/index.ts": b"export * from './a'\nexport {b as c} from './b'\n",
    "lib/keep.log": b"kept\n",
    "lib.ts": b"import {a} from './lib/index'\nexport const used = a\n",
    "no_end.py": b"x = 1",
    "wide.txt": "eins zwei\n".encode("utf-16"),
}
LEFT_OUT = {"a.log": b"", "out/x.ts": b"", "lib/b.tmp": b"", ".git/x": b"", "lib/deep/c.log": b""}
SECRETS = {".env": b"TOKEN=1\n", ".ssh/known.ts": b"export const key = 1\n"}


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def age(folder: Path) -> None:
    """Files that were there before: changed long enough ago for their times to tell."""
    for path in folder.rglob("*"):
        os.utime(path, ns=(10**18, 10**18), follow_symlinks=False)


def full(folder: Path) -> Path:
    """One of every sort."""
    write(folder, FILES | LEFT_OUT | SECRETS)
    with (folder / "huge.txt").open("wb") as huge:
        huge.truncate(SEARCH_FILE_BYTES + 1)
    os.mkfifo(folder / "pipe")
    (folder / "link.ts").symlink_to("lib/a.ts")
    (folder / "out_link").symlink_to("..")
    (folder / os.fsdecode(b"caf\xe9.ts")).write_bytes(b"export const named = 1\n")
    return folder


def built(root: Root | Path, index: Path, **how: Any) -> Built:
    made = LocalRoot(root) if isinstance(root, Path) else root
    try:
        return build(made, Folder(index), **how)
    finally:
        if isinstance(root, Path):
            made.close()


def opened(index: Path) -> Base:
    base = latest(Folder(index))
    assert base is not None
    return base


def told(index: Path) -> list[dict[str, Any]]:
    """All that is told of every file but its times."""
    base = opened(index)
    docs = [doc_of(base, number) for number in range(base.count)]
    found = [
        {
            "path": doc.path,
            "size": doc.stamp.size_bytes,
            "blob": doc.blob_id.hex(),
            "text": doc.text,
            "passed": doc.passed,
            "extract": doc.extract,
            "exports": doc.exports,
            "tags": doc.tags,
        }
        for doc in docs
    ]
    base.close()
    return found


def sections(index: Path) -> dict[str, bytes]:
    """Every section of every file of a generation, but for what tells times."""
    base = opened(index)
    found = {
        f"{kind}:{name}": bytes(held.array(name))
        for kind, held in base.opened.items()
        for name in held.names
        if name not in {"facts", "stamps", "records"}
    }
    base.close()
    return found


@contextmanager
def unprivileged() -> Iterator[None]:
    """Nobody in particular, if we are root."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
