"""Filling in what is known and missing: versions, metadata, failures, recorded examples.

Never a made-up text: what nobody said stays unsaid.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from msgspec import UNSET, Struct

from toolpost.convert.card import Card, Example
from toolpost.convert.detect import detect
from toolpost.convert.examples import goal_examples, spec_examples
from toolpost.convert.fields import take
from toolpost.convert.format import Format
from toolpost.convert.formats import form_named
from toolpost.convert.lossless import attach, detach
from toolpost.convert.wire import JsonObject, as_list, as_object, differences, pointer, without

ABOUT = {"version": "version", "author": "author", "tags": "tags", "category": "category"}
VERSIONS = {"1": "1.0.0", "2": "2.0.0", "ardf": "1.0.0"}
OUTPUTS = {
    "1": ("how_to_use", "outputs"),
    "2": ("how_to_use", "outputs"),
    "ardf": ("content", "data", "outputs"),
}
Step: TypeAlias = Callable[[JsonObject], JsonObject]


class Known(Struct, frozen=True):
    """What the caller knows: error codes with their texts, and recorded calls by tool name."""

    failures: Mapping[str, str] = {}
    examples: Mapping[str, Sequence[Example]] = {}


class Enriched(Struct, frozen=True):
    """The new value, and pointers to what was filled in."""

    value: object
    filled: list[str]


def enrich(value: object, known: Known, form: str | None = None) -> Enriched:
    found = form_named(form or detect(value), value)
    envelope = found.split(value)
    tools = [_tool(found, tool, known) for tool in envelope.tools]
    rest = envelope.rest
    for before, after in zip(envelope.tools, tools, strict=True):
        rest = _release_aside(found, rest, before, after)
    made = found.join(replace(envelope, tools=tools, rest=rest))
    return Enriched(made, [place for place in differences(value, made) if "toolpost" not in place])


def _tool(form: Format, tool: JsonObject, known: Known) -> JsonObject:
    steps: list[Step] = [
        lambda one: _version(form.name, one),
        lambda one: _metadata(form.name, one),
        lambda one: _failures(form.name, one, known.failures),
        lambda one: _examples(form, one, known.examples),
    ]
    made = tool
    for step in steps:
        made = step(made)
    return made if form.aside else _release(form.place, made, _filled(form.name, tool, made))


def _version(form: str, tool: JsonObject) -> JsonObject:
    if form not in VERSIONS or "schema_version" in tool:
        return tool
    return {"schema_version": VERSIONS[form], **tool}


def _metadata(form: str, tool: JsonObject) -> JsonObject:
    """What the root says about version, author, tags and category, in the place the format has for it."""
    metadata = as_object(tool.get("metadata"))
    if form == "spec":
        return {**take(metadata, {"version": "version", "tags": "tags"})[0], **tool}
    if form not in {"2", "ardf"}:
        return tool
    missing = without(take(tool, ABOUT)[0], metadata)
    return {**tool, "metadata": {**metadata, **missing}} if missing else tool


def _failures(form: str, tool: JsonObject, failures: Mapping[str, str]) -> JsonObject:
    place = OUTPUTS.get(form)
    if not failures or place is None:
        return tool
    outputs = tool
    for key in place:
        outputs = as_object(outputs.get(key))
    if as_list(outputs.get("failure")):
        return tool
    filled = [{"code": code, "description": words} for code, words in failures.items()]
    return attach(tool, (*place, "failure"), filled)


def _examples(form: Format, tool: JsonObject, examples: Mapping[str, Sequence[Example]]) -> JsonObject:
    writer = {"spec": spec_examples, "2": goal_examples, "ardf": goal_examples}.get(form.name)
    if writer is None or as_list(tool.get("examples")):
        return tool
    name = form.ident(tool)
    written = writer(
        Card(name, examples=[one for one in examples.get(name, []) if _is_whole(form.name, one)])
    )
    return tool if written is UNSET or not written else {**tool, "examples": written}


def _is_whole(form: str, example: Example) -> bool:
    """An example that the format could only complete with made-up text is left out."""
    expected = form == "spec" or isinstance(example.expected, str)
    return example.name is not UNSET and expected


def _filled(form: str, before: JsonObject, after: JsonObject) -> set[str]:
    """The card fields that were filled, which must no longer be marked as derived."""
    place = pointer(*OUTPUTS.get(form, ()), "failure")
    return {"failures"} if any(one.startswith(place) for one in differences(before, after)) else set()


def _release(place: tuple[str, ...], holder: JsonObject, fields: set[str]) -> JsonObject:
    kept, carry = detach(holder, place)
    if not fields or carry is UNSET:
        return holder
    patch = as_object(carry)
    derived = [name for name in as_list(patch.get("derived")) if name not in fields]
    slim = {**without(patch, ["derived"]), **({"derived": derived} if derived else {})}
    return attach(kept, place, slim) if slim else kept


def _release_aside(form: Format, rest: JsonObject, before: JsonObject, after: JsonObject) -> JsonObject:
    if not form.aside:
        return rest
    return _release((*form.around, "tools", form.ident(after)), rest, _filled(form.name, before, after))
