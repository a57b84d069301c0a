"""What is denied whatever a rule says: no policy, grant or mode opens it."""

from toolpost.atom import Atom, Kind
from toolpost.authorize.hosts import is_metadata, normal_host
from toolpost.authorize.scene import Scene

_ALTERED = frozenset({Kind.WRITE, Kind.DELETE})
_RECURSIVE_WRITERS = frozenset({"chmod", "chown", "chgrp", "chattr", "chcon", "setfacl"})
_SYSTEM = frozenset(
    f"/{name}"
    for name in (
        *(
            "",
            "bin",
            "boot",
            "dev",
            "etc",
            "home",
            "lib",
            "lib32",
            "lib64",
            "media",
            "mnt",
            "opt",
            "proc",
            "root",
        ),
        *("run", "sbin", "srv", "sys", "tmp", "usr", "var"),
        *("Applications", "Library", "System", "Users", "Volumes", "private"),
    )
)
_SYSTEM_PARENTS = frozenset({"/usr", "/var", "/etc", "/home", "/Users", "/Library", "/System", "/boot"})
_DEVICES = ("/dev/sd", "/dev/hd", "/dev/vd", "/dev/xvd", "/dev/nvme", "/dev/mmcblk", "/dev/disk", "/dev/dm-")
_DEVICE_NAMES = frozenset({"/dev/mem", "/dev/kmem", "/dev/port", "/dev/root"})
_ANYTHING = frozenset({"*", ".*", "**", "{*,.*}", ".[!.]*", "?*", "*?"})


def hard(atom: Atom, scene: Scene, program: str = "") -> str | None:
    """Why an atom is denied for good, or None. `program` is the one whose operand it is."""
    if atom.alarm is not None:
        return str(atom.alarm) if atom.alarm.level == "hard" else None
    if atom.kind is Kind.NET:
        return _net(atom)
    return _path(atom, scene, program) if atom.kind in _ALTERED else None


def _net(atom: Atom) -> str | None:
    host = normal_host(atom.target)
    is_known = host is not None and is_metadata(host)
    return "hard: an address that hands out a cloud machine's credentials" if is_known else None


def _path(atom: Atom, scene: Scene, program: str) -> str | None:
    path = atom.target.rstrip("/") or "/"
    if atom.kind is Kind.WRITE and (path.startswith(_DEVICES) or path in _DEVICE_NAMES):
        return "hard: a raw device or file system is written"
    is_sweeping = atom.kind is Kind.DELETE or program in _RECURSIVE_WRITERS
    if is_sweeping and (atom.tree or atom.glob) and _is_vital(_meant(atom, path), scene):
        return "hard: a system folder, the home folder or the whole workspace would be lost"
    is_emptied = atom.tree and is_sweeping  # what unpacks into a folder is held by the guard beside the disk
    if any(_is_within(path, own) or (is_emptied and _is_within(own, path)) for own in scene.own):
        return "hard: toolpost's own policy, grants and records"
    return None


def _meant(atom: Atom, path: str) -> str:
    """The folder that a pattern such as `~/*` empties."""
    folder, _, last = path.rpartition("/")
    return folder or "/" if atom.glob and last in _ANYTHING else path


def _is_vital(path: str, scene: Scene) -> bool:
    if path in _SYSTEM or path.rpartition("/")[0] in _SYSTEM_PARENTS:
        return True
    kept = (scene.home, *scene.roots)
    return any(folder and _is_within(folder.rstrip("/"), path) for folder in kept)


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
