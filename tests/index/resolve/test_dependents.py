from tests.index.resolve.project import resolved

from toolpost.index.model import Export, Extract
from toolpost.index.resolve.dependents import Dependents, differs
from toolpost.index.resolve.stars import Pass

FILES = {
    "index.ts": "export * from './lib';\n",
    "lib/index.ts": "export * from './Button';\nexport { x } from '@acme/x';\n",
    "lib/Button.ts": "export const Button = 1;\n",
    "user.ts": "import { Button } from './lib';\nexport const used = Button;\n",
    "other.ts": "export * from './missing/thing';\n",
    "up/deep/a.ts": "export * from '../..';\n",
    "shop/__init__.py": "from . import pay\nfrom shop.cart import Cart\n",
    "shop/cart.py": "class Cart: ...\n",
}


def dependents() -> Dependents:
    return Dependents(resolved(FILES).passes)


def test_those_who_pass_on_from_a_changed_file_are_affected_at_any_remove() -> None:
    assert dependents().affected(["lib/Button.ts"]) == {
        "lib/Button.ts",
        "lib/index.ts",
        "index.ts",
        "up/deep/a.ts",
    }
    assert dependents().affected(["shop/cart.py"]) == {"shop/cart.py", "shop/__init__.py"}


def test_those_who_only_import_it_are_not() -> None:
    assert dependents().affected(["user.ts"]) == {"user.ts"}


def test_a_new_file_affects_those_that_may_have_meant_it() -> None:
    found = dependents().affected(["missing/thing.ts"], moved=["missing/thing.ts"])
    assert {"missing/thing.ts", "other.ts"} <= found
    assert "lib/index.ts" not in found
    assert "other.ts" in dependents().affected((), moved=["missing/thing/index.ts"])
    assert "shop/__init__.py" in dependents().affected((), moved=["shop/pay.py"])
    assert "up/deep/a.ts" in dependents().affected((), moved=["index.js"])


def test_settings_affect_all_that_is_passed_on_by_name() -> None:
    for path in (
        "package.json",
        "deep/tsconfig.base.json",
        "config/tsconfig/react.json",
        "pnpm-workspace.yaml",
    ):
        assert dependents().affected([path]) == {
            path,
            "lib/index.ts",
            "index.ts",
            "up/deep/a.ts",
            "shop/__init__.py",
        }
    assert dependents().affected(["lib/data.json"]) == {"lib/data.json"}


def test_only_what_others_can_see_makes_a_file_differ() -> None:
    before = Extract((Export("a", "const", line=3),), ("react",))
    assert not differs(before, Extract((Export("a", "const", line=9),), ("vue",), ("jsx",)))
    assert differs(before, Extract((Export("a", "function", line=3),), ("react",)))


def test_what_is_resolved_anew_replaces_what_was() -> None:
    known = dependents()
    assert "other.ts" in known.affected((), moved=["missing/thing.ts"])
    known.replace({"other.ts": (Pass("./lib/Button", "lib/Button.ts"),)}, gone=["index.ts", "user.ts"])
    assert known.affected(["lib/Button.ts"]) == {"lib/Button.ts", "lib/index.ts", "other.ts"}
    assert "other.ts" in known.affected((), moved=["Button.tsx"])
