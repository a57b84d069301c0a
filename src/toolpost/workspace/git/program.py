"""The git this machine has, and the surroundings every run of it gets: nothing of the user's, nothing of ours."""

import re
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from toolpost.errors import NotConfigured
from toolpost.workspace.git.process import Job, run

PATH = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin"
OLDEST = (2, 34)  # before 2.31 git knows no GIT_CONFIG_COUNT, and every override would be lost in silence
NOTHING = "/dev/null"
NOBODY = "/nonexistent"

ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        "PATH": PATH,
        "HOME": NOBODY,
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": NOTHING,
        "GIT_CONFIG_GLOBAL": NOTHING,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "SSH_ASKPASS": "false",
        "GIT_EDITOR": "false",
        "GIT_SEQUENCE_EDITOR": "false",
        "GIT_SSH_COMMAND": "false",
        "GIT_PAGER": "cat",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",  # stops fetching what a partial clone lacks before git 2.44 too
        "GIT_PROTOCOL_FROM_USER": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_MERGE_AUTOEDIT": "no",
        "GIT_ADVICE": "0",
    }
)

SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        # what would run a program
        "core.fsmonitor": "false",
        "core.hooksPath": NOTHING,
        "core.pager": "cat",
        "core.editor": "false",
        "core.askPass": "false",
        "core.sshCommand": "false",
        "core.gitProxy": "none",
        "core.alternateRefsCommand": "",
        "sequence.editor": "false",
        "interactive.diffFilter": "",
        "diff.external": "",
        "diff.trustExitCode": "false",
        "credential.helper": "",
        "gpg.program": "false",
        "gpg.ssh.program": "false",
        "gpg.x509.program": "false",
        "gpg.openpgp.program": "false",
        "gpg.ssh.defaultKeyCommand": "false",
        "commit.gpgSign": "false",
        "tag.gpgSign": "false",
        "log.showSignature": "false",
        "merge.verifySignatures": "false",
        "protocol.allow": "never",
        "protocol.ext.allow": "never",
        "protocol.file.allow": "never",
        "uploadpack.packObjectsHook": "",
        "gc.auto": "0",
        "gc.autoDetach": "false",
        "maintenance.auto": "false",
        # what would go into another repository, where none of this holds
        "submodule.recurse": "false",
        "diff.ignoreSubmodules": "all",
        "status.submoduleSummary": "false",
        "push.recurseSubmodules": "no",
        "fetch.recurseSubmodules": "no",
        # what would read a file the repository has no business with
        "core.attributesFile": NOTHING,
        "core.excludesFile": NOTHING,
        "mailmap.file": NOTHING,
        "diff.orderFile": NOTHING,
        "blame.ignoreRevsFile": "",
        "commit.template": "",
        "init.templateDir": "",
        # what keeps the answers in one form
        "core.quotePath": "false",
        "core.untrackedCache": "false",
        "core.bigFileThreshold": "32m",  # a larger file is passed through and compared as binary, never held
        "core.protectHFS": "true",
        "core.protectNTFS": "true",
        "color.ui": "false",
        "diff.noprefix": "false",
        "diff.mnemonicPrefix": "false",
        "diff.relative": "false",
        "i18n.logOutputEncoding": "UTF-8",
        "i18n.commitEncoding": "UTF-8",
        "log.follow": "false",
        "log.mailmap": "false",
        "log.decorate": "false",
        "rerere.enabled": "false",
        "safe.bareRepository": "explicit",
    }
)


@cache
def program() -> str:
    """Where git is. It is looked for in fixed places: the user's PATH may begin with a folder of the workspace."""
    found = shutil.which("git", path=PATH)
    if found is None:
        raise NotConfigured(
            f"git is not installed where it is looked for ({PATH}). Install it: `apt install git`, `dnf install git`,"
            " `apk add git` or `brew install git`."
        )
    version = _version(found)
    if version < OLDEST:
        said, needed = (".".join(map(str, numbers)) for numbers in (version, OLDEST))
        raise NotConfigured(f"{found} is version {said}; at least {needed} is needed. Install a newer git.")
    return found


def _version(found: str) -> tuple[int, ...]:
    said = run(Job(argv=(found, "version"), cwd=Path("/"), environment=ENVIRONMENT)).stdout
    numbers = re.search(rb"(\d+)\.(\d+)", said)
    return tuple(int(number) for number in numbers.groups()) if numbers else ()
