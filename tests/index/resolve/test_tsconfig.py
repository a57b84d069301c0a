from tests.index.resolve.project import found

ALIASED = {
    "tsconfig.json": """// the whole project
{
  "compilerOptions": {
    /* names */
    "paths": {
      "@app/*": ["./src/app/*", "./src/shared/*"],
      "@app/core": ["./src/core/entry"],
      "~/*": ["src/*",],
      "*.svg": ["./src/svg.d.ts"],
    },
  },
}""",
    "src/app/one.ts": "",
    "src/shared/two.ts": "",
    "src/core/entry.ts": "",
    "src/svg.d.ts": "",
    "src/here.ts": "",
}


def test_paths_are_tried_in_order_and_the_most_particular_pattern_wins() -> None:
    assert found(ALIASED, "src/x/a.ts", "@app/one") == "src/app/one.ts"
    assert found(ALIASED, "src/x/a.ts", "@app/two") == "src/shared/two.ts"
    assert found(ALIASED, "src/x/a.ts", "@app/core") == "src/core/entry.ts"
    assert found(ALIASED, "src/x/a.ts", "~/here") == "src/here.ts"
    assert found(ALIASED, "src/x/a.ts", "logo.svg") == "src/svg.d.ts"
    assert found(ALIASED, "src/x/a.ts", "@app/none") == ""


def test_what_stands_before_and_after_the_star_does_not_overlap() -> None:
    files = {"tsconfig.json": '{"compilerOptions": {"paths": {"ab*ba": ["./*x"]}}}', "x.ts": "", "-x.ts": ""}
    assert found(files, "m.ts", "aba") == ""
    assert found(files, "m.ts", "abba") == "x.ts"
    assert found(files, "m.ts", "ab-ba") == "-x.ts"


def test_base_url_makes_every_folder_below_it_a_name() -> None:
    files = {
        "web/jsconfig.json": '{"compilerOptions": {"baseUrl": "./src", "paths": {"u/*": ["util/*"]}}}',
        "web/src/pages/home.js": "",
        "web/src/util/text.js": "",
    }
    assert found(files, "web/src/a.js", "pages/home") == "web/src/pages/home.js"
    assert found(files, "web/src/a.js", "u/text") == "web/src/util/text.js"
    assert found(files, "a.js", "pages/home") == ""


def test_a_config_extends_others_and_the_nearest_word_counts() -> None:
    files = {
        "tsconfig.base.json": '{"compilerOptions": {"paths": {"lib/*": ["./libs/*"]}}}',
        "other.json": '{"compilerOptions": {"baseUrl": "."}}',
        "apps/a/tsconfig.json": '{"extends": ["../../other.json", "../../tsconfig.base"]}',
        "apps/b/tsconfig.json": '{"extends": "../../tsconfig.base.json", "compilerOptions": {"paths": {"lib/*": ["./own/*"]}}}',
        "apps/c/tsconfig.json": '{"extends": "./loop.json"}',
        "apps/c/loop.json": '{"extends": "./tsconfig.json", "compilerOptions": {"paths": {"c/*": ["./*"]}}}',
        "apps/d/tsconfig.json": '{"extends": ["@acme/config/base.json", "@acme/none", "../../../../far.json", 7]}',
        "config/package.json": '{"name": "@acme/config"}',
        "config/base.json": '{"compilerOptions": {"paths": {"d/*": ["${configDir}/made/*"]}}}',
        "libs/x.ts": "",
        "apps/b/own/x.ts": "",
        "apps/c/y.ts": "",
        "apps/d/made/z.ts": "",
    }
    assert found(files, "apps/a/m.ts", "lib/x") == "libs/x.ts"
    assert found(files, "apps/a/m.ts", "libs/x") == "libs/x.ts"
    assert found(files, "apps/b/m.ts", "lib/x") == "apps/b/own/x.ts"
    assert found(files, "apps/c/m.ts", "c/y") == "apps/c/y.ts"
    assert found(files, "apps/d/m.ts", "d/z") == "apps/d/made/z.ts"


def test_a_config_that_only_refers_to_others_has_their_names() -> None:
    files = {
        "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.node.json"}, {"path": "./app"}, {}, {"path": "../x"}]}',
        "tsconfig.node.json": '{"compilerOptions": {}}',
        "app/tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["../src/*"]}}}',
        "src/a.ts": "",
        "lone/tsconfig.json": '{"references": [{"path": "../nowhere"}]}',
    }
    assert found(files, "src/b.ts", "@/a") == "src/a.ts"
    assert found(files, "lone/b.ts", "@/a") == "src/a.ts"


def test_what_is_no_config_gives_no_names() -> None:
    files = {
        "tsconfig.json": "[1",
        "a/tsconfig.json": "[]",
        "b/tsconfig.json": '{"compilerOptions": {"paths": {"x": 7, "y": ["../../out"]}, "baseUrl": 3}}',
        "b/x.ts": "",
    }
    for folder in ("", "a/", "b/"):
        assert found(files, f"{folder}m.ts", "x") == ""
        assert found(files, f"{folder}m.ts", "y") == ""
