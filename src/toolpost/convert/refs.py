"""Inlining local references, so that a schema stands on its own.

A schema that refers to itself cannot be inlined: it moves into `$defs` of the result.
"""

from urllib.parse import unquote

from toolpost.convert.errors import ConvertError
from toolpost.convert.wire import JsonObject, unescape, without

MAX_NODES = 200_000  # nested references can grow without end; a real document stays far below


class Inliner:
    """Replaces references that start with `prefix` by what they name in `root`.

    A subtree with an `$id` is its own base and stays as it is.
    """

    def __init__(self, root: JsonObject, prefix: str) -> None:
        self.root = root
        self.prefix = prefix
        self.defs: JsonObject = {}
        self._open: list[str] = []
        self._recursive: set[str] = set()
        self._nodes = 0

    def schema(self, value: object) -> JsonObject:
        """The value inlined, with the definitions it needs."""
        made = self.inline(value)
        made = made if isinstance(made, dict) else {}
        return {**made, "$defs": {**_defs(made), **self.defs}} if self.defs else made

    def inline(self, value: object) -> object:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise ConvertError("the references grow without end", fix="break the nested references")
        if isinstance(value, list):
            return [self.inline(item) for item in value]
        if not isinstance(value, dict) or "$id" in value:
            return value
        ref = value.get("$ref")
        if isinstance(ref, str) and ref.startswith(self.prefix):
            return self._named(ref, without(value, ["$ref"]))
        return {key: self.inline(item) for key, item in value.items()}

    def find(self, ref: str) -> object:
        found: object = self.root
        for part in ref.removeprefix("#").split("/")[1:]:
            found = _step(found, unescape(unquote(part)), ref)
        return found

    def _named(self, ref: str, siblings: JsonObject) -> object:
        name = ref.rsplit("/", 1)[-1]
        pointing: JsonObject = {"$ref": f"#/$defs/{name}"}
        if ref in self._open:
            self._recursive.add(ref)
            return pointing
        self._open.append(ref)
        made = self.inline(self.find(ref))
        self._open.pop()
        if ref in self._recursive:
            self.defs[unescape(unquote(name))] = made
            return pointing
        return {**made, **siblings} if isinstance(made, dict) else made


def _defs(schema: JsonObject) -> JsonObject:
    defs = schema.get("$defs")
    return defs if isinstance(defs, dict) else {}


def _step(value: object, part: str, ref: str) -> object:
    if isinstance(value, dict) and part in value:
        return value[part]
    if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
        return value[int(part)]
    raise ConvertError(f"the reference {ref!r} leads nowhere", fix="define what it names")


def has_local_ref(value: object) -> bool:
    if isinstance(value, list):
        return any(has_local_ref(item) for item in value)
    if not isinstance(value, dict):
        return False
    ref = value.get("$ref", value.get("$dynamicRef"))
    return (isinstance(ref, str) and ref.startswith("#")) or any(
        has_local_ref(item) for item in value.values()
    )
