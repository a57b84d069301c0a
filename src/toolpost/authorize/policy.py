"""One policy file: its rules, its tests and the servers whose annotations count, each with the line it stands on."""

import re
import tomllib
from collections import deque
from collections.abc import Iterator
from typing import Any, NoReturn

from msgspec import Struct

from toolpost.authorize.grammar import RuleError, parse_rule, shown
from toolpost.authorize.rule import Rule
from toolpost.authorize.toml_places import Places, Spot, Text
from toolpost.authorize.trial import NAMES, can_try
from toolpost.authorize.unreachable import unreachable
from toolpost.limits import POLICY_RULES
from toolpost.result import Decision
from toolpost.suggest import nearest

FILE = "policy.toml"
MODES = ("plan", "ask", "edit", "auto", "headless", "yolo")
_TABLES = ("permissions", "test")
_LISTS = ("deny", "ask", "allow", "trust_annotations")
_KEYS = (*_LISTS, "mode")
_TEST_KEYS = ("call", "expect")
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")


class PolicyError(ValueError):
    """A policy that cannot be used: nothing is judged by a part of it. Lines and columns count from 1."""

    def __init__(self, message: str, *, file: str, fix: str, line: int = 0, column: int = 0) -> None:
        where = ":".join(str(part) for part in (file, line, column) if part)
        super().__init__(f"{where}: {message}")
        self.add_note(fix)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.fix = fix


class PolicyTest(Struct, frozen=True, kw_only=True):
    """A call of which the file says itself what is to be decided about it."""

    call: dict[str, Any]
    """The name of a tool, and its arguments or the one that matters."""
    expect: Decision
    file: str
    line: int


class PolicyFile(Struct, frozen=True, kw_only=True):
    rules: tuple[Rule, ...] = ()
    tests: tuple[PolicyTest, ...] = ()
    servers: tuple[str, ...] = ()
    """Those whose tool annotations count."""
    mode: str = ""
    warnings: tuple[str, ...] = ()


def read_policy(data: bytes, layer: str, file: str) -> PolicyFile:
    """`layer` is `admin`, `user` or `project`; `file` is where the bytes come from. Raises PolicyError."""
    return _Reader(data, layer, file).policy()


class _Reader:
    def __init__(self, data: bytes, layer: str, file: str) -> None:
        self._file = file
        self._layer = f"{layer}:{file.rpartition('/')[2]}"
        text = self._decoded(data)
        self._table = self._parsed(text)
        self._places = Places(text)

    def policy(self) -> PolicyFile:
        self._know(self._table, _TABLES)
        permissions = self._table.get("permissions", {})
        if not isinstance(permissions, dict):
            self._refuse(
                "permissions is no table.", self._places.first("permissions"), "Write [permissions]."
            )
        self._know(permissions, _KEYS, "permissions")
        rules = tuple(rule for decision in Decision for rule in self._rules(permissions, decision))
        servers = tuple(text.value for text in self._texts(permissions, "trust_annotations"))
        return PolicyFile(
            rules=tuple(sorted(rules, key=lambda rule: int(rule.layer.rpartition(":")[2]))),
            tests=tuple(self._tests()),
            servers=servers,
            mode=self._mode(permissions),
            warnings=unreachable(rules),
        )

    def _decoded(self, data: bytes) -> str:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self._refuse("This is not UTF-8.", Spot(line, 1), "Save the file as UTF-8.")

    def _parsed(self, text: str) -> dict[str, Any]:
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            found = _AT.search(str(error))
            line, column = (int(part or 0) for part in found.groups()) if found else (0, 0)
            message = _AT.sub("", str(error))
            self._refuse(f"Not TOML: {message}.", Spot(line, column), "Mend the file by hand.")
        except RecursionError:
            self._refuse("It is nested too deeply.", Spot(1, 1), "Mend the file by hand.")

    def _know(self, table: dict[str, Any], known: tuple[str, ...], *path: str) -> None:
        for key in table:
            if key not in known:
                near = nearest(key, known, most=1)
                fix = f"Did you mean {near[0]}?" if near else f"Known are {', '.join(known)}."
                if key in _KEYS:
                    fix = f"{key} belongs under [permissions]: write it below that line."
                self._refuse(f"There is no key {shown(key)}.", self._places.first(*path, key), fix)

    def _rules(self, permissions: dict[str, Any], decision: Decision) -> Iterator[Rule]:
        for text in self._texts(permissions, decision):
            try:
                yield parse_rule(text.value, decision, f"{self._layer}:{text.spot.line}")
            except RuleError as error:
                line, column = text.spot
                column += error.column - 1 if text.is_plain else 0
                self._refuse(f"{shown(text.value)}: {error.message}", Spot(line, column), error.fix)

    def _texts(self, permissions: dict[str, Any], key: str) -> Iterator[Text]:
        """The strings of a list, with their places."""
        values, spot = permissions.get(key, []), self._places.first("permissions", key)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            self._refuse(f"{key} is no list of texts.", spot, f'Write {key} = ["...", "..."].')
        if len(values) > POLICY_RULES:
            self._refuse(f"{len(values):,} rules are too many.", spot, f"Keep to {POLICY_RULES:,}.")
        written: dict[str, deque[Text]] = {}
        for statement in self._places.of("permissions", key):
            for text in statement.texts:
                written.setdefault(text.value, deque()).append(text)
        for value in values:
            places = written.get(value)
            yield places.popleft() if places else Text(value, spot, is_plain=False)

    def _mode(self, permissions: dict[str, Any]) -> str:
        mode = permissions.get("mode", "")
        if mode not in ("", *MODES):
            spot = self._places.first("permissions", "mode")
            self._refuse(f"There is no mode {shown(mode)}.", spot, f"Known are {', '.join(MODES)}.")
        return str(mode)

    def _tests(self) -> Iterator[PolicyTest]:
        tests = self._table.get("test", [])
        headers = [one.spot for one in self._places.of("test") if one.is_header and one.path == ("test",)]
        first = self._places.first("test")
        if not isinstance(tests, list) or not all(isinstance(test, dict) for test in tests):
            self._refuse("test is no list of tables.", first, "Write [[test]].")
        for at, test in enumerate(tests):
            yield self._test(test, headers[at] if len(headers) == len(tests) else first)

    def _test(self, test: dict[str, Any], spot: Spot) -> PolicyTest:
        strange = [key for key in test if key not in _TEST_KEYS]
        call, expect = test.get("call"), test.get("expect")
        if strange:
            self._refuse(f"A test has no key {shown(strange[0])}.", spot, "It has call and expect.")
        if not isinstance(call, dict) or len(call) != 1:
            self._refuse(
                "A test calls one tool.",
                spot,
                'Write call = {run_command = "make"} or {fs.read = {path = "x"}}.',
            )
        if expect not in list(Decision):
            self._refuse(f"A test cannot expect {shown(expect)}.", spot, f"Known are {', '.join(Decision)}.")
        return PolicyTest(
            call=self._call(call, spot), expect=Decision(str(expect)), file=self._file, line=spot.line
        )

    def _call(self, call: dict[str, Any], spot: Spot) -> dict[str, Any]:
        """With the tool's name whole: a bare `fs.read` is a table in a table for TOML."""
        ((tool, said),) = call.items()
        while not can_try(tool) and isinstance(said, dict) and len(said) == 1:
            ((part, said),) = said.items()
            tool = f"{tool}.{part}"
        if not can_try(tool):
            fix = f'Known are {", ".join(NAMES)}, and any "server/tool" in quotes.'
            self._refuse(f"A test cannot try the tool {shown(next(iter(call)))}.", spot, fix)
        return {tool: said}

    def _refuse(self, message: str, spot: Spot, fix: str) -> NoReturn:
        raise PolicyError(message, file=self._file, fix=fix, line=spot.line, column=spot.column)
