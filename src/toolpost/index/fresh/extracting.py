"""What changed files say: looked for when somebody first asks, from the text that was read, and once."""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from toolpost.index.build.read import NOT_UTF8, of_text, unread
from toolpost.index.disk.mapped import Base
from toolpost.index.model import Doc
from toolpost.index.places import number_of
from toolpost.index.snapshot import key
from toolpost.index.tags.rules import Rules

Extract = Callable[[Doc], Doc]
"""A file with what it says and its tags; its exports are those it has by itself."""


def extract_by(rules: Rules) -> Extract:
    def extracted(doc: Doc) -> Doc:
        if doc.passed == NOT_UTF8:
            return doc
        if doc.text is None:
            return unread(doc.path, doc.stamp, doc.blob_id, doc.passed, rules)
        return of_text(doc.path, doc.stamp, doc.blob_id, doc.text, rules)

    return extracted


class Extracting:
    """Keeps what it found for as long as the file is among those asked for. Not for several threads at once."""

    def __init__(self, extract: Extract) -> None:
        self._extract = extract
        self._held: dict[str, tuple[Doc, Doc]] = {}
        """By path: a file as it was read, and with what it says."""

    def all(self, base: Base, docs: Iterable[Doc]) -> dict[str, Doc]:
        """By path, in order: the same objects as before for the same files."""
        before, self._held = self._held, {}
        found: dict[str, Doc] = {}
        for doc in docs:
            held = before.get(doc.path)
            if held is None or held[0] is not doc:
                held = self._of(base, doc, held)
            self._held[doc.path] = held
            found[doc.path] = held[1]
        return found

    def _of(self, base: Base, doc: Doc, held: tuple[Doc, Doc] | None) -> tuple[Doc, Doc]:
        if held is not None and _is_alike(held[0], doc):  # it was only touched
            return doc, replace(held[1], stamp=doc.stamp)
        number = number_of(base, key(doc)) if doc.blob_id else -1
        if number >= 0 and base.blob_id(number) == doc.blob_id and doc.text is not None:
            found, tags = base.extract(number), tuple(base.file(number).tags)
            return doc, replace(doc, extract=found, exports=found.exports, tags=tags)
        return doc, self._extract(doc)


def _is_alike(before: Doc, now: Doc) -> bool:
    return bool(now.blob_id) and (before.blob_id, before.passed) == (now.blob_id, now.passed)
