"""What a Python module gives to others, imports, and is marked by."""

import re

from toolpost.index.extract.grammars import parse
from toolpost.index.extract.python.findings import Findings
from toolpost.index.extract.python.quotes import fold
from toolpost.index.extract.python.scan import Scan
from toolpost.index.extract.python.tree import Reader
from toolpost.index.model import Extract

_DOCSTRING = re.compile(rb"(?:\s++|#[^\n]*+|\\\r?\n)*+[rRuU]?[\"']")
_PACKAGE = "__init__.py"


def extract(path: str, text: bytes) -> Extract:
    findings = Findings(passes_on=path.endswith(_PACKAGE))
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if _DOCSTRING.match(text):
        findings.marks.add("docstring")
    code = fold(text)
    if code is None:
        _read_tree(text, findings)
    else:
        Scan(b"".join((b"\n", code, b"\n")), findings).run()
    if "pytest" in findings.imports and b"pytest." in text:
        findings.marks.add("calls:pytest")
    return findings.extract()


def _read_tree(text: bytes, findings: Findings) -> None:
    """A file whose quotes do not add up is broken; a parser mends better than we do."""
    parsed = parse("python", text)
    findings.whole = parsed.whole
    Reader(findings, text, 1).read(parsed.root)
