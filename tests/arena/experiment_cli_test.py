"""Tests of what experiments need: tables, where results come from, positions to begin with, errors that end a run.

    experiment_cli_test.py PROGRAM SOURCE_FOLDER [unittest arguments, such as PositionTest]
"""

import csv
import json
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from cli_test import SUCCESS, USAGE, CliTest  # noqa: E402

NO = 1


class ExperimentTest(CliTest):
    def records(self, *arguments):
        folder = self.folder / "records"
        code, _, err = self.run_program("match", *arguments, "--json-dir", folder)
        self.assertEqual(code, SUCCESS, err)
        return [json.loads(path.read_text()) for path in sorted(folder.iterdir())]


class TableTest(ExperimentTest):
    def test_every_form(self):
        files = [self.folder / f"results.{ending}" for ending in ("csv", "md", "tex")]
        tables = [word for file in files for word in ("--results", file)]
        code, _, err = self.run_program("match", "tic_tac_toe", "--players", "random,random,uct:rave=on", "--matches", "2",
                                        "--start-clock", "30", "--play-clock", "0.05", *tables)
        self.assertEqual(code, SUCCESS, err)
        with open(files[0], newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["player"] for row in rows], ["random (1)", "random (2)", "uct:rave=on"])
        for row in rows:
            self.assertEqual((row["game"], row["matches"], row["seed"]), ("tic_tac_toe", "4", "1"))
            self.assertTrue(0 <= float(row["ci95_low"]) <= float(row["mean"]) <= float(row["ci95_high"]) <= 100, row)
            self.assertRegex(row["rules"], r"^[0-9a-f]{16}$")
            self.assertRegex(row["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            self.assertTrue(row["version"] and row["commit"] and row["processor"] and row["load"] and row["budget"], row)
        self.assertIn("rave=on", rows[2]["recipe"])
        self.assertIn("threads=1", rows[2]["recipe"])
        markdown = files[1].read_text()
        self.assertIn("| random (2) | tic\\_tac\\_toe | 4 |", markdown)
        self.assertIn("- seed: 1", markdown)
        latex = files[2].read_text()
        self.assertIn(r"random (2) & tic\_tac\_toe & 4 &", latex)
        self.assertEqual(latex.count(r"\begin{tabular}"), latex.count(r"\end{tabular}"))
        for line in latex.splitlines():
            if line.endswith(r"\\"):
                self.assertEqual(len(re.findall(r"(?<!\\)&", line)), 11, line)

    def test_of_a_tournament_and_of_stages(self):
        table = self.folder / "cup.csv"
        spec = self.folder / "cup.json"
        spec.write_text(json.dumps({"games": ["tic_tac_toe", "nim"], "players": ["random", "legal"], "start_clock": 30,
                                    "play_clock": 30}))
        code, _, err = self.run_program("tournament", spec, "--results", table)
        self.assertEqual(code, SUCCESS, err)
        with open(table, newline="") as file:
            self.assertEqual({(row["player"], row["game"]) for row in csv.DictReader(file)},
                             {(player, game) for player in ("random", "legal") for game in ("all", "tic_tac_toe", "nim")})
        page = (self.folder / "cup.html").read_text()
        self.assertIn("Where this comes from", page)
        self.assertIn("rules of nim", page)
        table = self.folder / "stages.csv"
        code, _, err = self.run_program("lab", "stages", "tic_tac_toe", "--pairs", "random:legal", "--matches", "2",
                                        "--play-clock", "30", "--results", table)
        self.assertEqual(code, SUCCESS, err)
        with open(table, newline="") as file:
            row, = csv.DictReader(file)
        self.assertEqual((row["first"], row["second"], row["game"], row["matches"]), ("random", "legal", "tic_tac_toe", "2"))
        self.assertTrue(row["first_recipe"].startswith("random:") and row["commit"], row)

    def test_what_cannot_be_written_is_said_before_play(self):
        for name, words in (("results.txt", "must end in .csv"), ("nowhere/results.csv", "cannot write")):
            code, out, err = self.run_program("match", "tic_tac_toe", "--players", "random,legal", "--results",
                                              self.folder / name)
            self.assertEqual((code, out), (USAGE, ""), name)
            self.assertIn(words, err)

    def test_provenance_of_a_summary_and_of_records(self):
        *_, summary = self.objects("match", "tic_tac_toe", "--players", "flux,random", "--seed", "7", "--play-clock",
                                   "0.05", "--json")
        found = summary["provenance"]
        self.assertEqual((found["seed"], found["games"][0]["name"]), (7, "tic_tac_toe"))
        self.assertRegex(found["players"][0]["recipe"], r"^flux:.*threads=1,table=256,ponder=off")
        self.assertTrue(any(one.startswith("alphabeta:") for one in found["players"][0]["searches"]), found)
        self.assertEqual(found["budget"], "10 s, 0.05 s per move")
        again = self.run_program("match", "tic_tac_toe", "--players",
                                 f"{found['players'][0]['recipe']},{found['players'][1]['recipe']}", "--max-steps", "1")
        self.assertEqual(again[0], SUCCESS, again[2])
        record, = self.records("tic_tac_toe", "--players", "random,legal")
        self.assertEqual(record["provenance"]["game"], found["games"][0])
        self.assertEqual([one["name"] for one in record["provenance"]["players"]], ["random", "legal"])
        self.assertLessEqual({"version", "commit", "date", "processor", "load", "budget"}, set(record["provenance"]))


class PositionTest(ExperimentTest):
    MOVES = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)"  # x wins at 1 3
    STATE = ("(cell 1 1 x) (cell 1 2 x) (cell 1 3 blank) (cell 2 1 o) (cell 2 2 o) (cell 2 3 blank) (cell 3 1 blank) "
             "(cell 3 2 blank) (cell 3 3 blank) (control x)")

    def test_after_moves(self):
        record, = self.records("tic_tac_toe", "--players", "blind,random", "--moves", self.MOVES, "--play-clock", "5")
        self.assertEqual([step[0] for step in record["moves"]][0::2], ["(mark 1 1)", "(mark 1 2)", "(mark 1 3)"])
        self.assertEqual(record["goalValues"], [100, 0])
        self.assertNotIn("startState", record)

    def test_from_a_state(self):
        record, = self.records("tic_tac_toe", "--players", "blind,random", "--state", self.STATE, "--play-clock", "5")
        self.assertEqual(record["moves"], [["(mark 1 3)", "noop"]])
        self.assertEqual(record["goalValues"], [100, 0])
        self.assertEqual(record["startState"], record["states"][0])
        path, = (self.folder / "records").iterdir()
        code, out, err = self.run_program("replay", path)
        self.assertEqual(code, SUCCESS, out + err)
        self.assertIn("no mismatch", out)

    def test_recipes_follow_from_a_state_no_moves_lead_to(self):
        for recipe in ("best", "uct", "flux", "solve"):
            *_, summary = self.objects("match", "tic_tac_toe", "--players", f"{recipe},random", "--play-clock", "5", "--json",
                                       "--state", self.STATE.replace("2 1 o", "2 1 blank"))
            self.assertEqual((summary["mean"][0], summary["errors"]), (100, [0, 0]), recipe)

    def test_wrong_positions(self):
        for arguments, words in ((("--state", "(cell 9 9 x)"), "--state: the game has no fluent"),
                                 (("--moves", "(mark 9 9)"), "--moves: step 1: '(mark 9 9)' is no legal move"),
                                 (("--moves", self.MOVES, "--state", self.STATE), "excludes"),
                                 (("--state", self.STATE.replace("1 3 blank", "1 3 x")), "the game is over")):
            code, out, err = self.run_program("match", "tic_tac_toe", "--players", "random,random", *arguments)
            self.assertEqual((code, out), (USAGE, ""), arguments)
            self.assertIn(words, err)
        code, _, err = self.run_program("match", "tic_tac_toe", "--players", "random,http://localhost:9", "--state", self.STATE)
        self.assertEqual(code, USAGE)
        self.assertIn("--moves can be used", err)


class ErrorTest(ExperimentTest):
    NOBODY = "http://127.0.0.1:9"  # the port of discarding; nothing listens there

    def test_nobody_there_is_no_success(self):
        code, out, err = self.run_program("match", "tic_tac_toe", "--players", f"{self.NOBODY},random")
        self.assertEqual(code, NO, err)
        self.assertIn(f"{self.NOBODY} was never there", err)

    def test_abort_on_error(self):
        for command in ("match", "host"):
            code, out, err = self.run_program(command, "tic_tac_toe", "--players", f"{self.NOBODY},random", "--matches", "3",
                                              "--abort-on-error", "--json")
            *matches, summary = [json.loads(line) for line in out.splitlines()]
            self.assertEqual((code, len(matches), matches[0]["moves"]), (NO, 1, 0), err)
            self.assertFalse(matches[0]["complete"])
            self.assertIn(f"{self.NOBODY} (x) gave no answer (CE) at the start", err)

    def test_abort_on_error_in_a_tournament(self):
        spec = self.folder / "cup.json"
        spec.write_text(json.dumps({"games": ["tic_tac_toe"], "players": ["random", self.NOBODY], "matches": 4}))
        code, _, err = self.run_program("tournament", spec, "--abort-on-error")
        self.assertEqual(code, NO, err)
        self.assertIn("gave no answer (CE) at the start", err)
        *_, summary = self.objects("tournament", spec, "--json")
        self.assertEqual(summary["matches"], 4, "what was ended is not kept and played again")


class RepeatTest(ExperimentTest):
    """The same seed gives the same matches where moves are given nodes and not time."""

    TIMES = ("matchId", "randomToken", "startTime", "stateTimes", "replyMilliseconds")

    def played(self, name, *arguments):
        """The records of a tournament, without what belongs to a run: names of matches, times and load."""
        folder = self.folder / name
        folder.mkdir()
        spec = folder / "cup.json"
        spec.write_text(json.dumps({"games": ["tic_tac_toe", "connect_four"], "players": ["uct", "alphabeta", "flux:nodes=50"],
                                    "matches": 2, "nodes": 100, "seed": 5, "table": 4, "start_clock": 0.001,
                                    "play_clock": 0.001}))
        *matches, summary = self.objects("tournament", spec, "--json", "--json-dir", folder / "records", *arguments)
        self.assertEqual([one["match"] for one in matches], list(range(1, 13)), "in the order of the plan")
        self.assertEqual([one["errors"] for one in summary["players"]], [0, 0, 0], "no clock decides")
        self.assertEqual(summary["provenance"]["budget"], "100 nodes per move")
        records = []
        for path in (folder / "records").iterdir():
            record = json.loads(path.read_text())
            for key in self.TIMES:
                del record[key]
            for key in ("date", "load"):
                del record["provenance"][key]
            for thought in (one for step in record["thoughts"] for one in step if one):
                del thought["seconds"]
            records.append(record)
        return sorted(records, key=lambda record: record["seed"])

    def test_tournaments_under_different_loads(self):
        alone = self.played("alone", "--jobs", "1")
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
        try:
            loaded = self.played("loaded", "--jobs", "2")
        finally:
            for process in busy:
                process.kill()
                process.wait()
        self.assertEqual(len(alone), 12)
        self.assertEqual(alone, loaded)

    def test_matches_and_stages(self):
        def objects(*arguments):
            found = self.objects(*arguments, "--nodes", "60", "--jobs", "3", "--play-clock", "0.001", "--start-clock", "0.001",
                                 "--seed", "3", "--json")
            return [{key: one[key] for key in ("scores", "moves", "errors", "games", "all") if key in one} for one in found]
        for command in (("match", "connect_four", "--players", "uct,blind,random", "--matches", "2", "--swap"),
                        ("lab", "stages", "connect_four", "--pairs", "uct:blind", "--matches", "2")):
            first = objects(*command)
            self.assertEqual(first, objects(*command), command)
            for one in first[:-1]:
                self.assertEqual(sum(one["errors"]), 0, one)

    def test_a_match_of_the_report_is_the_same_again(self):
        record = self.played("once")[3]
        again, = self.records(record["gameName"], "--players", ",".join(record["playerNamesFromHost"]), "--nodes", "100",
                              "--seed", record["seed"], "--table", "4")
        self.assertEqual((again["moves"], again["goalValues"]), (record["moves"], record["goalValues"]))

    def test_usage(self):
        for nodes in ("0", "-1", "many"):
            code, _, err = self.run_program("match", "tic_tac_toe", "--players", "uct,random", "--nodes", nodes)
            self.assertEqual(code, USAGE, nodes)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
