"""Which frameworks a file uses: by what it imports."""

from functools import lru_cache

from toolpost.index.limits import TAG_IMPORTS_KEPT
from toolpost.index.tags.known import FRAMEWORKS

_BY_PACKAGE = {
    package: framework for framework, packages in FRAMEWORKS.items() for package in packages.split()
}
_BROUGHT = {
    "next": ("next", "react"),
    "gatsby": ("gatsby", "react"),
    "remix": ("react", "remix"),
    "react-native": ("react", "react-native"),
    "nuxt": ("nuxt", "vue"),
    "sveltekit": ("svelte", "sveltekit"),
}
"""Frameworks that are always used with another."""


@lru_cache(TAG_IMPORTS_KEPT)
def frameworks_of(modules: tuple[str, ...]) -> frozenset[str]:
    """Of all a file imports; files of one kind import the same."""
    return frozenset(framework for module in modules for framework in _brought(module))


@lru_cache(TAG_IMPORTS_KEPT)
def _brought(module: str) -> tuple[str, ...]:
    if module.startswith("."):
        return ()
    framework = _BY_PACKAGE.get(module) or _by_package(module)
    return _BROUGHT.get(framework, (framework,)) if framework else ()


def _by_package(module: str) -> str:
    if module.startswith("@"):
        scope, _, rest = module.partition("/")
        return _BY_PACKAGE.get(f"{scope}/{rest.partition('/')[0]}") or _BY_PACKAGE.get(f"{scope}/*", "")
    if "/" in module:
        return _BY_PACKAGE.get(module.partition("/")[0], "")
    first, _, rest = module.partition(".")
    return _BY_PACKAGE.get(first) or _BY_PACKAGE.get(f"{first}.{rest.partition('.')[0]}", "")
