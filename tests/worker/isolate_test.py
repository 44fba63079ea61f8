"""Recipes in processes of their own, as matches and tournaments use them.

    isolate_test.py PROGRAM SOURCE_FOLDER [unittest arguments]
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from processes import workers

PROGRAM, SOURCE = sys.argv[1:3]


class IsolateTest(unittest.TestCase):
    def run_json(self, *arguments):
        done = subprocess.run([PROGRAM, *arguments, "--json"], capture_output=True, text=True, timeout=300, cwd=SOURCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_a_match_is_the_same(self):
        match = ["match", "tic_tac_toe", "--players", "legal,random", "--matches", "3", "--swap", "--start-clock", "60",
                 "--play-clock", "60", "--seed", "7"]
        here = self.run_json(*match)
        there = self.run_json(*match, "--isolate")
        for one, other in zip(here, there, strict=True):
            for key in ("players", "scores", "errors", "moves"):
                self.assertEqual(one.get(key), other.get(key))

    def test_a_crash_does_not_end_a_tournament(self):
        with tempfile.TemporaryDirectory() as folder:
            spec = os.path.join(folder, "cup.json")
            with open(spec, "w", encoding="utf-8") as file:
                json.dump({"games": ["tic_tac_toe"], "players": ["mcts-plain", "random"], "matches": 4, "start_clock": 1,
                           "play_clock": 0.2, "table": 1}, file)
            program = subprocess.Popen([PROGRAM, "tournament", spec, "--json"], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, cwd=SOURCE)
            struck = 0
            while program.poll() is None:
                for victim in workers(program.pid)[:1]:
                    try:
                        os.kill(victim, signal.SIGSEGV)
                        struck += 1
                    except ProcessLookupError:
                        pass
                time.sleep(0.05)
            output, log = program.communicate(timeout=300)
            self.assertEqual(program.returncode, 0, log)
            matches = [line for line in map(json.loads, output.splitlines()) if not line.get("summary")]
            self.assertEqual(len(matches), 4, log)
            self.assertTrue(all(match["complete"] for match in matches))
            self.assertGreater(struck, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
