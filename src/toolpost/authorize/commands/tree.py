"""The grammar's tree of a shell text, in time that stays in proportion to it."""

from functools import lru_cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from toolpost.limits import COMMAND_CHUNK_BYTES, COMMAND_LOOKS, COMMAND_UNBOUNDED_CHARS


@lru_cache(1)
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


def tree_of(source: bytes) -> Node | None:
    """None when the parser looks back so often that its time is no longer in proportion to the text."""
    if len(source) <= COMMAND_UNBOUNDED_CHARS:
        return _parser().parse(source).root_node
    budget = [COMMAND_LOOKS * (len(source) // COMMAND_CHUNK_BYTES + 8)]

    def chunk(offset: int, _: object) -> bytes:
        budget[0] -= 1
        return source[offset : offset + COMMAND_CHUNK_BYTES] if budget[0] > 0 else b""

    root = _parser().parse(chunk).root_node
    return root if budget[0] > 0 else None
