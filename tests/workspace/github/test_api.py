import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.fakes.github import Fault, GitHubServer, git_hash

from toolpost.errors import NoConnection, NotFound, RemoteFailed, ToolError
from toolpost.limits import REMOTE_LISTING_BYTES
from toolpost.workspace.github.api import EMPTY_TREE, GitHubApi, Tip
from toolpost.workspace.github.remote import Remote
from toolpost.workspace.github.spec import GitHubSpec
from toolpost.workspace.github.tree import Listing

Opener = Callable[..., GitHubApi]
CONTENT = b"# Shop\n"
BLOB = git_hash("blob", CONTENT)


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with GitHubServer() as server:
        server.repository("octo/shop", {"README.md": CONTENT})
        yield server


@pytest.fixture
def opened(server: GitHubServer) -> Iterator[Opener]:
    made: list[GitHubApi] = []

    def make(ref: str = "HEAD", repo: str = "shop", token: str | None = None) -> GitHubApi:
        remote = Remote(server.url, token, sleep=lambda _seconds: None)
        made.append(GitHubApi(GitHubSpec("github.com", "octo", repo, ref), remote))
        return made[-1]

    yield make
    for api in made:
        api.remote.close()


def refusal(action: Callable[[], object]) -> ToolError:
    with pytest.raises(ToolError) as caught:
        action()
    return caught.value


@pytest.mark.parametrize("ref", ["HEAD", "main", "heads/main", "fix/#1 ☃".replace(" ", "-"), "v1.0"])
def test_a_ref_of_any_kind_names_its_commit(server: GitHubServer, opened: Opener, ref: str) -> None:
    repository = server.switches.repositories["octo/shop"]
    commit = repository.refs["main"]
    repository.refs |= {"fix/#1-☃": commit, "v1.0": commit}
    assert opened(ref).tip().commit == commit


def test_a_commit_named_whole_is_not_asked_for(server: GitHubServer, opened: Opener) -> None:
    assert opened("a" * 40).tip() == Tip("a" * 40)
    assert server.log == []


def test_a_ref_that_did_not_move_costs_nothing(server: GitHubServer, opened: Opener) -> None:
    server.switches.tokens.add("word")
    server.switches.limit, server.switches.reset = 5_000, 1
    api = opened(token="word")
    first = api.tip()
    left = server.switches.remaining
    assert api.tip(first) == first
    assert (server.switches.remaining, len(server.log)) == (left, 2)
    moved = server.switches.repositories["octo/shop"].commit({"a": b""})
    assert api.tip(first).commit == moved


def test_a_repository_without_a_commit_has_an_empty_tree(server: GitHubServer, opened: Opener) -> None:
    server.repository("octo/new")
    api = opened(repo="new")
    assert (api.tip(), api.tree_sha("")) == (Tip(""), EMPTY_TREE)
    assert (api.list_deep(EMPTY_TREE), api.list_flat(EMPTY_TREE)) == (Listing([]), Listing([]))


def test_a_repository_that_cannot_be_seen_needs_a_token_or_another_name(opened: Opener) -> None:
    error = refusal(opened(repo="shpo").tip)
    assert (type(error), error.context) == (NoConnection, {"repository": "octo/shpo", "status": 404})
    assert error.detail == (
        "github.com shows no repository octo/shpo: the name is misspelt, or it is private. No token is set: set"
        " one that may read it, in GH_ENTERPRISE_TOKEN or GITHUB_ENTERPRISE_TOKEN or in the system's keyring."
    )


def test_a_private_repository_opens_with_a_token(server: GitHubServer, opened: Opener) -> None:
    server.repository("octo/safe", {"a": b""}, is_private=True)
    server.switches.tokens |= {"word"}
    assert type(refusal(opened(repo="safe").tip)) is NoConnection
    assert opened(repo="safe", token="word").tip().commit


@pytest.mark.parametrize("ref", ["mian", "b" * 40])
def test_a_ref_that_is_not_there_is_told_from_a_repository_that_is_not(opened: Opener, ref: str) -> None:
    api = opened(ref)
    error = refusal(lambda: api.tree_sha(api.tip().commit))
    assert (type(error), error.parameter, error.suggested) == (NotFound, "ref", "main")
    assert error.detail == f"octo/shop has no branch, tag or commit {ref}. Its default branch is main."


def test_a_repository_that_was_renamed_is_asked_by_its_number_from_then_on(
    server: GitHubServer, opened: Opener
) -> None:
    server.switches.renamed["octo/old"] = "octo/shop"
    api = opened(repo="old")
    api.list_deep(api.tree_sha(api.tip().commit))
    assert [path.split("/")[1] for path in server.paths] == ["repos", *["repositories"] * 3]


def test_content_comes_raw_or_packed_in_json(server: GitHubServer, opened: Opener) -> None:
    api = opened()
    assert api.content(BLOB) == CONTENT
    server.switches.knows_raw = False
    assert api.content(BLOB) == CONTENT


def _blob(**fields: Any) -> bytes:
    return json.dumps({"sha": BLOB, "encoding": "base64", "content": "", **fields}).encode()


ASKED: dict[str, Callable[[GitHubApi], object]] = {
    "tip": GitHubApi.tip,
    "tree": lambda api: api.tree_sha("a" * 40),
    "listing": lambda api: api.list_deep("a" * 40),
    "content": lambda api: api.content(BLOB),
    "content by sha256": lambda api: api.content("a" * 64),
}


@pytest.mark.parametrize(
    ("asked", "body", "what"),
    [
        ("tip", b"<html>welcome</html>", "no commit"),
        ("tip", b"../../user", "no commit"),
        ("tip", b"\xff" * 40, "no commit"),
        ("tree", b"{", "something that is not its API's"),
        ("tree", b'{"tree": {"sha": "../x"}}', "something that is not its API's"),
        ("listing", b'{"tree": {}}', "something that is not its API's"),
        ("listing", b'{"tree": [], "x": ' + b"[" * 100_000, "something that is not its API's"),
        ("content", b"# Shoq\n", "something that is not its API's"),
        ("content", _blob(content="a"), "content that is not base64"),
        ("content", _blob(content="é"), "content that is not base64"),
        ("content", _blob(content=b64encode(b"# Shoq\n").decode()), "content that is not what was asked for"),
        (
            "content by sha256",
            _blob(content=b64encode(CONTENT).decode()),
            "content that is not what was asked for",
        ),
    ],
)
def test_an_answer_that_is_not_githubs_is_refused(
    server: GitHubServer, opened: Opener, asked: str, body: bytes, what: str
) -> None:
    server.switches.faults.append(Fault(body=body))
    api = opened()
    error = refusal(lambda: ASKED[asked](api))
    assert (type(error), error.context) == (RemoteFailed, {"host": "127.0.0.1"})
    assert error.detail == (
        f"127.0.0.1 answered with {what}. Check the base URL; a proxy may answer in its place."
    )


def test_an_object_that_is_gone_is_said(opened: Opener) -> None:
    error = refusal(lambda: opened().content("a" * 40))
    assert (type(error), error.detail) == (RemoteFailed, "127.0.0.1 answered with status 404 (Not Found).")


def test_a_listing_too_large_for_one_answer_counts_as_truncated(server: GitHubServer, opened: Opener) -> None:
    length = {"Content-Length": str(REMOTE_LISTING_BYTES + 1), "Connection": "close"}
    server.switches.faults.append(Fault(headers=length))
    assert opened().list_deep("a" * 40) == Listing([], truncated=True)
