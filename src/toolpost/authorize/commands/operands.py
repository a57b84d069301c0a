"""Which programs read, write or delete the files that their words name."""

from msgspec import Struct

from toolpost.atom import Kind

_R, _W, _D = Kind.READ, Kind.WRITE, Kind.DELETE


class Use(Struct, frozen=True, kw_only=True):
    """Flags are parted by blanks. A flag's value is never an operand."""

    kind: Kind | None = None
    """What is done to each operand; None: they are no files."""
    skip: int = 0
    """Operands at the beginning that are no files: the pattern of grep."""
    unless: str = ""
    """Flags that bring the pattern, so that no operand is skipped."""
    last: Kind | None = None
    """What is done to the last operand instead, when there are several."""
    values: str = ""
    reads: str = ""
    """Flags whose value is a file that is read."""
    writes: str = ""
    """Flags whose value is a file or folder that is written."""
    only: int = 0
    """How many operands are files; 0: all."""
    here: bool = False
    """Without an operand it goes through the current folder."""
    trees: str = ""
    """Flags that make it go through folders; `*` means that it always does."""
    becomes: str = ""
    """Flags with which it writes what it otherwise reads: `sed -i`."""


def _each(names: str, use: Use) -> dict[str, Use]:
    return dict.fromkeys(names.split(), use)


_READERS = {
    **_each("cat tac rev nl more bat batcat most pg zcat bzcat xzcat zless zmore gzcat lz4cat zstdcat", Use(kind=_R)),
    **_each("less", Use(kind=_R, values="-b -h -j -k -p -P -t -T -x -y -z", writes="-o -O --log-file")),
    **_each("head tail", Use(kind=_R, values="-n -c --lines --bytes -s --pid")),
    **_each("wc", Use(kind=_R, reads="--files0-from")),
    **_each("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 shasum crc32", Use(kind=_R)),
    **_each("base64 base32 uuencode", Use(kind=_R, values="-w -b", reads="-i", writes="-o")),
    **_each("od hexdump hd", Use(kind=_R, values="-A -j -N -S -t -w -n -s -e -f")),
    **_each("xxd", Use(kind=_R, last=_W, values="-c -g -l -s -o -n")),
    **_each("strings", Use(kind=_R, values="-n -t -e")),
    **_each("file", Use(kind=_R, values="-F -m -P -e", reads="-f")),
    **_each("stat", Use(kind=_R, values="-c --format --printf -f -t")),
    **_each("diff colordiff sdiff diff3", Use(kind=_R, values="-U -C -W -I -x -L --label", trees="-r --recursive")),
    **_each("cmp comm join paste", Use(kind=_R, values="-d -i -n -t -j -1 -2 -o -a -e")),
    **_each("cut", Use(kind=_R, values="-d -f -c -b --delimiter --fields")),
    **_each("uniq", Use(kind=_R, last=_W, values="-f -s -w")),
    **_each("column fold fmt expand unexpand pr", Use(kind=_R, values="-c -s -t -w -o -N -i")),
    **_each("sort", Use(kind=_R, values="-k -t -S --key --parallel", reads="--files0-from", writes="-o --output -T")),
    **_each("shuf", Use(kind=_R, values="-n -i", reads="--random-source", writes="-o --output")),
    **_each("tsort look readelf objdump nm size ldd", Use(kind=_R)),
    **_each("grep egrep fgrep zgrep bzgrep xzgrep rgrep", Use(
        kind=_R, skip=1, unless="-e --regexp -f --file", reads="-f --file --exclude-from",
        values="-e --regexp -A -B -C -m -d -D --include --exclude --exclude-dir --color --label --max-count",
        trees="-r -R --recursive --dereference-recursive",
    )),
    **_each("rg ag ack ugrep", Use(
        kind=_R, skip=1, unless="-e --regexp -f --file --files --type-list", reads="-f --file --ignore-file",
        values="-e --regexp -A -B -C -m -g -t -T -j -r -M -E --glob --iglob --type --type-not --max-depth --max-count "
        "--sort --sortr --replace --context --color --colors --engine --encoding --max-filesize --pre --pre-glob",
        here=True, trees="*",
    )),
    **_each("jq gojq jaq", Use(kind=_R, skip=1, unless="-f --from-file", reads="-f --from-file", values="--indent --tab")),
    **_each("yq xq tomlq dasel", Use(kind=_R, skip=1, values="-I -o -p", becomes="-i --inplace")),
    **_each("xmllint", Use(kind=_R, values="--xpath --encode", writes="--output -o", reads="--schema --dtdvalid")),
    **_each("ls dir vdir eza exa lsd", Use(kind=_R, values="-I -w -T --ignore --sort --color", here=True, trees="-R --recursive -T --tree")),
    **_each("tree", Use(kind=_R, values="-L -P -I -H -T --filelimit --sort --charset", writes="-o", here=True, trees="*")),
    **_each("du ncdu dust", Use(kind=_R, values="-d -t -B -X --max-depth --threshold --exclude", here=True, trees="*")),
    **_each("cloc tokei scc wc-l", Use(kind=_R, values="--exclude-dir --include-lang", here=True, trees="*")),
    **_each("readlink realpath namei", Use()),
    **_each("basename dirname", Use()),
    **_each("awk gawk mawk nawk", Use(kind=_R, skip=1, unless="-f --file", values="-v -F --assign", reads="-f --file -i")),
    **_each("sed gsed", Use(
        kind=_R, skip=1, unless="-e --expression -f --file", values="-e --expression -l --line-length",
        reads="-f --file", becomes="-i --in-place",
    )),
    **_each("source .", Use(kind=_R)),
    **_each("xdg-open open start", Use(kind=_R)),
    **_each("iconv", Use(kind=_R, values="-f -t", writes="-o --output")),
    **_each("openssl gpg gpg2 age", Use(reads="-in -inkey -key -i", writes="-out -o --output")),
    **_each("sqlite3", Use(kind=_W, values="-cmd -separator")),
    **_each("patch", Use(kind=_W, reads="-i --input", writes="-o --output -d", values="-p -F")),
    **_each("zip", Use(kind=_R, values="-b -n -i -x", trees="-r")),
    **_each("unzip", Use(kind=_R, values="-x -P", writes="-d")),
    **_each("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress uncompress", Use(kind=_W, values="-S -T", trees="-r")),
    **_each("tar bsdtar gtar", Use(
        kind=_R, values="-f --file -b --exclude --transform --xform --owner --group --mode --strip-components --checkpoint-action "
        "-I --use-compress-program --to-command -F -N", reads="-T --files-from -X --exclude-from",
        writes="-C --directory", trees="*",
    )),
    **_each("python python3 python2 pypy pypy3", Use(kind=_R, only=1, values="-c -m -W -X")),
    **_each("node nodejs bun deno tsx ts-node", Use(kind=_R, only=1, values="-e --eval -p --print -r --require --import -C")),
    **_each("ruby perl php lua luajit rscript julia", Use(kind=_R, only=1, values="-e -E -r -R -B -I -M -C -l")),
    **_each("bash sh zsh dash ksh fish ash", Use(kind=_R, only=1, values="-o -O +o +O", reads="--rcfile --init-file")),
}  # fmt: skip

_WRITERS = {
    **_each("tee", Use(kind=_W)),
    **_each("touch", Use(kind=_W, values="-d -t --date", reads="-r --reference")),
    **_each("mkdir", Use(kind=_W, values="-m --mode")),
    **_each("mkfifo mknod", Use(kind=_W, values="-m --mode")),
    **_each("truncate", Use(kind=_W, values="-s --size", reads="-r --reference")),
    **_each("fallocate", Use(kind=_W, values="-l -o")),
    **_each("chmod", Use(kind=_W, skip=1, unless="--reference", trees="-R --recursive")),
    **_each("chown chgrp", Use(kind=_W, skip=1, unless="--reference", values="--from", trees="-R --recursive -h")),
    **_each("chattr setfacl setfattr chcon", Use(kind=_W, skip=1, values="-m -x -n -v", trees="-R --recursive")),
    **_each("xattr", Use(kind=_W, skip=1, trees="-r")),
    **_each("cp gcp", Use(kind=_R, last=_W, values="-S --suffix", writes="-t --target-directory", trees="-r -R -a --recursive --archive")),
    **_each("mv gmv", Use(kind=_D, last=_W, values="-S --suffix", writes="-t --target-directory")),
    **_each("install ginstall", Use(kind=_R, last=_W, values="-m -o -g -S --mode --owner --group", writes="-t --target-directory")),
    **_each("ln gln", Use(kind=_R, last=_W, values="-S --suffix", writes="-t --target-directory")),
    **_each("rsync", Use(
        kind=_R, last=_W, values="-e --rsh -f --filter --exclude --include --port --bwlimit --chmod",
        reads="--files-from --exclude-from --include-from --password-file", writes="--log-file -T --backup-dir",
        trees="-r -a --recursive --archive",
    )),
    **_each("scp", Use(kind=_R, last=_W, values="-c -F -i -J -l -o -P -S", trees="-r")),
    **_each("split csplit", Use(kind=_R, values="-a -b -l -n -C", last=_W)),
    **_each("vi vim nvim view nano emacs ed ex code subl micro helix hx", Use(kind=_W, values="-c --cmd +", reads="-S -u")),
    **_each("rename prename", Use(kind=_W, skip=1)),
    **_each("dos2unix unix2dos", Use(kind=_W)),
    **_each("ffmpeg convert magick", Use(kind=_R, last=_W, values="-vf -af -c:v -c:a -resize -quality", reads="-i")),
    **_each("gcc g++ cc c++ clang clang++ rustc ld as", Use(kind=_R, values="-D -I -L -l -std -x", writes="-o")),
    **_each("time", Use(writes="-o --output")),
    **_each("strace ltrace", Use(writes="-o")),
    **_each("mktemp", Use()),
    **_each("xargs gxargs parallel", Use(reads="-a --arg-file")),
}  # fmt: skip

_DELETERS = {
    **_each("rm grm", Use(kind=_D, trees="-r -R --recursive")),
    **_each("unlink", Use(kind=_D)),
    **_each("rmdir", Use(kind=_D)),
    **_each("shred srm wipe", Use(kind=_D, values="-n -s --iterations --size", trees="-r")),
    **_each("trash trash-put rimraf del-cli", Use(kind=_D, trees="*")),
}

OPERANDS: dict[str, Use] = {**_READERS, **_WRITERS, **_DELETERS}

NO_FILES = frozenset(
    {
        *(
            "git",
            "gh",
            "npm",
            "pnpm",
            "yarn",
            "cargo",
            "make",
            "docker",
            "podman",
            "kubectl",
            "pip",
            "pip3",
            "uv",
        ),
        *(
            "echo",
            "printf",
            "date",
            "sleep",
            "seq",
            "expr",
            "kill",
            "pkill",
            "killall",
            "ps",
            "id",
            "whoami",
            "which",
        ),
        *(
            "type",
            "uname",
            "hostname",
            "env",
            "export",
            "true",
            "false",
            "test",
            "[",
            "[[",
            "curl",
            "wget",
            "ssh",
        ),
        *(
            "apt",
            "apt-get",
            "brew",
            "systemctl",
            "sudo",
            "xargs",
            "timeout",
            "nice",
            "nohup",
            "find",
            "fd",
            "fdfind",
        ),
        *(
            "dd",
            "nc",
            "ncat",
            "telnet",
            "ping",
            "dig",
            "nslookup",
            "host",
            "go",
            "poetry",
            "bundle",
            "mvn",
            "gradle",
        ),
    }
)
"""Programs whose words are not guessed at: they are no files, or told of elsewhere."""
