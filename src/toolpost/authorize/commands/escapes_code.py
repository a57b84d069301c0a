"""Escape flags of build tools, languages and test runners."""

from toolpost.authorize.commands.escape import Escape, each

ROWS: dict[str, Escape] = {
    **each(
        "make gmake",
        Escape(
            flags=(
                "-f -C -I -e -W -o -E --file --makefile --directory --include-dir --eval "
                "--environment-overrides --what-if --new-file --assume-new --old-file --assume-old"
            ),
            values="jlO",
            words=(
                "SHELL= MAKEFLAGS= MAKEFILES= .SHELLFLAGS= CC= CXX= LD= AR= CFLAGS= LDFLAGS= MAKE= PATH= "
                "PYTHON="
            ),
        ),
    ),
    "cmake": Escape(
        flags=(
            "-P -E -C -D* -G -T -B -S --build --install --toolchain --preset --graphviz* "
            "--trace-redirect* --debugger* --prefix --profiling-output"
        ),
        clusters=False,
    ),
    "ninja": Escape(flags="-C -f -t -d", values="jklw"),
    "meson": Escape(flags="--native-file --cross-file -C --wrap-mode --prefix --destdir", values="D"),
    **each(
        "bazel bazelisk",
        Escape(
            flags=(
                "--run_under --bazelrc --output_base --output_user_root --override_repository* --script_path "
                "--workspace_status_command --action_env* --host_action_env* --repo_env* --client_env* "
                "--host_jvm_args* --server_javabase --install_base --package_path --distdir --symlink_prefix "
                "--remote_*"
            ),
            clusters=False,
            words="run",
        ),
    ),
    **each(
        "just task mage",
        Escape(
            flags=(
                "-f --justfile -d --working-directory --shell --shell-arg --shell-command --command -c --set "
                "--choose --chooser -e --edit --dotenv-path --dotenv-filename --taskfile -t --dir"
            )
        ),
    ),
    "npm": Escape(
        flags=(
            "--prefix --script-shell -C --shell --userconfig --globalconfig --registry --node-options "
            "--ignore-scripts=false --cache --git --init-module --scripts-prepend-node-path -g --global "
            "--location --editor --viewer --browser --python --node-gyp --proxy --https-proxy --cafile "
            "--key --cert --unsafe-perm --foreground-scripts --call -c --package"
        ),
        values="w",
        words=(
            "exec x init create config set publish login adduser token owner access unpublish deprecate "
            "explore edit link star hook profile"
        ),
    ),
    "pnpm": Escape(
        flags=(
            "-C --dir --prefix --script-shell --shell-mode -c --config.* --global -g --store-dir "
            "--virtual-store-dir --modules-dir --lockfile-dir --registry --pnpmfile --global-pnpmfile "
            "--ignore-pnpmfile --node-options --shell-emulator --use-node-version --workspace-root -w "
            "--package"
        ),
        values="F",
        words="exec dlx create config set publish login env link setup server store self-update patch",
    ),
    "yarn": Escape(
        flags=(
            "--cwd --script-shell --use-yarnrc --modules-folder --cache-folder --registry --prefix "
            "--global-folder --link-folder --preferred-cache-folder --node-options --mutex --proxy "
            "--https-proxy --ignore-scripts=false -p --package --top-level"
        ),
        words="exec dlx create config set publish login global link policies plugin node patch",
    ),
    "bun": Escape(
        flags=(
            "--cwd --preload -r --require --import --config -c --env-file --eval -e --print -p --inspect* "
            "--shell --registry --global -g --bun -b --define -d --install -i --cache-dir --ca --cafile"
        ),
        words="x create link publish upgrade repl exec init",
    ),
    "deno": Escape(
        flags=(
            "-A --allow-* --unsafely-* -c --config --import-map --location --preload -r --reload --cert "
            "--env-file --env --unstable* --eszip --lock --node-modules-dir --vendor --ext --v8-flags* "
            "--inspect*"
        ),
        words="eval run install upgrade x repl serve compile",
    ),
    **each(
        "node nodejs",
        Escape(
            flags=(
                "-e --eval -p --print -r --require --import --loader --experimental-* -i --interactive "
                "--inspect* --openssl-config --env-file* --diagnostic-dir --redirect-warnings --report-* "
                "--cpu-prof* --heap-prof* --trace-event-file-pattern --snapshot-blob --build-snapshot* -C "
                "--conditions --title --icu-data-dir --test-reporter* --permission --allow-* --watch-path "
                "--run --localstorage-file --tls-keylog --tls-* --v8-options --prof*"
            )
        ),
    ),
    **each("npx pnpx bunx uvx", Escape(runner=True)),
    "pipx": Escape(everything=True),
    "tsc": Escape(
        flags=(
            "--outDir --outFile --build -b --project -p --declarationDir --generateTrace "
            "--generateCpuProfile --tsBuildInfoFile --init --rootDir --plugins"
        ),
        clusters=False,
    ),
    "eslint": Escape(
        flags=(
            "-c --config --rulesdir --resolve-plugins-relative-to --plugin --parser -f --format -o "
            "--output-file --cache-location --cache-file --init --flag"
        )
    ),
    "prettier": Escape(flags="--config --plugin --plugin-search-dir --config-path --cache-location"),
    **each(
        "jest vitest mocha ava",
        Escape(
            flags=(
                "-c --config --rootDir --root --globalSetup --global* --setupFiles* --testRunner --runner "
                "--transform --reporters --reporter --require -r --import --loader --preset --resolver "
                "--testEnvironment --environment --env --outputFile --coverageDirectory --cacheDirectory "
                "--dir --roots --modulePaths --moduleNameMapper --projects --testSequencer --prettierPath "
                "--haste --api --ui --open --file --node-option* --experimental-* --execArgv* --poolOptions* "
                "--browser*"
            ),
            values="t",
        ),
    ),
    **each("playwright cypress", Escape(everything=True)),
    **each(
        "webpack vite rollup esbuild next turbo nx",
        Escape(
            flags=(
                "-c --config --config-* --plugin -p --require -r --env --outdir --outfile --output* -o --root "
                "--cwd --dir --cache-dir --servedir --serve* --host --inject* --api --remote-* --preinspect "
                "--graph --generator --use-* --node-env"
            )
        ),
    ),
    **each(
        "pytest py.test",
        Escape(
            flags=(
                "-p -c -o --config-file --rootdir --override-ini --confcutdir --basetemp --pdbcls --pdb "
                "--trace --junitxml --junit-xml --log-file --debug --pastebin --import-mode --cov-config "
                "--cov-report --html --report-log --resultlog --result-log --pyargs --rsyncdir --tx --px "
                "--store-durations --durations-path --snapshot-update --benchmark-storage --benchmark-save* "
                "--profile-svg"
            ),
            values="kmrWnt",
        ),
    ),
    **each("python python2 python3 pypy pypy3", Escape(flags="-c -i -m -X -W --check-hash-based-pycs")),
    **each(
        "tox nox",
        Escape(
            flags=(
                "-c --conf -x --override --workdir --root -f --noxfile --envdir --toxworkdir --installpkg "
                "--index-url -i --pre -P --force-python --extra-python --discover --sitepackages --sdist* "
                "--python --default-venv-backend --force-venv-backend -db -fb"
            ),
            values="e",
        ),
    ),
    "coverage": Escape(flags="--rcfile -o --data-file -d --directory --debug --concurrency", words="run"),
    **each(
        "pip pip3",
        Escape(
            flags=(
                "-r --requirement -t --target --prefix --root --src -e --editable -i --index-url "
                "--extra-index-url -f --find-links --trusted-host --proxy --cert --client-cert --python --log "
                "--cache-dir --build-option --global-option --config-settings -C --user "
                "--break-system-packages --install-option --report --no-build-isolation --pre -c --constraint "
                "--keyring-provider"
            ),
            words="install download wheel config cache uninstall git+ http: https: file:",
        ),
    ),
    "uv": Escape(
        flags=(
            "--directory --project --python -p --config-file --cache-dir --index --index-url "
            "--default-index --extra-index-url --find-links -f --with --with-editable --with-requirements "
            "--env-file --allow-insecure-host --build-constraint* --overrides --override -r "
            "--requirement* -e --editable --target --prefix --system --break-system-packages "
            "--python-preference --no-build-isolation* -C --config-setting* -o --output-file "
            "--keyring-provider --from --script -s --module -m --gui-script --trusted-host"
        ),
        words="tool self publish run python init",
    ),
    **each(
        "poetry pdm hatch rye pipenv",
        Escape(
            flags=(
                "-C --directory -P --project --config -c -o --output --source --python --index -i "
                "--pypi-mirror --plugin --global -g --env -e --pre --src --local --lockfile"
            ),
            words="run self config publish source shell plugin cache build env",
        ),
    ),
    **each("conda mamba", Escape(everything=True)),
    "ruff": Escape(
        flags="--config -o --output-file --cache-dir --add-noqa --extension", words="server clean"
    ),
    **each(
        "black isort autopep8 yapf",
        Escape(
            flags=(
                "--config --settings-path --settings-file --settings --src --code -c --style --global-config "
                "--overwrite-in-place"
            ),
            values="lt",
        ),
    ),
    **each(
        "mypy pyright pylint flake8",
        Escape(
            flags=(
                "--config-file --plugins --python-executable --custom-typeshed-dir --custom-typing-module "
                "--cache-dir --load-plugins --init-hook --rcfile --install-types --non-interactive --*-report "
                "--junit-xml --shadow-file --config --append-config --output-file --output -o --pythonpath "
                "--venvpath --venv-path --typeshedpath --typeshed-path --createstub -p --project --generate-* "
                "--source-roots --verifytypes --watch -w --tee --local-plugins --extension-pkg* "
                "--unsafe-load-any-extension --spelling* --python-path"
            )
        ),
    ),
    "cargo": Escape(
        flags=(
            "--config --manifest-path -Z -C --target-dir --out-dir --artifact-dir --lockfile-path "
            "--registry --index --git --path --root --token --build-plan --unit-graph --extern "
            "--rustc-args --cargo-path --rustup-path"
        ),
        first="-c",
        words="+ install publish login owner yank config vendor fix uninstall package",
        values="jpF",
    ),
    "rustc": Escape(
        flags=(
            "-C --codegen -Z -o --out-dir -L --extern --sysroot --emit -l --linker --print "
            "--remap-path-prefix"
        )
    ),
    "rustup": Escape(everything=True),
    "rustfmt": Escape(flags="--config-path --config --emit --backup"),
    "go": Escape(
        flags=(
            "-exec -toolexec -o -modfile -overlay -C -ldflags -gcflags -asmflags -gccgoflags -pkgdir "
            "-modcacherw -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace "
            "-outputdir -vettool -fixtool -workfile -compiler -installsuffix -mod -w -pgo"
        ),
        clusters=False,
        words="run generate install get env tool telemetry work clean",
    ),
    **each("gofmt goimports", Escape(flags="-w -cpuprofile -r -srcdir", clusters=False)),
    "golangci-lint": Escape(
        flags=(
            "-c --config --fix --out-* --path-prefix --cpu-profile* --mem-profile* --trace-path --custom "
            "--modules-download-mode --output.*"
        ),
        words="custom cache migrate",
    ),
    **each(
        "mvn gradle gradlew mvnw ant sbt",
        Escape(
            flags=(
                "-f --file -s --settings -gs --global-settings -t --toolchains -D* -b --build-file -p "
                "--project-dir -I --init-script -c --settings-file -g --gradle-user-home --include-build -P* "
                "--project-cache-dir --buildfile -find --scan -l --log-file -lib -logger -listener "
                "-propertyfile -inputhandler --system-prop --project-prop --write-* --export-keys -java-home "
                "-sbt-dir -sbt-boot -ivy -J* -agentlib* -javaagent* --continuous"
            ),
            clusters=False,
            words="exec: wrapper publish deploy",
        ),
    ),
    **each(
        "java javac",
        Escape(
            flags=(
                "-D* -X* -agentlib* -agentpath* -javaagent* -cp -classpath --class-path -jar -d -s -h "
                "--module-path -p --processor* -processor* --patch-module --add-* --upgrade-module-path @* "
                "-J* -splash* --source --system -A*"
            ),
            clusters=False,
        ),
    ),
    "dotnet": Escape(
        flags=(
            "-o --output --configfile -p* --property* --settings -s --source -l --logger --logger* "
            "--collect --additionalprobingpath --additional-deps --depsfile --runtimeconfig "
            "--roll-forward --fx-version --test-adapter-path -r --runtime --results-directory -d --diag "
            "--environment -e --artifacts-path --packages --interactive --tool-path --add-source "
            "--install-dir -bl*"
        ),
        clusters=False,
        words="exec run tool nuget new msbuild publish script fsi watch workload",
    ),
    **each(
        "bundle rake gem",
        Escape(
            flags=(
                "-f --rakefile -I --libdir -r --require -R --rakelibdir -e --execute -p --execute-print -E "
                "--execute-continue -g --system --gemfile --path --binstubs --install-dir -i --bindir -n "
                "--config-file --source -s -P --trust-policy --key --cert --build-root --env-shebang -C"
            ),
            words=(
                "exec config install console open plugin push env gem init inject binstubs cert pristine "
                "owner signin sources"
            ),
            values="jT",
        ),
    ),
    **each(
        "ruby rails rspec",
        Escape(
            flags=(
                "-e -r --require -I -C -x -i -S -s -p -n -a -W* -E -K -O --options -o --out -f --format "
                "--default-path --environment -u"
            ),
            words="runner console dbconsole generate new db",
        ),
    ),
    "perl": Escape(everything=True),
    **each(
        "php composer phpunit artisan",
        Escape(
            flags=(
                "-r -B -R -E -F -d -c -z -S -t -a -f --define --php-ini --run --process-begin --process-code "
                "--process-end --process-file --server --docroot --working-dir --bootstrap --configuration "
                "--include-path --prepend --printer --extension --loader --log-* --coverage-* --testdox-* "
                "--cache-* --generate-* --migrate-* --plugin* --global"
            ),
            words="exec config global require run-script self-update create-project install update tinker",
        ),
    ),
    **each(
        "terraform tofu terragrunt",
        Escape(
            flags=(
                "-chdir* -out* -state* -backup* -plugin-dir* -var-file* -backend-config* -from-module* "
                "-config* -lockfile* -auto-approve -destroy -replace* -generate-config-out* --terragrunt-*"
            ),
            clusters=False,
            words="apply destroy import console login workspace state taint untaint force-unlock init test",
        ),
    ),
    **each("ansible ansible-playbook", Escape(everything=True)),
    **each("packer vagrant", Escape(everything=True)),
}
