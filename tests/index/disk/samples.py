"""A small tree with one file of every sort, and a folder to keep its index in."""

from hashlib import sha1
from pathlib import Path
from typing import Any

from toolpost.index.disk.generations import Folder, Generation
from toolpost.index.disk.mapped import Base, latest
from toolpost.index.disk.writer import write_generation
from toolpost.index.model import Doc, Export, Extract, Stamp

AT = "2026-01-02T03:04:05Z"
NS = 1_700_000_000_123_000_000


def doc(path: str, text: bytes | None = b"", passed: str = "", **more: Any) -> Doc:
    blob_id = b"" if text is None else sha1(text).digest()
    return Doc(path, Stamp(len(text or b""), NS, NS + 1, 7), blob_id, text, passed, **more)


OWN = (Export("Button", "function", line=1), Export("default", "", "Button", line=9))
STAR = (Export("*", source="./button"),)
PASSED_ON = (Export("Button", "function", source="./button", origin="src/button.tsx"),)

DOCS = [
    doc("README.md", "grün\n".encode(), tags=("docs",)),
    doc("empty.txt", b""),
    doc("logo.png", None, "binary"),
    doc("no_end.txt", b"one\ntwo"),
    doc(
        "src/button.tsx",
        b"export function Button() {}\n" * 40,
        extract=Extract(OWN, ("react",), ("jsx",)),
        exports=OWN,
        tags=("react-component", "typescript"),
    ),
    doc("src/deep/er/x.bin", None, "binary"),
    doc(
        "src/index.ts",
        b"export * from './button'\n",
        extract=Extract(STAR, ("./button",)),
        exports=PASSED_ON,
        tags=("barrel", "typescript"),
    ),
    doc("src/secret.pem", None, "secret"),
    doc("stör.txt", "ö".encode()),
]


def build(folder: Folder, docs: list[Doc] | None = None) -> Generation:
    with folder.writing() as writing:
        return write_generation(writing, iter(DOCS if docs is None else docs), generated_at=AT, maker="test")


def opened(path: Path, docs: list[Doc] | None = None) -> Base:
    folder = Folder(path)
    build(folder, docs)
    base = latest(folder)
    assert base is not None
    return base
