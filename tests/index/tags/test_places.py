import pytest

from toolpost.index.extract.languages import language_of
from toolpost.index.tags.known import known
from toolpost.index.tags.places import named


def by_name(path: str) -> set[str]:
    folder, _, name = path.rpartition("/")
    return set(named(folder, name, language_of(path)))


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("src/Button/Button.test.tsx", {"typescript", "test"}),
        ("src/Button/Button.spec.js", {"javascript", "test"}),
        ("tests/test_cart.py", {"python", "test"}),
        ("tests/tools.py", {"python", "test"}),
        ("tests/data.json", {"json", "data"}),
        ("cart_test.go", {"go", "test"}),
        ("src/CartTest.java", {"java", "test"}),
        ("src/__tests__/a.js", {"javascript", "test"}),
        ("shop/latest.py", {"python"}),
        ("tests/fixtures/page.html", {"html", "template", "fixture"}),
        ("tests/conftest.py", {"python", "test", "fixture"}),
        ("src/__mocks__/fs.js", {"javascript", "mock"}),
        ("e2e/login.ts", {"typescript", "e2e"}),
        ("cypress/login.cy.ts", {"typescript", "e2e"}),
        ("web/e2e/plan.md", {"markdown", "docs"}),
        ("benchmarks/run.py", {"python", "benchmark"}),
        ("examples/shop/pay.py", {"python", "example"}),
        ("src/x.stories.tsx", {"typescript", "story"}),
        ("vite.config.ts", {"typescript", "config"}),
        ("tsconfig.build.json", {"json", "config"}),
        (".eslintrc.json", {"json", "config"}),
        (".prettierrc", {"json", "config"}),
        ("package.json", {"json", "config"}),
        ("config/site.yaml", {"yaml", "config"}),
        ("src/cities.json", {"json", "data"}),
        ("locales/de.json", {"json", "locale"}),
        ("po/de.po", {"locale"}),
        ("package-lock.json", {"json", "lockfile"}),
        (".github/workflows/ci.yml", {"yaml", "ci"}),
        ("src/workflows/ship.yml", {"yaml", "data"}),
        ("Dockerfile", {"dockerfile", "container"}),
        ("compose.yaml", {"yaml", "container"}),
        ("Makefile", {"makefile", "build"}),
        ("src/a.module.scss", {"scss", "style"}),
        ("src/Button.styles.ts", {"typescript", "style"}),
        ("README.md", {"markdown", "docs"}),
        ("LICENSE", {"text", "docs"}),
        ("api/shop.proto", {"protobuf", "schema"}),
        ("api/openapi.yaml", {"yaml", "schema"}),
        ("db/migrations/0001_first.py", {"python", "migration"}),
        ("db/migrations/README.md", {"markdown", "docs"}),
        ("vendor/left-pad/pad.js", {"javascript", "vendored"}),
        ("web/node_modules/x/package.json", {"json", "config", "vendored"}),
        ("src/jquery.min.js", {"javascript", "minified"}),
        ("api/shop_pb2.py", {"python", "generated"}),
        ("api/shop.pb.go", {"go", "generated"}),
        ("src/button.d.ts", {"typescript", "types"}),
        ("shop/cart.pyi", {"python", "types"}),
        ("main.go", {"go", "entrypoint"}),
        ("src/main.ts", {"typescript", "entrypoint"}),
        ("src/index.ts", {"typescript", "entrypoint"}),
        ("src/Button/index.ts", {"typescript"}),
        ("shop/__main__.py", {"python", "entrypoint"}),
        ("run.sh", {"shell", "script"}),
        ("src/logo.svg", {"svg", "asset"}),
        ("src/Card.vue", {"vue", "vue-component"}),
        ("src/Card.svelte", {"svelte", "svelte-component"}),
        ("src/Card.astro", {"astro", "astro-component"}),
        ("src/a.snap", {"fixture"}),
        ("src/main.tf", {"terraform", "config"}),
        ("notes", set()),
    ],
)
def test_a_path_tells_what_a_file_is(path: str, told: set[str]) -> None:
    assert by_name(path) == told
    assert told <= known().keys()
