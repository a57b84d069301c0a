"""Contract 000: {name, input} in, {name, input, output | error} out, the input echoed as received."""

from typing import Any

from msgspec import UNSET

from toolpost.call import Call
from toolpost.dialects import Dialect, say
from toolpost.dialects.vocabulary import Word
from toolpost.errors import MalformedMessage
from toolpost.result import Result

NO_CONNECTION = "No active GitHub connection found"


def _dirs(result: Result) -> Any:
    data = result.data
    return {
        "dirs": [{"path": entry["path"], "depth": entry["depth"]} for entry in data["dirs"]],
        "truncated": data["truncated"],
    }


def _files(result: Result) -> Any:
    data = result.data
    return {
        "files": [
            {"path": entry["path"], "name": entry["name"], "size": entry["size_bytes"]}
            for entry in data["files"]
        ],
        "truncated": data["truncated"],
    }


def _file(result: Result) -> Any:
    data = result.data
    return {"path": data["path"], "content": data["content"], "size": data["size_bytes"]}


def _matches(result: Result) -> Any:
    return [{"path": match["path"], "snippet": match["snippet"]} for match in result.data["matches"]]


def _plan(result: Result) -> Any:
    data = result.data
    items = [_step(item) for item in data["items"]]
    return {"items": items, "maxItems": data["max_items"], "currentItem": data["current_item"]}


def _step(item: dict[str, Any]) -> dict[str, Any]:
    """The contract knows three statuses; a blocked step is shown as one that waits (C56)."""
    return {**item, "status": "pending"} if item["status"] == "blocked" else item


class Agents(Dialect):
    name = "agents"
    WORDS = (
        Word("list_dirs", "fs.dirs", clamp=frozenset({"depth", "limit"}), show=_dirs),
        Word(
            "list_files",
            "fs.list",
            params={"glob": "pattern"},
            fixed={"type": "file"},
            clamp=frozenset({"limit"}),
            show=_files,
        ),
        Word("read_file", "fs.read", fixed={"text_only": True}, show=_file),
        Word(
            "search_code",
            "code.search",
            params={"glob": "filePattern"},
            clamp=frozenset({"limit"}),
            show=_matches,
        ),
        Word("todo_manager", "todo", show=_plan),
        Word("validate_output", "output.validate", params={"output_type": "outputType"}),
    )
    ANSWER = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "input": True,
            "output": True,
            "error": {"type": "string"},
        },
        "required": ["name", "input"],
        "oneOf": [{"required": ["output"]}, {"required": ["error"]}],
        "additionalProperties": False,
    }

    def read(self, value: Any) -> Call:
        if not isinstance(value, dict) or "name" not in value:
            raise MalformedMessage("A call is an object with `name` and `input`.")
        return self.vocabulary.call(value["name"], value.get("input"), Call(tool="", language=self.language))

    def render(self, result: Result) -> Any:
        words = result.call.words
        answer = {"name": words.tool, "input": result.call.input}
        if result.problem is None:
            return {**answer, "output": self._output(result)}
        if result.problem.code == "NO_CONNECTION":
            return {**answer, "output": {"error": NO_CONNECTION}}  # C51: an output, not an error
        return {**answer, "error": say.summary(result)}

    def _output(self, result: Result) -> Any:
        shown = self.shown(result)
        if shown is not UNSET:
            return shown
        return result.text if result.data is UNSET else result.data

    def ask(self, says: str, args: dict[str, Any]) -> Any:
        return {"name": says, "input": args}

    def describe(self) -> Any:
        return [
            {"name": word.says, "description": tool.description} for word, tool in self.vocabulary.pairs()
        ]


DIALECT = Agents
