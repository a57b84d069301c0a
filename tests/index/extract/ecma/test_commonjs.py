"""What modules of Node and compilers write."""

from toolpost.index.extract import ecma
from toolpost.index.model import STAR, Export

COMPILED = b"""Object.defineProperty(exports, "__esModule", {
  value: true
});
Object.defineProperty(exports, "A", {
  enumerable: true,
  get: function () {
    return _A.default;
  }
});
Object.defineProperty(exports, "B", {
  enumerable: true,
  get: function () {
    return _unknown.b;
  }
});
var _A = _interop(require("./A"));
let held=require("./held"), _C = require("./C");
"""


def test_a_barrel_of_a_compiler_passes_on_what_its_getters_return() -> None:
    assert ecma.extract("a.js", COMPILED).exports == (
        Export("A", "", "default", "./A", 4),
        Export("B", "value", line=10),
    )


def test_what_a_compiler_wrote_counts_only_as_code() -> None:
    assert ecma.extract("a.js", b"/*" + COMPILED.replace(b"/", b"|") + b"*/\n").exports == ()


def test_what_is_assigned_to_all_exports_at_once_is_exported() -> None:
    text = b"""Object.assign(module.exports, { a: 1, b, c() {} }, require("./x"), more, { not_read });
Object.assign(exports, require("./y"), { d });
"""
    assert ecma.extract("a.js", text).exports == (
        Export("a", "value", line=1),
        Export("b", line=1),
        Export("c", "function", line=1),
        Export(STAR, source="./x", line=1),
        Export(STAR, source="./y", line=2),
        Export("d", line=2),
    )


def test_what_another_object_is_assigned_is_not_exported() -> None:
    text = b"myObject.assign(exports, { a });\n// Object.assign(exports, { b })\nObject.assign(exports);\n"
    assert ecma.extract("a.js", text).exports == ()
