"""`toolpost permissions test`: whether policies say what their authors think."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from toolpost.authorize.policy import PolicyError, PolicyFile, PolicyTest, read_policy
from toolpost.authorize.rulebook import Rulebook
from toolpost.authorize.scene import Scene
from toolpost.authorize.trial import verdict_of
from toolpost.cli import documents, show
from toolpost.cli.exits import Exit
from toolpost.cli.permissions_standing import standing
from toolpost.cli.settings import settled
from toolpost.cli.trouble import Trouble
from toolpost.limits import POLICY_BYTES
from toolpost.result import Verdict


def run(file: Path | None, *, as_json: bool) -> int:
    here = standing(settled())
    book, tests = here.rights.book, here.found.tests
    if file is not None:
        policy = _policy(file)
        book, tests = Rulebook(book.profile, policy.rules, frozenset(policy.servers)), policy.tests
    else:
        for text in here.found.notes:
            show.note(text)
    if not tests and not as_json:
        show.note("There are no tests. Write [[test]] with call and expect into a policy.")
    return _tell(tests, [_tried(book, here.rights.scene, test) for test in tests], as_json=as_json)


def _policy(file: Path) -> PolicyFile:
    data = documents.bounded(file, POLICY_BYTES, "a policy")
    try:
        return read_policy(data, "file", str(file))
    except PolicyError as error:
        raise Trouble(str(error), error.fix) from None


def _tried(book: Rulebook, scene: Scene, test: PolicyTest) -> Verdict:
    return verdict_of(book, scene, test.call)


def _tell(tests: Sequence[PolicyTest], verdicts: Sequence[Verdict], *, as_json: bool) -> int:
    told = [
        {
            "state": "ok" if verdict.decision is test.expect else "fail",
            "call": msgspec.json.encode(test.call).decode("utf-8"),
            "expect": str(test.expect),
            "got": str(verdict.decision),
            "rule": verdict.rule,
            "where": f"{test.file}:{test.line}",
        }
        for test, verdict in zip(tests, verdicts, strict=True)
    ]
    if as_json:
        show.as_json(told)
    elif told:
        show.table(tuple(told[0]), [tuple(one.values()) for one in told])
    return Exit.FAILED if any(one["state"] == "fail" for one in told) else Exit.OK
