"""Shell text to a script, by tree-sitter's bash grammar. Loads it, and is loaded when first needed.

What the grammar reads otherwise than bash does is mended here, or makes the script unreadable.
"""

import re
from collections.abc import Callable, Iterable
from itertools import pairwise

from tree_sitter import Node

from toolpost.authorize.commands.gathering import (
    Found,
    glued,
    holds_keyword,
    leaves,
    linked,
    piped_in,
    unfolded,
    with_last,
)
from toolpost.authorize.commands.quoting import plain_pieces
from toolpost.authorize.commands.reading import WORDS, WordReader
from toolpost.authorize.commands.script import (
    Assign,
    Block,
    Loop,
    Part,
    Piece,
    Raw,
    Redirect,
    Script,
    Simple,
    Step,
)
from toolpost.authorize.commands.strays import joined
from toolpost.authorize.commands.sums import subscript_sums, sums_of, test_sums
from toolpost.authorize.commands.tree import tree_of
from toolpost.limits import (
    COMMAND_BRACKETS,
    COMMAND_DEPTH,
    COMMAND_HEREDOCS,
    COMMAND_STEPS,
)

_ARGUMENTS = frozenset({*WORDS, "word", "number"}) - {"subshell"}
_REDIRECTS = frozenset({"file_redirect", "heredoc_redirect", "herestring_redirect"})
_OPEN_ENDED = frozenset({"command", "pipeline", "list", "negated_command", *_REDIRECTS})
"""What follows them belongs to the last command in them."""
_DROPPED = re.compile(r"(?:\\.|\S)+", re.DOTALL)
_SKIPPED = Simple()
_UNREADABLE = Script((), unreadable=True)
_STATEMENTS = frozenset(
    {
        *("command", "redirected_statement", "pipeline", "list", "subshell", "compound_statement"),
        *("function_definition", "declaration_command", "unset_command", "test_command", "negated_command"),
        *("variable_assignment", "variable_assignments", "for_statement", "c_style_for_statement"),
        *("while_statement", "if_statement", "case_statement"),
    }
)


def parse(text: str) -> Script:
    """Never raises; what could be read of an unreadable script is in it."""
    if text.count("<<") > COMMAND_HEREDOCS or text.count("[") > COMMAND_BRACKETS:
        return _UNREADABLE
    continued = "\\\n" in text
    reader = Reader(joined(text) if continued else text, depth=0)
    script = reader.script()
    if continued and "<<" in text:
        return Script(script.steps, unreadable=True, commands=script.commands)
    return script


class Reader(WordReader):
    """Reads one text; scripts inside its raw parts are read by readers of their own."""

    def script(self) -> Script:
        root = tree_of(self._source)
        if root is None:
            return _UNREADABLE
        self._unreadable = self._unreadable or root.has_error
        steps = self._within(root.children)
        return Script(tuple(steps), unreadable=self._unreadable, commands=self._commands)

    def _read(self, text: str) -> list[Step]:
        other = Reader(text, depth=self._depth + 1)
        if other.is_too_deep:
            self._unreadable = True
            return []
        script = other.script()
        self._unreadable = self._unreadable or script.unreadable
        self._commands += script.commands
        return list(script.steps)

    def _within(self, nodes: Iterable[Node]) -> list[Step]:
        """Statements in a row; what stands before a `&` runs by itself."""
        steps: list[Step] = []
        latest = 0
        for node in nodes:
            if node.is_named:
                latest = len(steps)
                steps.extend(self._steps(node))
            elif node.type == "&":
                steps[latest:] = [Block(tuple(steps[latest:]), own=True, background=True)]
        return steps

    def _steps(self, node: Node) -> list[Step]:
        kind = node.type
        if kind == "command":
            return [self._command(node)]
        if kind == "comment":
            return []
        if self._depth >= COMMAND_DEPTH:
            self._unreadable = True
            return []
        self._depth += 1
        handler = _HANDLERS.get(kind)
        steps = handler(self, node) if handler else self._others(node)
        self._depth -= 1
        return steps

    def _others(self, node: Node) -> list[Step]:
        """Groups, conditions and what is not known: the statements and substitutions in them count."""
        if node.child_count == 0 or node.type in WORDS:
            inner: list[Block] = []
            self._pieces(node, [], inner)
            return list(inner)
        if node.is_error:
            self._unreadable = True
        return self._within(node.children)

    def chain(self, node: Node) -> list[Step]:
        first, others = unfolded(node)
        return self._chained(self._steps(first), others)

    def _chained(self, links: list[Step], others: list[list[Node]]) -> list[Step]:
        steps: list[Step] = []
        sure = False
        for nodes in others:
            if nodes[0].type != "&&":
                steps.extend(linked(links, sure=sure))
                links = []
            sure = nodes[0].type == "&&"
            links.extend(self._within(nodes))
        return [*steps, *linked(links, sure=sure)]

    def pipeline(self, node: Node) -> list[Step]:
        """To the grammar `a | b || c` may be `a | (b || c)`; to bash only b is in the pipe."""
        steps: list[Step] = []
        others: list[list[Node]] = []
        piped = False
        for child in node.children:
            if child.type == "list":
                first, others = unfolded(child)
                steps.extend(self._element(first, piped=piped))
            elif child.is_named:
                steps.extend(self._element(child, piped=piped))
            elif child.type in {"|", "|&"}:
                piped = True
        return self._chained(steps, others) if others else steps

    def _element(self, node: Node, *, piped: bool) -> list[Step]:
        if node.type != "pipeline":
            return [Block(tuple(self._steps(node)), own=True, piped=piped)]
        self._depth += 1
        steps = [] if self.is_too_deep else self.pipeline(node)
        self._unreadable = self._unreadable or self.is_too_deep
        self._depth -= 1
        return piped_in(steps) if piped else steps

    def compound(self, node: Node) -> list[Step]:
        """`{ ...; }`, or `(( ... ))`."""
        steps = self._others(node)
        return [*steps, *sums_of(node.children)] if node.children[0].type == "((" else steps

    def counted(self, node: Node) -> list[Step]:
        """`for ((i = 0; i < 3; i++))`."""
        body = node.child_by_field_name("body")
        head = [child for child in node.children if child != body]
        return [*sums_of(head), *self._others(node)]

    def subshell(self, node: Node) -> list[Step]:
        return [Block(tuple(self._within(node.children)), own=True)]

    def function(self, node: Node) -> list[Step]:
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        found = Found()
        for child in node.children:
            if child.type in _REDIRECTS:
                self._redirect(child, found)
        steps = self._steps(body) if body else []
        title = self._text(name) if name else ""
        return [Block((*found.inner, *steps), tuple(found.redirects), function=title)]

    def loop(self, node: Node) -> list[Step]:
        name = node.child_by_field_name("variable")
        inner: list[Block] = []
        values = [self._raw(value, inner) for value in node.children_by_field_name("value")]
        body = node.child_by_field_name("body")
        steps = self._steps(body) if body else []
        loop = Loop(self._text(name) if name else "", tuple(values))
        return [*inner, Block(tuple(steps), loop=loop)]

    def redirected(self, node: Node) -> list[Step]:
        found = Found()
        body: list[Step] = []
        later: list[Step] = []
        end = node.start_byte
        for child in node.children:
            found.words.extend(self._dropped(end, child.start_byte))
            end = child.end_byte
            if child.type in _REDIRECTS:
                self._redirect(child, found)
                later.extend(self._after_heredoc(child))
            elif child.is_named:
                body.extend(self._steps(child))
        if not body or node.children[0].type in _OPEN_ENDED:
            return [*with_last(body, found), *later]
        redirects, found.redirects = tuple(found.redirects), []
        return [found.added_to(Simple()), Block(tuple(body), redirects), *later]

    def bare_redirect(self, node: Node) -> list[Step]:
        """`$(<file)`."""
        found = Found()
        self._redirect(node, found)
        return [found.added_to(Simple()), *self._after_heredoc(node)]

    def _after_heredoc(self, redirect: Node) -> list[Step]:
        """`cat <<X | sh`: the grammar keeps the rest of the line inside the redirect."""
        if redirect.type != "heredoc_redirect":
            return []
        steps: list[Step] = []
        for child in redirect.children:
            if child.type in _STATEMENTS:
                steps.extend(self._steps(child))
        return steps

    # Commands

    def _command(self, node: Node) -> Simple:
        self._commands += 1
        if self._commands > COMMAND_STEPS:
            return _SKIPPED
        found = Found()
        assigns: list[Assign] = []
        words, inner = found.words, found.inner
        end = node.start_byte
        for child in node.children:
            kind = child.type
            if child.start_byte - end > 1:
                words.extend(self._dropped(end, child.start_byte))
                end = self._glue(end, child.start_byte)
            if kind == "variable_assignment":
                assigns.append(self._assign(child, inner))
            elif kind in _REDIRECTS:
                self._redirect(child, found)
                inner.extend(Block((step,), own=True) for step in self._after_heredoc(child))
            elif kind == "subshell":
                inner.append(Block(tuple(self._steps(child))))
            elif child.start_byte == end and words:
                words[-1] = glued(words[-1], self._raw(child, inner), quoted=kind == "string")
            else:
                words.append(self._raw(child, inner))
            end = child.end_byte
        self._unreadable = self._unreadable or holds_keyword(words)
        return found.added_to(Simple(assigns=tuple(assigns)))

    def _dropped(self, start: int, end: int) -> list[Raw]:
        r"""Words that the grammar leaves out of its tree, such as the `-` of `python - <<X`, or `\ `."""
        gap = self._source[start:end].decode("utf-8", "replace")
        self._unreadable = self._unreadable or "\n" in gap
        return [Raw(tuple(plain_pieces(word))) for word in _DROPPED.findall(gap)]

    def _glue(self, start: int, end: int) -> int:
        r"""Where the word before ends: at the next one, when a dropped `\ ` stands right before that."""
        gap = _DROPPED.findall(self._source[start:end].decode("utf-8", "replace"))
        tail = gap[-1].encode() if gap else b" "
        return end if self._source[start:end].endswith(tail) and gap else start

    def declaration(self, node: Node) -> list[Step]:
        """`export A=b` and `unset A`: assignments that are words as well."""
        self._commands += 1
        words: list[Raw] = []
        assigns: list[Assign] = []
        inner: list[Block] = []
        for child in node.children:
            if child.type == "variable_assignment":
                assigns.append(self._assign(child, inner))
                words.append(Raw(tuple(self._sourced(child))))
            else:
                words.append(self._raw(child, inner))
                assigns.extend([Assign(self._text(child))] if child.type == "variable_name" else [])
        return [Simple(tuple(words), tuple(assigns), (), tuple(inner), (), lasting=True)]

    def _sourced(self, node: Node) -> list[Piece]:
        name, *rest = node.children
        pieces = [Piece(Part.QUOTED, self._text(name))]
        for child in rest:
            self._pieces(child, pieces, [])
        return pieces

    def test(self, node: Node) -> list[Step]:
        """`[ ... ]` and `[[ ... ]]`: words for the rules, and whatever is substituted in them."""
        self._commands += 1
        inner: list[Block] = []
        words = [self._raw(leaf, inner) for leaf in leaves(node)]
        if node.children[0].type == "[[":
            inner.extend(test_sums(node))
        return [Simple(tuple(words), (), (), tuple(inner))]

    def assignment(self, node: Node) -> list[Step]:
        inner: list[Block] = []
        nodes = node.children if node.type == "variable_assignments" else [node]
        assigns = tuple(self._assign(child, inner) for child in nodes if child.type == "variable_assignment")
        return [Simple((), assigns, (), tuple(inner), (), lasting=True)]

    def _assign(self, node: Node, inner: list[Block]) -> Assign:
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        title = self._text(name).partition("[")[0] if name else ""
        if name is not None and name.type == "subscript":
            self._pieces(name, [], inner)
            inner.extend(subscript_sums(name))
        if value is None:
            return Assign(title, Raw(()))
        raw = self._raw(value, inner)
        if value.type == "array":
            listed = [child for child in value.children if self._text(child).startswith("[")]
            inner.extend(sums_of(listed, bare=False))
        appended = any(child.type == "+=" for child in node.children)
        if appended:
            raw = Raw((Piece(Part.VARIABLE, title), *raw.pieces))
        return Assign(title, None if value.type == "array" else raw)

    # Redirects

    def _redirect(self, node: Node, found: Found) -> None:
        if node.type == "herestring_redirect":
            found.documents.append(self._raw(node.children[-1], found.inner))
        elif node.type == "heredoc_redirect":
            found.documents.append(self._heredoc(node, found.inner))
            for child in node.children:
                if child.type == "file_redirect":
                    self._redirect(child, found)
                elif child.type in _ARGUMENTS:
                    found.words.append(self._raw(child, found.inner))
        else:
            self._file_redirect(node, found)

    def _file_redirect(self, node: Node, found: Found) -> None:
        """The grammar takes what follows a target for more targets; to bash they are the command's own words."""
        operator = "".join(
            self._text(child) for child in node.children if not child.is_named or child.is_error
        )
        nodes = node.children_by_field_name("destination")
        for before, after in pairwise(nodes):
            self._check_gap(before, after)
        targets = [self._raw(target, found.inner) for target in nodes]
        found.redirects.extend(Redirect(operator, target) for target in targets[:1])
        found.words.extend(targets[1:])

    def _heredoc(self, node: Node, inner: list[Block]) -> Raw:
        start = next((child for child in node.children if child.type == "heredoc_start"), None)
        body = next((child for child in node.children if child.type == "heredoc_body"), None)
        if start is None or body is None:
            return Raw(())
        text = self._text(body)
        if any(mark in self._text(start) for mark in "'\"\\"):
            return Raw((Piece(Part.QUOTED, text),))
        self._strays(text, inner)
        changes = (Piece(Part.UNKNOWN),) if "$" in text or "`" in text else ()
        return Raw((Piece(Part.QUOTED, text), *changes))


_HANDLERS: dict[str, Callable[[Reader, Node], list[Step]]] = {
    "list": Reader.chain,
    "pipeline": Reader.pipeline,
    "subshell": Reader.subshell,
    "function_definition": Reader.function,
    "for_statement": Reader.loop,
    "compound_statement": Reader.compound,
    "c_style_for_statement": Reader.counted,
    "redirected_statement": Reader.redirected,
    **dict.fromkeys(_REDIRECTS, Reader.bare_redirect),
    "declaration_command": Reader.declaration,
    "unset_command": Reader.declaration,
    "test_command": Reader.test,
    "variable_assignment": Reader.assignment,
    "variable_assignments": Reader.assignment,
}
