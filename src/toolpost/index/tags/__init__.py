"""What a file is, in words one can ask for: its language, frameworks and roles."""

from toolpost.index.extract.languages import language_of
from toolpost.index.model import Extract
from toolpost.index.tags import ecma, python
from toolpost.index.tags.frameworks import frameworks_of
from toolpost.index.tags.places import is_code, named
from toolpost.index.tags.rules import Rules
from toolpost.index.tags.written import is_minified, says_generated

_NO_RULES = Rules()
_COMPILED = {"main": "entrypoint", "shebang": "script"}


def tags_of(path: str, text: bytes | None, found: Extract, rules: Rules = _NO_RULES) -> tuple[str, ...]:
    """Sorted. `text` is None for a file that was not read; then its name is all there is to go by."""
    folder, _, name = path.rpartition("/")
    language = language_of(path, text or b"")
    tags = set(named(folder, name, language))
    if found.imports:
        tags |= frameworks_of(found.imports)
    if language in ecma.LANGUAGES:
        ecma.add_roles(tags, found)
    elif language == "python":
        tags.update(python.roles(name, found, tags))
    elif found.marks:
        tags.update(_COMPILED[mark] for mark in found.marks if mark in _COMPILED)
    if text is not None:
        _look(tags, language, text)
    if rules.rules:
        tags.update(rules.tags(path, text, found))
    _make_sense(tags)
    return tuple(sorted(tags))


def _look(tags: set[str], language: str, text: bytes) -> None:
    if says_generated(language, text):
        tags.add("generated")
    if is_minified(language, text):
        tags.add("minified")
    if text.startswith(b"#!") and is_code(language):
        tags.add("script")


def _make_sense(tags: set[str]) -> None:
    """What follows from several tags together."""
    if "minified" in tags or "lockfile" in tags:
        tags.add("generated")
    if "script" in tags and "test" not in tags:
        tags.add("entrypoint")
    if "test" in tags or "types" in tags:
        tags.discard("entrypoint")
