"""Answers that last: what they store, for whom, and when they end."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

from toolpost import Bench, Call, Caller, Decision
from toolpost.atom import Atom, Command, Kind, Touch
from toolpost.authorize.ask import Answer, Scope
from toolpost.authorize.gate import Rights
from toolpost.authorize.grammar import parse_rule
from toolpost.authorize.grants import Grant
from toolpost.authorize.kept import KeptGrants
from toolpost.authorize.profiles import PROFILES
from toolpost.authorize.rulebook import Rulebook
from toolpost.authorize.scene import Scene
from toolpost.define import Tool, from_schema
from toolpost.opened import is_open
from toolpost.testing import FakeClock, ScriptedAsker

SCENE = Scene(roots=("/work",), home="/home/ada", level=3)


def _shell() -> Tool:
    def touches(args: Any) -> Iterable[Touch]:
        yield Command(line=args["command"])

    schema = {"type": "object", "properties": {"command": {"type": "string"}}}
    return from_schema("os.exec", "Run.", schema, _ran, effects=["exec"], touches=touches, blocking=False)


def _ran(_args: Any) -> str:
    return "ran"


def _file(kind: Kind, name: str) -> Tool:
    """Says whether a guard beside the disk would let it pass."""

    def touches(args: Any) -> Iterable[Touch]:
        yield Atom(kind=kind, target=f"/work/{args['path']}", inside=True)

    def run(args: Any) -> str:
        return "open" if is_open("read" if kind is Kind.READ else "write", args["path"]) else "closed"

    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    return from_schema(name, "File.", schema, run, effects=[kind.value], touches=touches, blocking=False)


def _net() -> Tool:
    def touches(args: Any) -> Iterable[Touch]:
        yield Atom(kind=Kind.NET, target=args["url"])

    schema = {"type": "object", "properties": {"url": {"type": "string"}}}
    return from_schema("web.fetch", "Fetch.", schema, _ran, effects=["net"], touches=touches, blocking=False)


class Desk:
    def __init__(
        self, folder: Path, *answers: Answer, profile: str = "ask", rules: Iterable[str] = ()
    ) -> None:
        self.clock = FakeClock()
        self.kept = KeptGrants(folder / "grants.json")
        self.asker = ScriptedAsker(answers)
        parsed = [parse_rule(text, Decision.ALLOW, "user:1") for text in rules]
        book = Rulebook(PROFILES[profile], parsed)
        self.bench = self.another("p1", book)

    def another(self, project: str, book: Rulebook | None = None) -> Bench:
        rights = Rights(book=book or Rulebook(PROFILES["ask"]), scene=SCENE, kept=self.kept, project=project)
        tools = [_shell(), _file(Kind.READ, "fs.read"), _file(Kind.WRITE, "fs.write"), _net()]
        return Bench(tools, rights=rights, asker=self.asker, clock=self.clock)

    async def run(
        self, line: str, bench: Bench | None = None, *, session: str = "", name: str = "local"
    ) -> bool:
        call = Call(tool="os.exec", args={"command": line}, caller=Caller(session=session, name=name))
        return (await (bench or self.bench).call(call)).ok


async def test_always_stores_the_very_rules_that_were_shown(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.ALLOW_ALWAYS)
    assert await desk.run("git rebase main")
    (question,) = desk.asker.asked
    assert question.offers == ("exec(git rebase *)",)
    assert [(grant.rule, grant.scope, grant.tool, grant.agent) for grant in desk.kept.all()] == [
        ("exec(git rebase *)", Scope.USER, "os.exec", "local")
    ]
    assert await desk.run("git rebase other")
    assert await desk.run("git rebase", desk.another("p2"))
    assert len(desk.asker.asked) == 1


async def test_a_grant_for_a_project_ends_at_its_border(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.ALLOW_PROJECT)
    assert await desk.run("git rebase")
    assert await desk.run("git rebase", desk.another("p1"))
    assert not await desk.run("git rebase", desk.another("p2"))


async def test_a_grant_for_a_session_does_not_reach_another(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.ALLOW_SESSION)
    assert await desk.run("git rebase", session="a")
    assert (await desk.run("git rebase", session="a"), await desk.run("git rebase", session="b")) == (
        True,
        False,
    )
    assert desk.kept.all() == ()


async def test_a_lasting_grant_is_the_agents_that_asked(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.ALLOW_ALWAYS)
    assert await desk.run("git rebase", name="claude")
    assert (await desk.run("git rebase", name="claude"), await desk.run("git rebase", name="other")) == (
        True,
        False,
    )


async def test_never_is_kept_for_the_program_as_long_as_the_session(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.REJECT_ALWAYS)
    assert not await desk.run("git rebase")
    result = await desk.bench.call("os.exec", command="sudo git rebase -i")
    assert result.problems[0].code == "DENIED"
    assert result.verdict is not None
    assert result.verdict.rule == "exec(git *)"
    assert await desk.run("cd sub")


async def test_what_a_guard_or_a_rule_wants_asked_every_time_offers_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.ALLOW_ALWAYS, Answer.ALLOW_ALWAYS)
    assert (await desk.bench.call("fs.write", path=".mcp.json")).ok
    assert await desk.run("rm a")
    assert [question.offers for question in desk.asker.asked] == [(), ()]
    assert desk.kept.all() == ()


async def test_a_grant_ends_when_its_time_is_over_or_it_is_revoked(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    until = desk.clock.now() + timedelta(minutes=1)
    desk.kept.add(
        Grant(
            id="g",
            rule="exec(make)",
            decision=Decision.ALLOW,
            scope=Scope.USER,
            tool="os.exec",
            expires=until,
        )
    )
    assert await desk.run("make")
    assert [grant.id for grant in desk.bench.grants()] == ["g"]
    desk.clock.advance(60)
    assert not await desk.run("make")
    assert (desk.bench.revoke("g"), desk.bench.revoke("g")) == (True, False)


async def test_a_grant_to_a_tool_ends_with_its_definition(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.ALLOW_ALWAYS)
    assert (await desk.bench.call("fs.write", path="a")).ok
    (grant,) = desk.kept.all()
    assert (grant.rule, bool(grant.definition)) == ("tool(fs.write)", True)
    assert (await desk.bench.call("fs.write", path="b")).ok
    desk.kept.drop(lambda _grant: True)
    desk.kept.add(Grant(**{**_fields(grant), "definition": "other"}))
    assert not (await desk.bench.call("fs.write", path="b")).ok


def _fields(grant: Grant) -> dict[str, Any]:
    return {name: getattr(grant, name) for name in Grant.__struct_fields__}


async def test_what_the_user_approved_passes_the_guard_beside_the_disk_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.ALLOW_ONCE)
    assert (await desk.bench.call("fs.write", path=".mcp.json")).text == "open"
    assert not (await desk.bench.call("fs.write", path=".mcp.json")).ok


async def test_a_session_that_read_a_secret_is_asked_before_it_sends_anything_out(tmp_path: Path) -> None:
    desk = Desk(tmp_path, rules=["read!(.env.test)", "net(example.org)"])
    fetch = Call(tool="web.fetch", args={"url": "https://example.org/"})
    assert (await desk.bench.call(fetch)).ok
    assert (await desk.bench.call("fs.read", path=".env.test")).text == "open"
    result = await desk.bench.call(fetch)
    assert result.problems[0].code == "NEEDS_APPROVAL"
    assert result.verdict is not None
    assert result.verdict.rule == "guard: this session has read a secret, and would send data out"
    desk.bench.clear_labels()
    assert (await desk.bench.call(fetch)).ok
