"""Tests of numbers and words on the command line: ranges, slips of the finger, help, lists, limits.

    words_cli_test.py PROGRAM SOURCE_FOLDER [unittest arguments, such as NumbersTest.test_every_option]
"""

import re
import sys
import unittest

from cli_test import SUCCESS, USAGE, CliTest

LIMIT = 3
TOO_LARGE = "9" * 40


class WordsTest(CliTest):
    def commands(self):
        """Every command by its words, with what `list commands --json` says of it."""
        return {tuple(one["name"].split()): one for one in self.objects("list", "commands", "--json")}

    def wrong(self, *arguments):
        """What is told of wrong usage: two lines, no more."""
        code, out, err = self.run_program(*arguments)
        self.assertEqual((code, out), (USAGE, ""), arguments)
        return err


class NumbersTest(WordsTest):
    def arguments(self, words, command):
        """Something for each argument and option that a command cannot do without."""
        given = ["tic_tac_toe" for one in command["arguments"] if one["required"]]
        for one in command["options"]:
            if one["required"]:
                given += [one["name"].split(",")[0], "1" if "number" in one["kind"] else "random,random"]
        return [*words, *given]

    def test_every_option(self):
        tried = 0
        for words, command in self.commands().items():
            for option in command["options"]:
                if "number" not in option["kind"]:
                    continue
                name = option["name"].split(",")[0]
                for value in ("-1", TOO_LARGE, "nan", "many", "", "-0.5"):
                    with self.subTest(command=words, option=name, value=value):
                        told = self.wrong(*self.arguments(words, command), name, value)
                        self.assertIn(name, told)
                        self.assertRegex(told, r"must be a (whole )?number between [\d.,]+ and [\d.,]+, not '")
                        self.assertIn(f"See 'stratagem {' '.join(words)} --help'.", told)
                        self.assertLessEqual(told.count("\n"), 2)
                        tried += 1
        self.assertGreater(tried, 200)

    def test_every_number_has_a_range(self):
        for words, command in self.commands().items():
            for option in command["options"]:
                if option["value"] in ("N", "X", "S", "MB", "SEED"):
                    with self.subTest(command=words, option=option["name"]):
                        self.assertIn("number", option["kind"])
                        self.assertRegex(option["range"], r"^[\d.,]+ to [\d.,]+$")

    def test_the_bounds_themselves_are_allowed(self):
        self.assertIn("    0 ", self.data("perft", "tic_tac_toe", "--depth", "0"))
        self.data("scramble", "nim", "--seed", "18446744073709551615")
        self.data("check", "nim", "--simulate", "0")

    def test_options_of_recipes(self):
        for recipe, told in (("uct:threads=-1", "whole number between 0 and 256"),
                             ("uct:table=many", "whole number between 0 and 1,048,576"),
                             ("nex:mobility=nan", "a number between 0 and ")):
            err = self.wrong("match", "nim", "--players", f"{recipe},random")
            self.assertIn(told, err)
            self.assertNotRegex(err, r"\de\+")


class UnknownWordsTest(WordsTest):
    def test_commands(self):
        self.assertIn("there is no command 'chek'; did you mean 'check'?", self.wrong("chek", "nim"))
        self.assertIn("there is no list 'gmaes'; did you mean 'games'?", self.wrong("list", "gmaes"))
        self.assertIn("did you mean 'playouts'?", self.wrong("bench", "playout", "nim"))
        self.assertIn("there is no command 'xyzzy'\nSee 'stratagem --help'.\n", self.wrong("xyzzy"))
        self.assertIn("games, ", self.wrong("list"))

    def test_options(self):
        self.assertIn("stratagem perft: there is no option '--dept'; did you mean '--depth'?",
                      self.wrong("perft", "nim", "--dept", "3"))
        self.assertIn("did you mean '--json'?", self.wrong("list", "games", "--jsn"))
        self.assertIn("did you mean '--play-clock'?", self.wrong("match", "nim", "--players", "a,b", "--playclock=3"))
        self.assertIn("did you mean '--version'?", self.wrong("--versoin"))

    def test_recipes(self):
        for command in (["match", "nim", "--players", "ucx,random"], ["serve", "--recipe", "ucx"],
                        ["bench", "search", "nim", "--recipe", "ucx"], ["list", "recipes", "ucx"]):
            self.assertIn("there is no recipe 'ucx'; did you mean 'uct'?", self.wrong(*command))
        self.assertIn("did you mean 'fuzzy'?", self.wrong("list", "evaluators", "fuzy"))

    def test_wrong_usage_is_told_in_two_lines(self):
        for arguments in (["perft"], ["perft", "nim"], ["match", "nim"], ["format", "nim", "hex"], ["list"], ["--nonsense"],
                          ["evaluate", "nim", "--evaluator", "fuzzy", "--state", "a", "--moves", "b"], ["bench"],
                          ["check", "nim", "--syntax", "prolog"], ["check", "nim", "--machine", "abacus"]):
            with self.subTest(arguments):
                told = self.wrong(*arguments)
                self.assertRegex(told, r"\n?See 'stratagem[ a-z]* --help'\.\n$")
                self.assertTrue(told.startswith("stratagem"), told)
                self.assertLessEqual(len(told), 600)


class HelpTest(WordsTest):
    def test_help_is_a_command_too(self):
        self.assertEqual(self.data("help"), self.data("--help"))
        self.assertEqual(self.data("help", "match"), self.data("match", "--help"))
        self.assertEqual(self.data("help", "bench", "playouts"), self.data("bench", "playouts", "--help"))
        self.assertIn("did you mean 'match'?", self.wrong("help", "mtach"))
        self.assertEqual(self.data("version"), self.data("--version"))

    def test_columns_are_as_wide_as_they_look(self):
        lines = self.run_program("play", "--help")[1].splitlines()
        options = [line for line in lines if line.startswith("  -")]
        self.assertTrue(any("…" in line for line in options))
        for line in options:
            self.assertRegex(line, r"^.{33} \S", line)

    def test_every_command_has_examples_and_ranges(self):
        for words, command in self.commands().items():
            text = self.data(*words, "--help")
            with self.subTest(words):
                if words[0] not in ("list", "completion") or len(words) == 1:
                    self.assertRegex(text, r"Examples?:\n  .*stratagem " + " ".join(words))
                self.assertNotRegex(text, r"UINT|FLOAT|\de\+")
                for option in command["options"]:
                    flat = re.sub(r"\s+", " ", text)
                    self.assertIn(option["range"], flat)

    def test_recipes_are_a_table(self):
        recipes = self.objects("list", "recipes", "--json")
        text = self.data("list", "recipes")
        lines = [line for line in text.split("\n\n")[0].splitlines()[1:]]
        self.assertEqual([line.split()[0] for line in lines], [one["name"] for one in recipes], "one line each")
        self.assertIn("transformation=cilp", next(line for line in lines if line.startswith("nex-1.0")))

    def test_all_about_a_recipe(self):
        text = self.data("list", "recipes", "nex-1.0")
        self.assertRegex(text, r"(?m)^  transformation=cilp +\S")
        self.assertRegex(self.data("list", "recipes", "nex"), r"(?m)^  transformation=soft +\S")
        self.assertRegex(text, r"threads=0 .*0 to 256")
        (found,) = self.objects("list", "recipes", "nex-1.0", "--json")
        values = {one["name"]: one["default"] for one in found["options"]}
        self.assertEqual(values["transformation"], "cilp")
        (whole,) = [one for one in self.objects("list", "recipes", "--json") if one["name"] == "nex-1.0"]
        self.assertEqual(found, whole)
        self.assertEqual(len(self.objects("list", "searches", "uct", "--json")), 1)


class LimitsTest(WordsTest):
    # Every path through a cube of letters is a fact, so is every pair of them: some hundred million.
    LARGE = """(role a) (init (at 1)) (<= (legal a (go ?x ?y ?z)) (all ?x ?y ?z)) (<= (next (at ?x)) (does a (go ?x ?y ?z)))
    (<= terminal (true (at 2))) (goal a 100)
    (<= (all (f ?a ?b ?c) (f ?d ?e ?f) (f ?g ?h ?i)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g) (n ?h) (n ?i))
    """ + " ".join(f"(n {i})" for i in range(12))

    def test_memory(self):
        path = self.write("large.kif", self.LARGE)
        code, _, err = self.run_program("perft", path, "--depth", "1", "--memory", "128")
        self.assertEqual(code, LIMIT, err)
        self.assertIn("limit", err)
        self.assertNotIn("internal", err)

    def test_memory_is_enough_for_small_games(self):
        self.data("match", "tic_tac_toe", "--players", "uct,solve", "--play-clock", "0.5", "--memory", "256")

    def test_too_little_memory_never_ends_in_a_crash(self):
        for arguments in (["match", "othello", "--players", "nex,flux", "--play-clock", "0.2", "--max-steps", "2"],
                          ["match", "skirmish", "--players", "uct,best", "--play-clock", "0.2", "--max-steps", "2"],
                          ["bench", "playouts", "othello", "--machine", "lanes", "--threads", "64", "--seconds", "0.1"]):
            with self.subTest(arguments):
                code, _, err = self.run_program(*arguments, "--memory", "128")
                self.assertIn(code, (SUCCESS, LIMIT), err)
                self.assertNotIn("fatal", err)
                if code == LIMIT:
                    self.assertIn("a limit was hit: the work needs more than the 128 MB of --memory", err)

    def test_time_for_grounding(self):
        path = self.write("large.kif", self.LARGE)
        code, _, err = self.run_program("show", path, "--circuit", "--ground-seconds", "0.2")
        self.assertEqual(code, LIMIT, err)
        self.assertEqual(err.count("--ground-seconds"), 1, "said once")

    def test_they_are_for_every_command_that_runs_games(self):
        for words, command in self.commands().items():
            names = {one["name"] for one in command["options"]}
            if "--machine" in names or "--nodes" in names:
                self.assertLessEqual({"--memory", "--ground-seconds"}, names, words)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
