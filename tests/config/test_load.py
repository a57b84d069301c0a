from pathlib import Path

import pytest

from toolpost.config.load import Origin, Settings, load
from toolpost.config.model import Config, ConfigError, IndexSettings, WorkspaceSettings
from toolpost.limits import COMPONENT


class Place:
    """A home and a project to write settings in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.user = root / "xdg" / "toolpost" / "config.toml"
        self.project = root / "work" / ".toolpost" / "config.toml"
        for file in (self.user, self.project):
            file.parent.mkdir(parents=True)

    def load(self, flags: dict[str, object] | None = None, **environment: str) -> Settings:
        variables = {"XDG_CONFIG_HOME": str(self.root / "xdg"), **environment}
        return load(variables, self.root / "work", flags)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_with_nothing_set_everything_is_the_default(place: Place) -> None:
    settled = place.load()

    assert settled.config == Config()
    assert {setting.origin for setting in settled.values.values()} == {Origin("default")}


def test_the_later_layer_wins_and_says_so(place: Place) -> None:
    place.user.write_text('profile = "edit"\nlanguage = "es"\n[limits]\ntimeout_s = 60\n')
    place.project.write_text('profile = "read-only"\nlanguage = "pt"\n')
    settled = place.load({"profile": "open", "record": None}, TOOLPOST_LANGUAGE="en")

    assert (settled.config.profile, settled.config.language) == ("open", "en")
    assert settled.values["profile"].origin == Origin("flag", "--profile")
    assert settled.values["language"].origin == Origin("environment", "TOOLPOST_LANGUAGE")
    assert settled.values["limits.timeout_s"].origin == Origin("user file", f"{place.user}:4")
    assert str(settled.values["limits.timeout_s"].origin) == f"user file ({place.user}:4)"


@pytest.mark.parametrize(
    "line",
    [
        'profile = "open"',
        'profile = "edit"',
        'tools = ["evil.py"]',
        'record = "/tmp/elsewhere"',
        'errors_base = "https://evil.example"',
        "limits.timeout_s = 500",
        "limits.concurrent_calls = 1000",
        "limits.run.calls = 11",
        "limits.component.reads = 21",
        'workspace.roots = ["/"]',
        'workspace.github_url = "https://evil.example"',
        'workspace.secrets = "allow"',
        'workspace.readable = [".env"]',
        'workspace.writable = [".envrc"]',
        'workspace.metrics = "contract"',
        'workspace.index_first = "off"',
        "workspace.undo_days = 1",
    ],
)
def test_a_project_may_not_widen(place: Place, line: str) -> None:
    place.user.write_text("[limits.run]\ncalls = 10\n")
    before = place.load().config
    place.project.write_text(f"{line}\n")
    settled = place.load()

    assert settled.config == before
    assert settled.notes[0].startswith(f"{place.project}:1: {line.split(' =', maxsplit=1)[0]} is left out")


def test_a_project_may_tighten(place: Place) -> None:
    place.project.write_text(
        'profile = "read-only"\ncolor = "never"\nlimits.timeout_s = 5\nlimits.run = { calls = 3 }\n'
    )
    settled = place.load()

    assert settled.notes == ()
    assert (settled.config.profile, settled.config.color) == ("read-only", "never")
    assert (settled.config.limits.timeout_s, settled.config.limits.run) == (5.0, {"calls": 3})


def test_a_project_may_tighten_the_workspace(place: Place) -> None:
    place.user.write_text('workspace = { secrets = "allow", index_first = "off" }\n')
    place.project.write_text(
        'standard_tools = "off"\nworkspace = { secrets = "deny", index_first = "strict" }\n'
        "limits.component = { reads = 5, lists = 0 }\n"
    )
    settled = place.load()

    assert settled.notes == ()
    assert settled.config.standard_tools == "off"
    assert settled.config.workspace == WorkspaceSettings(secrets="deny", index_first="strict")
    assert settled.config.limits.component == {**COMPONENT, "reads": 5, "lists": 0}
    assert settled.values["workspace.secrets"].origin == Origin("project file", f"{place.project}:2")


def test_roots_are_separated_by_commas_because_they_hold_colons(place: Place) -> None:
    settled = place.load(TOOLPOST_WORKSPACE_ROOTS="git:.@main,github:octo/shop,/srv/app")

    assert settled.config.workspace.roots == ("git:.@main", "github:octo/shop", "/srv/app")


def test_paths_are_meant_from_where_they_stand(place: Place) -> None:
    place.user.write_text('tools = ["mine.py", "/abs.py"]\nrecord = ""\n')
    settled = place.load(TOOLPOST_RECORD="calls.jsonl")

    assert settled.config.tools == (str(place.user.parent / "mine.py"), "/abs.py")
    assert settled.config.record == str(place.root / "work" / "calls.jsonl")


def test_variables_take_lists_and_budgets(place: Place) -> None:
    settled = place.load(TOOLPOST_TOOLS="a.py:/b.py:", TOOLPOST_LIMITS_SESSION_READ_BYTES="9")

    assert settled.config.tools == (str(place.root / "work" / "a.py"), "/b.py")
    assert settled.config.limits.session == {"read_bytes": 9}


def test_a_variable_that_is_nearly_a_setting_is_noted_and_a_stranger_is_not(place: Place) -> None:
    settled = place.load(TOOLPOST_PROFLE="open", TOOLPOST_GITHUB_TOKEN="secret")

    assert settled.notes == ("TOOLPOST_PROFLE is no setting; did you mean TOOLPOST_PROFILE?",)


@pytest.mark.parametrize(
    ("text", "line", "message", "fix"),
    [
        ('# hi\nprofil = "ask"\n', 2, "There is no setting 'profil'.", "Did you mean profile?"),
        (
            "[limits]\n\ntimeout = 5\n",
            3,
            "There is no setting 'limits.timeout'.",
            "Did you mean limits.timeout_s?",
        ),
        ("zzz = 5\n", 1, "There is no setting 'zzz'.", "Known are profile, language"),
        ("language = 5\n", 1, "language cannot be that: it must be one of en, es, pt.", "The language of"),
    ],
)
def test_a_fault_names_its_file_its_line_and_the_way_out(
    place: Place, text: str, line: int, message: str, fix: str
) -> None:
    place.user.write_text(text)
    with pytest.raises(ConfigError) as caught:
        place.load()

    assert (caught.value.where, caught.value.message) == (f"{place.user}:{line}", message)
    assert caught.value.fix.startswith(fix)


def test_a_wrong_variable_is_named(place: Place) -> None:
    with pytest.raises(ConfigError) as caught:
        place.load(TOOLPOST_LIMITS_TIMEOUT_S="soon")

    assert caught.value.where == "TOOLPOST_LIMITS_TIMEOUT_S"


def test_a_file_that_is_no_toml_or_no_text_or_no_file_is_said(place: Place) -> None:
    place.user.write_text("profile = \n")
    with pytest.raises(ConfigError, match=r"Not TOML: .*line 1"):
        place.load()
    place.user.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="cannot be read"):
        place.load()
    place.user.unlink()
    place.user.mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        place.load()


def test_the_projects_folder_is_the_nearest_upward(place: Place) -> None:
    deep = place.root / "work" / "a" / "b"
    deep.mkdir(parents=True)
    place.project.write_text('language = "pt"\n')

    assert load({"HOME": str(place.root)}, deep).config.language == "pt"


def test_the_users_folder_is_xdgs_or_under_home(tmp_path: Path) -> None:
    (tmp_path / ".config" / "toolpost").mkdir(parents=True)
    (tmp_path / ".config" / "toolpost" / "config.toml").write_text('language = "es"\n')

    assert load({"HOME": str(tmp_path)}, Path("/")).config.language == "es"
    assert load({"HOME": str(tmp_path), "XDG_CONFIG_HOME": "relative"}, Path("/")).config.language == "es"
    assert load({}, Path("/")).files[0][1] == Path.home() / ".config" / "toolpost" / "config.toml"


def test_the_index_has_a_folder_and_tags_of_the_projects_own(place: Place) -> None:
    place.user.write_text('[index]\nfolder = "indexes"\n[index.tags.mine]\npaths = ["src/**"]\n')
    place.project.write_text('[index]\nfolder = "/tmp/elsewhere"\n[index.tags.mine]\nimports = ["react"]\n')
    settled = place.load()
    assert settled.config.index == IndexSettings(
        folder=str(place.user.parent / "indexes"),
        tags={"mine": {"paths": ("src/**",), "imports": ("react",)}},
    )
    assert [note.partition(": ")[2].partition(" is")[0] for note in settled.notes] == ["index.folder"]
