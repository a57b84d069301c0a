"""Programs that people keep outside the system's own folders, and that commands need: read-only, and no more of home.

Only what holds programs and libraries is listed. `.cargo` as a whole also holds a token, `.local/share` a keyring.
"""

import os
from functools import lru_cache
from pathlib import Path

from toolpost.sandbox.there import exists, is_folder

SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt"),
    *("/nix", "/gnu", "/run/current-system", "/home/linuxbrew/.linuxbrew"),
    "/sys/devices/system/cpu",  # how many there are: libc, the JVM and others look there
)
"""Folders of the system a command may read and run programs from, where they exist."""
AT_HOME = (
    *(".cargo/bin", ".cargo/env", ".cargo/registry", ".cargo/git", ".rustup"),
    *(
        ".pyenv",
        ".rye",
        ".local/share/uv",
        ".local/share/pipx",
        ".local/pipx",
        ".conda",
        "miniconda3",
        "anaconda3",
    ),
    *(
        "miniforge3",
        "mambaforge",
        ".nvm",
        ".fnm",
        ".local/share/fnm",
        ".volta",
        ".nodenv",
        ".bun/bin",
        ".deno/bin",
    ),
    *(
        ".local/share/pnpm",
        ".npm-global",
        ".yarn/bin",
        ".local/share/mise",
        ".asdf",
        ".rbenv",
        ".rvm",
        ".gem/ruby",
    ),
    *(
        ".goenv",
        "go/bin",
        "go/pkg/mod",
        "sdk",
        ".sdkman/candidates",
        ".jenv",
        ".m2/repository",
        ".gradle/wrapper",
    ),
    *(".dotnet", ".ghcup", ".juliaup", ".opam", ".nix-profile", ".local/bin", "bin", ".local/lib", ".fzf"),
    *(".gitconfig", ".config/git/config", ".config/git/ignore"),  # who commits, and what is ignored
)
"""Below the user's home."""
_OF_A_PREFIX = ("pyvenv.cfg", "conda-meta")
_SHIMS = "shims"
_BESIDE_SHIMS = ("libexec", "versions", "installs", "plugins")
"""What shims lead to; a folder of that name beside none of these is one like any other."""


@lru_cache(8)
def toolchains(home: str, path: str) -> tuple[str, ...]:
    """Existing folders and files, real names; none lies in another or in the system's. `path` is a PATH."""
    found = [f"{home}/{name}" for name in at_home(home)]
    for entry in path.split(":"):
        found.extend(_of_entry(entry))
    return _outermost([*system(), *(os.path.realpath(place) for place in found)], home)


@lru_cache(8)
def at_home(home: str) -> tuple[str, ...]:
    """Which of AT_HOME exist."""
    return tuple(name for name in AT_HOME if exists(f"{home}/{name}")) if home not in {"", "/"} else ()


@lru_cache(1)
def system() -> tuple[str, ...]:
    return tuple(place for place in SYSTEM if exists(place))


def beneath(path: str, folder: str) -> bool:
    """Whether a clean absolute path is the folder or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _of_entry(entry: str) -> list[str]:
    """A folder of programs; what its shims lead to; a virtual environment whole, with what it was made from."""
    if not entry.startswith("/") or not is_folder(entry):
        return []
    prefix, _, name = entry.rstrip("/").rpartition("/")
    if name == _SHIMS and any(exists(f"{prefix}/{beside}") for beside in _BESIDE_SHIMS):
        return [prefix, entry]
    if not any(exists(f"{prefix}/{name}") for name in _OF_A_PREFIX):
        return [entry]
    made_from = os.path.realpath(f"{entry}/python")
    return [prefix, *([str(Path(made_from).parent.parent)] if exists(made_from) else [])]


def _outermost(places: list[str], home: str) -> tuple[str, ...]:
    known = set(system())
    chosen: list[str] = []
    for place in dict.fromkeys(places):
        too_wide = place == "/" or beneath(home, place)  # an odd PATH must not open all of home
        if place in known or too_wide or any(beneath(place, other) for other in (*known, *chosen)):
            continue
        chosen = [other for other in chosen if not beneath(other, place)]
        chosen.append(place)
    return tuple(chosen)
