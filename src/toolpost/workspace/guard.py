"""What file tools keep away from by name: secrets are not read, and what others would execute is not written.

Names are judged folded, at any depth, in every root, and whether or not the file is there. An owner opens
single files with `readable` and `writable`, and closes what the policy's rules deny; no caller can. What a person
approved for one call is open to that call.
"""

from fnmatch import fnmatchcase
from typing import Literal

from msgspec import Struct, structs

from toolpost.errors import Denied
from toolpost.opened import is_open
from toolpost.pathnames.pattern import matches
from toolpost.pathnames.sensitive import is_protected, is_secret, may_hold_protected


class Closed(Struct, frozen=True):
    """A rule of the policy about paths, and where it stands."""

    pattern: str
    layer: str = ""


class Guard(Struct, frozen=True, omit_defaults=True):
    """The rules of one root. Paths are cleaned ones, relative to it."""

    secrets: Literal["deny", "allow"] = "deny"
    readable: tuple[str, ...] = ()
    """Secret files that may be read: a name at any depth, or a path; `*` stands for anything."""
    writable: tuple[str, ...] = ()
    """Protected files that may be written, in the same form."""
    no_read: tuple[Closed, ...] = ()
    no_write: tuple[Closed, ...] = ()
    may_read: tuple[str, ...] = ()
    """What rules such as `read!(.env.test)` open, as patterns of rules."""
    may_write: tuple[str, ...] = ()
    base: str = ""
    """Where the root lies: rules may name whole paths."""
    home: str = ""

    def at(self, base: str) -> "Guard":
        """The same guard for a root that lies there; only rules need to know."""
        has_rules = self.no_read or self.no_write or self.may_read or self.may_write
        return structs.replace(self, base=base) if has_rules else self

    def hides(self, path: str) -> bool:
        """Whether a search passes over it, and a read is refused."""
        if self.no_read and self._closed(self.no_read, path) is not None:
            return True
        return self.secrets == "deny" and is_secret(path) and not self._is_readable(path)

    def refuse_read(self, path: str) -> None:
        self._refuse_closed("read", self.no_read, path)
        if self.hides(path):
            raise Denied(
                f"{path} may hold secrets, so it is not read. Work without its values, or from an example file"
                " such as .env.example; only the owner can open it, by listing it under `readable`.",
                **_facts("guard:secrets", f"read({path})", "readable"),
            )

    def refuse_write(self, path: str) -> None:
        """For creating, changing, moving and deleting alike."""
        self._refuse_closed("write", self.no_write, path)
        if is_protected(path) and not self._is_writable(path):
            raise Denied(
                f"{path} configures programs that run by themselves, so it is not written. Show the user what"
                " should be in it; only the owner can open it, by listing it under `writable`.",
                **_facts("guard:protected", f"write({path})", "writable"),
            )

    def refuse_folder(self, path: str) -> None:
        """For a folder that is moved with all it holds: `.github` brings workflows without naming them."""
        self.refuse_write(path)
        if may_hold_protected(path) and not self._is_writable(path):
            raise Denied(
                f"{path} may hold protected files, so it is not moved as a whole. Move single files instead;"
                " only the owner can open it, by listing it under `writable`.",
                **_facts("guard:protected", f"write({path})", "writable"),
            )

    def _refuse_closed(self, kind: str, closed: tuple[Closed, ...], path: str) -> None:
        rule = self._closed(closed, path) if closed else None
        if rule is not None:
            raise Denied(
                f"{path} is closed by the rule {kind}({rule.pattern}) ({rule.layer}).",
                parameter="path",
                rule=f"{kind}({rule.pattern})",
                layer=rule.layer,
                atom=f"{kind} {path}",
                who="rule",
            )

    def _closed(self, rules: tuple[Closed, ...], path: str) -> Closed | None:
        return next((rule for rule in rules if self._meets(rule.pattern, path)), None)

    def _is_readable(self, path: str) -> bool:
        if is_open("read", path) or _listed(path, self.readable):
            return True
        return any(self._meets(pattern, path) for pattern in self.may_read)

    def _is_writable(self, path: str) -> bool:
        if is_open("write", path) or _listed(path, self.writable):
            return True
        return any(self._meets(pattern, path) for pattern in self.may_write)

    def _meets(self, pattern: str, path: str) -> bool:
        return matches(pattern, f"{self.base}/{path}", (self.base,), self.home)


def _listed(path: str, patterns: tuple[str, ...]) -> bool:
    """Whether an owner opened a path, or something that lies below it."""
    name = path.rpartition("/")[2]
    return any(
        fnmatchcase(path if "/" in pattern else name, pattern) or pattern.startswith(f"{path}/")
        for pattern in patterns
    )


def _facts(rule: str, atom: str, setting: str) -> dict[str, str]:
    return {"parameter": "path", "rule": rule, "layer": "workspace", "atom": atom, "setting": setting}
