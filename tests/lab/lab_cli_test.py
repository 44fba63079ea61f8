"""Tests of stratagem lab, and of show --networks.

    lab_cli_test.py PROGRAM SOURCE_FOLDER [unittest arguments, such as ResolutionTest]
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from cli_test import GAMES, INVALID, NO, PROGRAM, SUCCESS, USAGE, VALID, CliTest  # noqa: E402

INTERRUPTED = 130
# Counts for ever: no circuit.
ENDLESS = """(role a) (init (count 0)) (legal a go)
(<= (next (count (s ?n))) (true (count ?n)))
(<= terminal (true stopped)) (goal a 100)
"""


class ResolutionTest(CliTest):
    def test_connect_four(self):
        game, total = self.objects("lab", "resolution", "connect_four_8x6", "--json")
        self.assertEqual((game["game"], game["goal"], game["states"]), ("connect_four_8x6", 100, 8))
        self.assertEqual([game[one]["distinct"] for one in ("cilp", "local", "soft")], [1, 4, 4])
        self.assertLess(game["cilp"]["interval"], game["local"]["interval"])
        self.assertLess(game["local"]["interval"], game["soft"]["interval"])
        self.assertEqual((total["summary"], total["games"], total["measured"]), (True, 1, 1))
        self.assertEqual([(one["from"], one["larger"], one["equal"], one["smaller"]) for one in total["changes"]],
                         [("cilp", 1, 0, 0), ("local", 1, 0, 0)])
        self.assertLess(total["mean_log10"]["all"]["cilp"], -15)
        self.assertEqual((total["papers"][0]["larger"], total["papers"][0]["games"]), (67, 190))

    def test_folders_and_games_that_cannot_be_used(self):
        self.write("some/good.kif", VALID)
        self.write("some/wrong.kif", INVALID)
        self.write("some/endless.kif", ENDLESS)
        *games, total = self.objects("lab", "resolution", self.folder / "some", "--seconds", "1", "--json")
        self.assertEqual([one["game"] for one in games], ["endless", "good", "wrong"])
        self.assertEqual((total["games"], total["measured"]), (3, 1))
        self.assertEqual([one["game"] for one in total["left_out"]], ["endless", "wrong"])
        self.assertTrue(games[1]["trivial"], "everybody always has 100")
        code, out, err = self.run_program("lab", "resolution", self.folder / "some", "--seconds", "1")
        self.assertEqual((code, err), (SUCCESS, ""))
        self.assertIn("1 of 3 games measured", out)
        self.assertIn("not valid (see stratagem check): wrong", out)

    def test_wrong_usage(self):
        code, out, err = self.run_program("lab", "resolution", "tic_tac_toe", "no_such_game")
        self.assertEqual((code, out), (USAGE, ""))
        self.assertIn("no_such_game", err)
        self.assertEqual(self.run_program("lab")[0], USAGE)
        self.assertEqual(self.run_program("lab", "resolution", "--seconds", "0")[0], USAGE)
        self.assertEqual(self.run_program("lab", "resolution", self.write("wrong.kif", INVALID))[0], NO)

    def test_help(self):
        for command in ("resolution", "spread", "features", "stages", "selection"):
            self.assertIn(f"stratagem lab {command} ", self.data("lab", command, "--help"))


class SpreadTest(CliTest):
    def test_recipes_side_by_side(self):
        game, total = self.objects("lab", "spread", "eight_puzzle", "--positions", "10", "--recipes",
                                   "flux:power=15,scale=1,flux,nex", "--json")
        self.assertEqual((game["game"], game["choices"]), ("eight_puzzle", 10))
        self.assertEqual([one["recipe"] for one in game["by"]], ["flux:power=15,scale=1", "flux", "nex"])
        self.assertGreater(game["by"][0]["at_ends"], 0)
        self.assertEqual(game["by"][1]["at_ends"], 0)
        self.assertGreater(game["by"][1]["values"], game["by"][0]["values"])
        self.assertEqual((total["summary"], total["measured"], total["by"][0]["flat"]), (True, 1, game["by"][0]["flat"]))
        text = self.data("lab", "spread", "tic_tac_toe", "--positions", "3")
        self.assertIn("1: flux:fit=paper", text)
        self.assertIn("1 of 1 games measured", text)

    def test_recipes_without_evaluators(self):
        for recipe in ("blind", "uct", "nonesuch"):
            code, _, err = self.run_program("lab", "spread", "tic_tac_toe", "--recipes", recipe)
            self.assertEqual(code, USAGE)
            self.assertIn("--recipes", err)


class LearningTest(CliTest):
    def test_positions_are_proved_once(self):
        name = str(self.folder / "proved.json")
        given = ["lab", "learning", "tic_tac_toe", "--plies", "4", "--count", "20", "--table", "8", "--games", "400",
                 "--positions", name, "--against", "alphabeta,random", "--nodes", "20000", "--json"]
        first = self.objects(*given)
        self.assertEqual((first[0]["positions"], first[0]["plies"], first[0]["unproved"]), (20, 4, 0))
        self.assertEqual((first[1]["recipe"], first[1]["kept"]), ("alphabeta", 20))
        self.assertLess(first[2]["kept"], 20)
        self.assertEqual([one["games"] for one in first[3:]], [100, 200, 400])
        self.assertEqual(self.objects(*given)[:3], first[:3])
        text = self.data("lab", "learning", "tic_tac_toe", "--positions", name, "--games", "100")
        self.assertIn("20 positions of 4 plies, 0 more were too dear", text)
        code, _, err = self.run_program("lab", "learning", "connect_three", "--positions", name, "--games", "1")
        self.assertEqual(code, USAGE)
        self.assertIn("they are not of this game", err)

    def test_what_cannot_be(self):
        for given in (["--prover", "nonesuch"], ["--against", "nonesuch"], ["--features", "nonesuch=1"]):
            code, _, err = self.run_program("lab", "learning", "tic_tac_toe", *given)
            self.assertEqual(code, USAGE)
            self.assertIn("nonesuch", err)
        self.write("endless.kif", ENDLESS)
        code, _, err = self.run_program("lab", "learning", str(self.folder / "endless.kif"), "--ground-seconds", "1")
        self.assertEqual(code, 3)
        self.assertIn("no circuit to learn from", err)


class FeaturesTest(CliTest):
    def test_persistence(self):
        game, total = self.objects("lab", "features", "tic_tac_toe", "--recipe", "nex-1.1p", "--json")
        self.assertGreaterEqual(game["features"]["true_persistence"]["found"], 18)
        self.assertTrue(game["complete_analysis"])
        found = total["features"]["true_persistence"]
        self.assertEqual((found["games"], found["percent"]), (1, 100))
        self.assertEqual(found["thesis"], {"games": 118, "percent": 61.8, "found": 2641, "per_game": 13.83})
        self.assertEqual(total["features"]["order"]["games"], 0)
        self.assertIn("true persistence", self.data("lab", "features", "tic_tac_toe"))

    def test_recipes_without_networks(self):
        for recipe in ("flux", "nonesuch"):
            code, _, err = self.run_program("lab", "features", "tic_tac_toe", "--recipe", recipe)
            self.assertEqual(code, USAGE)
            self.assertIn("--recipe", err)

    def test_networks_are_shown(self):
        text = self.data("show", "tic_tac_toe", "--networks", "--transformation", "local")
        self.assertIn("(goal x 100)", text)
        self.assertIn("weight", text)
        self.assertNotIn("weight", self.data("show", "tic_tac_toe", "--networks"), "soft means have none")
        self.assertRegex(self.data("show", "tic_tac_toe", "--networks", "--dot"), r"^digraph network")
        found, = self.objects("show", "tic_tac_toe", "--networks", "--json")
        self.assertGreater(found["neurons"], 9)
        self.assertEqual(found["text"], self.data("show", "tic_tac_toe", "--networks"))
        self.assertEqual(self.run_program("show", "tic_tac_toe", "--networks", "--circuit")[0], USAGE)

    def test_networks_of_one_role(self):
        text = self.data("show", "nim", "--networks")
        first, second = re.findall(r"\(goal (\w+) 100\)", text)
        text = self.data("show", "nim", "--networks", "--role", first)
        self.assertIn(f"(goal {first} 100)", text)
        self.assertNotIn(f"(goal {second} 100)", text)
        code, out, err = self.run_program("show", "nim", "--networks", "--role", "nobody")
        self.assertEqual((code, out), (USAGE, ""))
        self.assertIn("nobody", err)


class SelectionTest(CliTest):
    def test_by_matches(self):
        settings = ("lab", "selection", "breakthrough_6x6", "--grown", "20", "--outcomes", "400", "--trials", "20",
                    "--others", "0", "--even-spread", "--rounds", "1")
        game, total = self.objects(*settings, "--out", self.folder, "--json")
        self.assertEqual((game["game"], game["nodes"], game["complete"]), ("breakthrough_6x6", 20, False))
        self.assertLess(game["varying"], game["features"])
        first = game["rounds"][0]
        self.assertEqual((first["candidates"], first["matches"]), (game["varying"], 40 * game["varying"]))
        self.assertAlmostEqual(first["corrected"], min(1, first["p"] * first["candidates"]))
        self.assertEqual((total["summary"], total["measured"]), (True, 1))
        self.assertTrue(first["accepted"], "a pawn more is better than nothing")
        text = self.data("evaluate", "breakthrough_6x6", "--evaluator",
                         f"tree:weights={self.folder}/breakthrough_6x6.json", "--explain")
        self.assertIn(first["feature"] + " is", text)
        self.assertIn(first["feature"], self.data(*settings))

    def test_by_playouts(self):
        game, _ = self.objects("lab", "selection", "connect_three", "--by", "playouts", "--outcomes", "2000", "--out",
                               self.folder, "--json")
        self.assertLess(game["error"], game["spread"])
        self.assertGreater(game["score"], 60)
        text = self.data("lab", "selection", "three_player_tic_tac_toe", "--by", "playouts", "--outcomes", "500")
        self.assertIn("one move ahead against random moves", text)

    def test_what_is_not_for_it(self):
        code, out, _ = self.run_program("lab", "selection", "three_player_tic_tac_toe")
        self.assertEqual(code, NO)
        self.assertIn("not a game of two", out)
        self.assertEqual(self.run_program("lab", "selection", "nim", "--out", self.folder / "nowhere")[0], USAGE)
        self.assertEqual(self.run_program("lab", "selection", "nim", "--trials", "1")[0], USAGE)
        wrong = self.write("wrong.json", "{}")
        code, _, err = self.run_program("evaluate", "nim", "--evaluator", f"tree:weights={wrong}")
        self.assertEqual(code, USAGE)
        self.assertIn("does not fit the game", err)


class StagesTest(CliTest):
    QUICK = ("--play-clock", "30", "--start-clock", "30", "--table", "4")

    def test_pairs(self):
        found = self.objects("lab", "stages", "tic_tac_toe", "three_player_tic_tac_toe", "--pairs",
                             "random:legal,legal:random", "--matches", "4", *self.QUICK, "--json")
        self.assertEqual([(one["first"], one["second"]) for one in found], [("random", "legal"), ("legal", "random")])
        for one in found:
            self.assertEqual(set(one["games"]), {"tic_tac_toe", "three_player_tic_tac_toe"})
            self.assertEqual(one["all"]["matches"], 8)
            self.assertEqual(one["all"]["errors"], 0)
            duel = one["games"]["tic_tac_toe"]
            self.assertEqual(duel["wins"] + duel["draws"] + duel["losses"], 4)
            self.assertAlmostEqual(duel["first"]["mean"] + duel["second"]["mean"], 100)
            self.assertAlmostEqual(duel["lead"]["mean"], duel["first"]["mean"] - duel["second"]["mean"])

    def test_table(self):
        code, out, err = self.run_program("lab", "stages", "tic_tac_toe", "--pairs", "random vs legal", "--matches", "2",
                                          *self.QUICK)
        self.assertEqual(code, SUCCESS)
        self.assertIn("random against legal", out)
        self.assertIn("2 of 2: tic_tac_toe", err)

    def test_who_plays_alike(self):
        pair = ("lab", "stages", "tic_tac_toe", "--pairs", "nex:nex-2", "--matches", "1", "--play-clock", "0.1")
        found, = self.objects(*pair, "--json")
        self.assertTrue(found["games"]["tic_tac_toe"]["alike"])
        self.assertEqual(found["all"]["matches"], 0)
        self.assertIn("both would play alike", self.data(*pair))
        found, = self.objects(*pair, "--all", "--json")
        self.assertFalse(found["games"]["tic_tac_toe"]["alike"])
        self.assertEqual(found["all"]["matches"], 2, "so that both have had both roles")

    def test_wrong_usage(self):
        for pairs in ("random", "random:nonesuch", "random:random"):
            code, _, err = self.run_program("lab", "stages", "tic_tac_toe", "--pairs", pairs)
            self.assertEqual(code, USAGE, pairs)
            self.assertIn("--pairs", err)
        self.assertEqual(self.run_program("lab", "stages", "no_such_game")[0], USAGE)

    def test_interrupted(self):
        settings = dict(os.environ, STRATAGEM_GAMES=str(GAMES))
        process = subprocess.Popen([str(PROGRAM), "lab", "stages", "tic_tac_toe", "--pairs", "random:legal",
                                    "--matches", "20000", *self.QUICK], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=settings)
        process.stderr.readline()  # a match has ended
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertIn("random against legal", out.decode())
        self.assertIn("interrupted", err.decode())


class StructuresTest(CliTest):
    def test_what_differs(self):
        *games, total = self.objects("lab", "structures", "tic_tac_toe", "nine_board_tic_tac_toe", "--seconds", "3",
                                     "--json")
        self.assertEqual([one["game"] for one in games], ["tic_tac_toe", "nine_board_tic_tac_toe"])
        self.assertEqual((games[0]["templates_alone"], games[0]["meaning_alone"]), ([], []))
        self.assertEqual(games[0]["templates"]["boards"], 1)
        self.assertIn("quantity sent_to -1", games[1]["templates_alone"])
        self.assertIn("board sent_to", games[1]["meaning_alone"])
        self.assertEqual((total["summary"], total["measured"], total["differ"]), (True, 2, 1))
        out = self.data("lab", "structures", "tic_tac_toe", "--seconds", "3")
        self.assertIn("0 of 1 games differ", out)


class HeuristicsTest(CliTest):
    def test_list(self):
        features = self.objects("lab", "heuristics", "hallway", "--list", "--json")
        names = [one["feature"] for one in features]
        self.assertIn("pawn.white.3", names)
        self.assertEqual([one["number"] for one in features], list(range(1, len(names) + 1)))

    def test_trials(self):
        found = self.objects("lab", "heuristics", "breakthrough_6x6", "--matches", "2", "--nodes", "30", "--roles",
                             "white", "--json")
        self.assertEqual({one["role"] for one in found}, {"white"})
        self.assertIn("blind", {one["heuristic"] for one in found})
        wins = [one["wins"] for one in found]
        self.assertEqual(wins, sorted(wins, reverse=True))
        self.assertTrue(all(one["matches"] == 2 for one in found))

    def test_games_without_features(self):
        code, out, err = self.run_program("lab", "heuristics", self.write("good.kif", VALID), "--matches", "1")
        self.assertEqual(code, NO)
        self.assertIn("no feature was found", out)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
