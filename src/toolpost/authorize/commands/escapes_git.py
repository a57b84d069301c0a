"""Escape flags of version control."""

from toolpost.authorize.commands.escape import Escape

ROWS: dict[str, Escape] = {
    "git": Escape(
        first=(
            "-c -C --git-dir --work-tree --exec-path --namespace --config-env --super-prefix -p "
            "--paginate --attr-source"
        ),
        flags=(
            "--output --output-directory -O --open-files-in-pager --ext-diff --textconv --upload-pack "
            "--receive-pack --exec --extcmd --no-index --template --separate-git-dir --tree-filter "
            "--index-filter --msg-filter --env-filter --commit-filter --parent-filter --tag-name-filter "
            "--reference --config --gpg-sign-program --directory --unsafe-paths --contents "
            "--pathspec-from-file --ignore-revs-file --web --show-signature --recurse-submodules "
            "--filters"
        ),
        values="mSGLnUABCMXlwFtu",
    ),
    "git clone": Escape(
        flags=(
            "-u -c --upload-pack --config --template --reference --separate-git-dir --recurse-submodules "
            "--recursive"
        ),
        values="bojn",
    ),
    "git rebase": Escape(flags="-x --exec -i --interactive --edit-todo -S -s --strategy", values="XC"),
    "git difftool": Escape(everything=True),
    "git mergetool": Escape(everything=True),
    "git filter-branch": Escape(everything=True),
    "git daemon": Escape(everything=True),
    "git instaweb": Escape(everything=True),
    "git send-email": Escape(everything=True),
    "git bisect": Escape(words="run visualize view replay"),
    "git submodule": Escape(words="foreach add update set-url", flags="--recursive"),
    "git config": Escape(
        flags=(
            "-f --file --global --system --worktree --blob --add --unset --unset-all --replace-all --edit "
            "-e --rename-section --remove-section --set"
        ),
        words=(
            "alias. core. filter. diff. merge. credential. url. include. includeif. remote. http. gpg. "
            "pager. browser. man. sequence. ssh. protocol. uploadpack. receive. submodule. init. commit. "
            "tag. interactive. difftool. mergetool. sendemail. set edit unset rename-section"
        ),
    ),
    "git format-patch": Escape(flags="-o --output-directory --attach --signature-file", values="vN"),
    "git archive": Escape(flags="-o --output --remote --exec --add-file"),
    "git bundle": Escape(words="create"),
    "git worktree": Escape(words="add move"),
    "git remote": Escape(words="add set-url update"),
    "git fetch": Escape(flags="--upload-pack --recurse-submodules -u --update-head-ok", values="jo"),
    "git pull": Escape(
        flags="--upload-pack --recurse-submodules -s --strategy --rebase=interactive", values="jX"
    ),
    "git push": Escape(flags="--receive-pack --exec --signed", values="o"),
    "git grep": Escape(
        flags="-O --open-files-in-pager --no-index -f --ext-grep --textconv --recurse-submodules",
        values="ABCem",
    ),
    "git apply": Escape(flags="--directory --unsafe-paths --build-fake-ancestor", values="Cp"),
    "git am": Escape(flags="-i --interactive --directory --build-fake-ancestor", values="Cp"),
    "git add": Escape(flags="-i --interactive -e --edit -p --patch --pathspec-from-file"),
    "git commit": Escape(
        flags="-e --edit -t --template -p --patch --interactive --pathspec-from-file", values="mcC"
    ),
    "git log": Escape(flags="--output -O --ext-diff --textconv --show-signature", values="nSGLUMCl"),
    "git diff": Escape(flags="--output -O --ext-diff --textconv --no-index", values="SGUMCl"),
    "git show": Escape(flags="--output -O --ext-diff --textconv --show-signature", values="SGUMCl"),
    "git stash": Escape(flags="-p --patch"),
    "git branch": Escape(flags="--edit-description", values="u"),
    "git tag": Escape(flags="-u --local-user -e --edit", values="mn"),
    "git blame": Escape(flags="--contents --ignore-revs-file -S", values="LMC"),
    "git cat-file": Escape(flags="--textconv --filters"),
    "git notes": Escape(flags="-F --file", values="mcC"),
    "git hook": Escape(everything=True),
    "git maintenance": Escape(words="start register"),
    "hg": Escape(
        first="--config -R --repository --cwd --debugger",
        flags="--config --extdiff --repository --cwd",
        values="rmu",
    ),
    "svn": Escape(
        flags="--config-dir --config-option --diff-cmd --diff3-cmd --editor-cmd --targets -F --file",
        values="rmcx",
    ),
    "gh": Escape(
        flags="--editor --web --input --body-file --hostname --template -T --output -O --dir -D",
        values="RbtlaHBLq",
        words="extension alias auth codespace secret ssh-key gpg-key config",
    ),
    "glab": Escape(words="alias auth config ssh-key variable"),
}
