import json

import pytest
from tests.index.resolve.project import found

from toolpost.index.resolve.packages import targets

MONOREPO = {
    "package.json": '{"name": "root", "workspaces": ["packages/*", "!packages/old", "{{{"]}',
    "packages/ui/package.json": """{
        "name": "@acme/ui",
        "exports": {
            ".": {"types": "./dist/index.d.ts", "import": "./dist/esm/index.js"},
            "./Button": "./src/Button/index.ts",
            "./icons/*": {"default": "./dist/icons/*.js"},
            "./hidden": null
        }
    }""",
    "packages/ui/src/index.ts": "",
    "packages/ui/src/Button/index.ts": "",
    "packages/ui/src/icons/Star.tsx": "",
    "packages/ui/src/theme.ts": "",
    "packages/util/package.json": '{"name": "util-belt", "main": "lib/main.js"}',
    "packages/util/lib/main.js": "",
    "packages/bare/package.json": '{"name": "bare"}',
    "packages/bare/index.js": "",
    "packages/made/package.json": '{"name": "made", "module": "./dist/made.js", "main": "../../../out.js"}',
    "packages/made/made.ts": "",
    "packages/nameless/package.json": '{"private": true}',
    "fixtures/react/package.json": '{"name": "react", "main": "index.js"}',
    "fixtures/react/index.js": "",
    "fixtures/react/use.js": "",
    "packages/node_modules/left-pad/package.json": '{"name": "left-pad"}',
    "packages/node_modules/left-pad/index.js": "",
}


@pytest.mark.parametrize(
    ("specifier", "path"),
    [
        ("@acme/ui", "packages/ui/src/index.ts"),
        ("@acme/ui/Button", "packages/ui/src/Button/index.ts"),
        ("@acme/ui/icons/Star", "packages/ui/src/icons/Star.tsx"),
        ("@acme/ui/theme", "packages/ui/src/theme.ts"),
        ("@acme/ui/absent", ""),
        ("util-belt", "packages/util/lib/main.js"),
        ("bare", "packages/bare/index.js"),
        ("made", "packages/made/made.ts"),
        ("react", ""),
        ("left-pad", ""),
        ("@acme", ""),
    ],
)
def test_a_package_of_the_workspace_is_found_by_its_name(specifier: str, path: str) -> None:
    assert found(MONOREPO, "apps/web/main.ts", specifier) == path


def test_a_package_outside_the_workspace_is_found_only_from_within() -> None:
    assert found(MONOREPO, "fixtures/react/use.js", "react") == "fixtures/react/index.js"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "pnpm-workspace.yaml",
            "# members\npackages:\n  # all\n  - 'libs/*' # here\ncatalog:\n  - nothing\n",
        ),
        ("lerna.json", '{"packages": ["libs/*"]}'),
        ("package.json", '{"workspaces": {"packages": ["./libs/*/"]}}'),
    ],
)
def test_every_way_to_name_the_members_of_a_workspace_is_read(name: str, text: str) -> None:
    files = {
        name: text,
        "libs/one/package.json": '{"name": "one"}',
        "libs/one/src/index.ts": "",
        "samples/two/package.json": '{"name": "two"}',
        "samples/two/src/index.ts": "",
        "Cargo.toml": "",
    }
    assert found(files, "a.ts", "one") == "libs/one/src/index.ts"
    assert found(files, "a.ts", "two") == ""


def test_of_two_packages_of_one_name_the_nearer_is_meant() -> None:
    files = {
        "a/lib/package.json": '{"name": "lib"}',
        "a/lib/index.js": "",
        "b/lib/package.json": '{"name": "lib"}',
        "b/lib/index.js": "",
    }
    assert found(files, "a/app/x.js", "lib") == "a/lib/index.js"
    assert found(files, "b/app/x.js", "lib") == "b/lib/index.js"
    assert found(files, "b/lib/inner/x.js", "lib") == "b/lib/index.js"


def test_a_name_with_a_hash_is_explained_by_the_package_around() -> None:
    files = {
        "package.json": '{"name": "app", "imports": {"#db": "./src/db.ts", "#x/*": "./src/x/*.js", "#dep": "dep", "#up": "./../../x"}}',
        "src/db.ts": "",
        "src/x/one.ts": "",
        "dep/package.json": '{"name": "dep", "exports": "./dep.js"}',
        "dep/dep.js": "",
    }
    assert found(files, "src/deep/a.ts", "#db") == "src/db.ts"
    assert found(files, "src/deep/a.ts", "#x/one") == "src/x/one.ts"
    assert found(files, "src/deep/a.ts", "#dep") == "dep/dep.js"
    assert found(files, "src/deep/a.ts", "#up") == ""
    assert found(files, "src/deep/a.ts", "#none") == ""
    assert found({"src/a.ts": ""}, "src/a.ts", "#none") == ""


@pytest.mark.parametrize(
    ("table", "key", "told"),
    [
        ("./a.js", ".", ["./a.js"]),
        (["./a.js", {"default": "./b.js"}], ".", ["./a.js", "./b.js"]),
        ({"require": "./r.cjs", "import": "./i.mjs"}, ".", ["./i.mjs", "./r.cjs"]),
        ({"worker": "./w.js"}, ".", ["./w.js"]),
        ({"./*": "./src/*.js", "./a/*": "./deep/*.js"}, "./a/b", ["./deep/b.js"]),
        ({"./*.js": "./src/*.ts"}, "./a.js", ["./src/a.ts"]),
        ({"./*.js": "./src/*.ts"}, "./.j", []),
        ({"./a": None}, "./a", []),
        (None, ".", []),
        (7, ".", []),
        (json.loads('{"a":' * 200 + '"./deep.js"' + "}" * 200), ".", []),
    ],
)
def test_a_table_of_exports_is_read_as_node_reads_it(table: object, key: str, told: list[str]) -> None:
    assert list(targets(table, key)) == told
