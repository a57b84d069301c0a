"""Exports, imports and marks of JavaScript and TypeScript beside the TypeScript compiler's tree.

    python -m bench.truth.ecma --repo PATH --typescript FOLDER

FOLDER holds `node_modules/typescript` (`npm install typescript@5` there first). The truth is syntactic: what each
file says by itself. A row is (name, kind, local name, source); the compiler's script leaves a kind open where a bare
name only refers to a declaration, and all but the name open in CommonJS.
"""

import argparse
import json
import subprocess
import time
from collections import Counter
from pathlib import Path

from toolpost.index.extract import ecma
from toolpost.index.extract.ecma.place import Hard
from toolpost.index.model import DEFAULT, STAR, Extract

ENDINGS = tuple(f".{ending}" for ending in ("ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"))
OPEN = "?"
SCRIPT = Path(__file__).with_name("exports.mjs")
JUDGED = ("jsx", "decorator:", "extends:", "calls:")

Row = tuple[str, ...]


def files(repo: Path) -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=repo, check=True, capture_output=True).stdout
    paths = [path for path in listed.decode().split("\0") if path.endswith(ENDINGS)]
    return [path for path in paths if (repo / path).is_file() and not (repo / path).is_symlink()]


def truth(repo: Path, typescript: Path, paths: list[str]) -> dict[str, list[list[Row]]]:
    """Of each path: its exports, its modules and its marks."""
    command = ["node", str(SCRIPT), str(typescript)]
    told = subprocess.run(
        command, cwd=repo, input="\n".join(paths).encode(), check=True, capture_output=True
    ).stdout
    return {
        path: [[tuple(row) for row in exports], [(one,) for one in modules], [(one,) for one in marks]]
        for path, _, exports, modules, marks in map(json.loads, told.splitlines())
    }


def ours(found: Extract) -> list[list[Row]]:
    exports: list[Row] = [(each.name, each.kind, each.local, each.source) for each in found.exports]
    return [
        exports,
        [(one,) for one in found.imports],
        [(one,) for one in found.marks if one.startswith(JUDGED)],
    ]


def same(mine: Row, true: Row) -> bool:
    return len(mine) == len(true) and all(b in {a, OPEN} for a, b in zip(mine, true, strict=True))


def by_name(rows: list[Row]) -> dict[str, list[Row]]:
    named: dict[str, list[Row]] = {}
    for row in rows:
        named.setdefault(row[0], []).append(row)
    return named


class Tally:
    """How many rows of a kind were right, missing and too many, and where."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    def add(self, path: str, mine: list[Row], true: list[Row]) -> None:
        mine_named, true_named = by_name(mine), by_name(true)
        missing = [row for row in true if not any(same(one, row) for one in mine_named.get(row[0], ()))]
        extra = [row for row in mine if not any(same(row, one) for one in true_named.get(row[0], ()))]
        self.counts.update(right=len(true) - len(missing), missing=len(missing), extra=len(extra), files=1)
        if missing or extra:
            self.wrong.append(f"{path}: missing {missing[:3]}, extra {extra[:3]}")

    def figures(self) -> dict[str, float]:
        right, missing, extra = (self.counts[name] for name in ("right", "missing", "extra"))
        return {
            "recall": right / max(1, right + missing),
            "precision": right / max(1, right + extra),
            "rows": right + missing,
            "files_wrong": len(self.wrong),
            "files": self.counts["files"],
        }


def rate(texts: dict[str, bytes], rounds: int) -> float:
    """CPU seconds for all of them, the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        begun = time.process_time()
        for path, text in texts.items():
            ecma.extract(path, text)
        best = min(best, time.process_time() - begun)
    return best


def hard(texts: dict[str, bytes]) -> int:
    """Files for which a syntax tree is needed."""
    count = 0
    for path, text in texts.items():
        try:
            ecma.by_search(path, text)
        except Hard:
            count += 1
    return count


def compare(texts: dict[str, bytes], true: dict[str, list[list[Row]]]) -> dict[str, Tally]:
    tallies = {name: Tally() for name in ("exports", "defaults", "stars", "imports", "marks")}
    for path, text in texts.items():
        mine, real = ours(ecma.extract(path, text)), true[path]
        for name, index in (("exports", 0), ("imports", 1), ("marks", 2)):
            tallies[name].add(path, mine[index], real[index])
        for name, sought in (("defaults", DEFAULT), ("stars", STAR)):
            tallies[name].add(
                path, *([row for row in rows if row[0] == sought] for rows in (mine[0], real[0]))
            )
    return tallies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repo", type=Path, required=True)
    parser.add_argument("--typescript", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--show", type=int, default=10, help="files that differ, of each kind")
    args = parser.parse_args()
    paths = files(args.repo)
    texts = {path: (args.repo / path).read_bytes().removeprefix(b"\xef\xbb\xbf") for path in paths}
    tallies = compare(texts, truth(args.repo, args.typescript.resolve(), paths))
    cpu_s = rate(texts, args.rounds)
    figures: dict[str, object] = {
        "repo": args.repo.name,
        "cpu_s": cpu_s,
        "files_per_cpu_s": len(paths) / cpu_s,
    }
    figures["by_tree"] = hard(texts)
    for name, tally in tallies.items():
        figures[name] = tally.figures()
        print(name, tally.figures())
        for line in tally.wrong[: args.show]:
            print("   ", line)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
