"""Commands as a user runs them: judged, in a sandbox, with what is denied out of reach."""

import json
from pathlib import Path

import pytest
from tests.cli.desk import Ran, Run

from toolpost.cli import ground, settings, shell
from toolpost.errors import SandboxUnavailable
from toolpost.sandbox.masks import Masks
from toolpost.sandbox.model import Level
from toolpost.sandbox.pick import Sandbox


@pytest.fixture(autouse=True)
def _standard(monkeypatch: pytest.MonkeyPatch, work: Path, user_folder: Path) -> None:
    monkeypatch.setenv("TOOLPOST_STANDARD_TOOLS", "on")
    user_folder.mkdir(parents=True)
    (user_folder / "policy.toml").write_text(
        '[permissions]\ndeny = ["read(customers/**)", "exec(psql *)"]\nallow = ["exec(sh -c *)", "exec(cat *)"]\n'
    )
    (work / "customers").mkdir()
    (work / "customers" / "eu.csv").write_text("ada,1")
    (work / "a.txt").write_text("plain")
    (work / ".env").write_text("TOKEN=1")


def _exec(run: Run, line: str, *more: str) -> Ran:
    return run("call", "os.exec", f"command={line}", "--profile", "workspace", "--json", *more)


def test_an_everyday_command_runs_unasked_and_says_where(run: Run) -> None:
    ran = _exec(run, "cat a.txt")
    told = json.loads(ran.out)
    assert (ran.code, told["data"]["stdout"], told["data"]["exit_code"]) == (0, "plain", 0)
    assert told["data"]["sandbox"]["level"] in {"L1", "L2", "L3"}


@pytest.mark.parametrize(
    "line", ["cat customers/eu.csv", "cat < customers/eu.csv", "sh -c 'psql -l'", "cat .env", "cat $(<.env)"]
)
def test_what_is_denied_is_denied_to_commands_too(run: Run, line: str) -> None:
    ran = _exec(run, line)
    assert (ran.code, json.loads(ran.out)["problems"][0]["code"]) == (3, "DENIED")


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("fs.read", ["path=customers/eu.csv"]),
        ("fs.list", ["path=customers"]),
        ("code.search", ["query=ada", "path=customers"]),
    ],
)
def test_and_to_every_other_tool(run: Run, tool: str, args: list[str]) -> None:
    assert run("call", tool, *args, "--profile", "open").code == 3


def test_a_search_passes_over_what_is_denied(run: Run) -> None:
    told = json.loads(run("call", "code.search", "query=ada", "--json").out)
    assert told["data"]["matches"] == []


def test_a_command_that_searches_finds_nothing_in_what_is_denied(run: Run, work: Path) -> None:
    told = json.loads(_exec(run, "grep -rl -e ada -e TOKEN -e plain .").out)
    assert told["data"]["stdout"].split() == ["./a.txt"]
    assert (work / "customers" / "eu.csv").read_text() == "ada,1"


def test_a_question_that_nobody_answers_is_a_refusal(run: Run) -> None:
    ran = _exec(run, "curl https://example.org/")
    assert (ran.code, json.loads(ran.out)["problems"][0]["code"]) == (3, "NEEDS_APPROVAL")


def test_a_level_that_is_not_to_be_had_counts_as_none() -> None:
    class Unavailable(Sandbox):
        def level(self) -> Level:
            raise SandboxUnavailable("no")

    assert shell.level(Unavailable()) == 0


def test_a_process_that_runs_commands_says_so_until_it_ends(tmp_path: Path) -> None:
    running = shell.Running(tmp_path / "running")
    running.close()
    running.begin()
    running.begin()
    assert len(list((tmp_path / "running").iterdir())) == 1
    running.close()
    assert list((tmp_path / "running").iterdir()) == []


def test_rules_about_hosts_reach_the_fence(user_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from toolpost.call import Call
    from toolpost.cli import workbench
    from toolpost.tools.shell.asked import Needs

    (user_folder / "policy.toml").write_text('[permissions]\nallow = ["net(pypi.org)"]\n')
    monkeypatch.setenv("TOOLPOST_SANDBOX_HOSTS", "docs.example")
    settled = settings.settled(profile="plan")
    desk = workbench.desk_of(settled)
    assert desk.workspace is not None
    running = shell.Running(ground.state() / "running")
    fence = shell.fences(settled, desk.workspace, desk.rights, running)(
        Call(tool="x"), Needs(hosts=["a.example"])
    )
    assert (fence.hosts, fence.writes) == (("docs.example", "pypi.org", "a.example"), False)
    running.close()
    desk.workspace.close()


def test_who_fails_at_what_the_sandbox_holds_is_told_so(run: Run) -> None:
    ran = _exec(run, "sh -c 'echo rm: Read-only file system >&2; exit 1'", "--yes")
    assert any(note.startswith("The sandbox keeps") for note in json.loads(ran.out)["notes"])


def test_a_command_sees_only_the_variables_that_the_owner_named(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_REGION", "north")
    monkeypatch.setenv("SHOP_SECRET", "canary")
    monkeypatch.setenv("TOOLPOST_SANDBOX_ENVIRONMENT", "SHOP_REGION,NOT_SET")
    told = json.loads(_exec(run, "sh -c 'echo $SHOP_REGION-$SHOP_SECRET-$NOT_SET'", "--yes").out)
    assert told["data"]["stdout"] == "north--\n"


def test_what_could_not_be_looked_at_is_told_as_a_gap(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Masks, "find", lambda _masks, _roots: ((), False))
    told = json.loads(_exec(run, "cat a.txt").out)
    assert shell.UNSEEN in told["data"]["sandbox"]["gaps"]
