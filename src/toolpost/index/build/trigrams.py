"""The trigrams of a generation's text, a segment at a time: no more than one of them is ever in memory."""

from collections.abc import Callable, Iterator
from contextlib import closing
from importlib import import_module

from toolpost.index.build.progress import Stage, Watch
from toolpost.index.disk.generations import Folder, Generation
from toolpost.index.disk.mapped import Base
from toolpost.index.disk.sections import Content
from toolpost.index.search.segments import META, META_BYTES, SEGMENT_BYTES, STRIDE_BYTES, count, section


def sections(folder: Folder, generation: Generation, watch: Watch) -> dict[str, Content]:
    """What a file of trigrams holds; each is made when it is taken. Who takes it may be told Cancelled."""
    with closing(Base.open(folder, generation)) as base:
        numbers = range(count(len(base.text.view)))
    made = {section(number): _segment(folder, generation, number, watch) for number in numbers}
    return {META: META_BYTES, **made}


def _segment(folder: Folder, generation: Generation, number: int, watch: Watch) -> Iterator[bytes]:
    """The text is mapped anew for each: what stays mapped counts as memory in use."""
    begin = number * STRIDE_BYTES
    with closing(Base.open(folder, generation)) as base:
        watch.at(Stage.TRIGRAMS, begin, len(base.text.view))
        with base.text.view[begin : begin + SEGMENT_BYTES] as part:
            made = _tri_build()(part)
    yield made


def _tri_build() -> Callable[[memoryview], bytes]:
    """It needs numpy, which nobody who only asks should load."""
    found: Callable[[memoryview], bytes] = import_module("toolpost.index.search.trigrams").tri_build
    return found
