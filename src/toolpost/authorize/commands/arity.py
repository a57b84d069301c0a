"""How many words of a command say what it does, so that "always allow" offers neither too much nor too little."""

_ONE = (
    "ls cat head tail wc sort uniq cut tr diff cmp comm file stat du df tree rg grep egrep fgrep ag "
    "fd jq yq sed tee touch mkdir cp mv ln basename dirname realpath readlink date uname hostname "
    "whoami id ps which column fold nl od xxd hexdump strings md5sum sha1sum sha256sum sha512sum "
    "base64 seq sleep printenv pytest mypy pyright ruff black isort flake8 pylint eslint prettier tsc "
    "jest vitest mocha rustc rustfmt gofmt clang-format cmake ctest ninja shellcheck shfmt hadolint "
    "tokei cloc tox nox pre-commit zip unzip gzip gunzip tar bat eza lsd delta pandoc dot xmllint"
)
"""The program alone says it."""
_TWO = (
    "git hg svn cargo go rustup npm pnpm yarn bun deno pip pip3 uv poetry pdm hatch rye pipenv bundle "
    "rake gem composer mvn gradle ./gradlew ./mvnw gradlew sbt dotnet make just task docker podman "
    "kubectl helm terraform tofu brew apt apt-get dnf yum pacman apk systemctl journalctl rails flask "
    "alembic turbo nx swift flutter dart mix stack cabal zig bazel meson buf prisma supabase heroku "
    "fly vercel netlify wrangler firebase conda mamba nix tmux ip"
)
"""Program and sub-command."""
_THREE = "aws gcloud az gh glab doctl oci"
_GROUPS = {
    "npm": "run run-script cache config",
    "pnpm": "run",
    "yarn": "run",
    "bun": "run",
    "deno": "task",
    "docker": "compose container image volume network buildx",
    "podman": "compose",
    "git": "stash remote worktree submodule bisect notes config lfs",
    "cargo": "workspace",
    "uv": "pip run tool",
    "poetry": "run",
    "pdm": "run",
    "pipenv": "run",
    "bundle": "exec",
    "python": "-m",
    "python3": "-m",
    "go": "mod tool",
    "kubectl": "config rollout get describe",
    "helm": "repo",
    "terraform": "state workspace",
    "dotnet": "tool ef",
    "hatch": "run",
    "rye": "run",
    "composer": "run",
    "rails": "db",
    "pip": "cache",
    "gh": "pr issue repo run release workflow api auth search",
    "glab": "mr issue ci",
    "make": "-C",
}
"""Sub-commands that have sub-commands of their own, or a name to run."""

ARITY: dict[str, int] = {
    **dict.fromkeys(_ONE.split(), 1),
    **dict.fromkeys(_TWO.split(), 2),
    **dict.fromkeys(_THREE.split(), 3),
    **{f"{program} {sub}": 3 for program, subs in _GROUPS.items() for sub in subs.split()},
    "uv run python": 4,
    "docker compose exec": 5,
}
"""By the longest prefix that stands here. What is in no row is offered only by all its words."""

NEVER = frozenset(
    {
        *(
            "sudo",
            "doas",
            "su",
            "env",
            "xargs",
            "parallel",
            "rm",
            "rmdir",
            "shred",
            "unlink",
            "dd",
            "mkfs",
            "chmod",
        ),
        *(
            "chown",
            "eval",
            "source",
            ".",
            "exec",
            "trap",
            "alias",
            "ssh",
            "scp",
            "sftp",
            "rsync",
            "curl",
            "wget",
            "nc",
        ),
        *(
            "ncat",
            "netcat",
            "socat",
            "telnet",
            "npx",
            "pnpx",
            "bunx",
            "uvx",
            "pipx",
            "awk",
            "gawk",
            "mawk",
            "nawk",
        ),
        *(
            "vi",
            "vim",
            "nvim",
            "emacs",
            "nano",
            "less",
            "more",
            "man",
            "kill",
            "pkill",
            "killall",
            "crontab",
            "at",
        ),
        *(
            "osascript",
            "open",
            "xdg-open",
            "busybox",
            "toybox",
            "chroot",
            "unshare",
            "nsenter",
            "strace",
            "gdb",
        ),
        *(
            "screen",
            "tmux",
            "script",
            "watch",
            "expect",
            "systemd-run",
            "mount",
            "umount",
            "iptables",
            "passwd",
        ),
        *(
            "useradd",
            "usermod",
            "visudo",
            "launchctl",
            "defaults",
            "reg",
            "ansible",
            "ansible-playbook",
            "vagrant",
        ),
    }
)
"""Programs that no prefix is offered of: what follows them may be anything."""

NEVER_PREFIXES = frozenset(
    {
        *(
            "git -c",
            "git -C",
            "git config",
            "git submodule",
            "git filter-branch",
            "git push",
            "git clean",
            "git bisect",
        ),
        *(
            "npm exec",
            "npm x",
            "npm init",
            "npm create",
            "npm publish",
            "npm config",
            "npm explore",
            "pnpm dlx",
        ),
        *(
            "pnpm exec",
            "pnpm create",
            "yarn dlx",
            "yarn exec",
            "yarn create",
            "bun x",
            "bun create",
            "bun exec",
        ),
        *(
            "deno run",
            "deno eval",
            "deno install",
            "uv run",
            "uv tool",
            "poetry run",
            "pdm run",
            "pipenv run",
        ),
        *(
            "hatch run",
            "rye run",
            "bundle exec",
            "conda run",
            "mamba run",
            "go run",
            "go generate",
            "cargo run",
        ),
        *(
            "cargo install",
            "docker run",
            "docker exec",
            "docker compose run",
            "docker compose exec",
            "podman run",
        ),
        *("podman exec", "kubectl exec", "kubectl run", "kubectl debug", "kubectl delete", "terraform apply"),
        *(
            "terraform destroy",
            "tofu apply",
            "tofu destroy",
            "nix run",
            "nix shell",
            "nix develop",
            "gh auth",
        ),
        *(
            "gh alias",
            "gh extension",
            "gh api",
            "aws configure",
            "systemctl start",
            "systemctl stop",
            "rails runner",
        ),
        *(
            "find -exec",
            "make -f",
            "make -C",
            "pip install",
            "pip3 install",
            "python -m pip",
            "python3 -m pip",
        ),
    }
)
"""Beginnings that run, fetch or remove whatever follows them."""
