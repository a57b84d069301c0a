import pytest
from tests.index.resolve.project import found, resolved, tree

from toolpost.index.resolve.modules import Modules

RELATIVE = dict.fromkeys(
    (
        "src/typed.ts",
        "src/view.tsx",
        "src/plain.js",
        "src/both.js",
        "src/both.d.ts",
        "src/data.json",
        "src/Card.vue",
        "src/Page.svelte",
        "src/Button/index.ts",
        "src/Legacy/index.js",
        "src/deep/one.mts",
        "src/Button.styles.ts",
        "src/twice.ts",
        "src/twice/index.ts",
        "index.ts",
    ),
    "",
)


@pytest.mark.parametrize(
    ("importer", "specifier", "path"),
    [
        ("src/a.ts", "./typed", "src/typed.ts"),
        ("src/a.ts", "./view", "src/view.tsx"),
        ("src/a.ts", "./view.js", "src/view.tsx"),
        ("src/a.ts", "./typed.js", "src/typed.ts"),
        ("src/a.js", "./typed.js", "src/typed.ts"),
        ("src/a.ts", "./plain.js", "src/plain.js"),
        ("src/a.ts", "./plain", "src/plain.js"),
        ("src/a.ts", "./deep/one.mjs", "src/deep/one.mts"),
        ("src/a.ts", "./data.json", "src/data.json"),
        ("src/a.ts", "./Card.vue", "src/Card.vue"),
        ("src/a.ts", "./Page", "src/Page.svelte"),
        ("src/a.ts", "./Button", "src/Button/index.ts"),
        ("src/a.js", "./Legacy/", "src/Legacy/index.js"),
        ("src/Button/b.ts", ".", "src/Button/index.ts"),
        ("src/Button/b.ts", "..", ""),
        ("src/a.ts", "..", "index.ts"),
        ("src/a.ts", "./Button.styles", "src/Button.styles.ts"),
        ("src/a.ts", "./twice", "src/twice.ts"),
        ("src/a.ts", "./twice/", "src/twice/index.ts"),
        ("src/a.ts", "./data.json?raw", "src/data.json"),
        ("src/a.ts", "!!raw-loader!./data.json", "src/data.json"),
        ("src/a.ts", "./absent", ""),
        ("src/a.ts", "../../outside", ""),
        ("src/a.ts", "react", ""),
        ("src/a.ts", "", ""),
        ("src/a.css", "./typed", ""),
    ],
)
def test_a_relative_module_is_found_as_a_bundler_finds_it(importer: str, specifier: str, path: str) -> None:
    assert found(RELATIVE, importer, specifier) == path


def test_javascript_imports_javascript_and_typescript_its_declaration() -> None:
    assert found(RELATIVE, "src/a.js", "./both") == "src/both.js"
    assert found(RELATIVE, "src/a.ts", "./both") == "src/both.d.ts"
    assert found(RELATIVE, "src/a.js", "./both.js") == "src/both.js"


def test_several_are_told_in_their_order_and_those_from_outside_are_none() -> None:
    modules = Modules(tree(RELATIVE))
    assert modules.all("src/a.ts", ("react", "./typed", "./typed")) == [
        (),
        ("src/typed.ts",),
        ("src/typed.ts",),
    ]


def test_edges_are_the_files_imported_each_once_without_the_importer() -> None:
    files = {
        "a.ts": "import './b'\nimport x from 'react'\nimport {y} from './b.js'\nexport * from './c'\nimport './a'\n",
        "b.ts": "",
        "c.ts": "export const c = 1",
        "d.ts": "import 'react'",
    }
    assert resolved(files).edges == {"a.ts": ("b.ts", "c.ts")}


def test_a_folder_with_a_manifest_is_the_file_it_names() -> None:
    files = {
        "lib/package.json": '{"main": "./entry.js"}',
        "lib/entry.js": "",
        "lib/index.js": "",
        "odd/package.json": '{"main": "."}',
        "odd/index.js": "",
        "deep/package.json": '{"main": "inner"}',
        "deep/inner/index.js": "",
    }
    assert found(files, "a.js", "./lib") == "lib/entry.js"
    assert found(files, "a.js", "./odd") == "odd/index.js"
    assert found(files, "a.js", "./deep") == "deep/inner/index.js"


PYTHON = dict.fromkeys(
    (
        "src/shop/__init__.py",
        "src/shop/cart.py",
        "src/shop/pay/__init__.py",
        "src/shop/pay/card.py",
        "src/shop/typed.pyi",
        "tests/test_cart.py",
        "tests/tools.py",
        "apps/web/pyproject.toml",
        "apps/web/src/web/__init__.py",
        "apps/web/src/web/views.py",
    ),
    "",
)


@pytest.mark.parametrize(
    ("importer", "module", "path"),
    [
        ("src/shop/pay/card.py", ".", "src/shop/pay/__init__.py"),
        ("src/shop/pay/card.py", "..cart", "src/shop/cart.py"),
        ("src/shop/pay/card.py", "..", "src/shop/__init__.py"),
        ("src/shop/cart.py", ".pay.card", "src/shop/pay/card.py"),
        ("src/shop/cart.py", ".typed", "src/shop/typed.pyi"),
        ("src/shop/cart.py", ".....far", ""),
        ("tests/test_cart.py", "shop.pay", "src/shop/pay/__init__.py"),
        ("tests/test_cart.py", "tools", "tests/tools.py"),
        ("tests/test_cart.py", "web.views", "apps/web/src/web/views.py"),
        ("src/shop/pay/card.py", "shop.cart", "src/shop/cart.py"),
        ("src/shop/pay/card.py", "cart", ""),
        ("src/shop/pay/card.py", "os.path", ""),
    ],
)
def test_a_python_module_is_found_beside_its_importer_or_below_a_root(
    importer: str, module: str, path: str
) -> None:
    assert found(PYTHON, importer, module) == path


def test_a_go_package_is_every_file_of_its_folder_but_its_tests() -> None:
    files = {
        "go.mod": "module example.com/shop\n\ngo 1.22\n",
        "main.go": "",
        "cart/cart.go": "",
        "cart/price.go": "",
        "cart/cart_test.go": "",
        "cart/README.md": "",
        "tool/go.mod": "// a tool\nmodule example.com/shop/tool\n",
        "tool/run/run.go": "",
        "broken/go.mod": "nothing",
    }
    modules = Modules(tree(files))
    assert modules.find("main.go", "example.com/shop/cart") == ("cart/cart.go", "cart/price.go")
    assert modules.find("main.go", "example.com/shop") == ("main.go",)
    assert modules.find("main.go", "example.com/shop/tool/run") == ("tool/run/run.go",)
    assert modules.find("main.go", "fmt") == ()


@pytest.mark.parametrize(
    ("importer", "module", "path"),
    [
        ("src/lib.rs", "cart", "src/cart.rs"),
        ("src/lib.rs", "self::pay", "src/pay/mod.rs"),
        ("src/pay/mod.rs", "card", "src/pay/card.rs"),
        ("src/pay/card.rs", "crate::cart::Cart", "src/cart.rs"),
        ("src/pay/card.rs", "super::cash", "src/pay/cash.rs"),
        ("src/pay/card.rs", "super::super::cart", "src/cart.rs"),
        ("src/cart.rs", "line", "src/cart/line.rs"),
        ("src/cart.rs", "std::io", ""),
        ("other/x.rs", "crate::cart", ""),
        ("x.rs", "super::super::super::cart", ""),
        ("lib.rs", "super::cart", ""),
        ("src/lib.rs", "", ""),
        ("src/lib.rs", "::", ""),
    ],
)
def test_a_rust_module_is_found_by_its_path(importer: str, module: str, path: str) -> None:
    files = dict.fromkeys(
        (
            "src/lib.rs",
            "src/cart.rs",
            "src/cart/line.rs",
            "src/pay/mod.rs",
            "src/pay/card.rs",
            "src/pay/cash.rs",
        ),
        "",
    )
    assert found(files, importer, module) == path


def test_an_included_file_is_found_beside_above_or_in_an_include_folder() -> None:
    files = dict.fromkeys(("src/a/near.h", "include/shop/cart.h", "src/top.h"), "")
    assert found(files, "src/a/x.c", "near.h") == "src/a/near.h"
    assert found(files, "src/a/x.c", "shop/cart.h") == "include/shop/cart.h"
    assert found(files, "src/a/x.c", '"top.h"') == "src/top.h"
    assert found(files, "src/a/x.cpp", "<vector>") == ""
    assert found(files, "x.c", "../up.h") == ""
    modules = Modules(tree(files))
    assert modules.find("src/a/b/x.c", "top.h") == ("src/top.h",)
    assert modules.find("src/a/c/x.c", "top.h") == ("src/top.h",)
