"""Every recipe on every game: no crash, no illegal move, nothing late without a reason.

    everything_test.py PROGRAM SOURCE_FOLDER PART [--slow]

Parts: Sample, a few trials chosen by a fixed seed; Crashed, the games that once ended in a crash; Complete, everything,
with STRATAGEM_FULL_TESTS only; Faults, tools/everything itself on a program that does everything wrong.
"""

import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile

PROGRAM, SOURCE, PART = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
SLOW = sys.argv[4:]
TOOL = SOURCE / "tools" / "everything"
FOLDERS = [str(folder) for folder in (SOURCE / "games", SOURCE.parent / "shared" / "games") if folder.is_dir()]
SKIPPED = 77
# Small games with many symmetries, on which representatives were not unique.
ONCE_CRASHED = "factoringEasyTurtleBrain,ticTacToeSerial,three_dimensional_tic_tac_toe"


def everything(*words):
    return subprocess.run([sys.executable, "-B", str(TOOL), *words, *SLOW], check=False).returncode


def sample():
    return everything(*FOLDERS, "--program", PROGRAM, "--sample", "24", "--seed", "17")


def crashed():
    return everything(*FOLDERS, "--program", PROGRAM, "--games", ONCE_CRASHED, "--recipes", "best,solve", "--kinds", "plain")


def complete():
    if os.environ.get("STRATAGEM_FULL_TESTS") is None:
        return SKIPPED
    return everything(*FOLDERS, "--program", PROGRAM, "--jobs", str(os.cpu_count()))


# A program that plays as its players are called. Each run of `once_late` is another.
PRETENDER = r'''#!/bin/bash
if [[ $1 == scramble ]]; then cat "$2"; exit; fi
while (($# > 0)); do [[ $1 == --players ]] && players=$2; shift; done
late() { echo "1.1 $players: was late (TO) in step 1, after 9.100 s, $1 s of them without a processor: x; y is made instead" >&2; }
illegal=0
case $players in
    *crash*) kill -SEGV $$ ;;
    *bug*) exit 70 ;;
    *refused*) echo "no such recipe" >&2; exit 2 ;;
    *limit*) echo "time ran out" >&2; exit 3 ;;
    *memory*) echo "std::bad_alloc" >&2; exit 70 ;;
    *spinning*) while :; do :; done ;;
    *illegal*) illegal=1; echo "1.1 x: made no legal move (IL) in step 1, after 0.1 s: z; y is made instead" >&2 ;;
    *silent*) illegal=1; echo "1.1 x: made no legal move (IL) in step 1, after 0.4 s, 0.001 s of them without a processor: nil; y is made instead" >&2 ;;
    *starving*) illegal=1; echo "1.1 x: made no legal move (IL) in step 1, after 0.4 s, 0.390 s of them without a processor: nil; y is made instead" >&2 ;;
    *untold*) illegal=1 ;;
    *once_late*) [[ -e $(dirname "$0")/again ]] || late 0.010; touch "$(dirname "$0")/again" ;;
    *always_late*) late 0.010 ;;
    *starved*) late 9.000 ;;
    *search*) echo "1.1 x: the search failed: vector::at" >&2 ;;
    *sanitizer*) echo "==1==ERROR: AddressSanitizer: heap-use-after-free on address" >&2 ;;
esac
echo "{\"match\": 1, \"moves\": 3, \"late\": [0, 0], \"illegal\": [$illegal, 0], \"unreachable\": [0, 0], \"fallbacks\": [0, 0]}"
'''
EXPECTED = {
    "fine": None, "limit": None, "starved": None, "once_late": None, "crash": "crash", "bug": "crash", "refused": "refused",
    "memory": "memory", "spinning": "no end", "illegal": "illegal", "silent": "illegal", "starving": None,
    "untold": "illegal", "always_late": "late", "search": "search",
    "sanitizer": "sanitizer",
}  # fmt: skip


def faults():
    """Each fault is found, named, and held against the recipe that has it; what is known is not tried again."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        program, results, game = folder / "pretender", folder / "results.jsonl", folder / "two.kif"
        program.write_text(PRETENDER)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        game.write_text("(role white) ; (role red)\n(role black) (<= (legal ?r x) (role ?r))\n(role random)")
        words = [
            sys.executable, "-B", str(TOOL), str(game), "--program", str(program), "--recipes", ",".join(EXPECTED),
            "--results", str(results), "--processor-seconds", "1",
        ]  # fmt: skip
        run = subprocess.run(words, capture_output=True, text=True, check=False)
        assert run.returncode == 1, run.stderr
        tried = [json.loads(line) for line in results.read_text().splitlines()]
        assert all(len(one["players"]) == 2 for one in tried), "chance and comments are no players"
        assert {one["kind"] for one in tried} == {"plain", "scrambled"}
        for recipe, fault in EXPECTED.items():
            alone = [one for one in tried if set(one["players"]) - {"random"} == {recipe}]
            with_it = alone or [one for one in tried if recipe in one["players"]]
            assert with_it, recipe
            for one in with_it:
                named = {text.split(":")[0] for text in one["faults"]}
                assert named == ({fault} if fault else set()), (recipe, one)
                assert (one["command"] in run.stdout) == bool(one["faults"]), "a command to repeat each fault"
            row = next(line for line in run.stdout.splitlines() if line.startswith(f"| `{recipe}` "))
            assert (row.split("|")[-2].strip() != "0") == bool(fault), row
        assert f"1 games × {len(EXPECTED)} recipes × 2 kinds of trials: {2 * len(EXPECTED)} of {2 * len(EXPECTED)} tried" in run.stdout
        again = subprocess.run(words, capture_output=True, text=True, check=False)
        assert again.returncode == 1 and again.stdout == run.stdout
        assert len(results.read_text().splitlines()) == len(tried)
    return 0


sys.exit({"Faults": faults, "Sample": sample, "Crashed": crashed, "Complete": complete}[PART]())
