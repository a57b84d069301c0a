"""code.search: the lines of files that hold a text; and both search tools as one family."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from toolpost.call import Call
from toolpost.content import Text
from toolpost.define import Example, Output, Tool, from_function
from toolpost.index.finder import find
from toolpost.index.indexes import Indexes
from toolpost.limits import SEARCH_CONTEXT, SEARCH_DEFAULT, SEARCH_MAX, SEARCH_PER_FILE
from toolpost.schema import schema_of
from toolpost.tools.find import FOLDER_ALIASES, find_tool, scope_of
from toolpost.tools.nearest import nothing_there
from toolpost.tools.oneline import one_line
from toolpost.workspace.walking.cursor import START, pack, unpack
from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.patterns import How, Pattern
from toolpost.workspace.walking.within import Answer, Hit, Mode, Question
from toolpost.workspace.workspace import Workspace

_REGEX_MARKS = (".*", ".+", "\\", "|", "^", "$", "[", "(")
_Context = Annotated[int, Meta(description="Lines to show around each hit.", ge=0, le=SEARCH_CONTEXT)]


class SearchCode(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: Annotated[
        str, Meta(description="Text to look for, such as def main; a pattern if regex is true.", min_length=1)
    ]
    path: Annotated[str, Meta(description="Folder or file to search; all of the workspace if left out.")] = ""
    glob: Annotated[
        str | None,
        Meta(description="Only these files, such as *.{ts,tsx}, or src/**/*.py relative to `path`."),
    ] = None
    exclude: Annotated[
        str | None, Meta(description="Not these files or folders, such as *.min.js or dist/.")
    ] = None
    regex: Annotated[bool, Meta(description="Take query as an RE2 regular expression.")] = False
    mode: Annotated[
        Mode,
        Meta(
            description="content: each line; files: the first line of each file; count: that, with how many."
        ),
    ] = Mode.CONTENT
    case: Annotated[bool, Meta(description="Tell A from a.")] = True
    word: Annotated[bool, Meta(description="Only where no word goes on before or after the match.")] = False
    multiline: Annotated[bool, Meta(description="A match may cross lines; each line it touches counts.")] = (
        False
    )
    before: Annotated[_Context, Meta(description="Lines to show before each hit.")] = 0
    after: Annotated[_Context, Meta(description="Lines to show after each hit.")] = 0
    match_path: Annotated[
        bool, Meta(description="Also find files whose path holds the query, and put them first.")
    ] = False
    ignore: Annotated[bool, Meta(description="Leave out what ignore files such as .gitignore name.")] = True
    limit: Annotated[int, Meta(description="Most hits to give.", ge=1, le=SEARCH_MAX)] = SEARCH_DEFAULT
    cursor: Annotated[str | None, Meta(description="next_cursor of the answer before, to go on.")] = None


class Match(Struct, frozen=True, kw_only=True, omit_defaults=True):
    path: str
    line: int
    column: int
    """Both from 1; the column counts characters."""
    snippet: str
    before: list[str] = []
    after: list[str] = []
    count: int | UnsetType = UNSET


class Matches(Struct, frozen=True, kw_only=True):
    matches: list[Match]
    truncated: bool
    files_searched: int
    skipped: dict[str, int]
    """Files passed over, by reason."""
    total: int | UnsetType = UNSET
    """Lines that match; only where everything was looked at."""
    next_cursor: str | UnsetType = UNSET
    freshness: str
    """scanned: read from the files just now; from the index: watched, checked, or built."""


def tools(workspace: Workspace, indexes: Indexes | None = None) -> tuple[Tool, ...]:
    return (_search_tool(workspace, indexes), find_tool(workspace))


def _search_tool(workspace: Workspace, indexes: Indexes | None) -> Tool:
    def search_code(asked: SearchCode, call: Call) -> Output:
        return search_content(workspace, asked, call, indexes)

    return from_function(
        search_code,
        name="code.search",
        title="Search in files",
        description=(
            "Search the content of files for a text or a regular expression and get the lines that match, with path "
            "and line number, in the order of paths. Binary, very large, ignored and secret files are passed over "
            f"and counted. A file gives at most {SEARCH_PER_FILE} hits unless it is searched alone."
        ),
        output_schema=schema_of(Matches),
        effects=("read",),
        tags=("files", "search"),
        examples=(
            Example("a text in TypeScript files", {"query": "TODO", "path": "src", "glob": "*.ts"}),
            Example("a definition", {"query": r"^class \w+Error\b", "regex": True, "after": 2}),
            Example("which files mention it", {"query": "login", "mode": "files", "case": False}),
        ),
        codes={"limit:maximum": "LIMIT_EXCEEDED"},
        aliases=_ALIASES,
        ease=ease,
        idempotent=True,
        source="toolpost",
    )


_ALIASES = {
    **FOLDER_ALIASES,
    "pattern": "query",
    **dict.fromkeys(("include", "include_pattern", "includePattern", "filePattern", "file_pattern"), "glob"),
    **dict.fromkeys(("exclude_pattern", "excludePattern"), "exclude"),
    **dict.fromkeys(("case_sensitive", "caseSensitive"), "case"),
    **dict.fromkeys(("max_results", "maxResults", "head_limit"), "limit"),
    "matchPath": "match_path",
    **dict.fromkeys(("whole_word", "wholeWord", "word_regexp"), "word"),
}


def ease(args: dict[str, Any]) -> dict[str, Any]:
    """A text as `regex` is the query itself; `context` is what stands before and after."""
    eased = dict(args)
    if isinstance(args.get("regex"), str) and "query" not in args:
        eased |= {"query": args["regex"], "regex": True}
    if "context" in args and not {"before", "after"} & set(args):
        eased["before"] = eased["after"] = eased.pop("context")
    return eased


def search_content(
    workspace: Workspace, asked: SearchCode, call: Call, indexes: Indexes | None = None
) -> Output:
    how = How(word=asked.word, multiline=asked.multiline)
    question = Question(
        pattern=Pattern(asked.query, regex=asked.regex, case=asked.case, how=how),
        include=Glob(asked.glob) if asked.glob else None,
        exclude=Glob(asked.exclude, parameter="exclude") if asked.exclude else None,
        mode=asked.mode,
        before=asked.before,
        after=asked.after,
        match_path=asked.match_path,
        ignored=not asked.ignore,
    )
    scope = scope_of(workspace, asked.path, missing=nothing_there)
    mark = _mark(asked)
    cursor = unpack(asked.cursor, mark) if asked.cursor else START
    searched = find(scope, question, indexes=indexes, limit=asked.limit, cursor=cursor)
    answer = searched.answer
    is_all = answer.rest is None and cursor is START
    found = Matches(
        matches=[_match(hit, asked.mode) for hit in answer.hits],
        truncated=answer.rest is not None,
        files_searched=answer.files_searched,
        skipped=answer.skipped,
        total=sum(hit.count for hit in answer.hits) + sum(answer.more.values()) if is_all else UNSET,
        next_cursor=pack(answer.rest, mark) if answer.rest else UNSET,
        freshness=searched.freshness,
    )
    notes = _notes(asked, answer, found, call)
    text = "\n".join([*_lines(answer, asked.mode), *notes])
    return Output(content=(Text(text),), data=found, notes=notes)


def _mark(asked: SearchCode) -> tuple[Any, ...]:
    """What a cursor belongs to: everything but what may change from page to page."""
    free = {"cursor", "limit", "before", "after"}
    return tuple(getattr(asked, name) for name in asked.__struct_fields__ if name not in free)


def _match(hit: Hit, mode: Mode) -> Match:
    return Match(
        path=hit.path,
        line=hit.line,
        column=hit.column,
        snippet=hit.snippet,
        before=list(hit.before),
        after=list(hit.after),
        count=hit.count if mode is Mode.COUNT else UNSET,
    )


def _lines(answer: Answer, mode: Mode) -> list[str]:
    """As grep writes them."""
    if mode is Mode.FILES:
        return [one_line(hit.path) for hit in answer.hits]
    if mode is Mode.COUNT:
        return [f"{one_line(hit.path)}: {hit.count}" for hit in answer.hits]
    return [line for hit in answer.hits for line in _with_context(hit)]


def _with_context(hit: Hit) -> list[str]:
    path = one_line(hit.path)
    before = [
        f"{path}-{number}- {text}" for number, text in enumerate(hit.before, hit.line - len(hit.before))
    ]
    after = [f"{path}-{number}- {text}" for number, text in enumerate(hit.after, hit.line + 1)]
    return [*before, f"{path}:{hit.line}: {hit.snippet}", *after, *(["--"] if before or after else [])]


def _notes(asked: SearchCode, answer: Answer, found: Matches, call: Call) -> tuple[str, ...]:
    notes = [
        f"{one_line(path)} has {count} more hits: search it alone to see them."
        for path, count in answer.more.items()
    ]
    if not answer.hits and answer.rest is None:
        notes.append(_nothing(asked, call))
    if answer.skipped:
        reasons = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in answer.skipped.items())
        notes.append(f"Passed over: {reasons}.")
    if answer.rest is not None and len(answer.hits) < asked.limit:
        notes.append(f"Time was up with {answer.files_searched:,} files searched; there may be more.")
    if answer.rest is not None:
        notes.append(f"Truncated: continue with {call.said('cursor')}={found.next_cursor}")
    return tuple(notes)


def _nothing(asked: SearchCode, call: Call) -> str:
    if not asked.regex and any(mark in asked.query for mark in _REGEX_MARKS):
        return f"Nothing found. If it is a regular expression, set {call.said('regex')} to true."
    return "Nothing found."
