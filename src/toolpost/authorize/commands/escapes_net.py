"""Escape flags of programs that dial, and of containers, clouds and services."""

from toolpost.authorize.commands.escape import Escape, each

ROWS: dict[str, Escape] = {
    "curl": Escape(
        flags=(
            "-o -O -J -T -K -c -D -x -E --output --output-dir --remote-name --remote-name-all "
            "--remote-header-name --upload-file --config --cookie-jar --dump-header --proxy --preproxy "
            "--socks5 --socks5-hostname --socks4 --unix-socket --abstract-unix-socket --trace "
            "--trace-ascii --stderr --engine --cert --key --netrc-file --create-dirs --libcurl --hsts "
            "--alt-svc --etag-save --dns-servers --interface --resolve --connect-to --doh-url --variable "
            "--expand-url --next -F --form -d --data --data-binary --data-raw --data-urlencode --json "
            "--insecure -k --location-trusted --proto-default"
        ),
        values="HAbeXumwUrCyYzQtP",
    ),
    "wget": Escape(
        flags=(
            "-O -o -a -e -P -i -r -m -k -x -nd -N -c -E --output-document --output-file --append-output "
            "--execute --directory-prefix --post-file --post-data --body-file --body-data --input-file "
            "--config --use-askpass --recursive --mirror --load-cookies --save-cookies --ca-certificate "
            "--certificate --private-key --no-check-certificate --force-directories --background -b "
            "--warc-file --rejected-log --hsts-file --start-pos --method"
        ),
        values="UtTwlARDIXBQ",
    ),
    **each(
        "ssh autossh",
        Escape(flags="-o -F -i -I -L -R -D -J -W -S -E -A -X -Y -f -M -N -w -O", values="lpbcemQB"),
    ),
    **each("scp sftp", Escape(flags="-S -o -F -J -i -D -b -R", values="cPlXB")),
    "rsync": Escape(
        flags=(
            "-e --rsh --rsync-path -T --temp-dir --log-file --files-from --include-from --exclude-from "
            "--password-file --write-batch --only-write-batch --read-batch --backup-dir -b --backup "
            "--suffix --delete* --del --remove-source-files --partial-dir --compare-dest --copy-dest "
            "--link-dest --daemon --config -M --remote-option --copy-devices --write-devices --address "
            "--sockopts --early-input --chown --usermap --groupmap --super -D --devices --specials "
            "--keep-dirlinks -K --munge-links --force --inplace"
        ),
        values="fBz",
    ),
    **each(
        "nc ncat netcat socat",
        Escape(
            flags="-e -c -l -x -X --exec --sh-exec --lua-exec --listen --proxy -k -o --output --hex-dump -U",
            values="wpsiqI",
            words="EXEC: SYSTEM: exec: system: SHELL: OPEN: CREATE: FILE: GOPEN: TCP-LISTEN: UNIX",
        ),
    ),
    **each("telnet ftp lftp", Escape(everything=True)),
    **each(
        "http https xh xhs httpie",
        Escape(
            flags=(
                "-o --output -d --download --config-dir --session --session-read-only --cert --cert-key "
                "--proxy -a --auth"
            ),
            words="@",
        ),
    ),
    **each("aria2c axel", Escape(everything=True)),
    "openssl": Escape(
        flags=(
            "-out -engine -config -provider* -passout -writerand -keyout -CAkey -signkey -in -inkey "
            "-passin -exec"
        ),
        clusters=False,
        words="enc rsa genrsa genpkey s_server",
    ),
    **each(
        "gpg gpg2",
        Escape(
            flags=(
                "-o --output --homedir --options --exec-path --photo-viewer --passphrase-file --delete-* "
                "--export-secret* -d --decrypt --import --gen-key --edit-key --keyserver* --load-extension "
                "--agent-program --dirmngr-program --pinentry-mode"
            ),
            values="ur",
        ),
    ),
    **each(
        "docker podman nerdctl",
        Escape(
            first=(
                "-H --host --context -c --config --tlscacert --tlscert --tlskey -l --log-level --connection "
                "--url --identity --root --runroot --runtime --module --hooks-dir --conmon --cgroup-manager"
            ),
            flags=(
                "-v --volume --mount --privileged --pid --ipc --uts --network --net --userns --cgroupns "
                "--device* --cap-add --security-opt --add-host --volumes-from --entrypoint --env-file "
                "--cidfile --iidfile -f --file --build-arg --secret --ssh --output -o --push --cache-to "
                "--metadata-file --sbom --provenance --project-directory --gpus --runtime --group-add --user "
                "-u --workdir -w --publish -p --publish-all -P --link --dns* --log-driver --log-opt "
                "--storage-opt --sysctl --ulimit --tmpfs --annotation --isolation --cgroup-parent --oom-* "
                "--force"
            ),
            words=(
                "run exec cp load import save export login plugin swarm service stack context secret config "
                "commit push create update buildx builder manifest trust system volume"
            ),
        ),
    ),
    **each(
        "docker-compose podman-compose",
        Escape(
            flags=(
                "-f --file --project-directory --env-file -H --host --context -v --volumes --rmi --build-arg "
                "--entrypoint --volume"
            ),
            words="run exec cp",
        ),
    ),
    "docker compose": Escape(
        flags=(
            "-f --file --project-directory --env-file -v --volumes --rmi --build-arg --entrypoint --volume"
        ),
        words="run exec cp publish",
    ),
    **each(
        "kubectl oc k9s",
        Escape(
            flags=(
                "--kubeconfig --context --cluster --user --server -s --token --as* --insecure-skip-tls-verify "
                "--certificate-authority --client-* --raw -f --filename -k --kustomize --overrides "
                "--output-directory --cache-dir --profile* --log-file* --template "
                "--plugin* --kuberc --password --username"
            ),
            words=(
                "exec run debug cp apply create delete edit patch replace proxy port-forward attach scale "
                "drain cordon taint label annotate set rollout expose autoscale auth certificate plugin "
                "config kustomize"
            ),
            values="nlcL",
        ),
    ),
    "helm": Escape(
        flags=(
            "--kubeconfig --kube-* --post-renderer* -f --values --registry-config --repository-* "
            "--keyring --ca-file --cert-file --key-file --output-dir --plugin*"
        ),
        words="install upgrade uninstall rollback plugin push pull repo registry",
    ),
    "aws": Escape(
        flags=(
            "--endpoint-url --profile --ca-bundle --cli-input-json --cli-input-yaml --no-verify-ssl "
            "--outfile --body"
        ),
        words="configure file:// fileb:// s3://",
        clusters=False,
    ),
    **each("gcloud az doctl fly heroku vercel netlify wrangler firebase supabase", Escape(everything=True)),
    **each(
        "systemctl journalctl",
        Escape(
            flags=(
                "-H --host -M --machine --root --image -D --directory --file --vacuum-* --rotate --flush "
                "--sync --relinquish-var --smart-* --setup-keys --update-catalog --force --namespace --now "
                "--global"
            ),
            words=(
                "start stop restart reload enable disable mask unmask edit set-property set-environment "
                "import-environment link daemon-reload daemon-reexec kill isolate revert preset set-default"
            ),
            values="nu",
        ),
    ),
    **each(
        "brew apt apt-get dnf yum pacman apk snap flatpak port nix nix-env nix-shell choco scoop winget",
        Escape(everything=True),
    ),
}
