"""What JavaScript and TypeScript files are: components, hooks, stories, tests, by what they say and export."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache

from msgspec import Struct

from toolpost.index.limits import TAG_FOLDERS_KEPT
from toolpost.index.model import DEFAULT, Export, Extract

LANGUAGES = frozenset(("typescript", "javascript", "vue", "svelte", "astro"))
_DRAWN = frozenset(("jsx", "calls:styled"))
_DRAWN_IN_REACT = frozenset(
    (
        "calls:forwardRef",
        "calls:memo",
        "calls:lazy",
        "calls:createElement",
        "extends:Component",
        "extends:PureComponent",
    )
)
"""Names that other frameworks use as well."""
_RUNTIMES = frozenset(("react/jsx-runtime", "react/jsx-dev-runtime", "preact/jsx-runtime"))
"""What JSX is compiled to."""
_VALUES = frozenset(("function", "class", "const", "let", "var", "value", ""))
_DECORATORS = {
    "decorator:Component": "angular-component",
    "decorator:Directive": "angular-directive",
    "decorator:Pipe": "angular-pipe",
    "decorator:Injectable": "angular-service",
    "decorator:Service": "angular-service",
    "decorator:NgModule": "angular-module",
}
_ROLES = {
    **_DECORATORS,
    **dict.fromkeys(("calls:describe", "calls:it", "calls:test"), "test"),
    **dict.fromkeys(("calls:customElements.define", "decorator:customElement"), "web-component"),
    **dict.fromkeys(("extends:HTMLElement", "extends:LitElement"), "web-component"),
    "types-only": "type-only",
    "reexports-only": "barrel",
    "use-client": "use-client",
    "use-server": "use-server",
    "shebang": "script",
    "calls:defineComponent": "vue-component",
    "calls:createContext": "react-context",
    "vue": "vue-component",
    "svelte": "svelte-component",
    "astro": "astro-component",
}
_NOT_ANGULAR = {
    "stencil": {"angular-component": "web-component"},
    "vue": {"angular-component": "vue-component"},
    "nestjs": {},
}
"""Frameworks with decorators of the same names, and what theirs make."""
_CONTEXTS = frozenset(("react", "preact"))


class Marked(Struct, frozen=True, gc=False):
    roles: frozenset[str]
    is_drawn: bool
    is_drawn_in_react: bool
    has_elements: bool


@lru_cache(TAG_FOLDERS_KEPT)
def _marked(marks: tuple[str, ...]) -> Marked:
    """What marks mean by themselves; few are combined in many ways."""
    each = frozenset(marks)
    return Marked(
        frozenset(_ROLES[mark] for mark in marks if mark in _ROLES),
        not each.isdisjoint(_DRAWN),
        not each.isdisjoint(_DRAWN_IN_REACT),
        "jsx" in each,
    )


def add_roles(tags: set[str], found: Extract) -> None:
    """To the tags of a file's name and imports."""
    marked = _marked(found.marks)
    if marked.roles:
        tags |= _fitting(marked.roles, tags)
    if "types" in tags:
        return
    exports = found.exports
    if "storybook" in tags and "config" not in tags and any(export.name == DEFAULT for export in exports):
        tags.add("story")
    if "story" not in tags and _draws(marked, found, tags) and any(map(_is_component, exports)):
        tags.update(_component(tags))
    for export in exports:
        if _is_hook(export):
            tags.update(_hook(marked, found, tags))
            break


def _fitting(roles: frozenset[str], tags: AbstractSet[str]) -> AbstractSet[str]:
    """Roles but for those that the frameworks a file uses give another meaning."""
    fitting = set(roles)
    if "react-context" in roles and ("types" in tags or _CONTEXTS.isdisjoint(tags)):
        fitting.discard("react-context")
    if "angular" not in tags:
        for framework, meant in _NOT_ANGULAR.items():
            if framework in tags:
                fitting = {
                    meant.get(role, role) for role in fitting if role in meant or "angular" not in role
                }
    return fitting


def _draws(marked: Marked, found: Extract, tags: AbstractSet[str]) -> bool:
    if marked.is_drawn or (marked.is_drawn_in_react and "react" in tags):
        return True
    return "react" in tags and not _RUNTIMES.isdisjoint(found.imports)


def _component(tags: AbstractSet[str]) -> tuple[str, ...]:
    framework = next((each for each in ("solid", "preact", "vue") if each in tags), "react")
    return f"{framework}-component", framework


def _is_component(export: Export) -> bool:
    """A function, class or value of the file's own, named as components are: React draws no other."""
    if export.source or export.kind not in _VALUES:
        return False
    name = export.local if export.name == DEFAULT else export.name
    if not name:
        return export.name == DEFAULT
    if export.kind in {"function", "class"}:
        return name[0].isupper()
    return name[0].isupper() and not name.isupper() and not name.endswith("Context")


def _hook(marked: Marked, found: Extract, tags: AbstractSet[str]) -> Iterator[str]:
    if "vue" in tags:
        yield "vue-composable"
    elif marked.has_elements or not _CONTEXTS.isdisjoint(tags) or any(map(_names_hook, found.imports)):
        yield "react-hook"


def _is_hook(export: Export) -> bool:
    name = export.local or export.name
    return name[:3] == "use" and name[3:4].isupper() and not export.source and export.kind in _VALUES


def _names_hook(module: str) -> bool:
    last = module.rpartition("/")[2]
    return (last[:3] == "use" and last[3:4].isupper()) or "hooks" in module
