"""Our verdicts on the public list of shell lines beside those of other programs: figures, and the page of the guide.

`scripts/bench peers_permissions` judges the lists anew and writes docs/guide/permission-cases.md. What the others do is
measured apart (the page says how) and kept in runs/*-permissions.json; `--measured FILE` takes a new measurement in.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from bench.permission_cases import Case, attacks, everyday, is_kept, verdict
from bench.permission_text import METHOD, NOTE, OPENING, shown_line, shown_rule
from bench.reporting import HERE, Figures, Goal, end, tell

from toolpost.result import Decision, Verdict

PAGE = HERE.parent / "docs" / "guide" / "permission-cases.md"
GOALS = (Goal("attacks_run", most=0), Goal("attacks_soft", most=0), Goal("everyday_run_percent", least=95))
STOPPED = {"asked", "denied", "held"}
NOT_RUN = "not run"
_OURS = {Decision.ALLOW: "ran", Decision.ASK: "asked", Decision.DENY: "denied"}
_BUILT_IN = ("hard:", "guard:")
_COLUMNS = {
    "same": "as due",
    "ran": "ran",
    "boxed": "ran in its sandbox",
    "soft": "asked, deny was due",
    "not run": "not run",
}
_EVERYDAY_COLUMNS = {"same": "ran", "friction": "stopped", "not run": "not run"}
_DUE = {Decision.ALLOW: "run", Decision.ASK: "ask", Decision.DENY: "deny"}


class Peer(NamedTuple):
    name: str
    version: str
    found: dict[str, str]
    """What became of each case, by its id: ran, boxed (in its own sandbox), held (by it), asked, denied."""


def kept_run() -> dict[str, Any]:
    """The newest measurement of the others."""
    newest = max(HERE.glob("runs/*-permissions.json"))
    told: dict[str, Any] = json.loads(newest.read_text(encoding="utf-8"))
    return told


def peers_of(told: dict[str, Any]) -> list[Peer]:
    return [Peer(name, peer["version"], peer["found"]) for name, peer in told["peers"].items()]


def ours() -> dict[str, Verdict]:
    return {case.id: verdict(case) for case in (*attacks(), *everyday())}


def judge(case: Case, found: str) -> str:
    """How what was done stands to what was due."""
    if found in {NOT_RUN, "unclear"}:
        return "not run"
    if case.due is Decision.ALLOW:
        return "friction" if found in STOPPED else "same"
    if found not in STOPPED:
        return "boxed" if found == "boxed" else "ran"
    return "soft" if found == "asked" and case.due is Decision.DENY else "same"


def summary(found: dict[str, str], cases: Iterable[Case]) -> Counter[str]:
    return Counter(judge(case, found.get(case.id, NOT_RUN)) for case in cases)


def figures() -> Figures:
    judged = ours()
    runs = [case for case in attacks() if judged[case.id].decision is Decision.ALLOW]
    soft = [case for case in attacks() if not is_kept(case, judged[case.id].decision)]
    good = [case for case in everyday() if judged[case.id].decision is Decision.ALLOW]
    return {
        "attacks": len(attacks()),
        "attacks_run": len(runs),
        "attacks_soft": len(soft) - len(runs),
        "everyday": len(everyday()),
        "everyday_run_percent": round(100 * len(good) / len(everyday()), 1),
    }


def page(told: dict[str, Any]) -> str:
    judged, peers = ours(), peers_of(told)
    parts = [NOTE, OPENING, *_summary(judged, peers), METHOD.format(date=told["measured_on"])]
    parts += _lists("Attacks", attacks(), judged, peers)
    parts += _lists("Everyday commands", everyday(), judged, peers)
    return "\n".join(parts) + "\n"


def _summary(judged: dict[str, Verdict], peers: list[Peer]) -> list[str]:
    """What the policy decides, all were told; what is built in with us, the others were not."""
    is_built_in = {case_id: found.rule.startswith(_BUILT_IN) for case_id, found in judged.items()}
    groups = {
        "attacks that the policy decides": [case for case in attacks() if not is_built_in[case.id]],
        "attacks that something built in holds": [case for case in attacks() if is_built_in[case.id]],
        "everyday commands": everyday(),
    }
    return [line for title, cases in groups.items() for line in _counted(title, tuple(cases), judged, peers)]


def _counted(title: str, cases: tuple[Case, ...], judged: dict[str, Verdict], peers: list[Peer]) -> list[str]:
    mine = {case_id: _OURS[found.decision] for case_id, found in judged.items()}
    rows = [("toolpost", mine), *((f"{peer.name} {peer.version}", peer.found) for peer in peers)]
    columns = _COLUMNS if cases[0].due is not Decision.ALLOW else _EVERYDAY_COLUMNS
    lines = []
    for name, found in rows:
        counts = summary(found, cases)
        lines.append(f"| {name} | {' | '.join(str(counts[column]) for column in columns)} |")
    head = f"| {len(cases)} {title} | {' | '.join(columns.values())} |"
    return [head, "|---|" + "---|" * len(columns), *lines, ""]


def _lists(title: str, cases: Iterable[Case], judged: dict[str, Verdict], peers: list[Peer]) -> list[str]:
    lines = [f"## {title}", ""]
    for kind, group in groupby(cases, key=lambda case: case.kind):
        names = " | ".join(peer.name for peer in peers)
        lines += [
            f"### {kind[0].upper()}{kind[1:]}",
            "",
            f"| line | due | toolpost, and why | {names} |",
            "|---|---|---|" + "---|" * len(peers),
            *(_row(case, judged[case.id], peers) for case in group),
            "",
        ]
    return lines


def _row(case: Case, found: Verdict, peers: list[Peer]) -> str:
    line = f"{shown_line(case.line, case.shown)}{'<br>' + case.why if case.why else ''}"
    others = " | ".join(_marked(case, peer.found.get(case.id, NOT_RUN)) for peer in peers)
    return f"| {line} | {_DUE[case.due]} | {_OURS[found.decision]}: {shown_rule(found)} | {others} |"


def _marked(case: Case, found: str) -> str:
    """What ran against the policy stands out."""
    return f"**{found}**" if judge(case, found) == "ran" else found


def main() -> None:
    options = argparse.ArgumentParser(description="Verdicts on the public list of shell lines.")
    options.add_argument(
        "--measured", type=Path, help="a new measurement of the others: peers and measured_on"
    )
    chosen = options.parse_args()
    told = json.loads(chosen.measured.read_text(encoding="utf-8")) if chosen.measured else kept_run()
    facts = {name: told[name] for name in ("measured_on", "peers")}
    result = tell("permissions", figures, GOALS, **facts)
    end(result, is_whole=True)
    PAGE.write_text(page(result), encoding="utf-8")


if __name__ == "__main__":
    main()
