"""Which names the guard knows, folded: what may hold secrets, and what other programs would execute.

A name counts as the last of a path, a folder anywhere in it, a pair as two names in a row anywhere in it.
"""

import re

Pairs = frozenset[tuple[str, str]]

SECRET_NAMES = frozenset(
    {
        *(".envrc", ".netrc", "_netrc", ".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".htpasswd"),
        *(".git-credentials", ".npmrc", ".pypirc", ".dockercfg", ".vault-token", ".s3cfg", ".boto"),
        *("credentials.json", "credentials.tfrc.json", "application_default_credentials.json", "kubeconfig"),
        *("client_secret.json", "client_secrets.json", "service-account.json", "service_account.json"),
        *("serviceaccountkey.json", "secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml"),
    }
)
SECRET_FOLDERS = frozenset({".ssh", ".gnupg", ".kube", ".password-store"})
SECRET_PAIRS: Pairs = frozenset(
    {
        *((".aws", "credentials"), (".aws", "config"), (".aws", "sso"), (".aws", "cli")),
        *((".cargo", "credentials"), (".cargo", "credentials.toml"), (".gem", "credentials")),
        *((".docker", "config.json"), (".composer", "auth.json"), (".config", "gh"), (".config", "gcloud")),
        *(("git", "credentials"), ("etc", "shadow"), ("etc", "gshadow")),
        *(("state", "toolpost"), (".config", "toolpost")),  # what was there before a change, and trust
    }
)
SECRET_FORM = re.compile(
    r"""
      (?: \.env [0-9]* | \.dev\.vars | terraform\.tfstate )
      (?: ~ | [._-] (?! (?:.*[._-])? (?:example|sample|template|dist) \Z ) .* )?
    | (?! (?:.*[._-])? (?:example|sample|template|dist) \.(?:env|tfstate|tfvars(?:\.json)?) \Z )
      .* \.(?: env | tfstate | tfvars (?:\.json)? )
    | id_(?:rsa|dsa|ecdsa|ed25519|xmss) (?:_sk)? (?:[-_][^.]*)?
    | (?! (?!.*priv) (?:.*[._-])? (?:public|pub|pubkey) (?:[._-].*)? \.(?:pem|key) \Z | (?:cacert|ca-bundle|ca-certificates)\.pem \Z )
      .+ \.(?:pem|key)
    | .+ \.(?:p12|pfx|keystore|jks|kdbx|ppk)
    """,
    re.VERBOSE | re.DOTALL,
)
"""Free are `.env.example`, `example.env` and their like, public keys, and the usual bundles of public certificates."""
COPIES = (
    re.compile(r"(?P<name>.+)(?:~|-|___jb_(?:tmp|old)___|\.~\d+~|\.\d+)", re.DOTALL),
    re.compile(r"(?P<name>.+)[._-](?:bak|backup|bkp|copy|lock|old|orig|save|temp|tmp)\d*", re.DOTALL),
    re.compile(r"(?P<name>.+)\.(?:sw[a-p]|dpkg-[a-z]+|rpmsave|rpmnew|rpmorig)", re.DOTALL),
    re.compile(r"\.(?P<name>.+)\.(?:sw[a-p]|kate-swp)", re.DOTALL),
    re.compile(r"#(?P<name>.+)#|\.#(?P<locked>.+)|copy (?:\d+ )?of (?P<copied>.+)", re.DOTALL),
    re.compile(
        r"(?P<name>.+?)(?: - copy| copy| \((?:another )?copy\)| \(\d+\))(?: \d+| \(\d+\))?(?P<end>\.[^. ]+)?",
        re.DOTALL,
    ),
)
"""How editors, package managers and people name a copy of a file; together the groups are what it is a copy of."""

PROTECTED_FOLDERS = frozenset(
    {
        *(".git", ".toolpost", ".husky", ".circleci", ".buildkite"),
        *(".vscode", ".idea", ".zed", ".cursor", ".claude", ".codex", ".gemini"),
        *SECRET_FOLDERS,
    }
)
PROTECTED_NAMES = frozenset(
    {
        *(".gitmodules", ".gitconfig", ".mcp.json", ".envrc"),
        *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".inputrc"),
        *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login"),
        *(".xprofile", ".xinitrc", ".xsessionrc", ".vimrc", ".nvimrc", ".exrc", ".gdbinit", ".lldbinit"),
        *(".gitlab-ci.yml", ".travis.yml", ".drone.yml", "jenkinsfile"),
        *("azure-pipelines.yml", "bitbucket-pipelines.yml"),
    }
)
PROTECTED_PAIRS: Pairs = frozenset(
    {
        *((".github", "workflows"), (".github", "actions"), (".local", "bin")),
        *((".config", "autostart"), (".config", "systemd"), (".config", "fish"), (".config", "git")),
        *((".aws", "credentials"), (".aws", "config"), (".docker", "config.json")),
        *(("state", "toolpost"), (".config", "toolpost")),
    }
)
