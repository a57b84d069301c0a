"""What a file is by where it lies and how it is called."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from toolpost.index.limits import TAG_FOLDERS_KEPT


def _turned(table: dict[str, str]) -> dict[str, str]:
    return {word: tag for tag, words in table.items() for word in words.split()}


_CODE = frozenset(_turned({
    "code": "typescript javascript python go rust java kotlin csharp php ruby swift c cpp objective-c vue svelte"
    " astro shell powershell scala clojure elixir erlang haskell ocaml fsharp dart lua perl r julia zig cython"
}))  # fmt: skip
_VALUES = frozenset(("json", "yaml", "toml", "xml", "csv", "ini"))
_BY_LANGUAGE = _turned(
    {
        "style": "css scss sass less stylus",
        "docs": "markdown mdx restructuredtext asciidoc text latex",
        "script": "shell powershell batch",
        "schema": "graphql protobuf thrift",
        "build": "starlark cmake makefile gradle just nix",
        "template": "html jinja handlebars pug erb",
        "config": "terraform hcl ignore go-module",
        "container": "dockerfile",
        "asset": "svg",
        "vue-component": "vue",
        "svelte-component": "svelte",
        "astro-component": "astro",
    }
)

_FOLDERS = {
    "vendored": "node_modules vendor vendors third_party third-party thirdparty bower_components Pods .yarn",
    "fixture": "fixtures __fixtures__ fixture testdata test-data test_data __testfixtures__ __snapshots__",
    "mock": "__mocks__ mocks",
    "e2e": "e2e e2e-tests cypress playwright",
    "benchmark": "bench benches benchmark benchmarks",
    "example": "example examples demo demos sample samples",
    "locale": "locale locales i18n translations _locales l10n",
    "migration": "migrations migrate",
    "ci": "workflows .circleci .buildkite",
    "generated": "__generated__ generated",
    "story": "stories __stories__",
}
_BY_FOLDER = _turned(_FOLDERS)
_TEST_FOLDERS = frozenset(("test", "tests", "__tests__", "spec", "specs"))
_FOR_CODE = frozenset(("migration", "e2e", "story"))
_FIRST = frozenset(("", "src", "bin", "cmd", "app", "lib"))
"""Folders in which `index` or `app` is where all begins; elsewhere it is one of many."""

_PARTS = {
    "test": "test spec tests unit",
    "e2e": "e2e cy e2e-spec",
    "story": "stories story",
    "mock": "mock mocks",
    "fixture": "fixture fixtures",
    "benchmark": "bench benchmark",
    "config": "config conf",
    "style": "styles style css",
    "generated": "generated gen pb g",
    "minified": "min",
    "schema": "schema",
}
_BY_PART = _turned(_PARTS)

_NAMES = {
    "lockfile": "package-lock.json yarn.lock pnpm-lock.yaml bun.lock npm-shrinkwrap.json Cargo.lock poetry.lock"
    " uv.lock Pipfile.lock composer.lock Gemfile.lock go.sum flake.lock pubspec.lock MODULE.bazel.lock",
    "config": "package.json pyproject.toml setup.cfg setup.py tox.ini mypy.ini pytest.ini lerna.json nx.json turbo.json"
    " deno.json pnpm-workspace.yaml Cargo.toml go.mod composer.json Gemfile angular.json mkdocs.yml renovate.json"
    " vercel.json netlify.toml firebase.json .env.example jsconfig.json tslint.json alembic.ini",
    "ci": "Jenkinsfile .gitlab-ci.yml .travis.yml azure-pipelines.yml appveyor.yml bitbucket-pipelines.yml",
    "container": "docker-compose.yml docker-compose.yaml compose.yml compose.yaml",
    "entrypoint": "__main__.py manage.py wsgi.py asgi.py",
    "fixture": "conftest.py",
    "schema": "openapi.json openapi.yaml openapi.yml swagger.json swagger.yaml schema.prisma",
}
_BY_NAME = _turned(_NAMES)
_BY_ENDING = _turned(
    {
        "locale": "po pot ftl arb xlf xliff",
        "schema": "prisma avsc xsd",
        "asset": "png jpg jpeg gif webp avif ico woff woff2 ttf otf eot mp3 mp4 webm wav ogg",
        "fixture": "snap",
    }
)
_STARTS = frozenset(("index", "app", "server", "cli"))
_TESTED = ("_test", "_spec", "-test", "-spec", "Test", "Tests", "TestCase")
_SETTING = ("tsconfig", "jsconfig")
_MADE = ("_pb2", "_pb2_grpc", "_generated", "-generated")
_STEMS = _STARTS | {"main", ""}
_BEGUN = ("test_", *_SETTING)
_ENDED = (*_TESTED, *_MADE)
_MORE_THAN_DATA = frozenset(("config", "locale", "ci", "lockfile", "container", "schema"))


class Place(Struct, frozen=True, gc=False):
    """A folder: what it makes of any file in it, and what of code alone."""

    tags: frozenset[str]
    of_code: frozenset[str]
    is_first: bool
    holds_settings: bool


@lru_cache(TAG_FOLDERS_KEPT)
def place_of(folder: str) -> Place:
    words = folder.split("/")
    found = {_BY_FOLDER[word] for word in words if word in _BY_FOLDER}
    if "ci" in found and "workflows" in words and ".github" not in words:
        found.discard("ci")
    of_code = found & _FOR_CODE
    if not _TEST_FOLDERS.isdisjoint(words):
        of_code.add("test")
    settings = words[-1].startswith(".") or words[-1] in {"config", "configs", "settings"}
    return Place(frozenset(found - _FOR_CODE), frozenset(of_code), words[-1] in _FIRST, settings)


def named(folder: str, name: str, language: str) -> frozenset[str]:
    """All that a path tells."""
    stem, _, rest = name.partition(".")
    # Most names say nothing but their ending, so that all files of a folder share one answer.
    telling = stem in _STEMS or name in _BY_NAME or stem.startswith(_BEGUN) or stem.endswith(_ENDED)
    return _named(folder, stem if telling else "x", rest, language)


@lru_cache(TAG_FOLDERS_KEPT)
def _named(folder: str, stem: str, rest: str, language: str) -> frozenset[str]:
    place = place_of(folder)
    tags = set(place.tags)
    if language:
        tags.add(language)
    if language in _BY_LANGUAGE:
        tags.add(_BY_LANGUAGE[language])
    tags.update(_by_name(stem, rest))
    if language in _CODE:
        tags |= place.of_code
        tags.update(_code(stem, rest, place))
    else:
        tags.discard("test")
        if language in _VALUES and tags.isdisjoint(_MORE_THAN_DATA):
            tags.add("config" if place.holds_settings or not stem else "data")
    return frozenset(tags)


def _by_name(stem: str, rest: str) -> Iterator[str]:
    *parts, ending = rest.split(".")
    name = f"{stem}.{rest}" if rest else stem
    if name in _BY_NAME:
        yield _BY_NAME[name]
    yield from [_BY_PART[part] for part in parts if part in _BY_PART]
    if ending in _BY_ENDING:
        yield _BY_ENDING[ending]
    if (not stem and rest.partition(".")[0].endswith("rc")) or stem.startswith(_SETTING):
        yield "config"


def _code(stem: str, rest: str, place: Place) -> Iterator[str]:
    if stem.startswith("test_") or stem.endswith(_TESTED):
        yield "test"
    if stem.endswith(_MADE):
        yield "generated"
    if rest.startswith("d.") or rest == "pyi":
        yield "types"
    elif stem == "main" or (place.is_first and stem in _STARTS):
        yield "entrypoint"


def is_code(language: str) -> bool:
    return language in _CODE
