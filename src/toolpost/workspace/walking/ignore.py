"""Ignore files: which entries of a folder a walk leaves out.

`.gitignore` holds at every level as git reads it, and so does the repository's `.git/info/exclude`; `.ignore`
and `.toolpostignore` have the same syntax and go before them, the latter first. Unlike git and ripgrep,
`.gitignore` counts outside a repository too, and the user's own `core.excludesFile` never does: an answer
depends on the tree alone. A repository within another one starts anew with `.gitignore`. An ignore file that
is a link is not read. Of a huge one counts what IGNORE_BYTES, IGNORE_RULES and IGNORE_WILD_BYTES let in, and
no wildcard pattern that is longer than a path may be.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import islice

from msgspec import Struct

from toolpost.errors import ToolError
from toolpost.limits import (
    GLOB_MEMORY,
    IGNORE_BYTES,
    IGNORE_CACHED_BYTES,
    IGNORE_REGEX_CHARS,
    IGNORE_RULES,
    IGNORE_WILD_BYTES,
    PATH_BYTES,
)
from toolpost.workspace.root import Entry, Kind, Root
from toolpost.workspace.walking.patterns import Expression, expression
from toolpost.workspace.walking.wild import NeverMatches, translate

GIT = ".git"
NAMES = (".toolpostignore", ".ignore", ".gitignore")
"""The strongest first."""
_OF_GIT = (2, 3)
"""The tiers a repository starts anew: its .gitignore files, and its info/exclude."""
_TELLING = frozenset({*NAMES, GIT})
_WILD = frozenset(b"*?[\\")
_NOBODY = frozenset[bytes]()


class Rule(Struct, frozen=True, gc=False):
    """One line of an ignore file."""

    pattern: bytes
    is_negated: bool = False
    is_for_folders: bool = False
    is_of_names: bool = False
    """Without a slash it is matched against the name, at any depth."""

    @property
    def is_plain(self) -> bool:
        return _WILD.isdisjoint(self.pattern)

    @property
    def is_plain_end(self) -> bool:
        """Whether it says only what a name ends with, like the common `*.pyc`."""
        return self.is_of_names and self.pattern[:1] == b"*" and _WILD.isdisjoint(self.pattern[1:])

    @property
    def is_wild(self) -> bool:
        """Whether it takes a regular expression to match it."""
        return not self.is_plain and not self.is_plain_end


def read_rules(content: bytes) -> list[Rule]:
    """Line by line as git does: a BOM, carriage returns and blanks at the end do not count."""
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    said = (line for line in lines if line and line[:1] != b"#")
    rules: list[Rule] = []
    room = IGNORE_WILD_BYTES
    for rule in map(_rule, islice(said, IGNORE_RULES)):
        room -= len(rule.pattern) if rule.is_wild else 0
        if room >= 0 or not rule.is_wild:
            rules.append(rule)
    return rules


def _rule(line: bytes) -> Rule:
    pattern = _trimmed(line.removesuffix(b"\r").partition(b"\0")[0])
    is_negated = pattern[:1] == b"!"
    pattern = pattern[is_negated:]
    is_for_folders = pattern[-1:] == b"/"
    pattern = pattern.removesuffix(b"/")
    is_of_names = b"/" not in pattern
    return Rule(pattern.removeprefix(b"/"), is_negated, is_for_folders, is_of_names)


def _trimmed(line: bytes) -> bytes:
    """Without the blanks at its end; one after a backslash stays."""
    bare = line.rstrip(b" ")
    if len(bare) == len(line):
        return line
    slashes = len(bare) - len(bare.rstrip(b"\\"))
    return line[: len(bare) + slashes % 2]


class Matcher:
    """Rules that apply to one sort of entry; the last one that matches decides."""

    def __init__(self, rules: Iterable[tuple[int, Rule]]) -> None:
        self.names: dict[bytes, int] = {}
        self.paths: dict[bytes, int] = {}
        self.ends: dict[bytes, int] = {}
        of_names: list[tuple[int, Rule]] = []
        of_paths: list[tuple[int, Rule]] = []
        for number, rule in rules:
            if rule.is_plain:
                (self.names if rule.is_of_names else self.paths)[rule.pattern] = number
            elif rule.is_plain_end:
                self.ends[rule.pattern[1:]] = number
            else:
                (of_names if rule.is_of_names else of_paths).append((number, rule))
        self._ends = tuple(self.ends)
        self._children: dict[bytes, set[bytes]] = {}
        for path in self.paths:
            parent, slash, name = path.rpartition(b"/")
            self._children.setdefault(parent + slash, set()).add(name)
        self._of_names = list(_alternatives(of_names))
        self._of_paths = list(_alternatives(of_paths))

    def last(self, path: bytes, name: bytes) -> int:
        """The number of the deciding rule, -1 when none matches."""
        found = max(self.names.get(name, -1), self.paths.get(path, -1))
        if self._ends and name.endswith(self._ends):
            found = max(found, *(number for end, number in self.ends.items() if name.endswith(end)))
        for rules_of_names in self._of_names:
            found = max(found, rules_of_names.last(name))
        for rules_of_paths in self._of_paths:
            found = max(found, rules_of_paths.last(path))
        return found

    def is_silent(self, folder: bytes, names: list[bytes]) -> bool:
        """Whether no rule speaks of anything a folder holds; its path ends with a slash, unless it is empty."""
        if not (
            self.names.keys().isdisjoint(names) and self._children.get(folder, _NOBODY).isdisjoint(names)
        ):
            return False
        lines = b"\n".join(names) + b"\n" if self.ends or self._of_names else b""
        if any(end + b"\n" in lines for end in self._ends):
            return False
        if any(rules_of_names.may_match(lines) for rules_of_names in self._of_names):
            return False
        lines = folder + (b"\n" + folder).join(names) if self._of_paths else b""
        return not any(rules_of_paths.may_match(lines) for rules_of_paths in self._of_paths)


class Alternatives:
    """Several rules as one RE2 expression, the last rule first: RE2 prefers the alternative furthest left."""

    def __init__(self, sources: list[tuple[int, str]]) -> None:
        self.numbers = [number for number, _ in reversed(sources)]
        source = "|".join(f"({source})" for _, source in reversed(sources))
        self._regex = expression(f"(?s){source}".encode("latin-1"), memory=GLOB_MEMORY)
        self._any_of = "|".join(source for _, source in sources)

    @cached_property
    def _of_lines(self) -> Expression:
        return expression(f"(?sm)^(?:{self._any_of})$".encode("latin-1"), memory=GLOB_MEMORY)

    def last(self, subject: bytes) -> int:
        match = self._regex.fullmatch(subject)
        return -1 if match is None or match.lastindex is None else self.numbers[match.lastindex - 1]

    def may_match(self, lines: bytes) -> bool:
        """False when none of the lines matches: one look at a folder costs a tenth of a look at every name.

        A name may hold a line break, so that what is between two of them need not be a name.
        """
        return self._of_lines.search(lines) is not None


def _alternatives(rules: list[tuple[int, Rule]]) -> Iterator[Alternatives]:
    """As few as possible, each small enough for RE2."""
    batch: list[tuple[int, str]] = []
    size = 0
    for number, rule in rules:
        source = _source(rule)
        if source is None:
            continue
        if batch and size + len(source) > IGNORE_REGEX_CHARS:
            yield Alternatives(batch)
            batch, size = [], 0
        batch.append((number, source))
        size += len(source)
    if batch:
        yield Alternatives(batch)


def _source(rule: Rule) -> str | None:
    """Bytes are read as Latin-1: to git `?` is one byte. None when the pattern can match nothing."""
    if len(rule.pattern) > PATH_BYTES:
        return None
    # git cuts off what stands before the first wildcard, so that `foo**/bar` crosses folders at its `**`.
    plain = 0 if rule.is_of_names else next(at for at, byte in enumerate(rule.pattern) if byte in _WILD)
    text = rule.pattern.decode("latin-1")
    try:
        return translate(text[:plain]) + translate(text[plain:])
    except NeverMatches:
        return None


class Rules:
    """What one ignore file says."""

    def __init__(self, content: bytes) -> None:
        self.rules = read_rules(content)

    @cached_property
    def _for_folders(self) -> Matcher:
        return Matcher(enumerate(self.rules))

    @cached_property
    def _for_files(self) -> Matcher:
        return Matcher((at, rule) for at, rule in enumerate(self.rules) if not rule.is_for_folders)

    def decide(self, path: bytes, name: bytes, *, is_dir: bool) -> bool | None:
        """Whether to leave it out; None when no rule speaks of it. The path is relative to the ignore file."""
        number = (self._for_folders if is_dir else self._for_files).last(path, name)
        return None if number < 0 else not self.rules[number].is_negated

    def is_silent(self, folder: bytes, names: list[bytes]) -> bool:
        """Whether `decide` would say None of everything a folder holds, whether they are folders or not."""
        return self._for_folders.is_silent(folder, names)


Tier = tuple[tuple[int, Rules], ...]
"""The ignore files of one name from the deepest up, each with the length of its folder's path."""


class Ignore(Struct, frozen=True):
    """The rules that hold for what one folder contains."""

    tiers: tuple[Tier, ...] = ((), (), (), ())

    def leaves_out(self, entry: Entry) -> bool:
        if not any(self.tiers):
            return False
        path = entry.path.encode("utf-8", "surrogateescape")
        name = path.rpartition(b"/")[2]
        for tier in self.tiers:
            for begin, rules in tier:
                said = rules.decide(path[begin:], name, is_dir=entry.is_dir)
                if said is not None:
                    return said
        return False

    def is_silent(self, folder: str, names: list[bytes]) -> bool:
        """Whether nothing of what a folder holds is left out, because no rule speaks of it."""
        if not any(self.tiers):
            return True
        path = _join(folder, "").encode("utf-8", "surrogateescape")
        return all(rules.is_silent(path[begin:], names) for tier in self.tiers for begin, rules in tier)

    def within(self, root: Root, folder: str, entries: Iterable[Entry]) -> "Ignore":
        """The rules inside a folder that holds these entries."""
        kinds = {entry.name: entry.kind for entry in entries if entry.name in _TELLING}
        if not kinds:
            return self
        tiers = list(self.tiers)
        if GIT in kinds:
            for number in _OF_GIT:
                tiers[number] = ()
        files = [name if kinds.get(name) is Kind.FILE else "" for name in NAMES]
        files.append(f"{GIT}/info/exclude" if kinds.get(GIT) is Kind.DIRECTORY else "")
        for number, name in enumerate(files):
            rules = _read(root, _join(folder, name)) if name else None
            if rules is not None:
                begin = len(_join(folder, "").encode("utf-8", "surrogateescape"))
                tiers[number] = ((begin, rules), *tiers[number])
        return Ignore(tuple(tiers))


def telling(root: Root, folder: str) -> list[Entry]:
    """The entries `within` needs. A folder that has none, however large, is not listed for it."""
    if not any(_is_there(root, _join(folder, name)) for name in _TELLING):
        return []
    return [entry for entry in root.scan(folder) if entry.name in _TELLING]


def _is_there(root: Root, path: str) -> bool:
    try:
        root.stat(path)
    except ToolError:
        return False
    return True


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _read(root: Root, path: str) -> Rules | None:
    """A file that cannot be read rules nothing. One that is too long rules as far as it is read."""
    try:
        with root.open(path) as source:
            content = source.stream.read(IGNORE_BYTES + 1)
    except ToolError:
        return None
    if len(content) > IGNORE_BYTES:
        content = content[: content.rfind(b"\n") + 1]
    return _cached(content) if len(content) <= IGNORE_CACHED_BYTES else Rules(content)


@lru_cache(64)
def _cached(content: bytes) -> Rules:
    return Rules(content)
