"""The gate a call passes: credentials, then rules, then the user."""

from collections.abc import Callable

from toolpost.authorize.ask import Asker
from toolpost.authorize.decide import decide, settle
from toolpost.authorize.grants import Grants
from toolpost.authorize.rules import Profile
from toolpost.call import Call
from toolpost.define import Tool
from toolpost.errors import Denied, NeedsApproval, Unauthenticated
from toolpost.events import Event, PermissionAsked
from toolpost.result import Decision, Verdict


class Gate:
    def __init__(self, profile: Profile, asker: Asker, tell: Callable[[Event], None]) -> None:
        self._profile = profile
        self._asker = asker
        self._tell = tell
        self._decided: dict[Tool, Verdict] = {}

    def forget(self, tool: Tool) -> None:
        self._decided.pop(tool, None)

    def judge(self, tool: Tool, call: Call, grants: Grants) -> Verdict:
        """What the rules and the user's lasting answers say; when that is to ask, `ask` does."""
        if tool.scopes:
            require_scopes(tool, call)
        verdict = self._decided.get(tool) or self._decide(tool)
        granted = grants.get(tool.name)
        if granted is not None:
            verdict = settle(verdict, tool, granted)
        return verdict

    def _decide(self, tool: Tool) -> Verdict:
        """Neither the profile nor a tool ever changes, so each pair is decided once."""
        verdict = self._decided[tool] = decide(self._profile, tool)
        return verdict

    async def ask(self, tool: Tool, call: Call, verdict: Verdict, grants: Grants) -> Verdict:
        """The user's verdict; one that still says ask had nobody to ask."""
        self._tell(PermissionAsked(call, verdict))
        answer = await self._asker.ask(tool, call, verdict)
        if answer is None:
            return verdict
        grants.remember(tool.name, answer)
        return Verdict(answer.decision, verdict.rule, verdict.layer, verdict.atom, "user")


def permit(verdict: Verdict, call: Call) -> None:
    """Nothing, if the call may go on; else the refusal, naming what decided."""
    if verdict.decision is Decision.ALLOW:
        return
    if verdict.decision is Decision.ASK:
        said = f"{call.said_tool} needs the user's approval, and nobody could be asked."
        raise NeedsApproval(said, **_facts(verdict))
    by = "the user" if verdict.who == "user" else f"the rule {verdict.rule}"
    raise Denied(f"{call.said_tool} was denied by {by} ({verdict.layer}).", **_facts(verdict))


def _facts(verdict: Verdict) -> dict[str, str]:
    return {"rule": verdict.rule, "layer": verdict.layer, "atom": verdict.atom, "who": verdict.who}


def require_scopes(tool: Tool, call: Call) -> None:
    held = call.caller.scopes or ()
    lacking = [scope for scope in tool.scopes if scope not in held]
    if lacking:
        raise Unauthenticated(
            "Valid authentication credentials are required to access this resource",
            parameter="authentication",
            required_scope=" ".join(lacking),
            provided_scope=" ".join(held) or None,
            authentication_method="bearer_token",
        )
