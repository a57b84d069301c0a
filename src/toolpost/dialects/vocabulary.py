"""Words: how a contract says our tools and parameters. A vocabulary translates both ways."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2s
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from toolpost.call import LOCAL, Call, Caller, Words
from toolpost.define import Tool
from toolpost.errors import MalformedMessage, ToolError, UnknownParameter
from toolpost.limits import ID_CHARS, NAME_CHARS
from toolpost.problem import Problem
from toolpost.result import Result
from toolpost.schema import Schema


class Word(Struct, frozen=True):
    """One tool as a contract says it."""

    says: str
    tool: str
    params: dict[str, str] = {}
    """Our parameter -> theirs; a parameter not named here is spelled alike.

    Where two of ours share one of theirs, the last named is what a caller's word is read as.
    """
    fixed: dict[str, Any] = {}
    """Arguments the contract's tool always has, and its callers cannot set."""
    clamp: frozenset[str] = frozenset()
    read: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    """A last look at the arguments, in our words: a default of the contract's, or a refusal."""
    show: Callable[[Result], Any] | None = None
    """The successful answer in the contract's own shape."""


BLANK = Call(tool="")


class Vocabulary:
    """The words of one connection: the contract's for standard tools, their own name for all others.

    A name that is in no word means no tool: our own names never pass through.
    """

    def __init__(
        self,
        dialect: str,
        words: Iterable[Word],
        tools: Iterable[Tool],
        own_name: Callable[[Tool], str] | None = None,
    ) -> None:
        self.dialect = dialect
        self._tools = {tool.name: tool for tool in tools}
        self._words: dict[str, Word] = {word.says: word for word in words if word.tool in self._tools}
        for tool in self._tools.values():
            if tool.name not in STANDARD:
                says = self._free(own_name(tool) if own_name else tool.name, tool.name)
                self._words[says] = Word(says, tool.name)
        self.known = tuple(self._words)
        self._plain = {
            says
            for says, word in self._words.items()
            if not (word.params or word.fixed or word.read or _is_lenient(self._tools[word.tool]))
        }
        self._aliased = {says for says, word in self._words.items() if self._tools[word.tool].aliases}
        self._ours = {
            says: _theirs_to_ours(word, self._tools[word.tool]) for says, word in self._words.items()
        }
        self._unheard = Words(dialect=dialect, known=self.known)
        self._heard = {
            says: Words(
                dialect=dialect,
                tool=says,
                spelling=word.params,
                known=self.known,
                fixed=frozenset(word.fixed),
            )
            for says, word in self._words.items()
        }
        self._says = {word.tool: word for word in reversed(self._words.values())}

    def _free(self, says: str, name: str) -> str:
        """A name nobody has or owns; the same tool gets the same one each time, in whatever order."""
        is_owned = says != name and says in self._tools
        if says not in self._words and not is_owned and len(says) <= NAME_CHARS:
            return says
        mark = blake2s(name.encode(), digest_size=4).hexdigest()
        return f"{says[: NAME_CHARS - 9]}_{mark}"

    def word(self, says: str) -> Word | None:
        return self._words.get(says)

    def of_tool(self, name: str) -> Word | None:
        return self._says.get(name)

    def pairs(self) -> Iterator[tuple[Word, Tool]]:
        """Each tool once, under its first word."""
        return ((word, self._tools[word.tool]) for word in reversed(self._says.values()))

    def call(self, says: Any, given: Any, envelope: Call = BLANK) -> Call:
        """A call in our words; the envelope is one that holds what else the message tells.

        It never raises: what is wrong is carried in the call.
        """
        if not isinstance(says, str):
            return self.faulty(MalformedMessage("The message names no tool."), envelope)
        word = self._words.get(says)
        if word is None:
            words = Words(dialect=self.dialect, tool=says, known=self.known)
            return replace(envelope, words=words, input=given)
        words = self._heard[says]
        try:
            args = given if says in self._plain and type(given) is dict else self._translate(word, given)
        except ToolError as error:
            return replace(envelope, tool=word.tool, words=words, input=given, fault=error.problem())
        if says in self._aliased:
            words = self._as_spelled(words, given)
        return replace(envelope, tool=word.tool, args=args, words=words, input=given, clamp=word.clamp)

    def faulty(self, error: ToolError, envelope: Call = BLANK) -> Call:
        """A message that is no call, as a call that is refused for it."""
        return replace(envelope, words=self._unheard, fault=error.problem())

    def _translate(self, word: Word, given: Any) -> dict[str, Any]:
        if given is None:
            given = {}
        if not isinstance(given, dict):
            raise MalformedMessage(f"The input of {word.says} must be an object.", received=str(type(given)))
        ours = self._ours[word.says]
        args: dict[str, Any] = given
        if ours:
            args = {ours.get(str(name), str(name)): value for name, value in given.items()}
            if len(args) != len(given):
                raise _twice(given, ours)
        if word.fixed:
            args = _with_fixed(args, word)
        if word.read:
            args = word.read(args)
        ease = self._tools[word.tool].ease
        return ease(args) if ease else args

    def _as_spelled(self, words: Words, given: Any) -> Words:
        """The words with the names this very caller used, so that an error speaks them back."""
        ours = self._ours[words.tool]
        used = {ours[name]: name for name in given or () if ours.get(name, name) != name}
        return replace(words, spelling={**words.spelling, **used}) if used else words

    def schema(self, word: Word, tool: Tool) -> Schema:
        """The tool's input schema in the contract's words."""
        if not word.params and not word.fixed:
            return tool.input_schema
        properties = tool.input_schema.get("properties", {})
        renamed: Schema = {}
        for name, part in properties.items():
            if name not in word.fixed:
                renamed.setdefault(word.params.get(name, name), part)
        schema = {**tool.input_schema, "properties": renamed}
        if "required" in schema:
            schema["required"] = [
                word.params.get(name, name) for name in schema["required"] if name not in word.fixed
            ]
        return schema


def _with_fixed(args: dict[str, Any], word: Word) -> dict[str, Any]:
    for name in word.fixed:
        if name in args:
            raise UnknownParameter(f"{name} is not a parameter of {word.says}.", parameter=name)
    return {**args, **word.fixed}


def _theirs_to_ours(word: Word, tool: Tool) -> dict[str, str]:
    """The contract's own names, and those of other agents that mean no parameter here themselves."""
    taken = {*tool.input_schema.get("properties", ()), *word.params.values()}
    known = {alias: ours for alias, ours in tool.aliases.items() if alias not in taken}
    return known | {theirs: ours for ours, theirs in word.params.items()}


def _is_lenient(tool: Tool) -> bool:
    return bool(tool.aliases or tool.ease)


def _twice(given: Mapping[str, Any], ours: Mapping[str, str]) -> UnknownParameter:
    """Two spellings of one parameter: whichever was meant, one of them is not."""
    seen: dict[str, str] = {}
    for name in given:
        inner = ours.get(name, name)
        if inner in seen:
            both = f"{seen[inner]} and {name}"
            return UnknownParameter(f"{both} are the same parameter; send one.", parameter=name)
        seen[inner] = name
    return UnknownParameter("The same parameter was sent twice.")


def spelled(args: Mapping[str, Any], call: Call) -> dict[str, Any]:
    """Arguments of ours in the caller's spelling."""
    return {call.said(name): value for name, value in args.items() if name not in call.words.fixed}


def component(name: Any) -> Caller:
    return Caller(component=named(name, "component")) if name else LOCAL


def named(given: Any, what: str) -> str:
    """A name the caller gave to a session, a call or a component; one that was not given is empty."""
    if given is None:
        return ""
    if not isinstance(given, str) or len(given) > ID_CHARS:
        raise MalformedMessage(f"`{what}` must be a text of at most {ID_CHARS} characters.")
    return given


PLAIN = (  # the names most models know: contract 004's, and their like for the rest
    Word("read_file", "fs.read"),
    Word("write_file", "fs.write"),
    Word("edit_file", "fs.edit"),
    Word("delete_file", "fs.delete"),
    Word("move_file", "fs.move"),
    Word("apply_patch", "fs.patch"),
    Word("undo_change", "fs.undo"),
    Word("list_directory", "fs.list"),
    Word("list_dirs", "fs.dirs"),
    Word("find_files", "fs.search"),
    Word("search_files", "code.search"),
    Word("query_index", "index.query"),
    Word("find_symbols", "code.symbols"),
    Word("outline_file", "code.outline"),
    Word("find_references", "code.references"),
    Word("file_imports", "code.imports"),
    Word("map_code", "code.map"),
    Word("run_command", "os.exec"),
    Word("command_output", "os.exec.poll"),
    Word("web_search", "web.search"),
    Word("web_request", "web.fetch"),
    Word("git_status", "git.status"),
    Word("git_diff", "git.diff"),
    Word("git_log", "git.log"),
    Word("git_show", "git.show"),
    Word("git_blame", "git.blame"),
    Word("git_grep", "git.grep"),
    Word("git_branches", "git.branches"),
    Word("git_add", "git.add"),
    Word("git_commit", "git.commit"),
    Word("git_restore", "git.restore"),
    Word("git_stash", "git.stash"),
    Word("git_worktree", "git.worktree"),
    Word("todo_manager", "todo"),
    Word("validate_output", "output.validate"),
    Word("github_read_file", "github.read"),
    Word("render_logs", "render.logs"),
    Word("pwa_query", "pwa.query"),
    Word("release_microphone", "audio.release_mic"),
    Word("find_apps", "apps.find"),
    Word("launch_app", "apps.launch"),
)
STANDARD = frozenset(word.tool for word in PLAIN)
"""Tools that contracts name: each is reached only by a contract's own word for it."""
PLAIN_NAME = {word.tool: word.says for word in PLAIN}


def said_problems(result: Result) -> list[tuple[Problem, str | None]]:
    """Each problem, and its parameter in the caller's spelling."""
    call = result.call
    return [
        (problem, None if problem.parameter is None else call.said(problem.parameter))
        for problem in result.problems
    ]
