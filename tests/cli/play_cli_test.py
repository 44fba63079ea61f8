"""Tests of `stratagem play` as people and scripts use it: moves from standard input, saved games, interruption.

    play_cli_test.py PROGRAM SOURCE_FOLDER [unittest arguments, such as PlayTest.test_a_whole_game]
"""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import unittest

from cli_test import GAMES, NO, PROGRAM, SUCCESS, USAGE, CliTest, await_work

INTERRUPTED = 130
ODD_GAME = """(role a) (role b) (init start)
(<= (legal a (take one)) (true start)) (<= (legal a (take all)) (true start)) (<= (legal b (take one)) (true start))
(<= (legal b (take all)) (true start))
(<= (next (took ?r ?m)) (does ?r (take ?m)))
(<= terminal (not (true start)))
(<= (goal ?r 100) (true (took ?r all))) (<= (goal ?r 0) (true (took ?r one)))
"""


class PlayTestCase(CliTest):
    def play(self, *arguments, lines=(), expected=SUCCESS):
        """What is printed when these lines are typed; nothing may be on standard error."""
        given = "".join(f"{line}\n" for line in lines).encode()
        code, out, err = self.run_program("play", *arguments, given=given)
        self.assertEqual(code, expected, out + err)
        if expected == SUCCESS:
            self.assertEqual(err, "")
        self.assertNotIn("\033", out)
        return out


class PlayTest(PlayTestCase):
    def test_a_whole_game(self):
        # The other takes the first free cell; by text, by number, by beginning.
        out = self.play("tic_tac_toe", "--against", "legal", lines=["mark 2 2", "(MARK 2 1)", "mark 2", "quit"])
        self.assertRegex(out, r"tic_tac_toe: you play x against o \(legal\)")
        self.assertEqual(re.findall(r"^o plays (.*) \(legal, \d+\.\d s\)$", out, re.MULTILINE), ["(mark 1 1)", "(mark 1 2)"])
        self.assertIn("The game is over after 5 steps: x (you) 100, o 0 (of 100). You win.", out)
        self.assertIn("3  . x .\n2  o x .\n1  o x .\n   1 2 3\n", out)
        # The same by numbers and by arguments alone.
        again = self.play("tic_tac_toe", "--against", "legal", lines=["5", "2 1", "2", "q"])
        without_echo = lambda text: re.sub(r"^(x|over)> .*$", "", text, flags=re.MULTILINE)
        self.assertEqual(without_echo(again), without_echo(out))

    def test_the_end_of_input_is_an_end(self):
        out = self.play("tic_tac_toe", "--against", "legal", lines=["5"])
        self.assertTrue(out.endswith("x> \nNo more input: the game is left after 2 steps.\n"), out)
        self.play("tic_tac_toe", "--against", "legal")

    def test_as_the_second_role(self):
        out = self.play("tic_tac_toe", "--as", "o", "--against", "legal", lines=["mark 3 3"])
        self.assertIn("you play o against x (legal)", out)
        self.assertLess(out.index("x plays (mark 1 1)"), out.index("o> mark 3 3"))

    def test_nobody_watches(self):
        out = self.play("tic_tac_toe", "--as", "nobody", "--against", "random,legal", "--seed", "5")
        self.assertIn("x (random), o (legal)", out)
        self.assertRegex(out, r"The game is over after \d steps: x \d+, o \d+ ")
        self.assertEqual(out, self.play("tic_tac_toe", "--as", "nobody", "--against", "random,legal", "--seed", "5"))
        others = {self.play("tic_tac_toe", "--as", "nobody", "--against", "random", "--seed", seed) for seed in range(4)}
        self.assertGreater(len(others), 1)

    def test_rules_from_standard_input_can_be_watched(self):
        rules = (GAMES / "tic_tac_toe.kif").read_bytes()
        code, out, _ = self.run_program("play", "-", "--as", "nobody", "--against", "legal", given=rules)
        self.assertEqual(code, SUCCESS)
        self.assertIn("over after", out)
        self.assertEqual(self.run_program("play", "-", given=rules)[0], USAGE)

    def test_several_others_and_simultaneous_moves(self):
        out = self.play("three_player_tic_tac_toe", "--as", "z", "--against", "random,legal", lines=["1"])
        self.assertIn("against x (random), o (legal)", out)
        path = self.write("odd.kif", ODD_GAME)
        out = self.play(path, "--against", "legal", lines=["take o"])
        other = re.search(r"^b plays \(take (one|all)\)", out, re.MULTILINE).group(1)
        points, verdict = {"one": (0, "A draw."), "all": (100, "You lose.")}[other]
        self.assertIn(f"over after 1 step: a (you) 0, b {points} (of 100). {verdict}", out)

    def test_wrong_usage(self):
        for arguments in ([], ["nowhere"], ["tic_tac_toe", "--as", "z"], ["tic_tac_toe", "--against", "nonsense"],
                          ["tic_tac_toe", "--against", "random,random"], ["tic_tac_toe", "--as", "nobody", "--against", "a"],
                          ["tic_tac_toe", "--clock", "0"], ["kuhn_poker", "--as", "random"],
                          ["tic_tac_toe", "--hints", "nonsense"], ["--load", "nowhere.json"],
                          ["--load", "a.json", "--as", "x"]):
            with self.subTest(arguments):
                code, out, err = self.run_program("play", *arguments)
                self.assertEqual((code, out), (USAGE, ""))
                self.assertNotEqual(err, "")
        _, _, err = self.run_program("play", "tic_tac_toe", "--as", "z")
        self.assertIn("x, o, nobody", err)
        self.assertEqual(self.run_program("play", self.write("bad.kif", "(role a"))[0], NO)


class SaveTest(PlayTestCase):
    def test_going_on_equals_never_having_stopped(self):
        first, rest = ["drop 4", "drop 3", "undo", "drop 2"], ["drop 1", "drop 1", "undo", "drop 7", "state"]
        whole = self.play("connect_four", "--against", "random", "--seed", "3", lines=first + rest)
        self.play("connect_four", "--against", "random", "--seed", "3", lines=first + ["save kept.json", "quit"])
        resumed = self.play("--load", "kept.json", lines=rest)
        self.assertIn("Going on after step 4", resumed)
        after = resumed[resumed.index("red> drop 1"):]
        self.assertTrue(whole.endswith(after), after)
        self.assertGreater(len(after), 200)

    def test_the_file_names_what_it_holds(self):
        self.play("connect_four", "--against", "legal", "--clock", "0.5", lines=["drop 4", "save kept.json"])
        kept = json.loads((self.folder / "kept.json").read_text())
        self.assertEqual((kept["game"], kept["role"], kept["against"], kept["clock"]), ("connect_four", "red", ["legal"], 0.5))
        self.assertEqual(kept["moves"], [["(drop 4)", "noop"], ["noop", "(drop 1)"]])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["kept.json"])

    def test_paths_are_found_from_elsewhere(self):
        path = self.write("here/odd.kif", ODD_GAME)
        self.play(path.relative_to(self.folder), "--against", "legal", lines=["save kept.json"])
        os.mkdir(self.folder / "there")
        os.rename(self.folder / "kept.json", self.folder / "there" / "kept.json")
        self.assertIn("you play a", self.play("--load", "there/kept.json"))
        path.write_text(ODD_GAME.replace("(take one)", "(grab one)"))
        _, _, err = self.run_program("play", "--load", "there/kept.json")
        self.assertIn("other rules", err)

    def test_damaged_files(self):
        self.play("tic_tac_toe", "--against", "legal", lines=["5", "save kept.json"])
        text = (self.folder / "kept.json").read_text()
        for damaged in ("", text[:len(text) // 2], text.replace("(mark 2 2)", "(mark 7 7)"), text.replace('"x"', '"z"'),
                        text.replace('"legal"', '"nonsense"'), "[1, 2]", text.replace('"rules": "', '"rules": "0'),
                        "\x00\x01", text.replace("stratagem-play", "x")):
            with self.subTest(damaged):
                path = self.write("damaged.json", damaged)
                code, out, err = self.run_program("play", "--load", path)
                self.assertEqual((code, out), (USAGE, ""), err)
                self.assertIn("cannot be taken up", err)
                out = self.play("tic_tac_toe", "--against", "legal", lines=["1", f"load {path}", "state", "quit"])
                self.assertIn("cannot be taken up", out)
                self.assertIn("(cell 1 1 x)", out)


class PlayInterruptTest(PlayTestCase):
    def start(self, *arguments, **settings):
        environment = dict(os.environ, STRATAGEM_GAMES=str(GAMES))
        # Who starts this test in the background of a script has Ctrl-C ignored, which the program would respect.
        process = subprocess.Popen([str(PROGRAM), "play", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   cwd=self.folder, env=environment,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **settings)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def read_until(self, process, wanted):
        text = b""
        while wanted not in text:
            self.assertTrue(select.select([process.stdout], [], [], 60)[0], text)
            piece = os.read(process.stdout.fileno(), 4096)
            self.assertNotEqual(piece, b"", text)
            text += piece
        return text

    def test_a_thought(self):
        # Nobody waits for this clock; after Ctrl-C the move is made, and the game goes on.
        process = self.start("connect_four", "--against", "uct", "--clock", "100000", stdin=subprocess.PIPE)
        self.read_until(process, b"red> ")
        process.stdin.write(b"drop 4\n")
        process.stdin.flush()
        self.read_until(process, b"drop 4\n")
        await_work(process)
        process.send_signal(signal.SIGINT)
        text = self.read_until(process, b"red> ")
        self.assertRegex(text.decode(), r"yellow plays \(drop \d\) \(uct, .* s, interrupted\)")
        out, err = process.communicate(b"state\n", timeout=60)
        self.assertEqual((process.returncode, err), (SUCCESS, b""))
        self.assertIn(b"(control red)", out)

    def test_watching(self):
        process = self.start("connect_four", "--as", "nobody", "--against", "uct", "--clock", "100000",
                             stdin=subprocess.DEVNULL)
        self.read_until(process, b"(control red)")
        await_work(process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertIn(b"Interrupted", out)


class TerminalTest(PlayTestCase):
    """What is different for somebody who sits there."""

    def converse(self, *arguments, lines, environment=None):
        main, other = pty.openpty()
        settings = dict(os.environ, STRATAGEM_GAMES=str(GAMES), TERM="xterm")
        settings.pop("NO_COLOR", None)
        settings.update(environment or {})
        process = subprocess.Popen([str(PROGRAM), "play", *arguments], stdin=other, stdout=other, stderr=other,
                                   cwd=self.folder, env=settings)
        os.close(other)
        self.addCleanup(process.kill)
        text = b""
        pending = list(lines)
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
            if pending and text.endswith(b"> "):
                os.write(main, pending.pop(0).encode() + b"\n")
        os.close(main)
        self.assertEqual(process.wait(timeout=60), SUCCESS)
        return text.decode()

    def test_colour(self):
        text = self.converse("tic_tac_toe", "--against", "legal", lines=["5", "quit"])
        self.assertIn("\033[", text)
        self.assertEqual(text.count("x> 5"), 1)  # the terminal repeats what is typed, not the program
        text = self.converse("tic_tac_toe", "--against", "legal", lines=["5", "quit"], environment={"NO_COLOR": "1"})
        self.assertNotIn("\033[", text)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
