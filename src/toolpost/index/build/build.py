"""A generation from a tree: list, read what is new, resolve, write; searches are answered; then trigrams.

A build that is stopped or killed changes nothing: until it commits, readers have what was there before. Another one
that begins meanwhile waits, or is told so.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from hashlib import sha256
from threading import Event

import msgspec
from msgspec import Struct

from toolpost.clock import Clock, rfc3339
from toolpost.errors import IoFailed
from toolpost.index.build import graph
from toolpost.index.build.alone import load_numpy, uncollected
from toolpost.index.build.crew import Tags
from toolpost.index.build.gather import Gather, Kept, Task
from toolpost.index.build.progress import Progress, Stage, Watch
from toolpost.index.build.trigrams import sections
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.generations import Folder, Generation, Writing
from toolpost.index.disk.mapped import Base
from toolpost.index.disk.writer import add_trigrams, write_generation
from toolpost.index.limits import INDEX_PART_FILES
from toolpost.index.model import Doc, Export, Statistics
from toolpost.index.names import tables
from toolpost.index.resolve import Resolved, resolve
from toolpost.index.resolve.tree import Listed
from toolpost.index.tags.rules import Rules
from toolpost.version import __version__
from toolpost.workspace.guard import Guard
from toolpost.workspace.local.bulk import Bulk
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Root


class Settings(Struct, frozen=True):
    """What a build goes by, beside the tree."""

    tags: Tags = {}
    """Rules of the project's own, as its settings have them under `index.tags`."""
    known: tuple[Base, ...] = ()
    """Generations of other trees of the same repository: contents they hold are not asked of git again."""
    stop: Event | None = None
    """Once set, the build ends with Cancelled."""
    wait_s: float = 0.0
    """For another builder to end."""
    clock: Clock = Clock()


class Built(Struct, frozen=True):
    generation: Generation
    repo_hash: str
    statistics: Statistics
    seconds: float
    """Until it was answered from."""
    trigrams_s: float
    """After that, for trigrams."""
    taken: int
    """Files that were not read, as they were known."""


def build(
    root: Root,
    folder: Folder,
    *,
    progress: Callable[[Progress], None] | None = None,
    workers: int | None = None,
    reuse: Base | None = None,
    settings: Settings | None = None,
) -> Built:
    """Write the newest generation of a tree's index.

    `reuse` is what was built of it before; one that another version or other rules made is not used. `workers`
    are processes that read: as many as pay unless told. Raises Busy while another one builds, Cancelled, IoFailed,
    and what listing the tree raises.
    """
    settings = settings or Settings()
    watch = Watch(progress, settings.stop)
    with _refusals(), uncollected(), ExitStack() as stack:
        writing = stack.enter_context(folder.writing(settings.wait_s))
        if isinstance(root, LocalRoot):
            root = stack.enter_context(closing(Bulk.of(root)))
        maker = made_by(root, settings.tags)
        base = reuse if reuse is not None and reuse.maker == maker else None
        rules = Rules.of(settings.tags)
        task = Task(root, base, settings.known, maker, settings.tags, rules, workers, folder, watch)
        try:
            return _Build(task, writing, settings.clock).run()
        except Damaged:
            if task.base is None and not task.known:
                raise
            task = msgspec.structs.replace(task, base=None, known=())  # what was there before is of no use
            return _Build(task, writing, settings.clock).run()


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except OSError as failed:
        raise IoFailed(
            f"The index could not be built: {failed.strerror}. Mend that, then build again."
        ) from None
    except Damaged as damaged:
        raise IoFailed(f"What was just written cannot be read: {damaged} Build again.") from None


def made_by(root: Root, tags: Tags) -> str:
    """What a generation depends on beside the tree: another one is not taken from."""
    guard = getattr(root, "guard", Guard())
    ruled = sha256(msgspec.msgpack.encode((guard, sorted(tags.items())))).hexdigest()[:16]
    return f"toolpost {__version__} {ruled}"


class _Build:
    def __init__(self, task: Task, writing: Writing, clock: Clock) -> None:
        self._task = task
        self._writing = writing
        self._started = time.monotonic()
        self._began = rfc3339(clock.now())
        """Before anything is listed: what changes from here on may not be in it."""

    def run(self) -> Built:
        generation, taken = self._answered()
        answered = time.monotonic()
        generation = self._with_trigrams(generation)
        self._writing.sweep()
        with closing(Base.open(self._writing.folder, generation)) as base:
            return Built(
                generation=generation,
                repo_hash=base.repo_hash,
                statistics=base.statistics,
                seconds=answered - self._started,
                trigrams_s=time.monotonic() - answered,
                taken=taken,
            )

    def _answered(self) -> tuple[Generation, int]:
        """What can be searched already, and how many files were not read. All else it takes is let go of."""
        with closing(Gather(self._task)) as gather:
            files = gather.all()
            generation = self._written(gather, files, self._resolved(gather, files))
            return generation, gather.taken

    def _resolved(self, gather: Gather, files: list[Kept]) -> Resolved:
        self._task.watch.at(Stage.RESOLVE, 0, len(files))
        places = {file.doc.path: file for file in files}

        def text_of(path: str) -> bytes | None:
            file = places.get(path)
            return None if file is None else gather.text(file)

        extracts = {file.doc.path: file.doc.extract for file in files}
        return resolve(Listed(extracts, text_of), extracts)

    def _written(self, gather: Gather, files: list[Kept], resolved: Resolved) -> Generation:
        load_numpy()
        return write_generation(
            self._writing,
            self._docs(gather, files, resolved.exports),
            generated_at=self._began,
            tables=(tables.make, graph.maker(resolved)),
            maker=self._task.maker,
        )

    def _docs(
        self, gather: Gather, files: list[Kept], exports: Mapping[str, tuple[Export, ...]]
    ) -> Iterator[Doc]:
        """Whole, one after another; what was written is let go of, and no file is left."""
        total = len(files)
        files.reverse()
        while files:
            file = files.pop()
            done = total - len(files) - 1
            if done % INDEX_PART_FILES == 0:
                self._task.watch.at(Stage.WRITE, done, total)
            doc, text = file.doc, gather.text(file)
            told = exports.get(doc.path, ())
            yield Doc(doc.path, doc.stamp, doc.blob_id, text, doc.passed, doc.extract, told, doc.tags)
        self._task.watch.at(Stage.WRITE, total, total)

    def _with_trigrams(self, generation: Generation) -> Generation:
        """Nobody else can have written meanwhile, so it is the newest still."""
        made = sections(self._writing.folder, generation, self._task.watch)
        return add_trigrams(self._writing, generation, made) or generation
