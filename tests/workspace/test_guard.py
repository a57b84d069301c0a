"""What is kept away from by name, in every spelling, and what is as harmless as it looks."""

import pytest

from toolpost.errors import Denied
from toolpost.opened import opening
from toolpost.workspace.guard import Closed, Guard

SECRET = [
    *(".env", ".env.local", ".env.production", ".env.test", ".env-prod", ".env_prod", ".env~", ".env.bak"),
    *("config/.env", ".envrc", ".netrc", "_netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials"),
    *(
        "server.pem",
        "deploy/server.pem",
        "tls.key",
        "private.key",
        "master.key",
        "server.key.bak",
        "public_private.pem",
    ),
    *("id_rsa", "id_ed25519", "id_ecdsa_sk", "keys/id_rsa_work", "id_rsa.bak", "id_dsa~"),
    *("cert.p12", "cert.pfx", "release.keystore", "store.jks", "passwords.kdbx", "putty.ppk"),
    *(".ssh/config", "home/.ssh/authorized_keys", ".gnupg/trustdb.gpg", ".kube/config", "kubeconfig"),
    *(
        ".aws/credentials",
        ".aws/config",
        ".aws/sso/cache/x.json",
        ".docker/config.json",
        ".cargo/credentials.toml",
    ),
    *(".config/gh/hosts.yml", ".config/gcloud/x.db", ".config/git/credentials", "credentials.json"),
    *("service-account.json", ".htpasswd", ".vault-token", ".dockercfg", ".password-store/x.gpg"),
    *(
        ".git/config",
        "sub/.git/config",
        ".git/modules/x/config",
        ".git/worktrees/w/config.worktree",
        "a.git/config",
    ),
    *("etc/shadow", "proc/self/environ", "proc/1/task/1/environ"),
]
READABLE = [
    *(".env.example", ".env.sample", ".env.template", ".env.dist", ".env.local.example", ".env-example"),
    *(
        "environment.ts",
        "env.py",
        "env.d.ts",
        "src/env/index.ts",
        ".environment",
        "my.env.ts",
        ".env/bin/activate",
    ),
    *("keys.py", "key.ts", "keyboard.key.md", "public.pem", "jwt_public.pem", "pub.key", "rsa-pubkey.pem"),
    *("cacert.pem", "id_rsa.pub", "id_ed25519.pub", "id_map.py", "id_rsa_parser.py", "identity"),
    *(
        "credentials.py",
        "credentials.md",
        "aws/credentials.ts",
        "config.json",
        "docker/config.json",
        "kube/config",
    ),
    *(
        ".git/HEAD",
        ".gitignore",
        ".gitattributes",
        "git/config",
        "config",
        "ssh/config",
        ".aws/task-definition.json",
    ),
    *(
        "environ",
        "src/proc/environ.py",
        "etc/hosts",
        "secrets.py",
        "token.go",
        "password_reset.html",
        ".pem.md",
    ),
    *("README.md", "src/main.py", "", ".github/workflows/ci.yml", ".vscode/settings.json", "a:b"),
]
PROTECTED = [
    *(
        ".git",
        ".git/hooks/pre-commit",
        ".git/config",
        ".git/x/y",
        "sub/.git/HEAD",
        ".gitmodules",
        ".gitconfig",
    ),
    *(".toolpost", ".toolpost/grants.json", ".mcp.json", "sub/.mcp.json", ".envrc"),
    *(
        ".vscode/tasks.json",
        ".idea/workspace.xml",
        ".claude/settings.json",
        ".codex/config.toml",
        ".cursor/mcp.json",
    ),
    *(".gemini/settings.json", ".zed/tasks.json", ".husky/pre-commit", ".github/workflows/ci.yml"),
    *(".github/actions/x/action.yml", ".gitlab-ci.yml", ".circleci/config.yml", "Jenkinsfile"),
    *(
        ".bashrc",
        ".bash_profile",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".config/fish/config.fish",
        ".local/bin/x",
    ),
    *(".ssh/authorized_keys", ".vimrc", ".exrc", ".gdbinit", ".config/git/config", ".aws/config"),
]
WRITABLE = [
    *(
        "git.py",
        ".gitignore",
        ".gitattributes",
        ".gitkeep",
        "my.git.txt",
        "src/git/config",
        ".github/CODEOWNERS",
    ),
    *(
        "toolpost.toml",
        "mcp.json",
        "vscode/tasks.json",
        ".vscodeignore",
        "claude.md",
        "CLAUDE.md",
        "AGENTS.md",
    ),
    *("bashrc", "profile.py", ".profiles", "workflows/ci.yml", "github/workflows/ci.yml", ".config/app.toml"),
    *("husky.ts", ".editorconfig", ".prettierrc", "Makefile", "a", "...", "git~", "readme~1", "..git"),
]
SPELLINGS_OF_GIT = [
    *(".GIT", ".Git", ".gIt", ".git.", ".git ", ".git. .", ".git::$INDEX_ALLOCATION", ".git:stream", "GIT~1"),
    *(
        "git~1",
        "Git~2",
        "gi7eba~1",
        ".g\u200bit",
        ".gi\u200ct",
        "\u200d.git",
        ".git\u200e",
        ".g\u202eit",
        ".gi\ufeff\u2060t",
    ),
    *(
        ".\uff47\uff49\uff54",
        ".g\u0456t".replace("\u0456", "\u2139"),
        "\uff0egit",
        "\u2024git",
        ".git\uff1ax",
        ".g\ufe0fit",
    ),
    *(".\U0001d420\U0001d422\U0001d42d", ".g\u034fit", ".gi\U000e0001t", ".gi\u180bt"),
]
SPELLINGS_OF_ENV = [
    ".ENV",
    ".Env.Local",
    ".env.",
    ".env ",
    ".env::$DATA",
    "ENV~1",
    "env~1.loc",
    ".e\u200bnv",
    "\uff0eenv",
]


COPIES = [
    *("prod.env", "app.env", "deploy/prod.env", "prod.env.bak", ".prod.env.swp", ".env2", ".env2.local"),
    *(".env copy", ".env copy 2", ".env - Copy", ".env (1)", "Copy of .env", "#.env#", ".#.env", ".env.swp"),
    *(".env.~1~", ".env.save", ".env___jb_tmp___", ".envrc~", ".npmrc.orig", "#.netrc#", ".netrc.swp"),
    *(
        ".id_rsa.swp",
        ".id_rsa.swo",
        "id_rsa.old",
        "id_rsa.1",
        "id_rsa.bak.orig",
        ".id_rsa.bak.swp",
        "#id_ed25519#",
    ),
    *(".server.pem.swp", "server.pem~", "tls.key.lock", "cert.p12.tmp", "credentials (1).json", ".#tls.key"),
    *("credentials copy.json", "credentials.json.save", ".credentials.json.swp", "kubeconfig.backup"),
    *(".aws/credentials.bak", ".aws/.credentials.swp", ".aws/config~", ".docker/config.json~", "etc/shadow-"),
    *(
        ".docker/#config.json#",
        ".cargo/credentials.toml.orig",
        ".config/git/credentials.lock",
        ".config/gh.bak/x",
    ),
    *(
        ".git/config.bak",
        ".git/config.lock",
        ".git/.config.swp",
        ".git/config~",
        ".git/modules/x/config.lock",
    ),
    *(".git.bak/config", ".ssh.bak/known", ".ssh~/known", ".aws.old/credentials.bak", ".GIT/Config.Bak"),
]
SETTINGS = [
    *(
        "secrets.yml",
        "secrets.yaml",
        "secrets.json",
        "secrets.toml",
        ".streamlit/secrets.toml",
        "k8s/Secrets.yml",
    ),
    *("secrets.yml.bak", ".secrets.json.swp", "terraform.tfstate", "terraform.tfstate.backup"),
    *(
        "terraform.tfstate.1699.backup",
        "envs/prod.tfstate",
        "terraform.tfvars",
        "prod.auto.tfvars",
        ".tfvars",
    ),
    *("prod.tfvars.json", "prod.tfvars~", ".dev.vars", ".dev.vars.production", ".dev.vars~"),
]
TWINS = [
    *("environment.ts", "env.py", "env.example", ".envrc.example", "example.env", "app.example.env", "env"),
    *(
        "sample.env",
        "app.env.example",
        "template.env",
        "my.env.ts",
        "prod.env.ts",
        "environment copy.ts",
        ".envs",
    ),
    *("secrets.py", "test_secrets.yml", "docs/secrets.md", "k8s/secrets.yml.example", "secrets.example.yml"),
    *("secrets/readme.md", "terraform.tfvars.example", "example.tfvars", "variables.tf", "tfstate.go"),
    *("terraform.tfstate.example", ".dev.vars.example", "dev.vars", ".terraform.lock.hcl", "poetry.lock"),
    *(
        "notes (1).md",
        "readme.bak",
        ".main.py.swp",
        "#main.py#",
        "config.bak",
        "config.lock",
        "aws/credentials.bak",
    ),
    *(
        ".git/HEAD.lock",
        ".git/index.lock",
        "id_rsa.pub.bak",
        ".id_rsa.pub.swp",
        "public.pem~",
        "a-",
        "~",
        "##",
        ".#",
    ),
]


def _reads(path: str, guard: Guard) -> bool:
    try:
        guard.refuse_read(path)
    except Denied:
        return False
    return True


def _writes(path: str, guard: Guard) -> bool:
    try:
        guard.refuse_write(path)
    except Denied:
        return False
    return True


@pytest.mark.parametrize("path", [*SECRET, *SPELLINGS_OF_ENV])
def test_a_secret_is_hidden_and_not_read(path: str) -> None:
    assert (_reads(path, Guard()), Guard().hides(path)) == (False, True)


@pytest.mark.parametrize("path", COPIES)
def test_a_copy_of_a_secret_was_read_under_its_own_name(path: str) -> None:
    assert (_reads(path, Guard()), Guard().hides(path)) == (False, True)


@pytest.mark.parametrize("path", SETTINGS)
def test_a_file_of_secret_settings_was_not_known(path: str) -> None:
    assert (_reads(path, Guard()), Guard().hides(path)) == (False, True)


@pytest.mark.parametrize("path", TWINS)
def test_what_only_resembles_a_copy_or_secret_settings_is_read(path: str) -> None:
    assert (_reads(path, Guard()), Guard().hides(path)) == (True, False)


@pytest.mark.parametrize("path", READABLE)
def test_a_look_alike_of_a_secret_is_read(path: str) -> None:
    assert (_reads(path, Guard()), Guard().hides(path)) == (True, False)


@pytest.mark.parametrize(
    "path", [*PROTECTED, *(f"a/{name}/x" for name in SPELLINGS_OF_GIT), *SPELLINGS_OF_GIT]
)
def test_what_others_execute_is_not_written(path: str) -> None:
    assert not _writes(path, Guard())


@pytest.mark.parametrize(
    "path",
    [
        *WRITABLE,
        *(
            path
            for path in READABLE
            if path not in PROTECTED and ".git/" not in path and ".vscode" not in path
        ),
    ],
)
def test_a_look_alike_of_what_is_protected_is_written(path: str) -> None:
    assert _writes(path, Guard())


@pytest.mark.parametrize(
    ("path", "protected"),
    [
        ("MCP~1.JSO", True),
        ("GITMOD~1", True),
        ("VSCODE~1/x", True),
        ("TOOLPO~1/x", True),
        ("github~1/workflows/x", True),
        ("NOTES~1.TXT", False),
        ("git~x", False),
        ("longer~1", False),
    ],
)
def test_a_short_dos_name_means_the_long_one(path: str, protected: bool) -> None:
    assert _writes(path, Guard()) is not protected


def test_a_refusal_names_rule_layer_and_what_would_allow_it() -> None:
    with pytest.raises(Denied) as read:
        Guard().refuse_read("deploy/.env")
    with pytest.raises(Denied) as written:
        Guard().refuse_write(".git/hooks/pre-commit")
    assert (read.value.parameter, read.value.context) == (
        "path",
        {"rule": "guard:secrets", "layer": "workspace", "atom": "read(deploy/.env)", "setting": "readable"},
    )
    assert written.value.context == {
        "rule": "guard:protected",
        "layer": "workspace",
        "atom": "write(.git/hooks/pre-commit)",
        "setting": "writable",
    }
    assert "readable" in read.value.detail
    assert "writable" in written.value.detail


def test_an_owner_opens_single_files() -> None:
    guard = Guard(readable=(".env.test", "certs/*.pem"), writable=(".github/workflows/docs.yml", ".mcp.json"))
    assert {
        path: _reads(path, guard) for path in (".env.test", "a/.env.test", "certs/a.pem", ".env", "a.pem")
    } == {
        ".env.test": True,
        "a/.env.test": True,
        "certs/a.pem": True,
        ".env": False,
        "a.pem": False,
    }
    paths = (
        ".github/workflows/docs.yml",
        ".github/workflows",
        ".github/workflows/ci.yml",
        "x/.mcp.json",
        ".git/x",
    )
    assert [_writes(path, guard) for path in paths] == [True, True, False, True, False]


def test_an_owner_may_let_all_secrets_be_read_and_still_protects() -> None:
    guard = Guard(secrets="allow")
    assert (_reads(".env", guard), guard.hides(".ssh/id_rsa"), _writes(".git/config", guard)) == (
        True,
        False,
        False,
    )


@pytest.mark.parametrize("path", [".github", "a/.github", ".aws", ".config", ".GitHub", "GITHUB~1", ".git"])
def test_a_folder_that_may_hold_protected_files_is_not_moved_whole(path: str) -> None:
    with pytest.raises(Denied) as refused:
        Guard().refuse_folder(path)
    assert refused.value.context["rule"] == "guard:protected"


def test_other_folders_are_moved_whole() -> None:
    for path in ("src", "git", "gh", "etc", "docs/.assets"):
        Guard().refuse_folder(path)
    Guard(writable=(".github",)).refuse_folder(".github")


RULED = Guard(
    no_read=(Closed("customers/**", "user:policy.toml:3"),),
    no_write=(Closed("migrations/**", "user:policy.toml:4"),),
    may_read=(".env.test",),
    may_write=(".mcp.json",),
).at("/work")


def test_a_rule_of_the_policy_closes_files_by_name() -> None:
    assert [RULED.hides(path) for path in ("customers/eu.csv", "customers", "customer", "a")] == [
        True,
        True,
        False,
        False,
    ]
    with pytest.raises(Denied) as refused:
        RULED.refuse_read("customers/eu.csv")
    assert refused.value.context == {
        "rule": "read(customers/**)",
        "layer": "user:policy.toml:3",
        "atom": "read customers/eu.csv",
        "who": "rule",
    }
    with pytest.raises(Denied):
        RULED.refuse_write("migrations/0001.sql")
    RULED.refuse_write("customers/eu.csv")


def test_a_rule_opens_what_a_guard_would_keep() -> None:
    assert (RULED.hides(".env.test"), RULED.hides(".env")) == (False, True)
    RULED.refuse_write(".mcp.json")
    with pytest.raises(Denied):
        RULED.refuse_write(".envrc")


def test_what_was_opened_for_a_call_is_open_to_it() -> None:
    guard = Guard()
    with opening(frozenset({("write", ".mcp.json"), ("read", ".env")})):
        guard.refuse_write(".mcp.json")
        assert not guard.hides(".env")
    with pytest.raises(Denied):
        guard.refuse_write(".mcp.json")


def test_only_a_guard_with_rules_needs_to_know_where_its_root_lies() -> None:
    assert (Guard().at("/work"), RULED.base) == (Guard(), "/work")
