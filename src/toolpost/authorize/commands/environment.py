"""Variables that change which code runs, or where it finds its settings and its network."""

import re

_GUARDED = re.compile(
    r"LD_\w+|DYLD_\w+|_RLD\w*|PATH|FPATH|CDPATH|IFS|BASH_ENV|ENV|ZDOTDIR|PS[0-4]|PROMPT_COMMAND|BASHOPTS|SHELLOPTS"
    r"|BASH_FUNC_.*|GLOBIGNORE|SHELL|HOME|USERPROFILE|TMPDIR|XDG_\w+|GIT_\w+|SSH_\w+|SUDO_\w+|\w*PAGER|\w*EDITOR"
    r"|VISUAL|BROWSER|LESS|LESSOPEN|LESSCLOSE|LESSKEY\w*|MANROFFOPT|GROFF\w*|NODE_(?!ENV\Z)\w+|NPM_CONFIG_\w+|npm_\w+|YARN_\w+"
    r"|BUN_\w+|DENO_\w+|PNPM_\w+|PYTHON(?!UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|UTF8|IOENCODING|FAULTHANDLER|WARNINGS)\w+"
    r"|PYTEST_(?!CURRENT_TEST)\w+|PIP_\w+|UV_\w+|POETRY_\w+|VIRTUAL_ENV|CONDA_\w+|PERL5\w*|PERLLIB|PERL_\w+|RUBY\w*"
    r"|GEM_\w+|BUNDLE_\w+|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|JAVA_HOME|CLASSPATH|MAVEN_\w+|GRADLE_\w+"
    r"|CARGO(?!_TERM_\w+|_INCREMENTAL\Z|_NET_OFFLINE\Z)(?:_\w+)?|RUSTC\w*|RUSTDOC|RUSTFLAGS|RUSTUP_\w+"
    r"|GO(?:FLAGS|PATH|ROOT|PROXY|TOOLCHAIN|ENV|BIN|SUMDB|PRIVATE|NOSUMDB)|CGO_\w+"
    r"|CC|CXX|CPP|LD|AR|AS|NM|RANLIB|STRIP|CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS|LIBRARY_PATH|CPATH|C_INCLUDE_PATH"
    r"|CMAKE_\w+|MAKE|MAKEFLAGS|MFLAGS|MAKEFILES|GNUMAKEFLAGS|TAR_OPTIONS|TAPE|GREP_OPTIONS|RIPGREP_CONFIG_PATH|RSYNC_\w+"
    r"|CURL_HOME|CURL_CA_BUNDLE|WGETRC|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS|OPENSSL_\w+|HOSTALIASES"
    r"|\w*_PROXY|\w*_proxy|DOCKER_\w+|BUILDKIT_\w+|KUBECONFIG|KUBE_\w+|HELM_\w+|AWS_\w+|GOOGLE_\w+|CLOUDSDK_\w+"
    r"|AZURE_\w+|TF_\w+|ANSIBLE_\w+|VIMINIT|EXINIT|INPUTRC|TERMINFO\w*|TERMCAP|LOCPATH|NLSPATH|GCONV_PATH|MALLOC_\w+"
    r"|GTK_\w+|QT_\w+|DBUS_\w+|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|GNUPGHOME|PGPASSFILE|PGSERVICEFILE|MYSQL_HOME"
    r"|LUA_\w+|PHPRC|PHP_INI_SCAN_DIR|R_PROFILE\w*|R_ENVIRON\w*|R_LIBS\w*|JULIA_\w+|ERL_\w+|ELIXIR_\w+|TCLLIBPATH"
    r"|PKG_CONFIG\w*|ACLOCAL\w*|M4PATH|DIRENV_\w+|STARSHIP_\w+|FZF_\w+|BAT_\w+|DELTA_\w+|HTTPIE_\w+|TOOLPOST_\w+"
)


def is_guarded(name: str) -> bool:
    """`LANG`, `LC_*`, `CI`, `DEBUG` and names of one's own are free."""
    return _GUARDED.fullmatch(name) is not None


SETTERS: dict[str, str] = {
    "read": "-d -i -n -N -p -t -u",
    "readarray": "-d -n -O -s -u -C -c",
    "mapfile": "-d -n -O -s -u -C -c",
    "getopts": "",
    "unset": "",
    "wait": "",
}
"""Builtins that set the variables their operands name, and their options with values."""


def named(name: str, texts: list[str]) -> list[str]:
    """The variables that a builtin sets by name."""
    if name == "printf":
        return texts[2:3] if texts[1:2] == ["-v"] else []
    if name == "hash" and "-p" in texts:
        return ["PATH"]
    if name not in SETTERS:
        return []
    return [text.partition("[")[0] for text in texts[1:] if not text.startswith("-")]
