from collections.abc import Iterable

from msgspec.structs import replace
from tests.index.fresh.trees import Tree

from toolpost.index.disk.docs import doc_of
from toolpost.index.disk.mapped import Base, latest
from toolpost.index.fresh.extracting import Extracting, extract_by
from toolpost.index.model import Doc, Extract, Stamp
from toolpost.index.tags.rules import Rules


class Counted:
    def __init__(self) -> None:
        self.paths: list[str] = []
        self._extract = extract_by(Rules())

    def __call__(self, doc: Doc) -> Doc:
        self.paths.append(doc.path)
        return self._extract(doc)


def _base(tree: Tree) -> Base:
    base = latest(tree.index)
    assert base
    return base


def _read(path: str, text: bytes | None, blob_id: bytes = b"b" * 20, passed: str = "") -> Doc:
    return Doc(path, Stamp(1, 2, 3, 4), blob_id, text, passed)


def _names(docs: Iterable[Doc]) -> dict[str, list[str]]:
    return {doc.path: [export.name for export in doc.exports] for doc in docs}


def test_a_file_is_looked_through_once(tree: Tree) -> None:
    counted, base = Counted(), _base(tree)
    extracting = Extracting(counted)
    first, other = _read("a.ts", b"export let a"), _read("b.ts", b"export let b")
    found = extracting.all(base, [first])
    assert _names(found.values()) == {"a.ts": ["a"]}
    more = extracting.all(base, [first, other])
    assert more["a.ts"] is found["a.ts"]
    assert counted.paths == ["a.ts", "b.ts"]
    assert extracting.all(base, [other]) == {"b.ts": more["b.ts"]}
    extracting.all(base, [first])
    assert counted.paths == ["a.ts", "b.ts", "a.ts"]


def test_what_was_only_touched_is_not_looked_through(tree: Tree) -> None:
    counted, base = Counted(), _base(tree)
    extracting = Extracting(counted)
    first = _read("a.ts", b"export let a")
    whole = extracting.all(base, [first])["a.ts"]
    touched = replace(first, stamp=Stamp(9, 9, 9, 9))
    assert extracting.all(base, [touched]) == {"a.ts": replace(whole, stamp=touched.stamp)}
    known = doc_of(base, base.find(b"src/one.ts"))
    again = replace(known, stamp=touched.stamp, extract=Extract(), exports=(), tags=())
    assert extracting.all(base, [again]) == {"src/one.ts": replace(known, stamp=touched.stamp)}
    assert counted.paths == ["a.ts"]


def test_a_file_without_text_has_the_tags_of_its_name(tree: Tree) -> None:
    extracting, base = Extracting(extract_by(Rules())), _base(tree)
    large = _read("a.test.ts", None, b"", "too_large")
    strange = _read("\udcff.ts", None, b"c" * 20, "not_utf8")
    found = extracting.all(base, [large, strange])
    assert "test" in found["a.test.ts"].tags
    assert replace(found["a.test.ts"], tags=()) == large
    assert found["\udcff.ts"] == strange
