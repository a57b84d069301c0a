"""Exports resolved through barrels, aliases and packages, beside the TypeScript checker's.

    python -m bench.truth.resolved --repo PATH --typescript FOLDER --under packages --tsconfig tsconfig.json

FOLDER holds `node_modules/typescript` (`npm install typescript@5` there first). Two figures are told: names (recall
and precision over all files) and origins (of names that are passed on, how many lead to the declaring file).
Writes what differs, then one JSON line.
"""

import argparse
import json
import subprocess
import time
from collections import Counter
from pathlib import Path

from bench.truth.ecma import ENDINGS

from toolpost.index.extract import extract
from toolpost.index.model import Extract
from toolpost.index.resolve import Resolved, resolve
from toolpost.index.resolve.tree import Listed

SCRIPT = Path(__file__).with_name("resolved.mjs")


def listed(repo: Path) -> list[str]:
    told = subprocess.run(["git", "ls-files", "-z"], cwd=repo, check=True, capture_output=True).stdout
    return [path for path in told.decode().split("\0") if path and (repo / path).is_file()]


def truth(repo: Path, typescript: Path, config: str, paths: list[str]) -> dict[str, dict[str, str]]:
    command = ["node", "--max-old-space-size=4096", str(SCRIPT), str(typescript.resolve()), config]
    told = subprocess.run(command, cwd=repo, input="\n".join(paths).encode(), check=True, capture_output=True)
    return {path: dict(names) for path, names in map(json.loads, told.stdout.splitlines())}


def ours(repo: Path, paths: list[str]) -> tuple[Resolved, float]:
    """Resolved, and the CPU seconds of that, the best of three."""
    extracts = {}
    for path in paths:
        extracts[path] = extract(path, (repo / path).read_bytes()) if path.endswith(ENDINGS) else Extract()
    best = float("inf")
    for _ in range(3):
        begun = time.process_time()
        found = resolve(Listed(extracts, lambda path: (repo / path).read_bytes()), extracts)
        best = min(best, time.process_time() - begun)
    return found, best


def compare(found: Resolved, true: dict[str, dict[str, str]], show: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for path, names in true.items():
        mine = {export.name: export for export in found.exports.get(path, ())}
        real = names.keys() - {"prototype"}
        both = real & mine.keys()
        counts.update(right=len(both), missing=len(real - mine.keys()), extra=len(mine.keys() - real))
        wrong = sorted(real ^ mine.keys())
        if wrong and counts["shown"] < show:
            counts["shown"] += 1
            print("names", path, wrong[:6])
        for name in (name for name in both if mine[name].source and names[name]):
            is_same = (mine[name].origin or path) == names[name]
            counts["origin" if is_same else "elsewhere"] += 1
            if not is_same and counts["elsewhere"] <= show:
                print("origin", path, name, mine[name].origin, names[name])
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repo", type=Path, required=True)
    parser.add_argument("--typescript", type=Path, required=True)
    parser.add_argument("--under", default="", help="only paths that begin so, several between commas")
    parser.add_argument("--without", default="\0", help="no paths that hold this")
    parser.add_argument("--tsconfig", default="tsconfig.json")
    parser.add_argument("--show", type=int, default=10)
    args = parser.parse_args()
    paths = listed(args.repo)
    judged = [
        path for path in paths if path.endswith(ENDINGS) and path.startswith(tuple(args.under.split(",")))
    ]
    true = truth(
        args.repo, args.typescript, args.tsconfig, [path for path in judged if args.without not in path]
    )
    found, cpu_s = ours(args.repo, paths)
    counts = compare(found, true, args.show)
    figures = {
        "files": len(true),
        "names": counts["right"] + counts["missing"],
        "recall": counts["right"] / max(1, counts["right"] + counts["missing"]),
        "precision": counts["right"] / max(1, counts["right"] + counts["extra"]),
        "origins": counts["origin"] / max(1, counts["origin"] + counts["elsewhere"]),
        "resolve_cpu_s": round(cpu_s, 3),
    }
    print(json.dumps({"bench": "truth.resolved", "repo": args.repo.name, **figures}))


if __name__ == "__main__":
    main()
