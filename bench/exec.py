"""What a command costs over a bare one: to be judged, to be started in a sandbox, and to be listened to.

    scripts/bench exec [--rounds 100] [--output-mib 1024]

Starting is compared with `subprocess.Popen` alone, in turns, by medians; a line for a shell and a list of words apart,
since a list needs one more program, the shell that sets its limits. Deciding is timed over every line of the public
case list, warm, parsing included.
"""

import argparse
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench import exec_start, permission_cases
from bench.exec_output import output_growth
from bench.reporting import Figures, Goal, end, tell

from toolpost.limits import MIB
from toolpost.sandbox.pick import Sandbox

GOALS = (
    Goal("l2_line_cpu_ms", most=1.0),
    Goal("l2_words_cpu_ms", most=1.0),
    Goal("l3_line_cpu_ms", most=5.0),
    Goal("l3_words_cpu_ms", most=5.0),
    Goal("l3_line_wall_ms", most=30.0),
    Goal("l3_words_wall_ms", most=30.0),
    Goal("decide_p50_ms", most=0.3),
    Goal("output_growth_mib", most=8.0),
)


def measure(options: argparse.Namespace) -> Figures:
    growth = output_growth(options.output_mib * MIB)
    captured = output_growth(64 * MIB, how="capture")
    return {
        **starting(options.rounds),
        **deciding(),
        "output_growth_mib": growth.grew_bytes / MIB,
        "capture_growth_of_64_mib": captured.grew_bytes / MIB,
    }


def starting(rounds: int) -> Figures:
    """Over the bare command, for one that may write, which costs most."""
    figures: Figures = {}
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / ".git" / "hooks").mkdir(parents=True)
        (root / ".git" / "config").write_text("[core]\n")
        for name, argv in (("words", exec_start.WORDS), ("line", exec_start.LINE)):
            took = exec_start.measure(exec_start.ways_of(str(root), argv, Sandbox()), rounds)
            wall, cpu = took["bare"]
            for level in ("L1", "L2", "L3"):
                figures[f"{level.lower()}_{name}_wall_ms"] = took[f"{level} writing"][0] - wall
                figures[f"{level.lower()}_{name}_cpu_ms"] = took[f"{level} writing"][1] - cpu
    return figures


def deciding() -> Figures:
    cases = (*permission_cases.everyday(), *permission_cases.attacks())
    took = [_once(case) for _ in range(3) for case in cases][len(cases) :]
    took.sort()
    return {
        "decide_p50_ms": median(took),
        "decide_p95_ms": took[int(len(took) * 0.95)],
        "decide_max_ms": took[-1],
    }


def _once(case: permission_cases.Case) -> float:
    began = time.thread_time()
    permission_cases.verdict(case)
    return 1000 * (time.thread_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description="Commands, judged and fenced.")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--output-mib", type=int, default=1024)
    options = parser.parse_args()
    facts = {"rounds": options.rounds, "output_mib": options.output_mib}
    told = tell("exec", lambda: measure(options), GOALS, **facts)
    end(told, is_whole=options.output_mib >= 1024)


if __name__ == "__main__":
    main()
