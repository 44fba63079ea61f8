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

    def records(self, *arguments):
        """What was played, match by match in the order of seeds: moves, states, errors and scores."""
        with tempfile.TemporaryDirectory() as folder:
            self.run_json(*arguments, "--start-clock", "60", "--play-clock", "60", "--json-dir", folder)
            found = []
            for name in os.listdir(folder):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found.append(json.load(file))
            found.sort(key=lambda record: record["seed"])
            return [[record[key] for key in ("seed", "moves", "states", "errors", "goalValues")] for record in found]

    def test_a_match_is_the_same(self):
        match = ["match", "breakthrough_6x6", "--players", "legal,random", "--matches", "3", "--swap", "--seed"]
        here = self.records(*match, "7")
        self.assertEqual(len(here), 4)  # each player twice in each role
        self.assertEqual(self.records(*match, "7", "--isolate"), here)
        self.assertNotEqual(self.records(*match, "8", "--isolate")[0][1], here[0][1], "the seed is told to the processes")

    def test_a_match_begins_where_it_is_told(self):
        state = ("(cell 1 1 x) (cell 2 2 o) (cell 1 2 blank) (cell 1 3 blank) (cell 2 1 blank) (cell 2 3 blank) "
                 "(cell 3 1 blank) (cell 3 2 blank) (cell 3 3 x) (control o)")
        match = ["match", "tic_tac_toe", "--players", "legal,legal", "--state", state]
        here = self.records(*match)
        self.assertEqual(self.records(*match, "--isolate"), here)
        (_, moves, states, errors, _), = here
        self.assertIn("(cell 3 3 x)", states[0])
        self.assertEqual(moves[0], ["noop", "(mark 1 2)"], "the first cell that is free there")
        self.assertEqual({fault for step in errors for fault in step}, {""})

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
                # Rarer and rarer: a process that needs longer to begin, as on a busy machine or with sanitizers in it, is there
                # at last, and a player who never was there would rightly be a fault of the tournament.
                time.sleep(0.05 * (1 + struck))
            output, log = program.communicate(timeout=300)
            self.assertEqual(program.returncode, 0, log)
            matches = [line for line in map(json.loads, output.splitlines()) if not line.get("summary")]
            self.assertEqual(len(matches), 4, log)
            self.assertTrue(all(match["complete"] for match in matches))
            self.assertGreater(struck, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
