"""Programs that dial, and which of their words are hosts."""

import re
from collections.abc import Callable, Iterator

from toolpost.atom import Atom, Kind
from toolpost.authorize.commands.options import flags, parted
from toolpost.authorize.commands.paths import net_atom, path_atoms
from toolpost.authorize.commands.terms import Known, Term, fixed

_URL = re.compile(r"(?:[a-zA-Z][\w+.-]*://)[^\s'\"<>|;]+")
_REMOTE = re.compile(r"(?:[\w.-]+@)?(?P<host>\[[0-9a-fA-F:.]+\]|[\w.-]+):(?!//)(?!\\)")
_FORM_FILE = re.compile(r"[^=]*=[@<](?P<path>[^;,]+)")
_LOCAL_SCHEMES = ("file://", "data://")

_CURL_VALUES = flags(
    "-A -b -c -C -d -D -e -E -F -H -K -m -o -P -Q -r -t -T -u -U -w -x -X -y -Y -z --data --data-raw --data-binary "
    "--data-urlencode --json --form --header --output --output-dir --config --user --user-agent --request --proxy "
    "--upload-file --cookie --cookie-jar --referer --max-time --connect-timeout --retry --cacert --cert --key "
    "--resolve --connect-to --interface --dns-servers --write-out --dump-header --range --limit-rate --url --trace "
    "--trace-ascii --stderr --netrc-file --unix-socket --proto --proxy-user --retry-delay --retry-max-time "
    "--max-filesize --max-redirs --capath --ciphers --engine --form-string --variable --url-query --etag-save "
    "--etag-compare"
)
_CURL_DATA = flags(
    "-d -F -H --data --data-binary --data-urlencode --json --form --header --variable --url-query"
)
_CURL_READS = flags(
    "-T -K -b -E --upload-file --config --cookie --cert --key --cacert --netrc-file --etag-compare"
)
_CURL_WRITES = flags(
    "-o -c -D --output --output-dir --cookie-jar --dump-header --trace --trace-ascii --stderr --etag-save --hsts"
)
_WGET_VALUES = flags(
    "-O -o -a -e -P -U -t -T -w -i -l -A -R -D -I -X -B -Q --output-document --output-file --append-output --header "
    "--post-data --post-file --body-data --body-file --user --password --user-agent --tries --timeout --wait "
    "--input-file --directory-prefix --load-cookies --save-cookies --config --execute --method --referer --level "
    "--limit-rate --base --certificate --private-key --ca-certificate --use-askpass"
)
_WGET_READS = flags(
    "-i --post-file --body-file --input-file --load-cookies --config --certificate --private-key --ca-certificate"
)
_WGET_WRITES = flags(
    "-O -o -a -P --output-document --output-file --append-output --directory-prefix --save-cookies"
)
_SSH_VALUES = flags("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -P")
_GIT_REMOTE = frozenset(
    {"fetch", "pull", "push", "clone", "ls-remote", "submodule", "remote", "archive", "lfs"}
)
_GIT_LOCAL_REMOTE = frozenset(
    {"add", "remove", "rm", "rename", "set-url", "get-url", "-v", "set-head", "set-branches"}
)


def url_atoms(terms: list[Term]) -> Iterator[Atom]:
    """A stranger's URLs: what denies them holds."""
    for term in terms[1:]:
        if "://" in term.text:
            for url in _URL.findall(term.text):
                if not url.startswith(_LOCAL_SCHEMES):
                    yield net_atom(url, maybe=True)


def _curl(terms: list[Term], known: Known) -> Iterator[Atom]:
    texts = [term.text for term in terms]
    for index, option, value in parted(texts, _CURL_VALUES):
        if value is None:
            continue
        if option in {"", "--url"}:
            yield from _dialed(terms[index], value, known)
        elif option in {"-x", "--proxy", "--resolve", "--connect-to"}:
            yield net_atom(_proxy(value, option), maybe=option != "-x")
        elif option in _CURL_DATA:
            yield from _data_file(option, value, known)
        elif option in _CURL_READS | _CURL_WRITES:
            kind = Kind.READ if option in _CURL_READS else Kind.WRITE
            yield from path_atoms(kind, _valued(terms[index], value), known)


def _proxy(value: str, option: str) -> str:
    return value.split(":")[2] if option in {"--resolve", "--connect-to"} and value.count(":") >= 2 else value


def _valued(term: Term, value: str) -> Term:
    return term if term.text == value else fixed(value)


def _dialed(term: Term, value: str, known: Known) -> Iterator[Atom]:
    if value.startswith("file://"):
        yield from path_atoms(Kind.READ, fixed(value.removeprefix("file://")), known)
    else:
        yield net_atom(value, fixed=term.word.fixed)


def _data_file(option: str, value: str, known: Known) -> Iterator[Atom]:
    """`-d @file`, `-F name=@file`, `-F name=<file`, `--data-urlencode name@file`."""
    found = _FORM_FILE.match(value) if option in {"-F", "--form"} else None
    if option == "--data-urlencode" and "=" not in value.partition("@")[0]:
        path = value.partition("@")[2]
    else:
        path = found["path"] if found else value[1:] if value.startswith("@") else ""
    if path and path != "-":
        yield from path_atoms(Kind.READ, fixed(path), known)


def _wget(terms: list[Term], known: Known) -> Iterator[Atom]:
    texts = [term.text for term in terms]
    for index, option, value in parted(texts, _WGET_VALUES):
        if value is None:
            continue
        if not option:
            yield from _dialed(terms[index], value, known)
        elif option in _WGET_READS | _WGET_WRITES:
            kind = Kind.READ if option in _WGET_READS else Kind.WRITE
            yield from path_atoms(kind, _valued(terms[index], value), known)


def _first_host(terms: list[Term], _: Known) -> Iterator[Atom]:
    """ssh, nc, ping: the first operand, without a user and a port."""
    texts = [term.text for term in terms]
    for index, option, value in parted(texts, _SSH_VALUES):
        if option == "-J" and value:
            yield net_atom(value.rpartition("@")[2])
        elif not option:
            yield net_atom(texts[index].rpartition("@")[2], fixed=terms[index].word.fixed)
            return


def _every_host(terms: list[Term], _: Known) -> Iterator[Atom]:
    for index, option, _value in parted([term.text for term in terms], frozenset()):
        if not option and not terms[index].text.isdigit():
            yield net_atom(terms[index].text.lstrip("@"), fixed=terms[index].word.fixed, maybe=True)


def _copying(terms: list[Term], _: Known) -> Iterator[Atom]:
    """Scp and rsync: `host:path` among the operands."""
    for term in terms[1:]:
        remote = _REMOTE.match(term.text)
        if remote is not None and not term.text.startswith(("/", ".", "-")):
            yield net_atom(remote["host"], fixed=term.word.fixed)
        elif term.text.startswith("rsync://"):
            yield net_atom(term.text)


def _git(terms: list[Term], _: Known) -> Iterator[Atom]:
    texts = [term.text for term in terms]
    words = [text for _, option, text in parted(texts, flags("-C -c --git-dir --work-tree")) if not option]
    if not words or words[0] not in _GIT_REMOTE:
        return
    if words[0] == "remote" and (len(words) == 1 or words[1] in _GIT_LOCAL_REMOTE):
        return
    if words[0] == "submodule" and "update" not in words and "add" not in words:
        return
    hosts = [word for word in words[1:] if word and ("://" in word or _REMOTE.match(word))]
    for host in hosts:
        remote = None if host and "://" in host else _REMOTE.match(host or "")
        yield net_atom(remote["host"] if remote else host or "")
    if not hosts and not (words[0] == "clone" and len(words) > 1 and (words[1] or "").startswith(("/", "."))):
        yield net_atom("", fixed=False)


def _socat(terms: list[Term], _: Known) -> Iterator[Atom]:
    for term in terms[1:]:
        kind, colon, rest = term.text.partition(":")
        if (
            colon
            and kind.upper().startswith(("TCP", "UDP", "OPENSSL", "SSL", "SCTP"))
            and "LISTEN" not in kind.upper()
        ):
            yield net_atom(rest.partition(":")[0])


NETWORK: dict[str, Callable[[list[Term], Known], Iterator[Atom]]] = {
    "curl": _curl,
    "wget": _wget,
    **dict.fromkeys(
        ("ssh", "sftp", "mosh", "autossh", "telnet", "nc", "ncat", "netcat", "ftp", "lftp", "rsh"),
        _first_host,
    ),
    **dict.fromkeys(
        ("ping", "ping6", "traceroute", "mtr", "dig", "nslookup", "host", "whois", "nmap"), _every_host
    ),
    **dict.fromkeys(("scp", "rsync"), _copying),
    **dict.fromkeys(
        ("http", "https", "xh", "xhs", "httpie", "aria2c", "axel", "lynx", "w3m", "links"), _every_host
    ),
    "git": _git,
    "socat": _socat,
}
