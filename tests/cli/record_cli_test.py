"""Tests of records: whatever plays matches writes them, 'replay' checks them and 'view' shows them.

    record_cli_test.py PROGRAM SOURCE_FOLDER [unittest arguments, such as ViewTest]
"""

import gzip
import json
import os
import pty
import random
import re
import select
import shutil
import sqlite3
import subprocess
import sys
import unittest

from cli_test import GAMES, NO, PROGRAM, SUCCESS, USAGE, VALID, CliTest

FULL = os.environ.get("STRATAGEM_FULL_TESTS", "0") not in ("", "0")


class RecordTestCase(CliTest):
    def play(self, game="tic_tac_toe", *options, players="random,random", name="record.json"):
        """A match recorded in a folder of its own; the file."""
        folder = self.folder / f"{name}.folder"
        self.objects("match", game, "--players", players, "--json", "--json-dir", folder, *options)
        file, = folder.glob("*.json")
        return shutil.move(file, self.folder / name)

    def change(self, file, **keys):
        record = json.loads(file.read_text())
        record.update(keys)
        for key in [key for key, value in record.items() if value is None]:
            del record[key]
        file.write_text(json.dumps(record))
        return record

    def tournament(self, **keys):
        spec = self.write("cup.json", json.dumps({"games": ["tic_tac_toe", "nim"], "players": ["random", "legal"],
                                                  "matches": 2, "start_clock": 30, "play_clock": 30, **keys}))
        self.objects("tournament", spec, "--json")
        return self.folder / "cup.db"


class ViewTest(RecordTestCase):
    def test_text(self):
        file = self.play("tic_tac_toe", players="alphabeta,random")
        record = json.loads(file.read_text())
        text = self.data("view", file)
        self.assertIn(record["matchId"], text)
        self.assertIn("x: alphabeta", text)
        self.assertIn("play clock 1 s", text)
        steps = len(record["moves"])
        for step in range(steps + 1):
            self.assertRegex(text, rf"(?m)^{step} of {steps}\b")
        self.assertRegex(text, r"(?m)^ *3  \. \. \.")
        for moves in record["moves"]:
            self.assertIn([move for move in moves if move != "noop"][0], text)
        self.assertRegex(text, r"x +\(mark \d \d\) +\d\.\d{3} s of 1 s; value \d+\.\d")
        self.assertIn("end: x ", text)
        self.assertNotIn("\033", text)

    def test_a_database_is_no_json_whatever_its_name(self):
        for name, told in (("matches.json", "stratagem: --record: matches.json becomes an SQLite database; --json-dir writes "
                                            "JSON\n"), ("matches.db", "")):
            code, _, err = self.run_program("match", "nim", "--players", "random,random", "--record", name)
            self.assertEqual((code, err), (SUCCESS, told))
            self.assertIn("1 match,", self.data("replay", name))

    def test_who_counts_has_no_clock(self):
        file = self.play("tic_tac_toe", "--nodes", "50", players="uct,random")
        self.assertRegex(self.data("replay", file), r"^tic_tac_toe: 1 match, \d+ steps, no mismatch")
        text = self.data("view", file)
        self.assertIn("\n50 nodes per move; seed 1;", text)
        self.assertNotIn("clock", text)
        self.assertNotIn(" of 1 s", text)
        self.assertRegex(text, r"x +\(mark \d \d\) +\d\.\d{3} s; value \d+\.\d")

    def test_one_step(self):
        file = self.play()
        steps = len(json.loads(file.read_text())["moves"])
        text = self.data("view", file, "--step", "2")
        self.assertIn(f"2 of {steps}", text)
        self.assertNotIn(f"3 of {steps}", text)
        code, out, err = self.run_program("view", file, "--step", "1000")
        self.assertEqual((code, out), (USAGE, ""))
        self.assertIn(f"the last is {steps}", err)
        self.assertEqual(self.run_program("view", file, "--step", "-1")[0], USAGE)

    def test_json(self):
        file = self.play("tic_tac_toe", players="alphabeta,random")
        record = json.loads(file.read_text())
        positions = self.objects("view", file, "--json")
        self.assertEqual(len(positions), len(record["states"]))
        for position, state in zip(positions, record["states"]):
            self.assertEqual(sorted(position["state"]), sorted(re.findall(r"\([^()]+\)", state[1:-1])))
            self.assertTrue(position["board"])
        self.assertEqual([position["moves"] for position in positions[:-1]], record["moves"])
        self.assertEqual(positions[-1]["goals"], record["goalValues"])
        self.assertIsInstance(positions[0]["values"][0], float)
        self.assertEqual(positions[0]["play_clock"], 1)
        self.assertEqual(self.objects("view", file, "--json", "--step", "3"), positions[3:4])

    def test_records_of_public_managers(self):
        """No names of roles, no rules, an address for the game, spaces and capitals."""
        file = self.play()
        record = self.change(file, gameRules=None, gameRulesHash=None, gameName=None, roles=None, thoughts=None,
                             legalMoveCounts=None, replyMilliseconds=None, seed=None, startErrors=None,
                             gameMetaURL="http://games.example/base/games/tic_tac_toe/v0/")
        record["moves"] = [[move.replace("(mark", "( MARK").replace(")", " )") for move in step]
                           for step in record["moves"]]
        file.write_text(json.dumps(record))
        self.assertIn("player 1: random", self.data("view", file))
        replayed, = self.objects("replay", file, "--json")
        self.assertEqual((replayed["game"], replayed["mismatches"]), ("tic_tac_toe", []))

    def test_an_unknown_game(self):
        rules = self.write("mine.kif", VALID)
        file = self.play(rules, players="random")
        self.assertIn("1 of 1   a go", self.data("view", file))
        self.change(file, gameRules=None)
        code, out, err = self.run_program("view", file)
        self.assertEqual(code, SUCCESS)
        self.assertIn("--game", err)
        self.assertIn("1 of 1   a go", out)
        self.assertIn("1 of 1   a go", self.data("view", file, "--game", rules))
        code, _, err = self.run_program("replay", file)
        self.assertEqual(code, USAGE)
        self.assertIn("--game", err)
        for words in (["replay", file, "--game", rules], ["replay", rules, file]):
            replayed, = self.objects(*words, "--json")
            self.assertEqual((replayed["matches"], replayed["steps"], replayed["mismatches"]), (1, 2, []))

    def test_states_are_made_from_moves(self):
        file = self.play()
        boards = [one["board"] for one in self.objects("view", file, "--json")]
        self.change(file, states=None)
        self.assertEqual([one["board"] for one in self.objects("view", file, "--json")], boards)

    def test_databases(self):
        database = self.tournament()
        code, out, err = self.run_program("view", database)
        self.assertEqual(code, SUCCESS)
        self.assertEqual(len(out.splitlines()), 4)
        self.assertIn("--match", err)
        self.assertIn("nim", self.data("view", database, "--match", "2"))
        ids = [one["match"] for one in self.objects("view", database, "--json")]
        self.assertEqual(len(set(ids)), 4)
        self.assertEqual(self.objects("view", database, "--match", ids[2], "--json", "--step", "0")[0]["match"], ids[2])
        for match in ("0", "5", "nothing", "-1"):
            code, out, err = self.run_program("view", database, "--match", match)
            self.assertEqual((code, out), (USAGE, ""), match)
        replayed = self.objects("replay", database, "--json")
        self.assertEqual({(one["game"], one["matches"]) for one in replayed}, {("tic_tac_toe", 2), ("nim", 2)})
        self.assertTrue(all(one["mismatches"] == [] for one in replayed))
        one, = self.objects("replay", database, "--match", "2", "--json")
        self.assertEqual((one["game"], one["matches"]), ("nim", 1))

    def test_several_runs(self):
        for seed in (1, 2):
            self.objects("match", "nim", "--players", "random,random", "--json", "--seed", seed, "--record", "m.db")
        code, _, err = self.run_program("view", "m.db", "--match", "1")
        self.assertEqual(code, USAGE)
        self.assertIn("runs 1, 2: choose one with --run", err)
        self.assertIn("seed 2", self.data("view", "m.db", "--match", "1", "--run", "2"))
        self.assertEqual(self.run_program("view", "m.db", "--run", "3")[0], USAGE)

    def test_folders_lines_and_compressed_files(self):
        folder = self.folder / "records"
        self.objects("match", "nim", "--players", "random,random", "--matches", "3", "--json", "--json-dir", folder)
        self.assertEqual(len(self.run_program("view", folder)[1].splitlines()), 3)
        one, = self.objects("replay", folder, "--json")
        self.assertEqual((one["matches"], one["mismatches"]), (3, []))
        lines = "".join(json.dumps(json.loads(file.read_text())) + "\n" for file in sorted(folder.iterdir()))
        packed = self.write("all.jsonl.gz", gzip.compress(lines.encode()))
        self.assertEqual(len(self.run_program("view", packed)[1].splitlines()), 3)
        self.assertIn("nim", self.data("view", packed, "--match", "3"))
        one, = self.objects("replay", packed, "--json")
        self.assertEqual((one["matches"], one["mismatches"]), (3, []))

    def test_what_is_no_record(self):
        for name, text in (("a.kif", VALID), ("b.json", "[1, 2]"), ("c.json", "{}"), ("d", ""), ("e.json", "{"),
                           ("f.db", b"SQLite format 3\0 and then nothing of the kind"), ("g.json", b"\xff\xfe{"), ("h.json", b'{"matchId": \xff')):
            self.write(name, text)
            for command in ("view", "replay"):
                code, out, err = self.run_program(command, name)
                self.assertEqual((code, out), (USAGE, ""), (command, name))
                self.assertIn(name, err)
        for command in ("view", "replay"):
            self.assertEqual(self.run_program(command, "no_such.db")[0], USAGE)
        self.assertFalse((self.folder / "no_such.db").exists())

    def test_names_cannot_command_the_terminal(self):
        file = self.play()
        self.change(file, playerNamesFromHost=["\033[2Jred", "\u0007"], gameName="a\nb")
        text = self.run_program("view", file)[1]
        self.assertNotIn("\033", text)
        self.assertNotIn("\a", text)


class ReplayRecordTest(RecordTestCase):
    def test_an_illegal_move_is_said(self):
        file = self.play()
        record = json.loads(file.read_text())
        record["moves"][2][0] = record["moves"][0][0]
        file.write_text(json.dumps(record))
        code, out, _ = self.run_program("replay", file)
        self.assertEqual(code, NO)
        self.assertIn("match 1 step 2: illegal move of x", out)
        self.assertIn(record["moves"][0][0], out)
        replayed, = self.objects("replay", file, "--json", expected=NO)
        self.assertEqual([one["what"] for one in replayed["mismatches"]], ["illegal move of x"])

    def test_wrong_goals_and_states(self):
        file = self.play()
        record = json.loads(file.read_text())
        self.change(file, goalValues=[goal + 1 for goal in record["goalValues"]])
        replayed, = self.objects("replay", file, "--json", expected=NO)
        self.assertEqual([one["what"] for one in replayed["mismatches"]], ["goal of x", "goal of o"])
        self.change(file, states=record["states"][:-1] + ["((control x))"])
        replayed, = self.objects("replay", file, "--json", expected=NO)
        self.assertEqual([one["what"] for one in replayed["mismatches"]], ["state"])

    def test_machines(self):
        file = self.play()
        for machine in ("check", "interpreter"):
            replayed, = self.objects("replay", file, "--machine", machine, "--json")
            self.assertEqual((replayed["machine"], replayed["mismatches"]), (machine, []))

    def test_options_of_traces(self):
        code, _, err = self.run_program("replay", self.play(), "--scramble", "1")
        self.assertEqual(code, USAGE)
        self.assertIn("traces", err)


class DamageTest(RecordTestCase):
    """Whatever happened to a file, nothing ends but in an answer or a message."""

    def attempt(self, file):
        for command in (["view", file], ["replay", file], ["view", file, "--json", "--match", "1"]):
            code, _, err = self.run_program(*command)
            self.assertIn(code, (SUCCESS, NO, USAGE), (command, err))
            if code == USAGE:
                self.assertIn("stratagem: ", err)

    def test_record_files(self):
        whole = self.play("nim").read_bytes()
        chance = random.Random(1)
        damaged = self.folder / "damaged.json"
        for size in [0, 1, len(whole) - 3] + [chance.randrange(len(whole)) for _ in range(60 if FULL else 3)]:
            damaged.write_bytes(whole[:size])
            code, _, err = self.run_program("view", damaged)
            self.assertEqual(code, USAGE)
            self.assertRegex(err, r"damaged.json( is empty|: .*line \d+, column \d+)")
        for _ in range(200 if FULL else 6):
            flipped = bytearray(whole)
            for _ in range(chance.randrange(1, 4)):
                flipped[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
            damaged.write_bytes(flipped)
            self.attempt(damaged)

    def test_databases(self):
        database = self.tournament(games=["nim"])
        whole = database.read_bytes()
        chance = random.Random(2)
        for turn in range(200 if FULL else 6):
            flipped = bytearray(whole)
            for _ in range(chance.randrange(1, 30)):
                flipped[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
            database.write_bytes(flipped if turn % 3 else flipped[:chance.randrange(len(whole))])
            self.attempt(database)
            code, _, err = self.run_program("tournament", "cup.json")
            self.assertIn(code, (SUCCESS, NO, USAGE), err)
            for rest in self.folder.glob("cup.db*"):
                rest.unlink()

    def test_one_of_several(self):
        database = self.tournament()
        connection = sqlite3.connect(database)
        connection.execute("UPDATE matches SET record = substr(record, 1, 300) WHERE number = 1")
        connection.commit()
        connection.close()
        code, out, err = self.run_program("replay", database, "--json")
        self.assertEqual(code, USAGE)
        self.assertEqual(sum(json.loads(line)["matches"] for line in out.splitlines()), 3)
        self.assertIn("the record of match 2 is damaged", err)
        code, out, err = self.run_program("view", database)
        self.assertEqual((code, len(out.splitlines())), (USAGE, 3))


class GamesTest(RecordTestCase):
    """Every bundled game: recorded, replayed without a difference, and drawn."""

    def test_all(self):
        games = sorted(file.stem for file in GAMES.glob("*.kif"))
        for game in games if FULL else games[::5]:
            with self.subTest(game):
                roles = len(set(re.findall(r"\(\s*role\s+(?!random)(\w+)", (GAMES / f"{game}.kif").read_text())))
                file = self.play(game, "--max-steps", "12", "--start-clock", "60", "--play-clock", "60",
                                 players=",".join(["random"] * roles), name=f"{game}.json")
                replayed, = self.objects("replay", file, "--json")
                self.assertEqual((replayed["game"], replayed["matches"], replayed["mismatches"]), (game, 1, []))
                positions = self.objects("view", file, "--json")
                self.assertEqual(len(positions), replayed["steps"])
                self.assertTrue(all(position["board"] for position in positions))


class KeysTest(RecordTestCase):
    """In a terminal, keys step through."""

    def look(self, file, *keys):
        """What is on the screen after each key, and the end."""
        main, other = pty.openpty()
        settings = dict(os.environ, STRATAGEM_GAMES=str(GAMES), TERM="xterm", NO_COLOR="1")
        process = subprocess.Popen([str(PROGRAM), "view", str(file)], stdin=other, stdout=other, stderr=other,
                                   cwd=self.folder, env=settings)
        os.close(other)
        self.addCleanup(process.kill)
        pending = list(keys)
        screens = []
        text = b""
        while True:
            ready, _, _ = select.select([main], [], [], 60)
            self.assertTrue(ready, text)
            try:
                piece = os.read(main, 4096)
            except OSError:
                break
            if not piece:
                break
            text += piece
            if pending and re.search(rb"(quit: q\r\n|go to \d+)$", text):
                screens.append(text.decode().split("\033[2J")[-1])
                text = b""
                os.write(main, pending.pop(0).encode())
        os.close(main)
        self.assertEqual(process.wait(timeout=60), SUCCESS)
        return [re.search(r"(?m)^(\d+) of \d+", screen).group(1) for screen in screens], text.decode()

    def test_keys(self):
        file = self.play()
        last = str(len(json.loads(file.read_text())["moves"]))
        seen, rest = self.look(file, "n", " ", "\033[C", "p", "\033[D", "l", "n", "f", "p", "3", "\r", "9", "9", "\r", "q")
        self.assertEqual(seen, ["0", "1", "2", "3", "2", "1", last, last, "0", "0", "0", "3", "3", "3", last])
        self.assertIn("\033[?1049l", rest)

    def test_other_ways_out(self):
        file = self.play()
        for key in ("\003", "\004"):
            self.look(file, "x", key)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
