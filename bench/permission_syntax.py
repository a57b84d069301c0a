"""One policy in the rule languages of other programs, as near to the same intent as each of them can say it."""

import json
import re
import shlex
from collections.abc import Iterable
from typing import Any, NamedTuple

SAFE = ("echo *", "printf *", "cd *", "pwd", "true", "false", "test *", "wait")
"""Words of the shell that change nothing: free with us without a rule, so that the others get one."""
SECRETS = (".env", ".env.local", ".env.production", "*.pem", "*.key", ".npmrc", ".netrc")
SECRET_FOLDERS = ("~/.ssh/**", "~/.aws/**")
HOSTS = {"curl": "https://{}/"}
"""Who cannot tell a host from an argument gets the nearest prefix."""


class Intent(NamedTuple):
    """Patterns of commands, and of paths."""

    allow: tuple[str, ...]
    ask: tuple[str, ...]
    deny: tuple[str, ...]
    unread: tuple[str, ...]
    unwritten: tuple[str, ...]
    hosts: tuple[str, ...]

    @property
    def fetches(self) -> tuple[str, ...]:
        """Which prefixes stand for the hosts that may be asked."""
        return tuple(f"{name} {form.format(host)}" for name, form in HOSTS.items() for host in self.hosts)


def is_open(pattern: str) -> bool:
    """It admits more arguments."""
    return pattern.endswith(" *")


def claude(intent: Intent) -> dict[str, Any]:
    """Its settings.json."""
    allowed = [*intent.allow, *SAFE, *(f"{prefix}*" for prefix in intent.fetches)]
    unread = [*intent.unread, *(f"**/{name}" for name in SECRETS), *SECRET_FOLDERS]
    return {
        "permissions": {
            "defaultMode": "acceptEdits",
            "allow": [f"Bash({pattern})" for pattern in allowed],
            "ask": [f"Bash({pattern})" for pattern in intent.ask],
            "deny": [
                *(f"Bash({pattern})" for pattern in intent.deny),
                *(f"Read({pattern})" for pattern in unread),
                *(f"Edit({pattern})" for pattern in intent.unwritten),
            ],
        }
    }


def codex_rules(intent: Intent) -> str:
    """Its default.rules. They are prefixes, so that what is allowed exactly is left out: it runs in the sandbox."""
    decided = [("allow", (*intent.allow, *SAFE)), ("prompt", intent.ask), ("forbidden", intent.deny)]
    rules = [
        f"prefix_rule(pattern={json.dumps(shlex.split(pattern[:-2]))}, decision={json.dumps(decision)})"
        for decision, patterns in decided
        for pattern in patterns
        if is_open(pattern) and "*" not in pattern[:-2]
    ]
    return "\n".join(rules) + "\n"


def codex_config(intent: Intent, base_url: str, project: str) -> str:
    """Its config.toml: the workspace may be written, what must not be read is denied in the sandbox."""
    roots = {".": "write", **{pattern.removesuffix("/**"): "deny" for pattern in intent.unread}}
    roots |= {pattern.removesuffix("/**"): "read" for pattern in intent.unwritten}
    roots |= {f"**/{name}": "deny" for name in SECRETS}
    homes = {folder.removesuffix("/**"): "deny" for folder in SECRET_FOLDERS}
    return "\n".join(
        [
            'model = "stand-in"',
            'model_provider = "local"',
            'approval_policy = "on-request"',
            'default_permissions = "shop"',
            "[permissions.shop]",
            'extends = ":workspace"',
            "[permissions.shop.filesystem]",
            "glob_scan_max_depth = 3",
            *_table(homes),
            '[permissions.shop.filesystem.":workspace_roots"]',
            *_table(roots),
            "[model_providers.local]",
            'name = "local"',
            f"base_url = {json.dumps(base_url)}",
            'wire_api = "responses"',
            'env_key = "LOCAL_KEY"',
            "request_max_retries = 0",
            "stream_max_retries = 0",
            f"[projects.{json.dumps(project)}]",
            'trust_level = "trusted"',
            "[analytics]",
            "enabled = false",
            "",
        ]
    )


def _table(entries: dict[str, str]) -> list[str]:
    return [f"{json.dumps(name)} = {json.dumps(value)}" for name, value in entries.items()]


def gemini(intent: Intent) -> str:
    """A file of its policies folder. A deny has a message of its own: without one it looks like a question."""
    allowed = (*intent.allow, *SAFE)
    rules = [
        *_gemini_rules(allowed, "allow", 100),
        _gemini_rule({"commandPrefix": list(intent.fetches)}, "allow", 100),
        *_gemini_rules(intent.ask, "ask_user", 200),
        *_gemini_rules(intent.deny, "deny", 300),
    ]
    folders = [pattern.removesuffix("/**") for pattern in (*intent.unread, *intent.unwritten)]
    names = [re.escape(name.lstrip("*")) for name in SECRETS if name != ".env.local"]
    private = "|".join(
        [*(f"\\b{word}\\b" for word in folders), r"\.ssh/", r"\.aws/", *(f"{name}\\b" for name in names)]
    )
    rules.append(_gemini_rule({"commandRegex": f".*({private})(?!\\.example)"}, "deny", 300))
    return "\n\n".join(rules) + "\n"


def _gemini_rules(patterns: Iterable[str], decision: str, priority: int) -> list[str]:
    patterns = tuple(patterns)
    prefixes = [pattern[:-2] for pattern in patterns if is_open(pattern) and "*" not in pattern[:-2]]
    others = [pattern for pattern in patterns if not is_open(pattern) or "*" in pattern[:-2]]
    rules = [_gemini_rule({"commandPrefix": prefixes}, decision, priority)] if prefixes else []
    return rules + [_gemini_rule({"commandRegex": _whole(pattern)}, decision, priority) for pattern in others]


def _whole(pattern: str) -> str:
    """Its expressions meet the command as JSON text: the quote that ends it makes one exact."""
    literal = re.sub(r"([.+?()\[\]{}^$|\\])", r"\\\1", pattern)
    return literal.replace("*", '[^ "]*') + '"'


def _gemini_rule(what: dict[str, Any], decision: str, priority: int) -> str:
    facts = {"toolName": "run_shell_command", **what, "decision": decision, "priority": priority}
    if decision == "deny":
        facts["denyMessage"] = "a rule denies it"
    return "[[rule]]\n" + "\n".join(f"{name} = {json.dumps(value)}" for name, value in facts.items())


def opencode(intent: Intent, base_url: str) -> dict[str, Any]:
    """Its opencode.json: the last rule that matches decides."""
    commands = {"*": "ask"}
    commands |= dict.fromkeys((*intent.allow, *SAFE, *(f"{prefix}*" for prefix in intent.fetches)), "allow")
    commands |= dict.fromkeys(intent.ask, "ask")
    commands |= dict.fromkeys(intent.deny, "deny")
    folders = [
        pattern.removesuffix("/**") for pattern in (*intent.unread, *intent.unwritten, *SECRET_FOLDERS)
    ]
    commands |= dict.fromkeys((f"*{folder.removeprefix('~/')}*" for folder in folders), "deny")
    names = [name.lstrip("*") for name in SECRETS]
    commands |= dict.fromkeys((form for name in names for form in (f"*{name}", f"*{name} *")), "deny")
    read = {"*": "allow", **dict.fromkeys((*intent.unread, *SECRETS), "deny")}
    model = {"name": "stand-in", "tool_call": True, "limit": {"context": 1_000_000, "output": 8_000}}
    return {
        "share": "disabled",
        "autoupdate": False,
        "snapshot": False,
        "model": "local/stand-in",
        "small_model": "local/stand-in",
        "provider": {
            "local": {
                "npm": "@ai-sdk/openai-compatible",
                "options": {"baseURL": base_url, "apiKey": "none"},
                "models": {"stand-in": model},
            }
        },
        "experimental": {"continue_loop_on_deny": True},
        "permission": {
            "edit": {"*": "allow", **dict.fromkeys(intent.unwritten, "deny")},
            "read": read,
            "external_directory": "ask",
            "bash": commands,
        },
    }
