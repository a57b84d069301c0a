import os
import resource
import signal
from contextlib import closing
from pathlib import Path

import pytest

from toolpost.errors import IoFailed
from toolpost.index.build.parts import NO_TEXT, Packed, bare, pack
from toolpost.index.build.spool import Spool
from toolpost.index.limits import INDEX_PIECE_BYTES
from toolpost.index.model import Doc, Export, Extract, Stamp


def test_texts_come_back_in_any_order_and_nothing_is_left_behind(tmp_path: Path) -> None:
    texts = [b"a" * 10, b"", b"b" * INDEX_PIECE_BYTES, b"c", b"d" * (2 * INDEX_PIECE_BYTES)]
    with closing(Spool.make(tmp_path)) as spool:
        places = []
        for text in texts:
            places.append((spool.size, len(text)))
            spool.append(text)
        assert [spool.read(*place) for place in places] == texts
        assert [spool.read(*place) for place in reversed(places)] == texts[::-1]
        assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_is_said(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with closing(Spool.make(tmp_path)) as spool:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
        try:
            with pytest.raises(IoFailed, match="Make room"):
                spool.append(bytes(INDEX_PIECE_BYTES))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, before)
    with pytest.raises(IoFailed):
        Spool.make(tmp_path / "nowhere")


def test_a_spool_that_is_closed_says_so(tmp_path: Path) -> None:
    spool = Spool(os.open(tmp_path, os.O_RDONLY))
    with pytest.raises(IoFailed):
        spool.read(0, 1)
    spool.close()


def test_a_packed_file_is_the_file_without_its_text(tmp_path: Path) -> None:
    extract = Extract((Export("a"),), ("./b",), ("jsx",))
    doc = Doc("a.ts", Stamp(1, 2, 3, 4), b"x" * 20, b"text", "", extract, extract.exports, ("typescript",))
    empty = Doc("b.png", Stamp(1), b"", None, "binary")
    with closing(Spool.make(tmp_path)) as spool:
        packed = [pack(each, spool) for each in (doc, empty)]
        assert spool.read(0, 4) == b"text"
    assert packed[0] == Packed(doc.stamp, doc.blob_id, "", extract, doc.tags, 4)
    assert packed[1].text_bytes == NO_TEXT
    assert [each.doc(path) for each, path in zip(packed, ("a.ts", "b.png"), strict=True)] == [
        bare(doc),
        bare(empty),
    ]
