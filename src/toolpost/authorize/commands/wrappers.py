"""Programs that run other programs: where among their words the inner command begins."""

from msgspec import Struct


class Wrapper(Struct, frozen=True, kw_only=True):
    values: str = ""
    """Options that take the next word, parted by blanks; a cluster that ends in one takes it too."""
    flags: str = ""
    """Options that take none. After one that is not known, the next word may be its value or the program."""
    operands: int = 0
    """Words of its own before the inner command: the seconds of `timeout`."""
    assigns: bool = False
    """`NAME=value` may stand before the inner command."""
    transparent: bool = False
    """It changes neither what runs nor with whose rights: a rule about the inner command holds through it."""
    joins: bool = False
    """The words are joined and read by a shell."""
    far: bool = False
    """The inner command runs elsewhere, or may not be one: it only meets what denies."""
    script: str = ""
    """Options whose value is a shell script, parted by blanks."""


_CLEAR = {
    "timeout": Wrapper(
        flags="-v --verbose -f --foreground -p --preserve-status",
        values="-k --kill-after -s --signal",
        operands=1,
        transparent=True,
    ),
    "gtimeout": Wrapper(
        flags="-v --verbose -f --foreground -p --preserve-status",
        values="-k --kill-after -s --signal",
        operands=1,
        transparent=True,
    ),
    "time": Wrapper(
        flags="-p -v --verbose -a --append -q --quiet --portability",
        values="-f --format -o --output",
        assigns=True,
        transparent=True,
    ),
    "nice": Wrapper(flags="-0 -1 -2 -3 -4 -5 -6 -7 -8 -9", values="-n --adjustment", transparent=True),
    "nohup": Wrapper(flags="--help", transparent=True),
    "stdbuf": Wrapper(values="-i --input -o --output -e --error", transparent=True),
    "ionice": Wrapper(flags="-t --ignore", values="-c --class -n --classdata", transparent=True),
    "chrt": Wrapper(flags="-b -f -i -o -r -d -a -v", values="-T -P -D", operands=1, transparent=True),
    "setsid": Wrapper(flags="-c -f -w --ctty --fork --wait", transparent=True),
    "taskset": Wrapper(flags="-a -c --all-tasks --cpu-list", operands=1, transparent=True),
    "command": Wrapper(flags="-p -v -V", transparent=True),
    "builtin": Wrapper(transparent=True),
    "exec": Wrapper(flags="-c -l", values="-a", transparent=True),
    "coproc": Wrapper(assigns=True, transparent=True),
    "!": Wrapper(assigns=True, transparent=True),
    "{": Wrapper(assigns=True, transparent=True),
    "then": Wrapper(assigns=True, transparent=True),
    "do": Wrapper(assigns=True, transparent=True),
    "else": Wrapper(assigns=True, transparent=True),
    "if": Wrapper(assigns=True, transparent=True),
    "elif": Wrapper(assigns=True, transparent=True),
    "while": Wrapper(assigns=True, transparent=True),
    "until": Wrapper(assigns=True, transparent=True),
}
"""From `!` on they are no programs: the grammar takes what follows `time` or `coproc` for words."""

_RIGHTS = {
    "sudo": Wrapper(
        flags="-A -b -E -e -H -h -i -K -k -l -n -P -S -s -V -v --login --shell --non-interactive --preserve-env --set-home --stdin --background --askpass --reset-timestamp",
        values="-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T "
        "--command-timeout -U --other-user -D --chdir -R --chroot",
        assigns=True,
    ),
    "doas": Wrapper(flags="-n -s -L", values="-u -C"),
    "su": Wrapper(
        values="-s --shell -g --group -G --supp-group", operands=1, script="-c --command", far=True
    ),
    "runuser": Wrapper(values="-u --user -g -G -s", script="-c --command", far=True),
    "pkexec": Wrapper(values="--user"),
    "gosu": Wrapper(operands=1),
    "su-exec": Wrapper(operands=1),
    "sg": Wrapper(operands=1, joins=True, script="-c"),
    "setpriv": Wrapper(values="--reuid --regid --groups --inh-caps --bounding-set --securebits"),
    "capsh": Wrapper(far=True),
    "runcon": Wrapper(values="-t -u -r -l", operands=1, far=True),
    "chroot": Wrapper(operands=1),
    "unshare": Wrapper(
        flags="-m -u -i -n -p -U -C -T -f -r -c --mount --net --pid --user --fork --map-root-user",
        values="-S -G -R -w --root --wd --setuid --setgid",
    ),
    "nsenter": Wrapper(values="-t --target -S -G -r -w", far=True),
    "setarch": Wrapper(operands=1, far=True),
    "linux32": Wrapper(),
    "linux64": Wrapper(),
    "fakeroot": Wrapper(values="-l -s -i -f --lib --faked"),
    "fakechroot": Wrapper(values="-s -e -c -d -b"),
    "proot": Wrapper(values="-r -b -w -q -v -k", far=True),
    "bwrap": Wrapper(far=True),
    "firejail": Wrapper(far=True),
    "systemd-run": Wrapper(
        values="-p --property -u --unit -M --machine --uid --gid -t -E --setenv", far=True
    ),
    "systemd-inhibit": Wrapper(values="--what --who --why --mode"),
    "cgexec": Wrapper(values="-g"),
    "start-stop-daemon": Wrapper(far=True),
    "daemonize": Wrapper(values="-a -c -e -o -p -l -u -E"),
}

_AROUND = {
    "env": Wrapper(
        flags="-i - -0 -v --ignore-environment --null --debug",
        values="-u --unset -C --chdir",
        assigns=True,
        script="-S --split-string",
    ),
    "xargs": Wrapper(
        flags="-0 -r -t -x -p -o --null --no-run-if-empty --verbose --exit --interactive --open-tty",
        values="-a --arg-file -d --delimiter -E -I -L --max-lines -n --max-args -P --max-procs -s --max-chars "
        "--process-slot-var -J -R -S",
    ),
    "watch": Wrapper(
        flags="-d -t -b -e -g -c -x -p --differences --no-title --color --exec",
        values="-n --interval -q",
        joins=True,
    ),
    "strace": Wrapper(
        flags="-f -ff -c -C -q -r -t -T -v -x -y -d -i -k -z -Z -D",
        values="-e -o -p -s -u -E -a -O -S -P -I -b -X",
    ),
    "ltrace": Wrapper(values="-e -o -p -s -u -a -l -n -x -A -D -F"),
    "flock": Wrapper(
        flags="-s -x -e -u -n -o -v -F --shared --exclusive --nonblock --close",
        values="-w --timeout --wait -E --conflict-exit-code",
        operands=1,
        script="-c --command",
    ),
    "parallel": Wrapper(values="-j --jobs -n -N -a --arg-file -S --sshlogin -I --delay --timeout", far=True),
    "script": Wrapper(values="-t -o -O -I -B -T -E", script="-c --command", far=True),
    "busybox": Wrapper(),
    "toybox": Wrapper(),
    "valgrind": Wrapper(),
    "gdb": Wrapper(values="-x -ex -iex -p -c -s -d", far=True),
    "rlwrap": Wrapper(values="-f -H -s -a -b -l", far=True),
    "unbuffer": Wrapper(),
    "faketime": Wrapper(values="-f", operands=1),
    "torsocks": Wrapper(values="-u -p -a -P"),
    "torify": Wrapper(),
    "tsocks": Wrapper(),
    "proxychains": Wrapper(values="-f"),
    "proxychains4": Wrapper(values="-f"),
    "numactl": Wrapper(values="-m -N -C -i -p"),
    "prlimit": Wrapper(values="-p --pid -o"),
    "cpulimit": Wrapper(values="-l -p -e -P", far=True),
    "eatmydata": Wrapper(),
    "ccache": Wrapper(),
    "distcc": Wrapper(),
    "sccache": Wrapper(),
    "hyperfine": Wrapper(
        values="-w --warmup -r --runs -m -M -n -N -S --shell --export-json --export-markdown --export-csv",
        script="-p --prepare -s --setup -c --cleanup",
        joins=True,
        far=True,
    ),
    "entr": Wrapper(),
    "caffeinate": Wrapper(values="-t -w"),
    "arch": Wrapper(far=True),
    "xvfb-run": Wrapper(values="-e -f -n -p -s -w --server-args"),
    "dbus-run-session": Wrapper(values="--config-file --dbus-daemon"),
    "dbus-launch": Wrapper(),
    "ssh-agent": Wrapper(values="-a -t -E -P"),
    "direnv": Wrapper(far=True),
    "dotenv": Wrapper(values="-f", far=True),
    "nix-shell": Wrapper(script="--run --command", far=True),
    "mise": Wrapper(far=True),
    "asdf": Wrapper(far=True),
    "tmux": Wrapper(far=True),
    "screen": Wrapper(values="-S -t -c -e -h -s -T -p", far=True),
    "expect": Wrapper(far=True),
    "catchsegv": Wrapper(),
    "winpty": Wrapper(),
    "dumb-init": Wrapper(values="-r"),
    "tini": Wrapper(values="-p -e"),
    "run-parts": Wrapper(far=True),
    "coverage": Wrapper(far=True),
    "doppler": Wrapper(far=True),
    "aws-vault": Wrapper(far=True),
    "op": Wrapper(far=True),
}

_RUNNERS = {
    "npx": Wrapper(values="-p --package --node-options", script="-c --call", far=True),
    "pnpx": Wrapper(far=True),
    "bunx": Wrapper(far=True),
    "uvx": Wrapper(values="--from --with -p --python --index", far=True),
    "pipx": Wrapper(far=True),
    "ssh": Wrapper(
        values="-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", operands=1, joins=True, far=True
    ),
    "autossh": Wrapper(values="-M -o -i -p -L -R -D", operands=1, joins=True, far=True),
    "mosh": Wrapper(operands=1, joins=True, far=True),
    "rsh": Wrapper(values="-l", operands=1, joins=True, far=True),
    "sshpass": Wrapper(values="-p -f -d -P"),
}

WRAPPERS: dict[str, Wrapper] = {**_CLEAR, **_RIGHTS, **_AROUND, **_RUNNERS}
TRANSPARENT = frozenset(name for name, wrapper in WRAPPERS.items() if wrapper.transparent)

TRUSTED = frozenset({"/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"})
"""Folders in which a program is what its name says."""

SUB_COMMANDS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("docker", "podman", "nerdctl"), frozenset({"exec", "run", "create"})),
    **dict.fromkeys(("docker-compose", "podman-compose"), frozenset({"exec", "run"})),
    **dict.fromkeys(("kubectl", "oc", "k3s", "microk8s"), frozenset({"exec", "run", "debug"})),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), frozenset({"exec", "dlx", "x", "create"})),
    **dict.fromkeys(
        ("uv", "poetry", "pipenv", "pdm", "hatch", "rye", "conda", "mamba"), frozenset({"run", "tool"})
    ),
    **dict.fromkeys(
        ("bundle", "rbenv", "pyenv", "nodenv", "jenv", "opam", "stack", "cabal"), frozenset({"exec"})
    ),
    "nix": frozenset({"run", "develop", "shell"}),
    "flatpak": frozenset({"run", "spawn"}),
    "snap": frozenset({"run"}),
    "lxc": frozenset({"exec"}),
    "vagrant": frozenset({"ssh"}),
    "perf": frozenset({"stat", "record", "trace"}),
    "git": frozenset({"bisect", "foreach"}),
    "machinectl": frozenset({"shell"}),
    "rustup": frozenset({"run"}),
    "heroku": frozenset({"run"}),
    "fly": frozenset({"ssh"}),
    "op": frozenset({"run"}),
}
"""Programs that run what stands after such a sub-command; how many words stand between is not known."""

COMMAND_FLAGS: dict[str, str] = {
    "tar": "-I --use-compress-program --to-command --checkpoint-action -F --info-script --new-volume-script "
    "--rsh-command --rmt-command",
    "rsync": "-e --rsh --rsync-path",
    "scp": "-S",
    "sftp": "-S",
    "rg": "--pre --hostname-bin",
    "sort": "--compress-program",
    "man": "-P --pager -H --html",
    "git": "-x --exec --extcmd --upload-pack --receive-pack -u --tree-filter --index-filter --msg-filter "
    "--env-filter --commit-filter --parent-filter --tag-name-filter -O --open-files-in-pager",
    "vim": "-c --cmd",
    "vi": "-c",
    "nvim": "-c --cmd",
    "make": "--eval",
    "zip": "-TT --unzip-command",
    "cargo": "--config",
    "docker": "--entrypoint",
    "podman": "--entrypoint",
    "wget": "--use-askpass",
    "tcpdump": "-z",
    "split": "--filter",
    "nc": "-e -c --exec --sh-exec",
    "ncat": "-e -c --exec --sh-exec",
    "netcat": "-e -c",
    "gdb": "-ex -iex --eval-command",
    "xterm": "-e",
    "su": "-c --command -s --shell",
    "npm": "--script-shell",
    "fzf": "--preview --bind",
    "ssh": "-o",
    "go": "-exec -toolexec",
    "compgen": "-C -F -W",
    "complete": "-C -F -W",
}
"""Options whose value is a command: it is read as a script, and what denies it holds."""
