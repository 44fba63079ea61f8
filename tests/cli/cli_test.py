"""Tests of the built program: exit codes, what goes to which stream, and the JSON that scripts rely on.

    cli_test.py PROGRAM SOURCE_FOLDER [unittest arguments, such as CheckTest.test_several_files]
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
GAMES = SOURCE / "games"

SUCCESS, NO, USAGE = 0, 1, 2

VALID = """; A game of one move.
(role a)
(init start)
(<= (legal a go) (true start))
(<= (next done) (does a go))
(<= terminal (true done))
(goal a 100)
"""
INVALID = "(role a)\n(init start\n(<= (legal a ?m) (true start))\n(goal a 100))\n"


def await_work(process, seconds=0.3):
    """Waits until a program takes Ctrl-C as a wish and has computed for so long since then, by its own clock: however
    busy the computer is."""

    def catches_interrupt():
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
            caught = next(line for line in file if line.startswith("SigCgt:")).split()[1]
        return int(caught, 16) >> (signal.SIGINT - 1) & 1

    def computed():
        with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def await_it(condition, what):
        end = time.monotonic() + 120
        while not condition():
            assert process.poll() is None, f"it ended before it {what}"
            assert time.monotonic() < end, f"it never {what}"
            time.sleep(0.01)

    await_it(catches_interrupt, "took Ctrl-C as a wish")
    before = computed()
    await_it(lambda: computed() - before >= seconds, "computed")


class CliTest(unittest.TestCase):
    """Each test runs in an empty folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stratagem_cli_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, path, text):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def run_program(self, *arguments, given=b"", environment=None):
        """Exit code, standard output and standard error, both as text."""
        settings = {name: value for name, value in os.environ.items() if name != "STRATAGEM_GAMES"}
        settings["STRATAGEM_GAMES"] = str(GAMES)
        settings.update(environment or {})
        done = subprocess.run([str(PROGRAM), *map(str, arguments)], input=given, capture_output=True, cwd=self.folder,
                              env=settings, timeout=120)
        self.assertNotIn(b"internal error", done.stderr)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def data(self, *arguments, given=b""):
        """What a command that succeeds prints; nothing may be on standard error."""
        code, out, err = self.run_program(*arguments, given=given)
        self.assertEqual((code, err), (SUCCESS, ""), arguments)
        return out

    def objects(self, *arguments, given=b"", expected=SUCCESS):
        """The JSON objects a command prints, one on each line."""
        code, out, _ = self.run_program(*arguments, given=given)
        self.assertEqual(code, expected, out)
        self.assertTrue(out.endswith("\n"))
        found = [json.loads(line) for line in out.splitlines()]
        self.assertTrue(all(isinstance(one, dict) for one in found))
        return found


class UsageTest(CliTest):
    def commands(self):
        listed = re.search(r"\nSubcommands:\n(.*?)\n\n", self.data("--help"), re.DOTALL).group(1)
        return re.findall(r"^  (\w+)", listed, re.MULTILINE)

    def test_help_lists_the_commands(self):
        self.assertLessEqual({"check", "format", "scramble", "list"}, set(self.commands()))

    def test_every_command_has_an_example(self):
        for command in self.commands():
            with self.subTest(command):
                text = self.data(command, "--help")
                self.assertRegex(text, r"Examples?:\n  .*stratagem " + command)

    def test_the_examples_work(self):
        # Of the other commands some examples need files of their own, or take long.
        for command in ("check", "format", "scramble", "list"):
            for example in re.findall(r"^  stratagem (.*)$", self.data(command, "--help"), re.MULTILINE):
                words = example.split(" > ")[0].split()
                words = [str(self.write("my_game.kif", VALID)) if ".kif" in word else word for word in words]
                with self.subTest(example):
                    code, _, err = self.run_program(*words)
                    self.assertEqual(code, SUCCESS, err)

    def test_version(self):
        self.assertRegex(self.data("--version"), r"^stratagem \d+\.\d+\.\d+\n$")

    def test_wrong_usage(self):
        for arguments in (["nonsense"], ["check"], ["check", "nim", "--nonsense"], ["format"], ["format", "nim", "hex"],
                          ["list"], ["list", "nonsense"], ["scramble", "nim", "--seed", "x"], ["--nonsense"],
                          ["check", "nim", "--syntax", "prolog"], ["format", "nim", "--check", "--in-place"]):
            with self.subTest(arguments):
                code, out, err = self.run_program(*arguments)
                self.assertEqual((code, out), (USAGE, ""))
                self.assertNotEqual(err, "")


class CheckTest(CliTest):
    def test_a_valid_game(self):
        self.assertRegex(self.data("check", self.write("a.kif", VALID)), r"a\.kif: valid \(6 rules, 0 errors, 0 warnings\)\n$")

    def test_an_invalid_game(self):
        code, out, err = self.run_program("check", self.write("a.kif", INVALID))
        self.assertEqual((code, err), (NO, ""))
        self.assertIn("a.kif:2:1: error[E101]: ", out)
        self.assertIn("     2 | (init start\n       | ^\n       = hint: ", out)
        self.assertIn("a.kif: INVALID (", out)
        self.assertNotIn("\033", out)  # no colour where there is no terminal

    def test_json(self):
        path = self.write("a.kif", INVALID)
        [report] = self.objects("check", path, "--json", expected=NO)
        self.assertEqual(report["file"], str(path))
        self.assertIs(report["valid"], False)
        found = report["diagnostics"]
        self.assertEqual([one["code"] for one in found if one["line"] == 2], ["E101"])
        for one in found:
            self.assertIn(one["severity"], ("error", "warning"))
            self.assertEqual(one["severity"], "error" if one["code"].startswith("E") else "warning")
            self.assertRegex(one["code"], r"^[EW]\d{3}$")
            self.assertGreaterEqual(min(one["line"], one["column"]), 1)
            self.assertTrue(one["message"])
            self.assertTrue(one["hint"])
        [report] = self.objects("check", self.write("b.kif", VALID), "--json")
        self.assertEqual((report["valid"], report["diagnostics"]), (True, []))

    def test_json_of_any_bytes(self):
        for text in (b"", b"\xff\xfe(\x00", b"(role \xe4rger \xff)\n(p ?\xe4))", b"\x01\x02", b"(" * 5000, bytes(range(256))):
            with self.subTest(text[:20]):
                [report] = self.objects("check", self.write("a.kif", text), "--json", expected=NO)
                self.assertFalse(report["valid"])
                self.assertTrue(report["diagnostics"])

    def test_several_files(self):
        good, bad = self.write("good.kif", VALID), self.write("bad.kif", INVALID)
        reports = self.objects("check", good, bad, "nim", "--json", expected=NO)
        self.assertEqual([(one["file"], one["valid"]) for one in reports],
                         [(str(good), True), (str(bad), False), ("nim", True)])
        code, out, _ = self.run_program("check", good, bad, "nim")
        self.assertEqual(code, NO)
        self.assertTrue(out.endswith("3 files checked: 2 valid, 1 invalid, 0 unreadable\n"), out)

    def test_an_unreadable_file(self):
        code, out, err = self.run_program("check", "no_such_file.kif")
        self.assertEqual((code, out), (USAGE, ""))
        self.assertIn("no_such_file.kif", err)
        # The others are checked all the same.
        code, out, err = self.run_program("check", "--json", "no_such_file.kif", self.write("a.kif", VALID))
        self.assertEqual(code, USAGE)
        self.assertEqual([json.loads(line)["valid"] for line in out.splitlines()], [True])
        self.assertIn("no_such_file.kif", err)

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_a_file_without_permission(self):
        path = self.write("a.kif", VALID)
        path.chmod(0)
        code, out, err = self.run_program("check", path)
        self.assertEqual((code, out), (USAGE, ""))
        self.assertIn("Permission denied", err)

    def test_standard_input(self):
        [report] = self.objects("check", "-", "--json", given=VALID.encode())
        self.assertEqual((report["file"], report["valid"]), ("-", True))
        code, out, _ = self.run_program("check", "-", given=INVALID.encode())
        self.assertEqual(code, NO)
        self.assertIn("<stdin>:2:1: error[E101]", out)
        code, out, _ = self.run_program("check", "-")
        self.assertEqual(code, NO)
        self.assertIn("E109", out)

    def test_warnings(self):
        path = self.write("a.kif", VALID + "(goal a 100)\n")
        [report] = self.objects("check", path, "--json")
        self.assertEqual([one["code"] for one in report["diagnostics"]], ["W707"])
        [report] = self.objects("check", path, "--json", "--strict", expected=NO)
        self.assertFalse(report["valid"])
        [report] = self.objects("check", path, "--json", "--no-warnings")
        self.assertEqual(report["diagnostics"], [])

    def test_notations(self):
        infix = "role(a). init(start). legal(a, go) :- true(start). next(done) :- does(a, go).\n" \
                "terminal :- true(done). goal(a, 100).\n"
        for arguments in ([], ["--syntax", "infix"], ["--syntax", "INFIX"]):
            [report] = self.objects("check", "-", "--json", *arguments, given=infix.encode())
            self.assertTrue(report["valid"])
        [report] = self.objects("check", "-", "--json", "--syntax", "kif", given=infix.encode(), expected=NO)
        self.assertFalse(report["valid"])

    def test_every_bundled_game_is_valid(self):
        files = sorted(GAMES.glob("*.kif"))
        self.assertGreaterEqual(len(files), 32)
        reports = self.objects("check", "--json", *files)
        self.assertEqual([one["file"] for one in reports if not one["valid"]], [])


class FormatTest(CliTest):
    def test_idempotent(self):
        for extra in ([], ["--infix"]):
            once = self.data("format", "tic_tac_toe", *extra)
            twice = self.data("format", "-", *extra, given=once.encode())
            self.assertEqual(once, twice)
        # From either notation back to the same text.
        infix = self.data("format", "tic_tac_toe", "--infix")
        rules = [json.loads(self.data("scramble", "-", "--seed", "1", "--json", given=text.encode()))["text"]
                 for text in (infix, self.data("format", "tic_tac_toe"))]
        self.assertEqual(len(rules[0].split()), len(rules[1].split()))

    def test_check(self):
        formatted = self.write("a.kif", self.data("format", "nim"))
        self.assertEqual(self.data("format", formatted, "--check"), "")
        other = self.write("b.kif", "(  role a)")
        code, out, err = self.run_program("format", other, "--check")
        self.assertEqual((code, out), (NO, ""))
        self.assertIn("b.kif", err)
        self.assertEqual(other.read_text(), "(  role a)")

    def test_in_place(self):
        path = self.write("a.kif", "( ROLE  a )  ; first\n")
        path.chmod(0o640)
        self.assertEqual(self.data("format", path, "--in-place"), "")
        self.assertEqual(path.read_text(), "(role a)  ; first\n")
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)
        self.assertEqual([entry.name for entry in self.folder.iterdir()], ["a.kif"])
        self.assertEqual(self.data("format", path, "--in-place"), "")
        self.assertEqual(path.read_text(), "(role a)  ; first\n")

    def test_in_place_through_a_link(self):
        path = self.write("real/a.kif", "( role  a )\n")
        link = self.folder / "link.kif"
        link.symlink_to(path)
        self.assertEqual(self.data("format", link, "--in-place"), "")
        self.assertTrue(link.is_symlink())
        self.assertEqual(path.read_text(), "(role a)\n")

    def test_nothing_is_lost_when_it_fails(self):
        path = self.write("a.kif", INVALID)
        code, out, err = self.run_program("format", path, "--in-place")
        self.assertEqual((code, out), (NO, ""))
        self.assertIn("E101", err)
        self.assertIn("not formatted", err)
        self.assertEqual(path.read_text(), INVALID)
        self.assertEqual([entry.name for entry in self.folder.iterdir()], ["a.kif"])

    def test_in_place_needs_a_file(self):
        self.write("g/METADATA", '{"rulesheet": "r.kif"}')
        self.write("g/r.kif", "(  role a)")
        for game in ("-", "nim", "g"):
            with self.subTest(game):
                code, out, err = self.run_program("format", game, "--in-place", given=b"(  role a)")
                self.assertEqual((code, out), (USAGE, ""))
                self.assertNotEqual(err, "")
        self.assertEqual(sorted(entry.name for entry in self.folder.iterdir()), ["g"])
        self.assertEqual((self.folder / "g" / "r.kif").read_text(), "(  role a)")

    def test_unfinished_games_are_formatted(self):
        self.assertEqual(self.data("format", "-", given=b"(<= (p ?x)\n   (not (q ?y)))"),
                         "(<= (p ?x)\n  (not (q ?y)))\n")

    def test_the_largest_bundled_game_keeps_its_rules(self):
        largest = max(GAMES.glob("*.kif"), key=lambda path: path.stat().st_size)
        [before] = self.objects("check", largest, "--json")
        for extra in ([], ["--infix"]):
            [after] = self.objects("check", "-", "--json", given=self.data("format", largest, *extra).encode())
            self.assertEqual(after["rules"], before["rules"])


class ScrambleTest(CliTest):
    def test_the_seed_decides(self):
        first = self.data("scramble", "nim", "--seed", 7)
        self.assertEqual(first, self.data("scramble", "nim", "--seed", 7))
        self.assertNotEqual(first, self.data("scramble", "nim", "--seed", 8))
        self.assertNotIn("heap", first)
        [report] = self.objects("check", "-", "--json", given=first.encode())
        [original] = self.objects("check", "nim", "--json")
        self.assertEqual((report["valid"], report["rules"]), (True, original["rules"]))

    def test_the_map(self):
        path = self.folder / "names.json"
        text = self.data("scramble", self.write("a.kif", VALID), "--seed", 3, "--map", path)
        names = json.loads(path.read_text())
        self.assertLessEqual({"a", "start", "go", "done"}, set(names))
        self.assertEqual(len(set(names.values())), len(names))
        self.assertIn(f"(role {names['a']})", text)
        self.assertNotIn("legal", names)
        code, out, err = self.run_program("scramble", "nim", "--map", self.folder / "none" / "names.json")
        self.assertEqual((code, out), (USAGE, ""))
        self.assertIn("cannot write", err)

    def test_json(self):
        [result] = self.objects("scramble", "nim", "--seed", 7, "--json")
        self.assertEqual(result["seed"], 7)
        self.assertEqual(result["text"], self.data("scramble", "nim", "--seed", 7))
        self.assertIsInstance(result["names"], dict)

    def test_invalid_rules_are_refused(self):
        code, out, err = self.run_program("scramble", self.write("a.kif", INVALID))
        self.assertEqual((code, out), (NO, ""))
        self.assertIn("error[E101]", err)
        self.assertIn("is not a valid game", err)


class ListTest(CliTest):
    def test_games_as_json(self):
        games = self.objects("list", "games", "--json")
        self.assertEqual([game["name"] for game in games], sorted(path.stem for path in GAMES.glob("*.kif")))
        for game in games:
            for field in ("title", "about", "players", "value"):
                self.assertTrue(game[field], f"{game['name']} has no {field}")
            self.assertRegex(game["players"], r"^\d")
            self.assertTrue(pathlib.Path(game["path"]).is_file())

    def test_games_as_text(self):
        text = self.data("list", "games")
        for path in GAMES.glob("*.kif"):
            self.assertRegex(text, rf"(?m)^{path.stem} ")
        self.assertIn(f"{len(list(GAMES.glob('*.kif')))} games", text)

    def test_no_games(self):
        code, out, err = self.run_program("list", "games", environment={"STRATAGEM_GAMES": str(self.folder)})
        self.assertEqual((code, out), (USAGE, ""))
        self.assertIn("STRATAGEM_GAMES", err)

    def test_diagnostics(self):
        codes = self.objects("list", "diagnostics", "--json")
        self.assertIn("E101", [one["code"] for one in codes])
        self.assertTrue(all(one["title"] and one["remedy"] for one in codes))
        self.assertIn("E101  ", self.data("list", "diagnostics"))


class SourcesTest(CliTest):
    """Where a game may come from."""

    def test_bundled_names(self):
        for name in ("nim", "nim.kif"):
            [report] = self.objects("check", name, "--json")
            self.assertEqual((report["file"], report["valid"]), (name, True))

    def test_games_are_found_without_being_told_where(self):
        code, out, err = self.run_program("check", "nim", environment={"STRATAGEM_GAMES": ""})
        self.assertEqual((code, err), (SUCCESS, ""), out)

    def test_a_repository_folder(self):
        self.write("game/METADATA", '{"gameName": "Game", "rulesheet": "first.kif"}')
        self.write("game/first.kif", INVALID)
        [report] = self.objects("check", "game", "--json", expected=NO)
        self.assertFalse(report["valid"])
        for version, text in (("v0", INVALID), ("v1", INVALID), ("v2", VALID)):
            self.write(f"game/{version}/METADATA", '{"rulesheet": "rules.kif"}')
            self.write(f"game/{version}/rules.kif", text)
        [report] = self.objects("check", "game", "--json")
        self.assertEqual((report["file"], report["valid"]), ("game", True))
        [report] = self.objects("check", "game/v1", "--json", expected=NO)

    def test_a_folder_that_is_no_game(self):
        code, out, err = self.run_program("check", self.folder)
        self.assertEqual((code, out), (USAGE, ""))
        self.assertIn("METADATA", err)

    def test_a_typing_error(self):
        for command in ("check", "format", "scramble"):
            code, out, err = self.run_program(command, "tic_tac_to")
            self.assertEqual((code, out), (USAGE, ""))
            self.assertIn("did you mean 'tic_tac_toe'?", err)


class AnalyzeTest(CliTest):
    def test_json(self):
        (found,) = self.objects("analyze", "connect_three", "--json")
        self.assertEqual((found["game"], found["turn_taking"], found["constant_sum"], found["goal_sum"]),
                         ("connect_three", "proved", "proved", 100))
        kinds = {one["fluent"]: (one["kind"], one["verdict"]) for one in found["structures"]}
        self.assertEqual(kinds["cell"], ("board", "proved"))
        self.assertEqual(kinds["control"], ("control", "proved"))
        cells = [group for group in found["groups"] if group["exactly_one"] and len(group["fluents"]) == 3]
        self.assertEqual(len(cells), 16)
        self.assertEqual({group["verdict"] for group in cells}, {"proved"})
        self.assertEqual((len(found["true_persistent"]), len(found["false_persistent"])), (32, 16))
        self.assertTrue(all(stage["complete"] for stage in found["stages"]))

    def test_what_is_refuted_has_a_witness(self):
        (found,) = self.objects("analyze", "rock_paper_scissors", "--json")
        self.assertEqual(found["turn_taking"], "refuted")
        self.assertTrue(found["turn_taking_witness"])
        (found,) = self.objects("analyze", "three_player_tic_tac_toe", "--json")
        self.assertEqual(found["constant_sum"], "refuted")
        cells = [fluent for fluent in found["constant_sum_witness"] if fluent.startswith("(cell")]
        self.assertTrue(cells and not any("blank" in cell or "empty" in cell for cell in cells), "a draw on a full board")

    def test_text(self):
        out = self.data("analyze", "connect_three")
        for words in ("one after the other (proved)", "add up to 100 (proved)", "a board of 4 × 4 cells", "whose turn it is"):
            self.assertIn(words, out)

    def test_other_names_change_nothing(self):
        scrambled = self.write("other.kif", self.data("scramble", "connect_three", "--seed", "5"))
        known, other = (self.objects("analyze", game, "--json")[0] for game in ("connect_three", scrambled))
        for key in ("turn_taking", "constant_sum", "goal_sum", "graph_edges"):
            self.assertEqual(known[key], other[key])
        kinds = [sorted((one["kind"], one["verdict"], one["total"]) for one in each["structures"])
                 for each in (known, other)]
        self.assertEqual(*kinds)

    def test_invalid_rules_are_refused(self):
        code, out, err = self.run_program("analyze", self.write("bad.kif", INVALID))
        self.assertEqual((code, out), (NO, ""))
        self.assertIn("error[", err)


class ShowcaseTest(CliTest):
    def test_without_arguments(self):
        text = self.data()
        self.assertIn("general game player", text)
        self.assertNotIn("\033", text)
        sentences = " ".join(text.split())
        self.assertRegex(sentences, r"2 roles, \d+ fluents")
        self.assertIn("2 of 2 roles choose, in turns", sentences)
        self.assertIn("points on average, so that moving first helps", sentences)
        # A board after each move, every move one that can be made, and an end with goals.
        steps = re.findall(r"(\d+)\. (red|yellow) \(drop (\d)\)", text)
        self.assertEqual([int(number) for number, _, _ in steps], list(range(1, len(steps) + 1)))
        self.assertEqual([who for _, who, _ in steps], ["red", "yellow"] * (len(steps) // 2) + ["red"] * (len(steps) % 2))
        self.assertLessEqual(max(sum(column == one for _, _, column in steps) for one in "1234567"), 6)
        self.assertEqual(len(re.findall(r"1 2 3 4 5 6 7", text)), len(steps))
        self.assertRegex(text, rf"over after {len(steps)} moves: red \d+, yellow \d+ ")
        # Why it ended so.
        self.assertRegex(sentences, r"It was decided at move \d+|Nothing was proved")
        self.assertIn("It expects: ", sentences)
        commands = re.findall(r"^  \./stratagem (.*)$", text, re.MULTILINE)
        self.assertEqual(len(commands), 3)
        for command in commands:
            with self.subTest(command):
                self.assertEqual(self.run_program(*command.split())[0], SUCCESS)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
