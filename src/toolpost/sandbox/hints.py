"""Why a level is not to be had, and what the owner of the machine can do about it."""

import sys
from errno import ENOSYS, EOPNOTSUPP
from pathlib import Path

from toolpost.sandbox import bubblewrap, kernel
from toolpost.sandbox.model import Level

NOT_INSTALLED = "bubblewrap is not installed"
_INSTALL = (
    "Install it: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap or apk add bubblewrap."
)
_APPARMOR = """AppArmor lets only programs with a profile make user namespaces. As root, write this into \
/etc/apparmor.d/bwrap and run: apparmor_parser -r /etc/apparmor.d/bwrap
abi <abi/4.0>,
include <tunables/global>
profile bwrap /usr/bin/bwrap flags=(unconfined) {
  userns,
}"""
_SYSCTLS = (
    ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", _APPARMOR),
    (
        "/proc/sys/kernel/unprivileged_userns_clone",
        "0",
        "Allow user namespaces: sysctl -w kernel.unprivileged_userns_clone=1.",
    ),
    (
        "/proc/sys/user/max_user_namespaces",
        "0",
        "Allow user namespaces: sysctl -w user.max_user_namespaces=15000.",
    ),
)
"""Settings that keep bubblewrap from working, and what helps."""
_CONTAINER = (
    "In a container its filter may forbid namespaces: start it with a seccomp profile that allows them, or be content "
    "with L2, which works in containers."
)
_LANDLOCK = {
    ENOSYS: (
        "this kernel has no Landlock",
        "Linux 5.13 and later have it: update the kernel, or install bubblewrap for L3.",
    ),
    EOPNOTSUPP: (
        "Landlock is switched off",
        "Add landlock to the list of the kernel's lsm= parameter and start the machine anew, or install bubblewrap.",
    ),
}


def missing(level: Level) -> str:
    """What can be seen without trying; empty: nothing."""
    if not sys.platform.startswith("linux"):
        return f"{level.label} needs Linux"
    if level is Level.NAMESPACES:
        return "" if bubblewrap.program() else NOT_INSTALLED
    return _landlock()[0]


def fix(level: Level, reason: str) -> str:
    if not sys.platform.startswith("linux"):
        return "Run commands on Linux, or have the user allow each one with the sandbox off."
    if level is Level.LANDLOCK:
        return (
            _landlock()[1] or "See what `toolpost doctor` says of the kernel, or install bubblewrap for L3."
        )
    return _INSTALL if reason == NOT_INSTALLED else namespaces_fix(_SYSCTLS)


def namespaces_fix(settings: tuple[tuple[str, str, str], ...]) -> str:
    for place, value, help_text in settings:
        try:
            if Path(place).read_text("ascii").strip() == value:
                return help_text
        except OSError:
            continue
    return _CONTAINER


def _landlock() -> tuple[str, str]:
    try:
        kernel.landlock_abi()
    except OSError as failed:
        return _LANDLOCK.get(failed.errno or 0, (f"Landlock answers {failed.strerror}", ""))
    return "", ""
