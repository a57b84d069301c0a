"""Every file of a tree in the order of their paths: read, by one process or several, or taken as it was before."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import compress, count

from msgspec import Struct

from toolpost.index.build.crew import Crew, Hand, Tags
from toolpost.index.build.earlier import NEW, Blobs, Earlier, Matched, is_same, match
from toolpost.index.build.listing import LocalListing, Run, runs
from toolpost.index.build.parts import NO_TEXT, Part, bare, put
from toolpost.index.build.progress import Stage, Watch
from toolpost.index.build.read import SAME, read_any, read_local
from toolpost.index.build.revision import read_revision, revision_runs, tells_ids, wanted
from toolpost.index.build.spool import Spool
from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import Base
from toolpost.index.limits import INDEX_PART_FILES, INDEX_WORKER_FILES, INDEX_WORKERS_MAX
from toolpost.index.model import Doc, Stamp
from toolpost.index.tags.rules import Rules
from toolpost.workspace.local.bulk import Bulk
from toolpost.workspace.root import Root


class Kept(Struct, frozen=True, gc=False):
    """A file, and where its text is."""

    doc: Doc
    """Without its text, and what others make of its exports."""
    size: int
    """Of its text; NO_TEXT where it has none."""
    begin: int
    """In the spool; without one, its number in the base."""
    spool: Spool | None


class Judged(Struct, frozen=True, gc=False):
    """A run, and of each name its number in the base, and whether it is as it was."""

    run: Run
    numbers: list[int]
    same: list[bool]
    blob_ids: list[bytes]
    """Of those that are not: what they held before, or in a revision hold now."""

    def unread(self) -> Run:
        if not any(self.same):
            return Run(self.run.folder, self.run.names, self.run.stamps, self.blob_ids)
        run, new = self.run, [not same for same in self.same]
        return Run(
            run.folder,
            list(compress(run.names, new)),
            list(compress(run.stamps, new)),
            list(compress(self.blob_ids, new)),
        )


class Task(Struct, frozen=True):
    """What is to be gathered, and how."""

    root: Root
    """A local one as Bulk."""
    base: Base | None
    """What it is compared with: built by the same rules."""
    known: tuple[Base, ...]
    """Others that may hold contents of a revision."""
    maker: str
    """What says by which rules a base was built."""
    tags: Tags
    rules: Rules
    """The same, ready to be used."""
    workers: int | None
    folder: Folder
    """Where the index will be."""
    watch: Watch


class Gather:
    """Good until it is closed, as the texts are."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.taken = 0
        """Files that were not read."""
        self._stack = ExitStack()
        self._earlier = None if task.base is None else Earlier(task.base, task.folder)
        if self._earlier is not None:
            self._stack.callback(self._earlier.close)

    def close(self) -> None:
        self._stack.close()

    def all(self) -> list[Kept]:
        """Raises what listing and reading the tree as a whole does, Cancelled, IoFailed."""
        self.task.watch.at(Stage.LIST)
        matched = [self._judged(each) for each in match(self.task.base, self._runs())]
        new = [each.unread() for each in matched]
        self.taken = sum(len(each.run.names) for each in matched) - sum(len(run.names) for run in new)
        read = self._read([run for run in new if run.names])
        found = [file for each in matched for file in self._files(each, read) if file is not None]
        next(read, None)  # which lets it come to its own end
        return found

    def text(self, file: Kept) -> bytes | None:
        if file.size == NO_TEXT:
            return None
        if file.spool is not None:
            return file.spool.read(file.begin, file.size)
        return None if self._earlier is None else self._earlier.text(file.begin)

    def _runs(self) -> Iterator[Run]:
        root = self.task.root
        if isinstance(root, Bulk):
            return LocalListing(root, stamps=self.task.base is not None).runs()
        return revision_runs(root) if tells_ids(root) else runs(root)

    def _judged(self, matched: Matched) -> Judged:
        base, run = self.task.base, matched.run
        if base is None:
            return Judged(run, matched.numbers, [False] * len(run.names), run.blob_ids)
        known = [b"" if number == NEW else base.blob_id(number) for number in matched.numbers]
        if tells_ids(self.task.root):
            same = [bool(mine) and mine == theirs for mine, theirs in zip(known, run.blob_ids, strict=True)]
            return Judged(run, matched.numbers, same, run.blob_ids)
        stamped = zip(matched.numbers, run.stamps, strict=True)
        same = [number != NEW and is_same(base, number, stamp) for number, stamp in stamped]
        return Judged(run, matched.numbers, same, known)

    def _files(self, judged: Judged, read: Iterator[Kept | None]) -> Iterator[Kept | None]:
        for number, same, at in zip(judged.numbers, judged.same, count(), strict=False):
            if same:
                yield self._before(number, judged.run.stamps[at])
                continue
            file = next(read)
            is_touched = file is not None and file.doc.passed == SAME
            yield self._before(number, file.doc.stamp) if file is not None and is_touched else file

    def _before(self, number: int, stamp: Stamp) -> Kept | None:
        if self._earlier is None:
            return None
        doc = self._earlier.doc(number, stamp)
        return Kept(doc, NO_TEXT if doc.passed else 0, number, None)

    def _read(self, new: list[Run]) -> Iterator[Kept | None]:
        """One for each name of the runs, in order."""
        root, total = self.task.root, sum(len(run.names) for run in new)
        parts = list(_parts(new))
        if not isinstance(root, Bulk):
            return self._alone(self._docs(new), total)
        workers = self.task.workers or _workers(total)
        if min(workers, len(parts)) > 1:
            hand = Hand(root, self.task.rules, self.task.folder.path)
            self._stack.callback(hand.spool.close)
            crew = Crew(min(workers, len(parts)) - 1, root, self.task.tags, self.task.folder.path)
            self._stack.callback(crew.forget)
            self._stack.callback(crew.close)
            return self._together(crew, hand, parts)
        runs = (run for part in parts for run in part)
        return self._alone((doc for run in runs for doc in read_local(root, run, self.task.rules)), total)

    def _docs(self, new: list[Run]) -> Iterator[Doc | None]:
        """Of a tree that is not local."""
        task = self.task
        if tells_ids(task.root):
            bases = (*(() if task.base is None else (task.base,)), *task.known)
            files = (file for run in new for file in wanted(task.root, run))
            return read_revision(task.root.git, files, Blobs(bases, task.maker), task.rules)
        files_of = ((run.path(at), stamp) for run in new for at, stamp in enumerate(run.stamps))
        return (read_any(task.root, path, stamp, task.rules) for path, stamp in files_of)

    def _alone(self, docs: Iterator[Doc | None], total: int) -> Iterator[Kept | None]:
        spool = Spool.make(self.task.folder.path)
        self._stack.callback(spool.close)
        for done, doc in enumerate(docs):
            if done % INDEX_PART_FILES == 0:
                self.task.watch.at(Stage.READ, done, total)
            begin = spool.size
            yield None if doc is None else Kept(bare(doc), put(doc, spool), begin, spool)
        spool.flush()
        self.task.watch.at(Stage.READ, total, total)

    def _together(self, crew: Crew, hand: Hand, parts: list[list[Run]]) -> Iterator[Kept | None]:
        total = sum(len(run.names) for part in parts for run in part)
        watch, done = self.task.watch, 0
        read: dict[int, tuple[Part, Spool]] = {}
        with closing(crew):
            watch.at(Stage.READ, 0, total)
            for number, part, spool in crew.read(parts, watch.check, hand):
                read[number] = part, spool
                done += len(part.files)
                watch.at(Stage.READ, done, total)
        for number, runs_of in enumerate(parts):
            yield from _unpacked(runs_of, *read.pop(number))


def _unpacked(runs_of: list[Run], part: Part, spool: Spool) -> Iterator[Kept | None]:
    begin = part.begin
    paths = (run.path(at) for run in runs_of for at in range(len(run.names)))
    for path, packed in zip(paths, part.files, strict=True):
        if packed is None:
            yield None
            continue
        yield Kept(packed.doc(path), packed.text_bytes, begin, spool)
        begin += max(packed.text_bytes, 0)


def _parts(new: list[Run]) -> Iterator[list[Run]]:
    """Runs, cut and put together so that each part has about as many files."""
    part: list[Run] = []
    room = INDEX_PART_FILES
    for run in new:
        for cut in _cut(run):
            part.append(cut)
            room -= len(cut.names)
            if room <= 0:
                yield part
                part, room = [], INDEX_PART_FILES
    if part:
        yield part


def _cut(run: Run) -> Iterator[Run]:
    for begin in range(0, len(run.names), INDEX_PART_FILES):
        end = begin + INDEX_PART_FILES
        yield Run(run.folder, run.names[begin:end], run.stamps[begin:end], run.blob_ids[begin:end])


def _workers(files: int) -> int:
    if files < INDEX_WORKER_FILES:
        return 1
    return min(len(os.sched_getaffinity(0)), INDEX_WORKERS_MAX)
