"""Escape flags of programs that search, show, change and pack files."""

from toolpost.authorize.commands.escape import Escape, each

ROWS: dict[str, Escape] = {
    **each("find gfind", Escape(flags="-exec* -ok* -delete -f* -files0-from", clusters=False)),
    **each("fd fdfind", Escape(flags="-x -X --exec --exec-batch", values="eEtdSjc")),
    "rg": Escape(flags="--pre --hostname-bin -z --search-zip --pre-glob", values="ABCmgtTjrMEef"),
    **each("ag ack", Escape(flags="--pager --pre -z --search-zip --ackrc --env", values="ABCmgtG")),
    **each("grep egrep fgrep zgrep", Escape(flags="-f --file", values="ABCmeDd")),
    **each(
        "sort gsort",
        Escape(flags="-o --output -T --temporary-directory --compress-program --files0-from", values="ktS"),
    ),
    **each("sed gsed", Escape(flags="-i --in-place -s --separate -f --file", values="el", script=True)),
    "shuf": Escape(flags="-o --output --random-source", values="ni"),
    **each("split csplit", Escape(flags="--filter --additional-suffix", values="abCln")),
    "tree": Escape(flags="-o -R --fromfile --fromtabfile", values="LPIHT"),
    **each("jq gojq jaq", Escape(flags="-f --from-file -L --rawfile --slurpfile --library-path")),
    **each(
        "yq tomlq xq",
        Escape(flags="-i --inplace --in-place -s --split-exp -f --front-matter --from-file", values="Iop"),
    ),
    "xmllint": Escape(
        flags="--output -o --load-trace --noent --xinclude --catalogs --postvalid --path", clusters=False
    ),
    "diff": Escape(flags="--to-file --from-file --ifdef", values="UCWIxL"),
    **each("wc du", Escape(flags="--files0-from", values="dtBX")),
    "file": Escape(flags="-m --magic-file -C --compile -f --files-from -z -Z --uncompress", values="FPe"),
    "date": Escape(flags="-s --set -f --file", values="dI"),
    "xxd": Escape(flags="-r", values="cglson"),
    "iconv": Escape(flags="-o --output", values="ft"),
    **each(
        "bat batcat", Escape(flags="--pager --config-file --generate-config-file --paging", values="lHrm")
    ),
    "delta": Escape(flags="--pager --config --paging"),
    "fzf": Escape(flags="--preview --bind --listen --with-shell --history --become"),
    **each("hexdump od strings", Escape(flags="-f", values="nestANjw")),
    **each(
        "tar gtar bsdtar",
        Escape(
            flags=(
                "--checkpoint-action --to-command -I --use-compress-program -F --info-script "
                "--new-volume-script --rsh-command --rmt-command --one-top-level -C --directory -P "
                "--absolute-names --remove-files --unlink-first --recursive-unlink --transform --xform -T "
                "--files-from"
            ),
            values="fbHLVgNX",
        ),
    ),
    "zip": Escape(
        flags="-T --test -TT --unzip-command -m --move -O --output-file -b --temp-path", values="nixtS"
    ),
    "unzip": Escape(flags="-d -o -: -^ -K", values="xPI"),
    **each("7z 7za 7zz", Escape(flags="-o* -si* -so* -w* -sdel", clusters=False)),
    **each(
        "gzip bzip2 xz zstd",
        Escape(
            flags="-o -S --suffix --output-dir-flat --output-dir-mirror --rm -D --patch-from --files --files0",
            values="T",
        ),
    ),
    "ar": Escape(flags="--plugin"),
    "cpio": Escape(
        flags="-F --file -D --directory -I -O --rsh-command --to-stdout -R --owner", values="CHEM"
    ),
    "man": Escape(
        flags=(
            "-P --pager -H --html -C --config-file -M --manpath -T --troff-device -X --gxditview -Z "
            "--ditroff -l --local-file -p --preprocessor -t --troff --recode"
        ),
        values="sSeLmER",
    ),
    **each("less more most", Escape(everything=True)),
    **each("awk gawk mawk nawk", Escape(awk=True)),
    **each("vi vim nvim view ex ed emacs nano micro helix hx code subl", Escape(everything=True)),
    **each("xargs env parallel", Escape(everything=True)),
    **each("perf strace ltrace gdb lldb valgrind", Escape(everything=True)),
    **each("psql mysql mariadb sqlite3 mongosh redis-cli", Escape(everything=True)),
    "pandoc": Escape(
        flags=(
            "-F --filter -L --lua-filter -o --output --pdf-engine* --template --extract-media -d "
            "--defaults --data-dir --include-* -H -B -A --reference-doc --epub-* --embed-resources "
            "--self-contained --resource-path --abbreviations --syntax-definition --log --csl "
            "--bibliography --metadata-file --highlight-style --request-header"
        ),
        values="ftrwMV",
    ),
    **each("ffmpeg ffprobe convert magick", Escape(everything=True)),
    **each(
        "latex pdflatex xelatex lualatex latexmk tex",
        Escape(
            flags=(
                "-shell-escape --shell-escape -enable-write18 -output-directory* --output-directory* -e -r "
                "-pdflatex* -latex* -cnf-line* -recorder -lua* -fmt* -jobname*"
            ),
            clusters=False,
        ),
    ),
    "dot": Escape(flags="-o* -O -l", clusters=False),
    "mktemp": Escape(flags="-p --tmpdir -t"),
    "touch": Escape(values="dtr"),
    **each(
        "cp mv ln install",
        Escape(flags="-t --target-directory -b --backup --suffix -S --strip-program", values="mog"),
    ),
    **each(
        "chmod chown chgrp",
        Escape(flags="-R --recursive --reference -H -L --dereference --no-preserve-root --from"),
    ),
    "rm": Escape(flags="--no-preserve-root"),
    "dd": Escape(everything=True),
    **each("at batch crontab", Escape(everything=True)),
    **each("top htop", Escape(everything=True)),
    "watch": Escape(everything=True),
    **each("nslookup dig host", Escape(flags="-f -k", words="@")),
    "ping": Escape(flags="-f", values="cistWIQ"),
    "rename": Escape(everything=True),
    "patch": Escape(
        flags="-o --output -d --directory -i --input -e --ed -B -Y -z -r --reject-file -V -b --backup",
        values="pFD",
    ),
    **each(
        "ctags cscope", Escape(flags="--options* -L --optlib-dir* --_* -f -o --langdef* -I", clusters=False)
    ),
    **each(
        "gcc g++ cc c++ clang clang++",
        Escape(
            flags=(
                "-o -B* -wrapper -specs* -fplugin* -Xclang -load -I* -L* -T* -Wl,* -Wp,* -Wa,* -Xlinker "
                "-Xpreprocessor -Xassembler -include* -imacros* --sysroot* @* -save-temps* -dump* -M* "
                "-fprofile* -fdump* -ccc* --config* -o*"
            ),
            clusters=False,
        ),
    ),
    "shellcheck": Escape(flags="-x --external-sources -P --source-path --rcfile", values="eisfSWo"),
    "pre-commit": Escape(
        flags="-c --config -C",
        words="install autoupdate try-repo migrate-config init-templatedir install-hooks uninstall",
    ),
    **each("hyperfine entr", Escape(everything=True)),
    "expect": Escape(everything=True),
    "script": Escape(everything=True),
    **each("tmux screen", Escape(everything=True)),
    **each(
        "sphinx-build mkdocs",
        Escape(
            flags=(
                "-c -C -D -f --config-file -d --site-dir --theme -w --warning-file -A --dev-addr --conf-dir "
                "--define"
            ),
            words="gh-deploy new",
            values="bjt",
        ),
    ),
    **each("alembic flask django-admin uvicorn gunicorn celery", Escape(everything=True)),
    **each(
        "protoc buf",
        Escape(
            flags=(
                "--plugin* --*_out* -o --descriptor_set_out* --dependency_out* --template @* --output "
                "--config"
            ),
            clusters=False,
        ),
    ),
    **each("swift xcodebuild", Escape(everything=True)),
    "lsof": Escape(flags="-D -m -k", values="ipucdgs"),
    "tcpdump": Escape(everything=True),
}
