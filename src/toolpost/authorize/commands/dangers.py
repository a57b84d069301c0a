"""What no rule opens, seen in a command's text or its words; and pipes into interpreters."""

import re
from itertools import pairwise

from toolpost.atom import Alarm
from toolpost.authorize.commands.interpreters import CODE_FLAGS, SHELL_SCRIPT, SHELL_VALUES, SHELLS, language
from toolpost.authorize.commands.options import flags, given
from toolpost.authorize.commands.script import Part
from toolpost.authorize.commands.terms import Term

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200c\u200e\u200f"
    "\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
    "|(?<![\u203c-\u3299\U0001f000-\U0001ffff\ufe0f])[\u200d\ufe0e\ufe0f]|(?<=[\ufe0e\u200d])\u200d"
)
"""A selector or joiner after a pictogram is how people write pictograms."""
_BOMB = re.compile(
    r"(?<![\w:.])(?P<name>[\w:.]++)\s*+\(\s*+\)\s*+\{[^}]{0,200}(?P=name)\s*+[|&]|fork\s++while\s++fork"
)
"""A name is tried once, where it begins, and given up as a whole: else a long word takes the square of its length."""

_MAKES = re.compile(r"mkfs(?:\..+)?|mke2fs|mkswap|newfs(?:_.+)?|wipefs|blkdiscard|mkdosfs|mkntfs|format\.com")
_DISKS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("fdisk", "sfdisk", "cfdisk", "gdisk", "sgdisk", "parted"), frozenset()),
    "cryptsetup": frozenset({"luksFormat", "erase", "luksErase", "reencrypt"}),
    "zpool": frozenset({"destroy", "labelclear"}),
    "zfs": frozenset({"destroy"}),
    "diskutil": frozenset({"eraseDisk", "eraseVolume", "partitionDisk", "zeroDisk", "secureErase"}),
    "mdadm": frozenset({"--zero-superblock"}),
    "hdparm": frozenset({"--security-erase", "--trim-sector-ranges"}),
    "nvme": frozenset({"format", "sanitize"}),
    **dict.fromkeys(("lvremove", "vgremove", "pvremove"), frozenset()),
}
_LISTS = flags("-l --list --help --version -V print")
_POWER = frozenset({"shutdown", "reboot", "poweroff", "halt", "kexec"})
_POWER_WORDS = frozenset({"poweroff", "reboot", "halt", "kexec", "soft-reboot", "hibernate", "suspend"})
_HELP = frozenset({"--help", "--version"})
_ASKS = flags("--version -V --help -h -v")


_WIDENING = frozenset(
    {"trust", "untrust", "permissions answer", "permissions revoke", "permissions import", "config set"}
)
"""Our own commands that are a person's to run: an agent would answer its own questions by them."""


def is_invisible(text: str) -> bool:
    """Only tabs and ends of lines may stand beside what is seen; a carriage return may not."""
    return _INVISIBLE.search(text) is not None


def is_bomb(text: str) -> bool:
    return _BOMB.search(text) is not None


def danger(name: str, texts: list[str]) -> Alarm | None:
    """What a command alone, with its words, does to the whole machine."""
    if _HELP & set(texts):
        return None
    if _MAKES.fullmatch(name) or _destroys(name, texts):
        return Alarm.DEVICE
    if _stops(name, texts):
        return Alarm.POWER
    if name == "toolpost" and _widens(texts):
        return Alarm.OWN
    if name == "killall5" or (name == "kill" and _kills_all(texts)) or _matches_all(name, texts):
        return Alarm.KILL_ALL
    return None


def _destroys(name: str, texts: list[str]) -> bool:
    words = _DISKS.get(name)
    if words is None:
        return False
    return bool(words & set(texts)) if words else len(texts) > 1 and not _LISTS & set(texts)


def _kills_all(texts: list[str]) -> bool:
    rest = texts[1:]
    if rest[:1] == ["--"]:
        rest = rest[1:]
    elif rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in {"-s", "-n", "--signal"} else rest[1:]
    return any(text in {"1", "-1", "+1"} for text in rest)


def _matches_all(name: str, texts: list[str]) -> bool:
    return name in {"pkill", "killall"} and any(text in {".", ".*", "", "^"} for text in texts[1:])


def is_fed(name: str, terms: list[Term]) -> bool:
    """Whether an interpreter takes its code from its input."""
    texts = [term.text for term in terms]
    if given(texts[1:], _ASKS):
        return False
    if name in SHELLS:
        return _shell_is_fed(texts)
    code = CODE_FLAGS.get(language(name))
    if code is None or given(texts[1:], flags(code) | {"-m"}):
        return False
    operands = [text for text in texts[1:] if not text.startswith("-") or text == "-"]
    return not operands or operands[0] in {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}


def _shell_is_fed(texts: list[str]) -> bool:
    index = 1
    while index < len(texts) and texts[index][:1] in {"-", "+"} and texts[index] != "-":
        text = texts[index]
        if SHELL_SCRIPT.fullmatch(text):
            return False
        if text == "--":
            index += 1
            break
        if not text.startswith("--") and "s" in text:
            return True
        index += 2 if text in SHELL_VALUES else 1
    return index >= len(texts) or texts[index] in {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}


def is_made(terms: list[Term]) -> bool:
    """Whether the code comes out of a script: `bash <(curl u)`, `python -c "$(curl u)"`."""
    return any(term.made in {Part.PROCESS, Part.COMMAND} for term in terms[1:])


def _stops(name: str, texts: list[str]) -> bool:
    if name in {"init", "telinit"}:
        return bool({"0", "6"} & set(texts))
    return name in _POWER or (name in {"systemctl", "loginctl"} and bool(_POWER_WORDS & set(texts)))


def _widens(texts: list[str]) -> bool:
    """Options may stand anywhere, and may take a value: any two words in a row count."""
    words = [text for text in texts[1:] if not text.startswith("-")]
    pairs = {" ".join(pair) for pair in pairwise(words)}
    return not _WIDENING.isdisjoint(pairs | set(words))
