"""Which format a value is in, by what it holds and never by its file name."""

from toolpost.convert.errors import AmbiguousFormat, UnknownFormat
from toolpost.convert.wire import JsonObject, as_list, as_object

LISTS = ["spec", "mcp", "1", "2", "ardf", "functions", "responses", "anthropic"]
ATDF_2_KEYS = frozenset({"metadata", "localization", "prerequisites", "feedback", "examples", "x-toolpost"})
MCP_KEYS = frozenset({"annotations", "outputSchema", "title", "icons", "execution", "_meta"})
SPEC_KEYS = frozenset({"version", "tags", "examples", "x-toolpost"})


def detect(value: object) -> str:
    """The one format that fits; raises AmbiguousFormat or UnknownFormat when there is not exactly one."""
    found = candidates(value)
    if not found:
        raise UnknownFormat("the value is in no format we know", fix="name the format it is in")
    if len(found) > 1:
        raise AmbiguousFormat(found)
    return found[0]


def candidates(value: object) -> list[str]:
    around = as_object(value)
    whole = _whole(around)
    if whole:
        return [whole]
    tools = _tools(value)
    if tools == []:
        return LISTS
    samples = [as_object(tool) for tool in tools or [around]]
    found = {family for sample in samples for family in _families(sample)}
    if "2" in found:
        found.discard("1")
    if "spec" in found:
        found = (found - {"spec"}) | _spec_or_mcp([*samples, around])
    return [name for name in LISTS if name in found]


def _whole(value: JsonObject) -> str:
    """The formats that show in the outermost object alone."""
    if isinstance(value.get("openapi"), str):
        return "openapi-3.0" if str(value["openapi"]).startswith("3.0") else "openapi"
    if isinstance(as_object(value.get("result")).get("tools"), list):
        return "mcp"
    if isinstance(value.get("errors"), list) or "code" in as_object(value.get("data")):
        return "error"
    return ""


def _tools(value: object) -> list[object] | None:
    if isinstance(value, list):
        return value
    around = as_object(value)
    if _families(around):
        return None
    for key in ("tools", "resources"):
        if isinstance(around.get(key), list):
            return as_list(around[key])
    return None


def _families(tool: JsonObject) -> list[str]:
    signs = {
        "ardf": "resource_type" in tool,
        _how_to_use(tool): "how_to_use" in tool,
        "spec": "inputSchema" in tool,
        "functions": isinstance(tool.get("function"), dict),
        "responses": "parameters" in tool or (tool.get("type") == "function" and "name" in tool),
        "anthropic": "input_schema" in tool,
    }
    return [family for family, shows in signs.items() if shows]


def _how_to_use(tool: JsonObject) -> str:
    declared = str(tool.get("schema_version", ""))
    return "2" if ATDF_2_KEYS & tool.keys() or declared.startswith("2") else "1"


def _spec_or_mcp(objects: list[JsonObject]) -> set[str]:
    keys = {key for one in objects for key in one}
    if "x-toolpost" in keys:
        return {"spec"}
    if "_meta" in keys or not SPEC_KEYS & keys:
        return {"mcp"} if MCP_KEYS & keys else {"spec"}
    return {"spec", "mcp"} if MCP_KEYS & keys else {"spec"}
