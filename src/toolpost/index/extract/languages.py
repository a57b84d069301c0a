"""Which language a file is written in: by its name, its ending, or its first line."""

import re

_BY_ENDING = {
    "typescript": "ts tsx mts cts",
    "javascript": "js jsx mjs cjs es6",
    "python": "py pyi pyw",
    "go": "go",
    "rust": "rs",
    "java": "java",
    "kotlin": "kt kts",
    "csharp": "cs csx",
    "php": "php phtml php3 php4 php5 php7 php8",
    "ruby": "rb rake gemspec ru",
    "swift": "swift",
    "c": "c h",
    "cpp": "cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp",
    "objective-c": "m mm",
    "vue": "vue",
    "svelte": "svelte",
    "astro": "astro",
    "json": "json jsonc json5 jsonl ndjson geojson webmanifest",
    "yaml": "yaml yml",
    "toml": "toml",
    "xml": "xml xsd xsl xslt plist csproj props targets",
    "svg": "svg",
    "ini": "ini cfg properties editorconfig",
    "markdown": "md markdown mdown",
    "mdx": "mdx",
    "restructuredtext": "rst",
    "asciidoc": "adoc asciidoc",
    "text": "txt text",
    "csv": "csv tsv",
    "html": "html htm xhtml",
    "css": "css pcss postcss",
    "scss": "scss",
    "sass": "sass",
    "less": "less",
    "stylus": "styl",
    "shell": "sh bash zsh fish ksh bats",
    "powershell": "ps1 psm1 psd1",
    "batch": "bat cmd",
    "sql": "sql",
    "graphql": "graphql gql graphqls",
    "protobuf": "proto",
    "thrift": "thrift",
    "terraform": "tf tfvars",
    "hcl": "hcl",
    "nix": "nix",
    "starlark": "bzl bazel star",
    "cmake": "cmake",
    "makefile": "mk mak",
    "dockerfile": "dockerfile containerfile",
    "gradle": "gradle",
    "groovy": "groovy",
    "scala": "scala sc",
    "clojure": "clj cljs cljc edn",
    "elixir": "ex exs",
    "erlang": "erl hrl",
    "haskell": "hs lhs",
    "ocaml": "ml mli",
    "fsharp": "fs fsi fsx",
    "dart": "dart",
    "lua": "lua",
    "perl": "pl pm",
    "r": "r",
    "julia": "jl",
    "zig": "zig",
    "solidity": "sol",
    "assembly": "asm s",
    "cuda": "cu cuh",
    "jinja": "j2 jinja jinja2",
    "handlebars": "hbs handlebars",
    "pug": "pug",
    "erb": "erb",
    "notebook": "ipynb",
    "patch": "diff patch",
    "latex": "tex",
    "vim": "vim",
    "cython": "pyx pxd",
}
_BY_NAME = {
    "dockerfile": "Dockerfile Containerfile",
    "makefile": "Makefile makefile GNUmakefile",
    "cmake": "CMakeLists.txt",
    "ruby": "Rakefile Gemfile Guardfile Podfile Fastfile Vagrantfile Brewfile",
    "starlark": "BUILD WORKSPACE Tiltfile",
    "groovy": "Jenkinsfile",
    "go-module": "go.mod go.sum go.work",
    "shell": ".bashrc .bash_profile .profile .zshrc .envrc",
    "json": ".babelrc .eslintrc .prettierrc .swcrc composer.lock flake.lock",
    "toml": "Cargo.lock poetry.lock uv.lock Pipfile",
    "yaml": "pubspec.lock .clang-format .clang-tidy",
    "ini": ".editorconfig .gitconfig .npmrc .flake8 .pylintrc .coveragerc",
    "ignore": ".gitignore .dockerignore .npmignore .prettierignore .eslintignore .helmignore",
    "text": "LICENSE COPYING NOTICE AUTHORS README CHANGELOG",
    "just": "justfile Justfile",
}
_BY_PROGRAM = {
    "python": "python pypy uv",
    "javascript": "node nodejs bun",
    "typescript": "deno ts-node tsx",
    "shell": "sh bash zsh dash ksh ash fish",
    "ruby": "ruby",
    "php": "php",
    "perl": "perl",
    "lua": "lua",
    "r": "Rscript",
    "groovy": "groovy",
    "makefile": "make",
}


def _turned(table: dict[str, str]) -> dict[str, str]:
    return {word: language for language, words in table.items() for word in words.split()}


ENDINGS = _turned(_BY_ENDING)
NAMES = _turned(_BY_NAME)
PROGRAMS = _turned(_BY_PROGRAM)

# What stands between `#!` and the program: a path, `env`, and `env`'s options and assignments.
_SHEBANG = re.compile(rb"#![ \t]*(?:[^\s]*/)?(?:env[ \t]+(?:-\S+[ \t]+|\w+=\S*[ \t]+)*)?([A-Za-z][A-Za-z-]*)")
_SHEBANG_BYTES = 256
_CPP_SIGNS = re.compile(
    rb"^[ \t]*(?:(?:inline[ \t]+)?namespace\b|template[ \t]*<|(?:public|private|protected)[ \t]*:|using[ \t]+\w"
    rb"|(?:enum[ \t]+)?class[ \t]+\w)|^#[ \t]*include[ \t]*<\w+>",
    re.MULTILINE,
)


def language_of(path: str, text: bytes = b"") -> str:
    """The tag of its language, such as `typescript`; empty for one nobody here knows.

    The text is looked at only for a file without an ending (its shebang) and for `.h` (C or C++).
    """
    name = path[path.rfind("/") + 1 :]
    dot = name.rfind(".")
    known = NAMES.get(name)
    if known is not None:
        return known
    if dot <= 0:
        return by_shebang(text)
    ending = name[dot + 1 :]
    found = ENDINGS.get(ending) or ENDINGS.get(ending.lower(), "")
    if not found:
        return "dockerfile" if name.startswith("Dockerfile.") else ""
    if found == "c" and ending != "c" and _CPP_SIGNS.search(text):
        return "cpp"
    return found


def by_shebang(text: bytes) -> str:
    if not text.startswith(b"#!"):
        return ""
    found = _SHEBANG.match(text[:_SHEBANG_BYTES])
    return PROGRAMS.get(found[1].decode(), "") if found else ""
