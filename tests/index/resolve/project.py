"""Small repositories written as dictionaries, read by the real extractors."""

from collections.abc import Mapping

from toolpost.index.extract import extract
from toolpost.index.model import Export, Extract
from toolpost.index.resolve import Resolved, resolve
from toolpost.index.resolve.modules import Modules
from toolpost.index.resolve.tree import Listed


def tree(files: Mapping[str, str]) -> Listed:
    texts = {path: text.encode() for path, text in files.items()}
    spoken = (".ts", ".tsx", ".js", ".mjs", ".jsx", ".py", ".pyi", ".mts", ".cjs")
    extracts = {
        path: extract(path, text) if path.endswith(spoken) else Extract() for path, text in texts.items()
    }
    return Listed(extracts, texts.get)


def resolved(files: Mapping[str, str]) -> Resolved:
    return resolve(tree(files), files)


def found(files: Mapping[str, str], importer: str, specifier: str) -> str:
    """The file of a module, or nothing; the importer need not be one of the files."""
    return "".join(Modules(tree(files)).find(importer, specifier))


def told(export: Export) -> tuple[str, str, str, str]:
    return export.name, export.kind, export.local, export.origin


def exported(files: Mapping[str, str], path: str) -> list[tuple[str, str, str, str]]:
    """Name, kind, local name and origin of what a file exports."""
    return [told(export) for export in resolved(files).exports.get(path, ())]
