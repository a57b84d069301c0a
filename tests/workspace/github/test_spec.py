import pytest

from toolpost.errors import InvalidArgument
from toolpost.workspace.github.spec import FORMS, GitHubSpec, parse_spec


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("github:octo/shop", GitHubSpec("github.com", "octo", "shop")),
        ("github:octo/shop@main", GitHubSpec("github.com", "octo", "shop", "main")),
        ("github:octo/shop@feature/a@b", GitHubSpec("github.com", "octo", "shop", "feature/a@b")),
        ("github:octo/.github", GitHubSpec("github.com", "octo", ".github")),
        ("github:Octo-Org/my_repo.js@v1.2", GitHubSpec("github.com", "Octo-Org", "my_repo.js", "v1.2")),
        ("github:git.corp.example/octo/shop", GitHubSpec("git.corp.example", "octo", "shop")),
        ("github:Git.Corp:8443/octo/shop@dev", GitHubSpec("git.corp:8443", "octo", "shop", "dev")),
        ("https://github.com/octo/shop", GitHubSpec("github.com", "octo", "shop")),
        ("https://www.github.com/octo/shop.git/", GitHubSpec("github.com", "octo", "shop")),
        (
            "https://github.com/octo/shop/tree/fix/%23one",
            GitHubSpec("github.com", "octo", "shop", "fix/#one"),
        ),
        ("https://corp.ghe.com/octo/shop", GitHubSpec("corp.ghe.com", "octo", "shop")),
    ],
)
def test_every_form_names_its_repository(text: str, spec: GitHubSpec) -> None:
    assert parse_spec(text) == spec


@pytest.mark.parametrize(
    "text",
    [
        "",
        "octo/shop",
        "github:",
        "github:octo",
        "github:octo/",
        "github:octo/shop@",
        "github:a/b/c/d",
        "github:octo/..",
        "github:octo/shop/..",
        "github:oc to/shop",
        "github:octo/shop@a..b",
        "github:octo/shop@-x",
        "github:octo/shop@../../user",
        "github:octo/shop@a b",
        "github:octo/shop@a\nb",
        "github:octo/shop@a.lock",
        "github:octo/shop@.hidden",
        "github:octo/shop@x/.y",
        "github:octo/shop@a//b",
        "github:octo/shop@a?recursive=1",
        "github:octo/shop@" + "a" * 256,
        "github:git.corp:x/octo/shop",
        "github:-git/octo/shop",
        "http://github.com/octo/shop",
        "https://example.com/octo/shop",
        "https://github.com.example.com/octo/shop",
        "https://user:secret@github.com/octo/shop",
        "https://github.com/octo",
        "https://github.com/octo/shop/tree",
        "https://github.com/octo/shop/blob/main/README.md",
        "https://github.com/octo/shop?tab=readme",
    ],
)
def test_anything_else_is_refused_with_the_forms_and_without_the_text(text: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        parse_spec(text)
    problem = refused.value.problem()
    assert problem.detail.endswith(f"Give it as one of: {', '.join(FORMS)}.")
    assert (problem.parameter, problem.suggested) == ("repository", "github:owner/name")
    assert "secret" not in problem.detail


@pytest.mark.parametrize(
    ("host", "base_url"),
    [
        ("github.com", "https://api.github.com"),
        ("corp.ghe.com", "https://api.corp.ghe.com"),
        ("git.corp.example:8443", "https://git.corp.example:8443/api/v3"),
    ],
)
def test_each_kind_of_host_has_its_api_somewhere_else(host: str, base_url: str) -> None:
    assert GitHubSpec(host, "octo", "shop").base_url == base_url


def test_people_see_a_name_and_an_address() -> None:
    tip, branch = GitHubSpec("github.com", "octo", "shop"), GitHubSpec("github.com", "octo", "shop", "a/b")
    assert (tip.shown, tip.web_url) == ("octo/shop@HEAD", "https://github.com/octo/shop")
    assert (branch.shown, branch.web_url) == ("octo/shop@a/b", "https://github.com/octo/shop/tree/a/b")
