"""Ways a repository can make git run a program, each planted into a copy of one ordinary repository.

The program is a script in the test's own folder; all it does is to touch a file, the canary.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct
from tests.workspace.repository import git

_SIGNED = """gpgsig -----BEGIN {kind} SIGNATURE-----
 bm90IGEgc2lnbmF0dXJl
 -----END {kind} SIGNATURE-----
"""


class Ground(Struct, frozen=True):
    """Where a vector is planted, and what it wants to run."""

    repository: Path
    outside: Path
    """A folder beside the repository, which a root never includes."""
    touch: Path
    """Touches the canary and ends."""
    pass_on: Path
    """Touches the canary and copies its input to its output."""

    @property
    def folder(self) -> Path:
        return self.repository / ".git"

    def config(self, text: str, file: str = ".git/config") -> None:
        with (self.repository / file).open("a", encoding="utf-8") as stream:
            stream.write(text.format(touch=self.touch, pass_on=self.pass_on, outside=self.outside))

    def hook(self, name: str, folder: Path | None = None) -> None:
        hooks = folder or self.folder / "hooks"
        hooks.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.touch, hooks / name)

    def attributes(self, text: str, file: str = ".gitattributes") -> None:
        path = self.repository / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class Vector(Struct, frozen=True):
    name: str
    plant: Callable[[Ground], None]
    since: tuple[int, int] | None = (2, 34)
    """The git that runs it in one of the control's commands; None: it takes another command, or a server."""


def _hook(name: str) -> Callable[[Ground], None]:
    return lambda ground: ground.hook(name)


def _config(text: str) -> Callable[[Ground], None]:
    return lambda ground: ground.config(text)


def _driven(attributes: str, config: str) -> Callable[[Ground], None]:
    def plant(ground: Ground) -> None:
        ground.attributes(attributes)
        ground.config(config)

    return plant


def _hooks_path(ground: Ground) -> None:
    for name in ("pre-commit", "post-checkout", "post-index-change", "reference-transaction"):
        ground.hook(name, ground.repository / "tools" / "hooks")
    ground.config("[core]\n\thooksPath = tools/hooks\n")


def _cleaning(ground: Ground) -> None:
    """So many objects, by git's own way to guess, that it cleans up after a commit."""
    ground.config("[gc]\n\tauto = 1\n\tautoDetach = false\n\trecentObjectsHook = {touch}\n")
    crowded = ground.folder / "objects" / "17"
    crowded.mkdir(exist_ok=True)
    for number in range(3):
        (crowded / f"{number:038x}").touch()


def _before_cleaning(ground: Ground) -> None:
    ground.hook("pre-auto-gc")
    _cleaning(ground)


def _watchman(ground: Ground) -> None:
    ground.hook("fsmonitor-watchman")
    ground.config("[core]\n\tfsmonitor = .git/hooks/fsmonitor-watchman\n")


def _attributes_of_its_own(ground: Ground) -> None:
    ground.attributes("* filter=evil diff=evil\n", ".git/info/attributes")
    ground.config(
        '[filter "evil"]\n\tclean = {pass_on}\n\tsmudge = {pass_on}\n[diff "evil"]\n\ttextconv = {pass_on}\n'
    )


def _attributes_elsewhere(ground: Ground) -> None:
    (ground.outside / "attributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")
    ground.config("[core]\n\tattributesFile = {outside}/attributes\n")
    ground.config(
        '[filter "evil"]\n\tclean = {pass_on}\n\tsmudge = {pass_on}\n[diff "evil"]\n\ttextconv = {pass_on}\n'
    )


def _signed(kind: str, config: str) -> Callable[[Ground], None]:
    def plant(ground: Ground) -> None:
        head, _, body = git(ground.repository, "cat-file", "commit", "HEAD").partition("\n\n")
        text = f"{head}\n{_SIGNED.format(kind=kind)}\n{body}\n".encode()
        oid = git(ground.repository, "hash-object", "-t", "commit", "-w", "--stdin", data=text)
        git(ground.repository, "update-ref", "refs/heads/main", oid)
        ground.config(config)

    return plant


def _missing(config: str) -> Callable[[Ground], None]:
    """A partial clone that lacks a file's content and knows where to get it."""

    def plant(ground: Ground) -> None:
        for revision in ("HEAD:a.txt", "HEAD~1:a.txt", "topic:a.txt"):
            oid = git(ground.repository, "rev-parse", revision)
            (ground.folder / "objects" / oid[:2] / oid[2:]).unlink(missing_ok=True)
        ground.config(config)

    return plant


def _submodule(ground: Ground) -> None:
    inner = ground.repository / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    git(inner, "commit", "-q", "--allow-empty", "-m", "inner")
    git(
        ground.repository,
        "update-index",
        "--add",
        "--cacheinfo",
        f"160000,{git(inner, 'rev-parse', 'HEAD')},inner",
    )
    (ground.repository / ".gitmodules").write_text('[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n')
    ground.config("[core]\n\tfsmonitor = {touch}\n", "inner/.git/config")
    ground.config(
        '[submodule]\n\trecurse = true\n[submodule "inner"]\n\tactive = true\n\turl = ./inner\n\tupdate = !{touch}\n'
        "[status]\n\tsubmoduleSummary = true\n[diff]\n\tsubmodule = log\n\tignoreSubmodules = none\n"
    )


def _included(header: str) -> Callable[[Ground], None]:
    def plant(ground: Ground) -> None:
        ground.attributes("*.txt filter=evil diff=evil\n")
        ground.config(
            '[core]\n\tfsmonitor = {touch}\n[filter "evil"]\n\tclean = {pass_on}\n\tsmudge = {pass_on}\n'
            '[diff "evil"]\n\ttextconv = {pass_on}\n\tcommand = {touch}\n',
            ".git/more",
        )
        ground.config(f"[{header}]\n\tpath = more\n")

    return plant


def _in_a_new_worktree(ground: Ground) -> None:
    """Holds only in a worktree that is made later; the committed attributes say which files."""
    ground.attributes("*.txt filter=evil\n")
    git(ground.repository, "add", ".gitattributes")
    git(ground.repository, "commit", "-q", "-m", "attributes")
    ground.config('[filter "evil"]\n\tsmudge = {pass_on}\n\tclean = {pass_on}\n', ".git/more")
    ground.config('[includeIf "gitdir:**/worktrees/**"]\n\tpath = more\n')


def _worktree_config(ground: Ground) -> None:
    ground.attributes("*.txt filter=evil\n")
    ground.config("[extensions]\n\tworktreeConfig = true\n")
    ground.config(
        '[core]\n\tfsmonitor = {touch}\n[filter "evil"]\n\tclean = {pass_on}\n', ".git/config.worktree"
    )


def _other_worktree(ground: Ground) -> None:
    other = ground.outside / "tree"
    shutil.copytree(ground.repository, other, ignore=shutil.ignore_patterns(".git"))
    (other / ".gitattributes").write_text("* filter=evil\n", encoding="utf-8")
    ground.config(
        '[core]\n\tworktree = {outside}/tree\n[filter "evil"]\n\tclean = {pass_on}\n\tsmudge = {pass_on}\n'
    )


def _git_file(ground: Ground) -> None:
    ground.config(
        "[core]\n\tfsmonitor = {touch}\n\tbare = false\n\tworktree = " + str(ground.repository) + "x\n"
    )
    ground.folder.rename(ground.outside / "elsewhere")
    ground.folder.write_text(f"gitdir: {ground.outside}/elsewhere\n", encoding="utf-8")


_REMOTE = '[remote "origin"]\n\turl = {outside}\n\tpromisor = true\n\tpartialclonefilter = blob:none\n'
_PARTIAL = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n"


def _all() -> Iterator[Vector]:
    for name in ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout"):
        yield Vector(f"hook {name}", _hook(name))
    for name in ("post-index-change", "reference-transaction"):
        yield Vector(f"hook {name}", _hook(name))
    yield Vector("hook pre-auto-gc", _before_cleaning)
    yield Vector("core.hooksPath", _hooks_path)
    yield Vector(
        "hook.NAME.command",
        _config('[hook "evil"]\n\tcommand = {touch}\n\tevent = pre-commit\n\tevent = post-index-change\n'),
        since=(2, 55),
    )
    yield Vector("core.fsmonitor", _config("[core]\n\tfsmonitor = {touch}\n"))
    yield Vector("fsmonitor-watchman", _watchman)
    yield from _filters()
    yield from _differs()
    yield from _people()
    yield from _remotes()
    yield from _includes()


def _filters() -> Iterator[Vector]:
    text = "*.txt filter=evil\n"
    yield Vector("filter clean", _driven(text, '[filter "evil"]\n\tclean = {pass_on}\n'))
    yield Vector("filter smudge", _driven(text, '[filter "evil"]\n\tsmudge = {pass_on}\n'))
    yield Vector("filter process", _driven(text, '[filter "evil"]\n\tprocess = {touch}\n\trequired = true\n'))
    yield Vector("filter required", _driven(text, '[filter "evil"]\n\tclean = {pass_on}\n\trequired\n'))
    yield Vector(
        "filter of an odd name",
        _driven('*.txt filter=a=b.c"d\n', '[filter "a=b.c\\"d"]\n\tclean = {pass_on}\n'),
    )
    yield Vector("info/attributes", _attributes_of_its_own)
    yield Vector("core.attributesFile", _attributes_elsewhere)


def _differs() -> Iterator[Vector]:
    text = "*.txt diff=evil merge=evil\n"
    yield Vector(
        "diff textconv", _driven(text, '[diff "evil"]\n\ttextconv = {pass_on}\n\tcachetextconv = true\n')
    )
    yield Vector("diff command", _driven(text, '[diff "evil"]\n\tcommand = {touch}\n'))
    yield Vector("diff.external", _config("[diff]\n\texternal = {touch}\n"))
    yield Vector("merge driver", _driven(text, '[merge "evil"]\n\tdriver = {touch} %A\n'), since=(2, 39))
    yield Vector(
        "merge.default",
        _config('[merge]\n\tdefault = evil\n[merge "evil"]\n\tdriver = {touch} %A\n'),
        since=(2, 39),
    )
    yield Vector("core.pager", _config("[core]\n\tpager = {pass_on}\n"))
    yield Vector(
        "pager.COMMAND", _config("[pager]\n\tlog = {pass_on}\n\tdiff = {pass_on}\n\tstatus = {pass_on}\n")
    )
    yield Vector("interactive.diffFilter", _config("[interactive]\n\tdiffFilter = {pass_on}\n"), since=None)
    yield Vector(
        "alias", _config("[alias]\n\tst = !{touch}\n\tstatus = !{touch}\n\tlog = !{touch}\n"), since=None
    )


def _people() -> Iterator[Vector]:
    yield Vector("core.editor", _config("[core]\n\teditor = {touch}\n"))
    yield Vector("sequence.editor", _config("[sequence]\n\teditor = {touch}\n"), since=None)
    gpg = "[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {touch}\n"
    yield Vector("gpg.program shows a signature", _signed("PGP", gpg))
    ssh = '[log]\n\tshowSignature = true\n[gpg "ssh"]\n\tprogram = {touch}\n\tallowedSignersFile = {touch}\n'
    yield Vector("gpg.ssh.program shows a signature", _signed("SSH", ssh))
    yield Vector("commit.gpgSign", _config("[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = {touch}\n"))
    key = '[commit]\n\tgpgSign = true\n[gpg]\n\tformat = ssh\n[gpg "ssh"]\n\tdefaultKeyCommand = {touch}\n'
    yield Vector("gpg.ssh.defaultKeyCommand", _config(key))
    yield Vector(
        "trailer command", _config('[trailer "Signed"]\n\tcommand = {touch}\n\tcmd = {touch}\n'), since=None
    )
    yield Vector("core.askPass", _config("[core]\n\taskPass = {touch}\n"), since=None)
    yield Vector("gc.recentObjectsHook", _cleaning, since=None)


def _remotes() -> Iterator[Vector]:
    yield Vector("promisor uploadpack", _missing(f"{_REMOTE}\tuploadpack = {{touch}}\n"))
    yield Vector("extensions.partialClone", _missing(f"{_REMOTE}\tuploadpack = {{touch}}\n{_PARTIAL}"))
    yield Vector("promisor vcs", _missing(f"{_REMOTE}\tvcs = evil\n"), since=None)
    ext = _REMOTE.replace("{outside}", '"ext::{touch} %S"') + "[protocol]\n\tallow = always\n"
    yield Vector("promisor ext::", _missing(f'{ext}[protocol "ext"]\n\tallow = always\n'))
    ssh = _REMOTE.replace("{outside}", "ssh://localhost/x") + "[core]\n\tsshCommand = {touch}\n"
    yield Vector("core.sshCommand", _missing(ssh))
    proxy = _REMOTE.replace("{outside}", "git://localhost/x") + "[core]\n\tgitProxy = {touch}\n"
    yield Vector("core.gitProxy", _missing(proxy))
    asks = _REMOTE.replace("{outside}", "http://localhost:9/x") + "[credential]\n\thelper = {touch}\n"
    yield Vector("credential.helper", _missing(asks), since=None)
    packs = _REMOTE + "[uploadpack]\n\tpackObjectsHook = {touch}\n"
    yield Vector("uploadpack.packObjectsHook", _missing(packs), since=None)
    yield Vector(
        "core.alternateRefsCommand", _config("[core]\n\talternateRefsCommand = {touch}\n"), since=None
    )
    yield Vector("submodule", _submodule)


def _includes() -> Iterator[Vector]:
    yield Vector("include.path", _included("include"))
    yield Vector("includeIf gitdir", _included('includeIf "gitdir:**"'))
    yield Vector("includeIf onbranch", _included('includeIf "onbranch:ma*"'))
    yield Vector(
        "includeIf hasconfig",
        _included('remote "o"]\n\turl = x\n[includeIf "hasconfig:remote.*.url:x"'),
        since=(2, 39),
    )
    yield Vector("includeIf in a new worktree", _in_a_new_worktree)
    yield Vector("config.worktree", _worktree_config)
    yield Vector("core.worktree", _other_worktree)
    yield Vector("a .git file", _git_file)


VECTORS = tuple(_all())
