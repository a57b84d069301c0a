"""How tools lie in a file: alone, in a list, in an object around a list, or in a JSON-RPC answer."""

from dataclasses import dataclass, field

from toolpost.convert.errors import ConvertError
from toolpost.convert.wire import JsonObject, as_object, pointer, without


@dataclass(frozen=True)
class Envelope:
    """`rest` is what stands beside the list, `outer` what stands around the object that holds it."""

    shape: str
    tools: list[JsonObject]
    rest: JsonObject = field(default_factory=dict)
    outer: JsonObject = field(default_factory=dict)
    pointers: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Layout:
    """`containers` maps a shape to the key of its list; `marks` are keys that only a tool has."""

    marks: frozenset[str]
    containers: tuple[tuple[str, str], ...] = (("object", "tools"),)
    answers: bool = False

    @property
    def shapes(self) -> tuple[str, ...]:
        rpc = ("rpc",) if self.answers else ()
        return ("one", "list", *(shape for shape, _ in self.containers), *rpc)

    def split(self, value: object) -> Envelope:
        if isinstance(value, list):
            return _listed("list", value, "")
        if not isinstance(value, dict):
            raise ConvertError(
                "not a tool, a list of tools or a catalogue", fix="give a JSON object or array"
            )
        result = as_object(value.get("result"))
        if self.answers and isinstance(result.get("tools"), list):
            return _listed(
                "rpc",
                result["tools"],
                "/result/tools",
                without(result, ["tools"]),
                without(value, ["result"]),
            )
        for shape, key in self.containers:
            if isinstance(value.get(key), list) and not self.marks & value.keys():
                return _listed(shape, value[key], pointer(key), without(value, [key]))
        return Envelope("one", [value], pointers=[""])

    def join(self, envelope: Envelope) -> object:
        if envelope.shape == "one":
            return envelope.tools[0]
        if envelope.shape == "list":
            return envelope.tools
        if envelope.shape == "rpc":
            return {**envelope.outer, "result": _held("tools", envelope)}
        return _held(dict(self.containers)[envelope.shape], envelope)


def _held(key: str, envelope: Envelope) -> JsonObject:
    return {key: envelope.tools, **without(envelope.rest, [key])}


def _listed(
    shape: str, items: object, at: str, rest: JsonObject | None = None, outer: JsonObject | None = None
) -> Envelope:
    tools: list[JsonObject] = []
    pointers: list[str] = []
    for index, item in enumerate(items if isinstance(items, list) else []):
        place = at + pointer(index)
        if not isinstance(item, dict):
            raise ConvertError(
                "a tool is a JSON object", pointer=place, fix="remove the item or describe the tool"
            )
        tools.append(item)
        pointers.append(place)
    return Envelope(shape, tools, rest or {}, outer or {}, pointers)
