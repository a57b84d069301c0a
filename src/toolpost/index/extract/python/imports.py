"""Import statements, read as text: every one is written in one of two forms."""

import re

from toolpost.index.extract.python.findings import Findings
from toolpost.index.model import STAR, Export

_GAP = rb"(?:[ \t\f]|\\\r?\n)"
_FROM = re.compile(
    rb"from" + _GAP + rb"*((?:\.[ \t]*)*)([\w.\x80-\xff]*)" + _GAP + rb"*import\b" + _GAP + rb"*"
)
_LISTED = re.compile(rb"\((?:[\w\s,*\\\x80-\xff]++|#[^\n]*+)*+\)|[^\n;#\\]*+(?:\\\r?\n[^\n;#\\]*+)*+")
_IMPORT = re.compile(rb"import" + _GAP + rb"+(?=[A-Za-z_\x80-\xff])([^\n;#\\]++(?:\\\r?\n[^\n;#\\]*+)*+)")
_COMMENT = re.compile(rb"#[^\n]*")
_BLANK = bytes.maketrans(b"()\\\r\n\t\f", b"       ")


def read_import(code: bytes, begin: int, line: int, findings: Findings, *, binds: bool) -> bool:
    """Read the statement at `begin`; with `binds` its names as well as its modules. False: it is none."""
    found = _FROM.match(code, begin)
    if found is not None:
        _read_from(found, line, findings, binds=binds)
        return True
    found = _IMPORT.match(code, begin)
    if found is None:
        return False
    _read_plain(found[1], line, findings, binds=binds)
    return True


def _read_from(found: re.Match[bytes], line: int, findings: Findings, *, binds: bool) -> None:
    dots, module = found.groups()
    source = _word(dots.translate(None, b" \t") + module)
    findings.imports[source] = None
    if module and not binds:
        return
    listed = _LISTED.match(found.string, found.end())
    for name, alias in _names(listed[0] if listed else b""):
        if not module and name != STAR:
            findings.imports[source + name] = None
        if name == STAR:
            if binds:
                findings.import_all(source, line)
        elif binds and source != "__future__":
            local = name if alias and alias != name else ""
            findings.import_name(Export(alias or name, "", local, source, line), again=alias == name)


def _read_plain(listed: bytes, line: int, findings: Findings, *, binds: bool) -> None:
    for module, alias in _names(listed):
        findings.imports[module] = None
        if binds:
            top = module.partition(".")[0]
            export = Export(alias or top, "module", source=module if alias else top, line=line)
            findings.import_name(export, again=alias == module)


def _names(listed: bytes) -> list[tuple[str, str]]:
    """Each name and what it is called here, or nothing."""
    if b"#" in listed:
        listed = _COMMENT.sub(b" ", listed)
    parts = [part.split() for part in listed.translate(_BLANK).split(b",")]
    return [(_word(part[0]), _word(part[2]) if len(part) == 3 else "") for part in parts if part]


def _word(raw: bytes) -> str:
    return raw.decode(errors="replace")
