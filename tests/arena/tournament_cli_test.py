"""Tests of the commands of the arena: tournament, host, and what match writes down.

    tournament_cli_test.py PROGRAM SOURCE_FOLDER [unittest arguments, such as KillTest]
"""

import html.parser
import json
import os
import pathlib
import random
import re
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from cli_test import GAMES, PROGRAM, SUCCESS, USAGE, CliTest  # noqa: E402

INTERRUPTED = 130
NO = 1
SETTINGS = dict(os.environ, STRATAGEM_GAMES=str(GAMES))


class ArenaTest(CliTest):
    def spec(self, name="cup", **keys):
        given = {"games": ["tic_tac_toe"], "players": ["random", "legal"], "matches": 4, "start_clock": 30,
                 "play_clock": 30, "table": 4}
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({**given, **keys}))
        return path

    @staticmethod
    def rows(database):
        """What was played, without what differs from run to run: times and the name of a match."""
        connection = sqlite3.connect(database)
        try:
            played = {}
            for number, game, seed, complete, record in connection.execute(
                    "SELECT number, game, seed, complete, record FROM matches"):
                record = json.loads(record)
                assert number not in played
                played[number] = (game, seed, complete, record["playerNamesFromHost"], record["moves"],
                                  record["states"], record["errors"], record.get("goalValues"))
            seats = list(connection.execute("SELECT m.number, s.seat, s.entrant, s.player, s.role, s.score "
                                            "FROM seats s JOIN matches m ON m.id = s.match ORDER BY 1, 2"))
            return played, seats
        finally:
            connection.close()


class TournamentTest(ArenaTest):
    def test_a_tournament(self):
        spec = self.spec(games=["tic_tac_toe", "eight_puzzle"], players=["random", "legal", {"name": "again", "player": "random"}],
                         max_moves=400)
        *matches, summary = self.objects("tournament", spec, "--json", "--json-dir", self.folder / "records")
        self.assertEqual(len(matches), 4 * (3 + 3))
        self.assertEqual((summary["planned"], summary["matches"]), (24, 24))
        players = {one["player"]: one for one in summary["players"]}
        self.assertEqual(set(players), {"random", "legal", "again"})
        for one in players.values():
            self.assertEqual(one["games"]["tic_tac_toe"]["matches"], 8)
            self.assertEqual(one["errors"], 0)
            self.assertEqual(one["wins"] + one["draws"] + one["losses"], 8)
        points = {name: 0 for name in players}
        for match in matches:
            if match["game"] == "tic_tac_toe":
                for name, score in zip(match["players"], match["scores"]):
                    points[name] += score
        for name, one in players.items():
            self.assertAlmostEqual(one["games"]["tic_tac_toe"]["mean"], points[name] / 8)
        self.assertAlmostEqual(sum(one["elo"] for one in players.values()), 0, places=6)
        self.assertEqual(len(list((self.folder / "records").glob("*.json"))), 24)
        self.assertTrue((self.folder / "cup.db").exists())

    def test_again_plays_nothing_and_more_plays_the_rest(self):
        spec = self.spec()
        self.assertEqual(len(self.objects("tournament", spec, "--json")), 4 + 1)  # and the summary
        before = self.rows(self.folder / "cup.db")
        again, = self.objects("tournament", spec, "--json")
        self.assertEqual(again["matches"], 4)
        self.spec(matches=6)
        *more, _ = self.objects("tournament", spec, "--json")
        self.assertEqual({one["match"] for one in more}, {5, 6})
        after = self.rows(self.folder / "cup.db")
        self.assertEqual({number: after[0][number] for number in range(4)}, before[0])
        self.spec(matches=2)
        fewer, = self.objects("tournament", spec, "--json")
        self.assertEqual((fewer["matches"], fewer["planned"]), (2, 2))
        self.spec(seed=2)
        self.assertEqual(len(self.objects("tournament", spec, "--json")), 4 + 1)

    def test_text_and_example(self):
        example = self.data("tournament", "--example")
        path = self.folder / "example.json"
        path.write_text(json.dumps({**json.loads(example), "matches": 1, "swap": False, "games": ["tic_tac_toe"]}))
        code, text, err = self.run_program("tournament", path)
        self.assertEqual(code, SUCCESS)
        self.assertIn("3 of 3 matches to play", err)
        self.assertIn("3 of 3 matches", text)
        self.assertRegex(text, r"random +2 ")
        self.assertIn("example.html", text)

    def test_limits(self):
        # A move ends the game; what there would be to ground, for moves from everywhere to everywhere, are 64 million facts.
        numbers = " ".join(f"(n {i})" for i in range(20))
        rules = self.write("wide.kif", f"""(role a) (init (at s s s)) {numbers} (goal a 100)
            (<= (legal a (go ?x ?y ?z)) (n ?x) (n ?y) (n ?z))
            (<= (next (at ?x ?y ?z)) (does a (go ?x ?y ?z)))
            (<= (next (been ?a ?b ?c ?x ?y ?z)) (true (at ?a ?b ?c)) (does a (go ?x ?y ?z)))
            (<= terminal (true (at ?x ?y ?z)) (n ?x))""")
        for name, limits, told in (("time", ["--ground-seconds", "0.2"], "time ran out"),
                                   ("memory", ["--ground-seconds", "1000", "--memory", "256"], "128 MB")):
            with self.subTest(name):
                spec = self.spec(name, games=[str(rules)], players=["legal"], matches=2)
                code, out, err = self.run_program("tournament", spec, "--json", *limits)
                self.assertEqual(code, SUCCESS, err)
                *matches, _ = map(json.loads, out.splitlines())
                self.assertEqual([(one["scores"], one["moves"]) for one in matches], [([100], 1)] * 2)
                self.assertEqual(err.count("(--ground-seconds and --memory set the limits)"), 1, err)
                self.assertIn(told, err)

    def test_memory_of_players_in_processes_of_their_own(self):
        spec = self.spec(players=["uct", "alphabeta"], nodes=50, table=1000)
        *matches, summary = self.objects("tournament", spec, "--json", "--memory", "256")
        self.assertEqual(len(matches), 4)
        self.assertEqual([one["errors"] for one in summary["players"]], [0, 0])

    def test_wrong_specs(self):
        for keys, hint in (({"players": ["random"]}, "games[0]: tic_tac_toe needs 2 players, and there are 1"),
                           ({"players": ["random", "nobody"]}, "players[1]: "),
                           ({"players": ["random", "https://example.org"]}, "players[1]: "),
                           ({"games": ["tic_tac_toe", "no_such_game"]}, "games[1]"),
                           ({"machs": 3}, "did you mean 'matches'"),
                           ({"database": "no/such/folder/x.db"}, "x.db"),
                           ({"report": "no/such/folder/x.html"}, "x.html")):
            code, _, err = self.run_program("tournament", self.spec(**keys))
            self.assertEqual(code, USAGE, keys)
            self.assertIn(hint, err)
            self.assertNotIn("internal error", err)
        self.assertEqual(self.run_program("tournament")[0], USAGE)
        self.assertEqual(self.run_program("tournament", self.folder / "none.json")[0], USAGE)
        broken = self.folder / "broken.json"
        broken.write_text('{"games": [\n"nim"')
        code, _, err = self.run_program("tournament", broken)
        self.assertEqual(code, USAGE)
        self.assertIn("line 2", err)

    def test_interruption_and_how_to_go_on(self):
        spec = self.spec(matches=3000)
        process = subprocess.Popen([str(PROGRAM), "tournament", str(spec), "--json"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=SETTINGS)
        for _ in range(5):
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, INTERRUPTED)
        summary = json.loads(out.decode().splitlines()[-1])
        self.assertLess(summary["matches"], 3000)
        self.assertGreaterEqual(summary["matches"], 5)
        self.assertIn(f"stratagem tournament {spec}", err.decode())
        self.assertEqual(len(self.rows(self.folder / "cup.db")[0]), summary["matches"])


class PlacesTest(ArenaTest):
    """Where results go: nothing is lost or written over, and what cannot be written is said in time."""

    def test_two_processes_write_to_one_folder(self):
        folder = self.folder / "records"
        command = [str(PROGRAM), "match", "tic_tac_toe", "--players", "random,random", "--matches", "20", "--json",
                   "--json-dir", str(folder)]
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, env=SETTINGS) for _ in range(3)]
        told = [json.loads(line) for process in running for line in process.communicate(timeout=120)[0].splitlines()]
        ids = [one["id"] for one in told if "id" in one]
        self.assertEqual(len(set(ids)), 60)
        records = [json.loads(file.read_text()) for file in folder.iterdir()]
        self.assertEqual(sorted(record["matchId"] for record in records), sorted(ids))
        by_seed = {}
        for record in records:
            by_seed.setdefault(record["seed"], []).append(record["moves"])
        for moves in by_seed.values():  # each process played the same, and none is mixed with another
            self.assertEqual(moves, [moves[0]] * 3)

    def test_standard_output_that_is_full(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        for command in (["match", "tic_tac_toe", "--players", "random,random", "--json"],
                        ["match", "tic_tac_toe", "--players", "random,random"],
                        ["tournament", str(self.spec())], ["tournament", str(self.spec()), "--json"],
                        ["tournament", "--example"], ["scramble", "tic_tac_toe"], ["list", "games"],
                        ["check", "tic_tac_toe", "--json"], ["show", "tic_tac_toe", "--rules"], ["--help"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([str(PROGRAM), *command], stdout=full, stderr=subprocess.PIPE, cwd=self.folder,
                                      env=SETTINGS, timeout=120)
            self.assertEqual(done.returncode, USAGE, command)
            self.assertIn(b"standard output cannot be written", done.stderr, command)
        self.assertEqual(len(self.rows(self.folder / "cup.db")[0]), 4)
        self.assertTrue((self.folder / "cup.html").exists())

    def test_a_report_behind_a_link(self):
        (self.folder / "pages").mkdir()
        (self.folder / "cup.html").symlink_to("pages/real.html")
        self.objects("tournament", self.spec(), "--json")
        self.assertTrue((self.folder / "cup.html").is_symlink())
        self.assertIn("</html>", (self.folder / "pages/real.html").read_text())

    def test_a_report_to_standard_output(self):
        out = self.folder / "out"
        with open(out, "wb") as file:
            subprocess.run([str(PROGRAM), "tournament", str(self.spec()), "--report", "/dev/stdout"], stdout=file,
                           stderr=subprocess.DEVNULL, env=SETTINGS, timeout=120, check=True)
        text = out.read_text()
        self.assertLess(text.index("4 of 4 matches"), text.index("<!doctype html>"))
        self.assertIn("</html>", text)

    def test_a_report_that_cannot_be_written(self):
        code, out, err = self.run_program("tournament", self.spec(), "--report", self.folder / "no" / "cup.html")
        self.assertEqual((code, out), (USAGE, ""))
        self.assertIn("no/cup.html", err)
        self.assertFalse((self.folder / "cup.db").exists(), "it is said before the first match")
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        code, out, err = self.run_program("tournament", self.spec(), "--report", "/dev/full")
        self.assertEqual(code, USAGE)
        self.assertIn("4 of 4 matches", out)
        self.assertRegex(out, r"random +4 ")
        self.assertIn("cannot write /dev/full: No space", err)
        self.assertTrue(os.path.exists("/dev/full") and not os.path.isfile("/dev/full"))

    def test_a_damaged_record_is_left_out(self):
        spec = self.spec()
        self.objects("tournament", spec, "--json")
        (self.folder / "cup.html").unlink()
        connection = sqlite3.connect(self.folder / "cup.db")
        connection.execute("UPDATE matches SET record = substr(record, 1, 100) WHERE number = 1")
        connection.execute("UPDATE seats SET entrant = 77 WHERE match = (SELECT id FROM matches WHERE number = 2)")
        connection.commit()
        connection.close()
        code, out, err = self.run_program("tournament", spec, "--json", "--json-dir", self.folder / "records")
        self.assertEqual(code, USAGE)
        self.assertEqual(json.loads(out)["matches"], 3)
        self.assertIn("match 2", err)
        self.assertIn("match 3 is damaged", err)
        self.assertIn('id="m2"', (self.folder / "cup.html").read_text())
        self.assertEqual(len(list((self.folder / "records").iterdir())), 2)


class FailureTest(ArenaTest):
    """A match that ends the program whenever it is played is not played for ever."""

    @staticmethod
    def attempts(database):
        if not database.exists():
            return {}
        connection = sqlite3.connect(database, timeout=60)
        try:
            return dict(connection.execute("SELECT number, begun FROM attempts"))
        except sqlite3.OperationalError:  # it is only being made
            return {}
        finally:
            connection.close()

    def end_while_playing(self, database, begun, how, *arguments):
        """Runs a tournament until so many matches were begun, and ends it."""
        process = subprocess.Popen([str(PROGRAM), "tournament", *map(str, arguments)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=SETTINGS)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        end = time.monotonic() + 120
        while self.attempts(database) != begun:
            self.assertLess(time.monotonic(), end, self.attempts(database))
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.send_signal(how)
        return process.wait(timeout=60)

    def test_after_two_tries_the_rest_goes_on(self):
        # Two of three matches think for a minute about each move, and are killed meanwhile.
        spec = self.spec(games=["connect_four"], players=["legal", "random", "uct"], matches=1, swap=False, parallel=2,
                         start_clock=60, play_clock=60)
        database = self.folder / "cup.db"
        self.end_while_playing(database, {1: 1, 2: 1}, signal.SIGKILL, spec)
        self.assertEqual(set(self.rows(database)[0]), {0})
        self.end_while_playing(database, {1: 2, 2: 2}, signal.SIGKILL, spec)
        code, out, err = self.run_program("tournament", spec, "--json")
        self.assertEqual(code, 1)
        summary = json.loads(out)
        self.assertEqual((summary["matches"], summary["planned"], summary["failed"]), (1, 3, [2, 3]))
        self.assertIn("match 2 was begun 2 times", err)
        self.assertIn("--tries 3", err)
        page = (self.folder / "cup.html").read_text()
        self.assertTrue(re.search(r"Match #3 of connect_four \([^<]*random, [^<]*uct\) failed", page))
        # Whoever asks for more tries has them; and what is ended in good order has not failed.
        code = self.end_while_playing(database, {1: 3, 2: 3}, signal.SIGINT, spec, "--tries", "3")
        self.assertEqual(code, INTERRUPTED)
        self.assertEqual(self.attempts(database), {1: 2, 2: 2})


class Balance(html.parser.HTMLParser):
    """Every element that is opened is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.tags = set()
        self.addresses = []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.addresses += [value for name, value in attributes if name in ("href", "src", "xlink:href")]
        if tag not in ("meta", "br", "line", "circle", "rect"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        if tag == "rect":
            return
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:])
        self.open.pop()


class ReportTest(ArenaTest):
    def test_page(self):
        spec = self.spec(name="page", players=["random", "legal", {"name": "<i>&", "player": "random"}],
                         games=["tic_tac_toe", "nim"])
        self.objects("tournament", spec, "--json")
        text = (self.folder / "page.html").read_text()
        parser = Balance()
        parser.feed(text)
        self.assertEqual(parser.open, [])
        self.assertFalse(parser.tags & {"script", "link", "img", "iframe", "object"})
        self.assertTrue(all(address.startswith("#") for address in parser.addresses))
        self.assertEqual(len(re.findall(r'<div id="m\d+">', text)), 4 * 3 * 2)
        self.assertTrue({f'id="{address[1:]}"' in text for address in parser.addresses} == {True})
        self.assertEqual(len(re.findall(r'<div class="boards" id="b\d+">', text)), 4 * 3 * 2)
        self.assertIn("stratagem view ", text)
        self.objects("tournament", spec, "--json", "--boards", "0.005")
        smaller = (self.folder / "page.html").read_text()
        self.assertLess(len(smaller), len(text))
        self.assertTrue(0 < len(re.findall(r'<div class="boards" id="b\d+">', smaller)) < 4 * 3 * 2)
        self.objects("tournament", spec, "--json", "--boards", "0")
        self.assertNotIn('<div class="boards"', (self.folder / "page.html").read_text())

    def test_any_match_can_be_played_again(self):
        """By the command the page gives: the same moves."""
        spec = self.spec(games=["breakthrough_6x6"], players=["random", "legal", "random:threads=1"], opening=3)
        self.objects("tournament", spec, "--json")
        played = self.rows(self.folder / "cup.db")[0]
        page = (self.folder / "cup.html").read_text()
        commands = re.findall(r'<div id="m(\d+)">.*?<code>(.*?)</code>', page, re.S)
        self.assertEqual(len(commands), len(played))
        for number, command in commands[::5]:
            words = shlex.split(html.unescape(command))[1:]
            folder = self.folder / f"again{number}"
            self.objects(*words, "--json", "--json-dir", folder)
            record = json.loads(next(folder.glob("*.json")).read_text())
            self.assertEqual(record["moves"], played[int(number) - 1][4])


class KillTest(ArenaTest):
    """kill -9 at any moment loses at most the matches under way and counts none twice."""

    def test_killed_twenty_times(self):
        keys = dict(games=["tic_tac_toe", "nim"], players=["random", "legal", "random:threads=1"], matches=100)
        calm = self.spec("calm", **keys)
        *_, expected = self.objects("tournament", calm, "--json")
        hurried = self.spec("hurried", **keys)
        chance = random.Random(5)
        seen = 0
        for kill in range(20):
            # More tries than kills: the same match may be under way at several of them, and is not at fault.
            process = subprocess.Popen([str(PROGRAM), "tournament", str(hurried), "--json", "--tries", "100"],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=SETTINGS)
            # Some before the first match, some after a few; and then at any moment of the next one.
            lines = 0 if kill % 4 == 0 else chance.randrange(1, 28)
            for _ in range(lines):
                self.assertIn(b'"match"', process.stdout.readline())
            time.sleep(chance.random() * (0.03 if lines == 0 else 0.004))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            self.assertEqual(process.returncode, -signal.SIGKILL, "it was killed while it ran")
            if (self.folder / "hurried.db").exists() and lines > 0:
                count = len(self.rows(self.folder / "hurried.db")[0])
                self.assertGreaterEqual(count, seen + lines, "what was reported is kept")
                seen = count
        self.assertLess(seen, expected["planned"])
        *_, summary = self.objects("tournament", hurried, "--json", "--tries", "100")
        self.assertEqual(summary["matches"], expected["planned"])
        self.assertEqual(self.rows(self.folder / "hurried.db"), self.rows(self.folder / "calm.db"))
        for one, other in zip(expected["players"], summary["players"]):
            for key in ("player", "matches", "mean", "ci95", "win_rate", "elo", "elo_ci95", "wins", "errors"):
                self.assertEqual(one[key], other[key], key)


class HostTest(ArenaTest):
    def serve(self):
        process = subprocess.Popen([str(PROGRAM), "serve", "--port", "0", "--recipe", "random"],
                                   stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=SETTINGS, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        line = process.stderr.readline()
        found = re.search(r"port (\d+)", line)
        self.assertTrue(found, line)
        return f"http://127.0.0.1:{found.group(1)}"

    def test_a_player_over_http(self):
        address = self.serve()
        for scramble in ([], ["--scramble"]):
            folder = self.folder / f"records{len(scramble)}"
            *matches, summary = self.objects("host", "tic_tac_toe", "--players", f"{address},random", "--matches", "2",
                                             "--swap", "--json", "--json-dir", folder, *scramble)
            self.assertEqual(summary["errors"], [0, 0])
            self.assertEqual(summary["players"], [address, "random"])
            self.assertTrue(all(one["complete"] for one in matches))
            for file in folder.glob("*.json"):
                record = json.loads(file.read_text())
                self.assertEqual(record["scrambled"], bool(scramble))
                self.assertTrue(record["isCompleted"])
                self.assertIn(address, record["playerNamesFromHost"])
                self.assertRegex(record["moves"][0][0], r"^\(mark \d \d\)$")

    def test_nobody_there(self):
        with socket.socket() as closed:  # bound but not listening: nobody else gets the port meanwhile
            closed.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{closed.getsockname()[1]}"
            folder = self.folder / "records"
            code, out, err = self.run_program("match", "tic_tac_toe", "--players", f"random,{address}", "--json",
                                              "--json-dir", folder, "--record", self.folder / "m.db")
            self.assertEqual(code, NO, "a player was never there")
            self.assertRegex(err, r"gave no answer \(CE\) at the start, after .* s: connection refused: nobody listens")
            match, summary = [json.loads(line) for line in out.splitlines()]
            self.assertEqual(match["unreachable"], [0, match["moves"]])
            self.assertEqual(summary["errors"], [0, match["moves"]])
            record = json.loads(next(folder.glob("*.json")).read_text())
            self.assertEqual({tuple(step) for step in record["errors"]}, {("", "CE")})
            self.assertEqual(record["startErrors"], ["", "CE"])
            code, _, err = self.run_program("host", "tic_tac_toe", "--players", f"random,{address}")
            self.assertEqual(code, NO, "a player was never there")
            self.assertIn("gave no answer (CE) in step 1", err)

    def test_usage(self):
        code, _, err = self.run_program("host", "tic_tac_toe", "--players", "random,https://x")
        self.assertEqual(code, USAGE)
        self.assertIn("http://host:port", err)
        (self.folder / "letter.db").write_text("this is no database at all, but a letter that is rather long")
        code, _, err = self.run_program("match", "tic_tac_toe", "--players", "random,random", "--record",
                                        self.folder / "letter.db")
        self.assertEqual(code, USAGE)
        self.assertIn("letter.db", err)

    def test_record_starts_a_new_run_each_time(self):
        for _ in range(2):
            self.objects("match", "nim", "--players", "random,random", "--matches", "3", "--json", "--record",
                         self.folder / "m.db")
        connection = sqlite3.connect(self.folder / "m.db")
        self.assertEqual(connection.execute("SELECT run, count(*) FROM matches GROUP BY run").fetchall(), [(1, 3), (2, 3)])
        connection.close()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
