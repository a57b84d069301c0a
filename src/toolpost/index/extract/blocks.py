"""Components written as one file: Vue, Svelte and Astro. Their scripts are JavaScript or TypeScript.

Each is a component under the name of its file, which is its default export. What else a script exports is the
file's own only where others can import it: in Svelte's module block, Vue's plain block and Astro's front matter.
What Svelte's other block exports are the component's props, marked `prop:NAME`.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from toolpost.index.extract import ecma
from toolpost.index.model import DEFAULT, Export, Extract

_BLOCK = re.compile(
    rb"<!--.*?-->|<script\b((?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+)>(.*?)</script\s*>",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(rb"""([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_FRONT = re.compile(rb"\s*---[ \t]*\r?\n(.*?)^---", re.DOTALL | re.MULTILINE)
_WORDS = re.compile(r"[^\W_]+")
_LANGUAGES = {"ts": "ts", "typescript": "ts", "tsx": "tsx", "jsx": "jsx"}


class Script(Struct, frozen=True):
    text: bytes
    """With a newline for each line before it, so that lines count as in the file."""
    language: str
    gives: str = "exports"
    """What its exports are: `exports`, `props`, or `nothing`."""
    source: str = ""


def extract(path: str, text: bytes) -> Extract:
    """What a component's file says; it never raises."""
    framework = _framework(path)
    parts = [_part(path, script) for script in scripts(path, text)]
    own = Export(DEFAULT, "component", component_name(path), "", 1)
    named = [export for part in parts for export in part.exports]
    marks = {mark for part in parts for mark in part.marks}
    return Extract(
        exports=(own, *named),
        imports=tuple(dict.fromkeys(module for part in parts for module in part.imports)),
        marks=tuple(sorted(marks | {framework})),
        whole=all(part.whole for part in parts),
    )


def scripts(path: str, text: bytes) -> list[Script]:
    """What is written in JavaScript or TypeScript in it."""
    return list(_READERS.get(_framework(path), _vue)(text))


def _framework(path: str) -> str:
    return path.rsplit(".", 1)[-1].lower()


def component_name(path: str) -> str:
    """The name others import it by: the file's, in PascalCase."""
    stem = PurePosixPath(path).name.split(".")[0]
    return "".join(word[0].upper() + word[1:] for word in _WORDS.findall(stem))


def _part(path: str, script: Script) -> Extract:
    found = ecma.extract(f"{path}.{script.language}", script.text)
    marks = tuple(mark for mark in found.marks if mark not in _OF_WHOLE_FILES)
    if script.source:
        found = replace(found, imports=(script.source, *found.imports))
    named = tuple(export for export in found.exports if export.name != DEFAULT)
    if script.gives == "props":
        marks += tuple(f"prop:{export.name}" for export in named)
    return replace(found, exports=named if script.gives == "exports" else (), marks=marks)


_OF_WHOLE_FILES = frozenset(("types-only", "reexports-only", "shebang"))


def _vue(text: bytes) -> Iterator[Script]:
    for _, script in _blocks(text):
        yield script


def _svelte(text: bytes) -> Iterator[Script]:
    for attributes, script in _blocks(text):
        public = "module" in attributes or attributes.get("context") == "module"
        yield script if public else replace(script, gives="props")


def _astro(text: bytes) -> Iterator[Script]:
    """The front matter, then scripts that run in the browser, which export nothing."""
    front = _FRONT.match(text)
    if front:
        yield Script(_placed(text, front.start(1), front[1]), "tsx")
    for _, script in _blocks(text, front.end() if front else 0):
        yield replace(script, language="ts", gives="nothing")


_READERS: dict[str, Callable[[bytes], Iterator[Script]]] = {"vue": _vue, "svelte": _svelte, "astro": _astro}


def _blocks(text: bytes, begin: int = 0) -> Iterator[tuple[dict[str, str], Script]]:
    for match in _BLOCK.finditer(text, begin):
        if match[1] is None:
            continue
        attributes = dict(_attributes(match[1]))
        language = _LANGUAGES.get(attributes.get("lang", "").lower(), "js")
        body = _placed(text, match.start(2), match[2])
        yield attributes, Script(body, language, source=attributes.get("src", ""))


def _attributes(written: bytes) -> Iterator[tuple[str, str]]:
    for match in _ATTRIBUTE.finditer(written):
        value = match[2] or match[3] or match[4] or b""
        yield match[1].decode("utf-8", "replace").lower(), value.decode("utf-8", "replace")


def _placed(text: bytes, at: int, body: bytes) -> bytes:
    return b"\n" * text.count(b"\n", 0, at) + body
