"""The forms in which models send an edit: other agents' words, JSON as text, one edit without its list."""

from collections.abc import Mapping
from typing import Any

from toolpost.tools.json_text import parsed

_WORDS = {
    "oldText": "old_text",
    "old_string": "old_text",
    "oldString": "old_text",
    "old_str": "old_text",
    "newText": "new_text",
    "new_string": "new_text",
    "newString": "new_text",
    "new_str": "new_text",
    "replaceAll": "replace_all",
    "allow_multiple": "replace_all",
    "allowMultiple": "replace_all",
}
_ALONE = frozenset({"old_text", "new_text", "replace_all", "patch"})
"""What may stand beside the path when there is only one edit."""
_REMARKS = frozenset({"instruction"})  # a required word of one agent's edit tool that changes nothing
_ANCHORS = frozenset({"line", "after", "before"})


def ease(args: dict[str, Any]) -> dict[str, Any]:
    """A word that is not known stays, to be refused by name; so does one of two that mean the same."""
    if "edits" not in args:
        return _from_alone(args)
    given = parsed(args["edits"])
    edits = [given] if isinstance(given, dict) else given
    if not isinstance(edits, list):
        return args
    return {**args, "edits": [_eased(parsed(edit)) for edit in edits]}


def _from_alone(args: dict[str, Any]) -> dict[str, Any]:
    """`old_string` and `new_string` beside the path, as most agents' edit tools have them."""
    named = _renamed(args)
    alone = {name: value for name, value in named.items() if name in _ALONE}
    if not alone:
        return args
    rest = {name: value for name, value in named.items() if name not in _ALONE | _REMARKS}
    return {**rest, "edits": [_eased(alone)]}


def _eased(edit: Any) -> Any:
    if not isinstance(edit, dict):
        return edit
    named = _renamed(edit)
    return named if "type" in named else {**_type(named), **named}


def _type(edit: Mapping[str, Any]) -> dict[str, str]:
    """What an edit that does not say it must be; replacing is what the schema takes it for."""
    if "patch" in edit:
        return {"type": "patch"}
    return {"type": "insert"} if "old_text" not in edit and not _ANCHORS.isdisjoint(edit) else {}


def _renamed(given: Mapping[str, Any]) -> dict[str, Any]:
    renamed: dict[str, Any] = {}
    for name, value in given.items():
        ours = _WORDS.get(name, name)
        is_free = ours == name or (ours not in given and ours not in renamed)
        renamed[ours if is_free else name] = value
    return renamed
