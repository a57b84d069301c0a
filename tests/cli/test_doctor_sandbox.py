from pathlib import Path

import pytest
from tests.cli.desk import Run

from toolpost.cli import doctor_sandbox
from toolpost.cli.check import Check
from toolpost.cli.settings import settled
from toolpost.errors import SandboxUnavailable
from toolpost.sandbox.model import Level
from toolpost.sandbox.pick import Sandbox
from toolpost.sandbox.probe import Found


def told(what: str) -> list[Check]:
    return [check for check in doctor_sandbox.checks(settled()) if check.what == what]


@pytest.fixture
def off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_SANDBOX_LEVEL", "off")


def levels(monkeypatch: pytest.MonkeyPatch, *working: Level) -> None:
    """A machine on which these levels hold."""

    def found(_box: Sandbox, level: Level) -> Found:
        works = level in working
        return Found(
            level=level, works=works, reason="" if works else "it is missing", fix="" if works else "Get it."
        )

    monkeypatch.setattr(Sandbox, "found", found)


def test_the_doctor_tells_of_policies_and_sandbox(run: Run) -> None:
    names = {check["what"] for check in run("doctor", "--json").json}

    assert {"admin policy", "user policy", "sandbox", "sandbox L3", "sandbox L2", "sandbox L1"} <= names


@pytest.mark.usefixtures("off")
def test_policies_with_their_rules_and_tests(user_folder: Path, work: Path) -> None:
    user_folder.mkdir(parents=True)
    path = user_folder / "policy.toml"
    path.write_text(
        '[permissions]\ndeny = ["exec(a *)"]\nallow = ["exec(a)"]\n[[test]]\ncall = {exec = "a"}\nexpect = "deny"\n'
    )
    (work / ".toolpost").mkdir()
    (work / ".toolpost" / "policy.toml").write_text('[permissions]\nallow = ["exec(b)"]\n')

    assert told("user policy") == [Check("ok", "user policy", f"{path}: 2 rules, 1 tests")]
    assert told("project policy")[0].found.endswith("policy.toml: 0 rules, 0 tests")
    warned = told("policy")
    assert [check.state for check in warned] == ["warn", "warn"]
    assert "it is not trusted" in warned[0].found
    assert "can never decide" in warned[1].found


@pytest.mark.usefixtures("off")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[permissions", "Not TOML"),
        (
            '[permissions]\n[[test]]\ncall = {exec = "a"}\nexpect = "deny"\n',
            "expects deny, and the rules say ask",
        ),
    ],
)
def test_a_policy_that_stops_everything_is_a_failure(user_folder: Path, text: str, said: str) -> None:
    user_folder.mkdir(parents=True)
    (user_folder / "policy.toml").write_text(text)
    (check,) = told("policy")

    assert check.state == "fail"
    assert said in check.found


@pytest.mark.usefixtures("off")
def test_a_failing_test_is_told_with_its_place_unless_there_is_no_workspace(
    user_folder: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_folder.mkdir(parents=True)
    path = user_folder / "policy.toml"
    path.write_text(f'[permissions]\n[[test]]\ncall = {{fs.read = "{work}/a"}}\nexpect = "ask"\n')
    (check,) = told("policy")
    assert check.found.startswith(f"{path}:2: The test ")
    assert check.next_step == "toolpost permissions test"
    path.write_text(path.read_text().replace('"ask"', '"allow"'))
    assert told("policy") == []
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "nowhere")
    assert told("policy") == []


@pytest.mark.usefixtures("off")
def test_a_sandbox_that_is_off_is_a_warning() -> None:
    (check,) = told("sandbox")

    assert (check.state, check.next_step) == ("warn", "toolpost config set sandbox.level prefer")
    assert check.found.startswith("off, by ")


def test_only_l1_is_a_warning_with_reasons_and_fixes(monkeypatch: pytest.MonkeyPatch) -> None:
    levels(monkeypatch, Level.PROCESS)

    assert told("sandbox") == [
        Check(
            "warn", "sandbox", "L1 (prefer)", "Below L2 an allow of an interpreter is an allow of everything."
        )
    ]
    assert told("sandbox L3") == [Check("warn", "sandbox L3", "it is missing", "Get it.")]
    assert told("sandbox L1") == [Check("ok", "sandbox L1", "works")]
    assert "files and network are open: only resources are limited" in [
        one.found for one in told("sandbox gap")
    ]


def test_a_level_that_is_required_and_missing_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    levels(monkeypatch, Level.PROCESS)
    monkeypatch.setenv("TOOLPOST_SANDBOX_LEVEL", "require:L2")
    (check,) = told("sandbox")

    assert check.state == "fail"
    assert "Commands must run at L2" in check.found
    assert told("sandbox L2")[0].state == "warn"


def test_a_weaker_level_that_is_missing_is_nobodys_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    levels(monkeypatch, Level.NAMESPACES, Level.PROCESS)
    monkeypatch.setattr(doctor_sandbox, "_gaps", lambda _box: iter(()))

    assert told("sandbox L2")[0].state == "ok"
    assert told("sandbox")[0].state == "ok"


def test_a_sandbox_that_does_not_start_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_args: object, **_more: object) -> None:
        raise SandboxUnavailable("It broke.")

    levels(monkeypatch, Level.PROCESS)
    monkeypatch.setattr(Sandbox, "start", start)

    assert [check.state for check in told("sandbox")] == ["warn", "fail"]


def test_a_command_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    levels(monkeypatch, Level.PROCESS)
    monkeypatch.setattr(doctor_sandbox, "PROBE_S", 0.05)
    monkeypatch.setattr(doctor_sandbox, "_COMMAND", ("/bin/sh", "-c", "exec sleep 60"))

    assert told("sandbox gap")
