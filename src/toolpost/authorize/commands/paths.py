"""Files and hosts that words and redirects name, as atoms."""

import re
from collections.abc import Iterator

from toolpost.atom import Alarm, Atom, Kind
from toolpost.authorize.commands.script import Part
from toolpost.authorize.commands.terms import Known, Term, clean

_FREE = re.compile(r"/dev/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd/[0-9]+|ptmx)")
_SOCKET = re.compile(r"/dev/(?:tcp|udp)/(?P<host>[^/]+)(?:/.*)?")
_RAW = re.compile(
    r"/dev/(?:[shv]d[a-z]|xvd[a-z]|nvme|mmcblk|disk|rdisk|loop|dm-|mapper/|md[0-9]|sr[0-9]|nbd|ram|zram|mem\Z|kmem\Z"
    r"|port\Z|mtd|block/|root\Z).*"
    r"|/proc/(?:sysrq-trigger|kcore|sys/kernel/.*)|/sys/(?:firmware/efi|power)/.*"
)


def path_atoms(
    kind: Kind, term: Term, known: Known, *, tree: bool = False, implied: bool = True
) -> Iterator[Atom]:
    """What is done to one file; its atom is a guess as well where a part of the path is not known."""
    text = term.head if not term.word.fixed else term.text
    if term.made is Part.PROCESS or (text == "-" and term.word.fixed):
        return
    target = known.path(text) if text else None
    if target is not None and term.word.fixed:
        special = _special(kind, target)
        if special is not None:
            yield from special
            return
    whole = term.word.fixed and target is not None
    if target is not None and not whole and text.endswith("/") and target != "/":
        target += "/"
    if not text and term.word.fixed:
        return
    yield Atom(kind=kind, target=target or "", fixed=whole, glob=term.word.glob, tree=tree, implied=implied)
    if not whole and term.text:
        yield from _guess(kind, term, known, tree=tree)
    if known.doubts and text and not text.startswith("/"):
        for folder in known.doubts:
            yield Atom(
                kind=kind,
                target=clean(f"{folder}/{text}"),
                glob=term.word.glob,
                tree=tree,
                implied=True,
                maybe=True,
            )


def _guess(kind: Kind, term: Term, known: Known, *, tree: bool) -> Iterator[Atom]:
    """The path without its unknown parts: `$x/.env` may well be the `.env` here."""
    here = Known(known.folder or known.base, known.home)
    target = here.path(term.text.lstrip("/") if not term.head else term.text)
    if target is not None:
        yield Atom(kind=kind, target=target, glob=term.word.glob, tree=tree, implied=True, maybe=True)


def _special(kind: Kind, target: str) -> list[Atom] | None:
    """The null device and its kin, sockets, disks; None for a file like any other."""
    if not target.startswith(("/dev/", "/proc/", "/sys/")):
        return None
    if _FREE.fullmatch(target):
        return []
    socket = _SOCKET.fullmatch(target)
    if socket is not None:
        return [Atom(kind=Kind.NET, target=socket["host"])]
    if kind is not Kind.READ and _RAW.fullmatch(target):
        return [
            Atom(kind=kind, target=target),
            Atom(kind=Kind.EXEC, target=target, alarm=Alarm.DEVICE),
        ]
    return None


def net_atom(host: str, *, fixed: bool = True, maybe: bool = False) -> Atom:
    return Atom(kind=Kind.NET, target=host, fixed=fixed, implied=True, maybe=maybe)


def redirect_atoms(operator: str, term: Term, known: Known) -> Iterator[Atom]:
    operator = operator.lstrip("0123456789")
    if operator in {">&", "<&"} and (term.text.rstrip("-").isdigit() or term.text == "-"):
        return
    if "<" in operator:
        yield from path_atoms(Kind.READ, term, known, implied=False)
    if ">" in operator:
        yield from path_atoms(Kind.WRITE, term, known, implied=False)
