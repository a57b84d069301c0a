"""Components found by tags, beside those the TypeScript compiler's tree shows.

    python -m bench.truth.components --repo PATH --typescript FOLDER --under packages

FOLDER holds `node_modules/typescript` (`npm install typescript@5` there first). A file is right if it has the tag
exactly when it declares a component. Writes what differs, then one JSON line.
"""

import argparse
import json
import subprocess
from pathlib import Path

from bench.truth.ecma import files

from toolpost.index.extract import extract
from toolpost.index.tags import tags_of

SCRIPT = Path(__file__).with_name("components.mjs")
TAGS = ("react-component", "angular-component")


def truth(repo: Path, typescript: Path, paths: list[str]) -> dict[str, tuple[list[str], ...]]:
    """Of each path the names of its components, in the order of TAGS."""
    command = ["node", str(SCRIPT), str(typescript.resolve())]
    told = subprocess.run(command, cwd=repo, input="\n".join(paths).encode(), check=True, capture_output=True)
    return {path: (react, angular) for path, react, angular in map(json.loads, told.stdout.splitlines())}


def compare(true: set[str], mine: set[str]) -> dict[str, float]:
    right = len(true & mine)
    return {
        "files": len(true),
        "recall": right / max(1, len(true)),
        "precision": right / max(1, len(mine)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repo", type=Path, required=True)
    parser.add_argument("--typescript", type=Path, required=True)
    parser.add_argument("--under", default="", help="only paths that begin so")
    parser.add_argument("--holding", default="", help="only paths that hold this, such as `/src/`")
    parser.add_argument("--show", type=int, default=10)
    args = parser.parse_args()
    paths = [path for path in files(args.repo) if path.startswith(args.under) and args.holding in path]
    true = truth(args.repo, args.typescript, paths)
    tagged = {}
    for path in paths:
        text = (args.repo / path).read_bytes()
        tagged[path] = set(tags_of(path, text, extract(path, text)))
    figures = {}
    for at, tag in enumerate(TAGS):
        real = {path for path, names in true.items() if names[at]}
        mine = {path for path, tags in tagged.items() if tag in tags}
        figures[tag] = compare(real, mine)
        for path in sorted(real - mine)[: args.show]:
            print("missing", tag, path, true[path][at][:3])
        for path in sorted(mine - real)[: args.show]:
            print("extra", tag, path)
    print(json.dumps({"bench": "truth.components", "repo": args.repo.name, **figures}))


if __name__ == "__main__":
    main()
