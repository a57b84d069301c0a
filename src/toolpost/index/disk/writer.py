"""A generation written from the files of a tree, one after another, without ever holding their texts."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec

from toolpost.index.disk import repo_hash
from toolpost.index.disk.generations import META, TEXT, TRIGRAMS, Generation, Writing
from toolpost.index.disk.mapped import Facts
from toolpost.index.disk.packed import packed
from toolpost.index.disk.records import (
    encode_blob_id,
    encode_exports,
    encode_extract,
    encode_file,
    encode_stamp,
    file_of,
)
from toolpost.index.disk.sections import Content
from toolpost.index.disk.tables import table
from toolpost.index.limits import INDEX_META_PAGE_BITS
from toolpost.index.model import Doc, Statistics

Docs = Iterable[tuple[int, Doc]]
TableMaker = Callable[[Docs], Mapping[str, bytes]]
"""From every file's number and Doc, in order and without text, to sections of `meta` under names of its own."""


def write_generation(
    writing: Writing,
    docs: Iterable[Doc],
    *,
    generated_at: str,
    tables: Sequence[TableMaker] = (),
    maker: str = "",
) -> Generation:
    """Write and commit what is from then on the newest generation. Raises IoFailed; then the old one still is.

    Docs come in the order of their paths' bytes, each path once. A doc's text is let go of as soon as it is
    written, so a generator may read one file after another, or take texts from the generation before.
    """
    number = writing.next_number()
    gathered = Gathered()
    text = writing.write(number, TEXT, {"text": gathered.texts(docs)})
    sections = gathered.sections(generated_at, maker)
    for make in tables:
        sections.update(make(enumerate(gathered.docs)))
    meta = writing.write(number, META, sections, INDEX_META_PAGE_BITS)
    generation = Generation(number, len(gathered.docs), {META: meta, TEXT: text})
    writing.commit(generation)
    return generation


def add_trigrams(
    writing: Writing, generation: Generation, sections: Mapping[str, Content]
) -> Generation | None:
    """They come once the rest is served already; None where the generation is not the newest any more."""
    return writing.add(generation, TRIGRAMS, sections)


class Gathered:
    """What is known of the files that went by."""

    def __init__(self) -> None:
        self.docs: list[Doc] = []
        """Without their texts."""
        self._paths: list[bytes] = []
        self._records: list[bytes] = []
        self._extracts: list[bytes] = []
        self._resolved: list[bytes] = []
        self._stamps = bytearray()
        self._blobs = bytearray()
        self._starts = array("Q", [0])
        self._wide = array("I")
        self._no_newline = array("I")
        self._passed: dict[str, array[int]] = {}
        self._folders = {b""}
        self._hash = 0
        self._exports = 0
        self._last = b""

    def texts(self, docs: Iterable[Doc]) -> Iterator[bytes]:
        """Every text, as it is to be written; what else a doc says is gathered as it goes by."""
        for doc in docs:
            self._add(doc)
            if not doc.text:
                continue
            yield doc.text
            if not doc.text.endswith(b"\n"):
                yield b"\n"

    def sections(self, generated_at: str, maker: str) -> dict[str, Content]:
        ids, passed = array("I"), {}
        for reason, found in sorted(self._passed.items()):
            passed[reason] = (len(ids), len(ids) + len(found))
            ids += found
        tags = Counter(chain.from_iterable(doc.tags for doc in self.docs))
        facts = Facts(
            count=len(self.docs),
            repo_hash=repo_hash.shown(self._hash % repo_hash.ALL),
            generated_at=generated_at,
            maker=maker,
            statistics=Statistics(len(self.docs), self._exports, dict(sorted(tags.items()))),
            passed=passed,
        )
        sections: dict[str, Content] = {"facts": msgspec.json.encode(facts)}
        sections |= table("paths", self._paths) | table("records", self._records)
        sections |= packed("extracts", self._extracts) | packed("exports", self._resolved)
        numbers = {"starts": self._starts, "wide": self._wide, "no_newline": self._no_newline, "passed": ids}
        sections |= {name: memoryview(held) for name, held in numbers.items()}
        folders = b"".join(folder + b"\0" for folder in sorted(self._folders))
        return sections | {"stamps": self._stamps, "blobs": self._blobs, "folders": folders}

    def _add(self, doc: Doc) -> None:
        path = self._placed(doc)
        file = file_of(doc)
        resolved = doc.exports != doc.extract.exports
        self._paths.append(path + b"\0")
        self._records.append(encode_file(file) + b",")
        self._extracts.append(encode_extract(doc.extract))
        self._resolved.append(encode_exports(doc.exports) if resolved else b"")
        self._stamps += encode_stamp(doc.stamp)
        self._blobs += encode_blob_id(doc.blob_id)
        self._hash += repo_hash.part(path, doc.blob_id, doc.stamp)
        self._exports += len(file.exports)
        self._add_text(doc)
        self.docs.append(
            Doc(doc.path, doc.stamp, doc.blob_id, None, doc.passed, doc.extract, doc.exports, doc.tags)
        )

    def _placed(self, doc: Doc) -> bytes:
        """Its path in bytes, which comes after the one before."""
        path = doc.path.encode("utf-8", "surrogateescape")
        if path <= self._last or b"\0" in path:
            raise ValueError(f"{doc.path!r} does not come after {self._last!r} in the order of bytes.")
        self._last = path
        folder = path.rpartition(b"/")[0]
        while folder not in self._folders:
            self._folders.add(folder)
            folder = folder.rpartition(b"/")[0]
        return path

    def _add_text(self, doc: Doc) -> None:
        number, text = len(self.docs), doc.text or b""
        if doc.passed:
            self._passed.setdefault(doc.passed, array("I")).append(number)
        length = len(text)
        if not text.isascii():
            self._wide.append(number)
        if text and not text.endswith(b"\n"):
            self._no_newline.append(number)
            length += 1
        self._starts.append(self._starts[-1] + length)
