"""Path patterns of other programs, as patterns of ours."""

from toolpost.result import Decision

Patterns = tuple[tuple[str, ...], str]
"""What it is here, and why that is less; without patterns it cannot be said."""
_UP = "it leads out of the folder it is written for, and where to is not known here."


def of_gitignore(text: str, decision: Decision) -> Patterns:
    """`//x` is on the disk, `~/x` at home, `/x` and `./x` at the root; a name alone is meant anywhere."""
    if text.startswith("!"):
        return (), "it takes back another pattern, and rules only add."
    if ".." in text.split("/"):
        return (), _UP
    escaped = text.replace("{", "\\{").replace("}", "\\}")
    if escaped.startswith("//"):
        return _ending(escaped[1:]), ""
    if escaped.startswith(("/", "./")):
        return _ending(_at_root(escaped.removeprefix(".").lstrip("/"), decision)), ""
    return _ending(escaped), ""


def _at_root(bare: str, decision: Decision) -> str:
    """A deny is meant anywhere below; an allow at the root and nowhere else."""
    if not bare or "/" in bare.rstrip("/"):
        return bare or "**"
    return f"./{bare}" if decision is Decision.ALLOW else bare


def _ending(pattern: str) -> tuple[str, ...]:
    return (f"{pattern}**",) if pattern.endswith("/") else (pattern,)


def of_wildcard(text: str, decision: Decision) -> Patterns:
    """A pattern whose `*` takes slashes too."""
    text = text.replace("$HOME/", "~/")
    if ".." in text.split("/"):
        return (), _UP
    if "[" in text or "{" in text:
        return (), "brackets and braces are letters there, and wildcards here."
    names = text.split("/")
    if not text.strip("*/"):
        return ("/**",), ""
    folders, last = names[:-1], names[-1]
    if any("*" in name.strip("*") or (name.strip("*") and "*" in name) for name in folders):
        return _spanning(text, decision)
    body = [*("**" if name and not name.strip("*") else name for name in folders)]
    if not last.strip("*"):
        return ("/".join([*body, "**"]),), ""
    return _by_last(body, last, decision, text)


def _by_last(body: list[str], last: str, decision: Decision, text: str) -> Patterns:
    if "*" in last.strip("*"):
        return _spanning(text, decision)
    deep = [*body, "**"] if last.startswith("*") and body and body[-1] != "**" else body
    pattern = "/".join([*deep, last])
    if not last.endswith("*"):
        return (pattern,), ""
    if decision is Decision.ALLOW:
        return (pattern,), "its `*` takes folders too there, and one name here."
    below = f"{pattern}/**" if body else f"**/{pattern}/**"
    return (pattern, below), ""


def _spanning(text: str, decision: Decision) -> Patterns:
    why = "a `*` within it takes slashes there, and stays in one name here."
    return ((text,), why) if decision is Decision.ALLOW else ((), why)
