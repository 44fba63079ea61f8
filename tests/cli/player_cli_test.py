"""Tests of the commands that let the program play: match, bench search, evaluate, learn, list recipes and the like.

    player_cli_test.py PROGRAM SOURCE_FOLDER [unittest arguments, such as MatchTest.test_a_match]
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from cli_test import GAMES, PROGRAM, SUCCESS, USAGE, CliTest, await_work

INTERRUPTED = 130
LIMIT = 3
RECIPES = {"random", "legal", "blind", "alphabeta", "maxn", "paranoid", "uct", "mcts-plain", "solve", "flux",
           "kuhl", "best"}


class ListPlayersTest(CliTest):
    def test_recipes(self):
        found = {one["name"]: one for one in self.objects("list", "recipes", "--json")}
        self.assertLessEqual(RECIPES, set(found))
        for one in found.values():
            self.assertTrue(one["about"] and one["searches"], one)
            self.assertLessEqual({"threads", "table", "ponder"}, {option["name"] for option in one["options"]})
        self.assertTrue(all(name in self.data("list", "recipes") for name in found))

    def test_searches(self):
        found = {one["name"]: one for one in self.objects("list", "searches", "--json")}
        named = {name for one in self.objects("list", "recipes", "--json") for name in one["searches"]}
        self.assertLessEqual(named, set(found), "every recipe names searches there are")
        text = self.data("list", "searches")
        for one in found.values():
            self.assertIn(one["name"], text)
            for option in one["options"]:
                self.assertIn(option["kind"], ("flag", "integer", "real", "choice"))
                self.assertTrue(option["help"], option)
                self.assertIn(f"{option['name']}={option['default']}", text)


    def test_any_search_with_any_evaluator(self):
        (pair,) = self.objects("list", "recipes", "alphabeta:nonuniform=off+fuzzy:power=5", "--json")
        self.assertEqual((pair["name"], pair["evaluator"], pair["searches"][0]), ("alphabeta+fuzzy", "fuzzy", "alphabeta"))
        values = {one["name"]: one["default"] for one in pair["options"]}
        self.assertEqual((values["nonuniform"], values["power"]), ("off", "5"))
        (of,) = [one["of"] for one in pair["options"] if one["name"] == "nonuniform"]
        self.assertEqual(of, ["alphabeta", "paranoid", "maxn"])
        text = self.data("list", "recipes", "uct+neural")
        self.assertRegex(text, r"(?m)^  evaluator=(leaf|prior|cutoff) ")
        self.assertRegex(text, r"(?m)^  greedy=0.6 .*; needs mast=on")
        self.assertIn("SEARCH+EVALUATOR", self.data("list", "recipes"))
        asks = {one["name"]: one["asks_evaluator"] for one in self.objects("list", "searches", "--json")}
        self.assertEqual((asks["random"], asks["alphabeta"], asks["uct"]), ("never", "always", "evaluator!=none"))
        for recipe, told in (("uct+neurla", "did you mean 'neural'?"), ("random+fuzzy", "random asks none"),
                             ("uct:evaluator=leaf", "uct:evaluator=leaf+EVALUATOR")):
            code, out, err = self.run_program("list", "recipes", recipe)
            self.assertEqual((code, out), (USAGE, ""), recipe)
            self.assertIn(told, err)

    def test_evaluators(self):
        found = {one["name"]: one for one in self.objects("list", "evaluators", "--json")}
        self.assertLessEqual({"constant", "fuzzy"}, set(found))
        named = {one["evaluator"] for one in self.objects("list", "recipes", "--json")}
        self.assertLessEqual(named, set(found), "every recipe names an evaluator there is")
        self.assertTrue(all(name in self.data("list", "evaluators") for name in found))


class EvaluateTest(CliTest):
    def evaluate(self, *arguments):
        return self.objects("evaluate", *arguments, "--json")

    def test_values_of_all_roles(self):
        found = self.evaluate("tic_tac_toe", "--evaluator", "fuzzy")
        self.assertEqual([one["role"] for one in found], ["x", "o"])
        for one in found:
            self.assertTrue(0 < one["value"] < 100)
            self.assertFalse(one["terminal"])
            self.assertNotIn("children", one)

    def test_children_come_best_first(self):
        (found,) = self.evaluate("tic_tac_toe", "--evaluator", "fuzzy", "--role", "x", "--children")
        values = [child["value"] for child in found["children"]]
        self.assertEqual(len(values), 9)
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertEqual(found["children"][0]["moves"], ["(mark 2 2)", "noop"], "the centre is on most lines")
        (first,) = self.evaluate("tic_tac_toe", "--evaluator", "fuzzy", "--role", "x", "--moves", "(mark 2 2)")
        self.assertEqual(first["value"], values[0])

    def test_moves_and_fluents_name_the_same_state(self):
        state = ("(cell 1 1 x) (cell 2 2 o) (true (cell 1 2 blank)) (CELL 1 3 blank) (cell 2 1 blank) (cell 2 3 blank)"
                 "(cell 3 1 blank) (cell 3 2 blank) (cell 3 3 blank) (control x)")
        by_state = self.evaluate("tic_tac_toe", "--evaluator", "fuzzy", "--state", state)
        self.assertEqual(by_state, self.evaluate("tic_tac_toe", "--evaluator", "fuzzy", "--state", f"({state})"))
        for moves in ("(mark 1 1) (mark 2 2)", "(mark 1 1) noop; noop (mark 2 2)", "(Mark 1 1) noop (mark 2 2)"):
            self.assertEqual(by_state, self.evaluate("tic_tac_toe", "--evaluator", "fuzzy", "--moves", moves), moves)

    def test_explanations(self):
        (found,) = self.evaluate("breakthrough", "--evaluator", "fuzzy", "--role", "white", "--explain")
        self.assertTrue(found["explanation"]["text"])
        self.assertTrue(found["explanation"]["parts"])
        text = self.data("evaluate", "breakthrough", "--evaluator", "fuzzy", "--role", "white", "--explain")
        self.assertIn(found["explanation"]["parts"][0]["text"], text)

    def test_ends_are_worth_their_goals(self):
        moves = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2) (mark 1 3)"
        found = self.evaluate("tic_tac_toe", "--evaluator", "fuzzy", "--moves", moves, "--children")
        self.assertEqual([(one["value"], one["terminal"], one["children"]) for one in found],
                         [(100, True, []), (0, True, [])])

    def test_by_the_evaluator_of_a_recipe(self):
        def value(evaluator):
            (found,) = self.evaluate("connect_four", "--evaluator", evaluator, "--role", "red", "--moves", "(drop 4)")
            return found["value"]
        self.assertEqual(value("nex-1.1"), value("neural:transformation=local,aggregation=sum"))
        self.assertEqual(value("uct+fuzzy:power=5,threads=2"), value("fuzzy:power=5"))
        self.assertEqual(value("flux"), value("fuzzy"))
        self.assertNotEqual(value("flux"), value("flux:power=5"))

    def test_mistakes_are_named(self):
        for arguments, words in (
                (("--evaluator", "magic"), "there are: constant"),
                (("--evaluator", "neurla"), "did you mean 'neural'?"),
                (("--evaluator", "uct"), "recipe 'uct' has no evaluator"),
                (("--evaluator", "uct+nothing"), "there is no evaluator 'nothing'"),
                (("--evaluator", "fuzzy:power=x"), "power"),
                (("--evaluator", "fuzzy", "--moves", "(mark 9 9)"), "no legal move of x"),
                (("--evaluator", "fuzzy", "--state", "(cell 1 1"), "missing"),
                (("--evaluator", "fuzzy", "--state", "(cell 9 9 x)"), "no fluent '(cell 9 9 x)'"),
                (("--evaluator", "fuzzy", "--role", "z"), "there are: x, o"),
                (("--evaluator", "fuzzy", "--state", "a", "--moves", "b"), "--state")):
            code, out, err = self.run_program("evaluate", "tic_tac_toe", *arguments)
            self.assertEqual((code, out), (USAGE, ""), arguments)
            self.assertIn(words, err)


class LearnTest(CliTest):
    def learn(self, *arguments):
        return self.objects("learn", "connect_three", "--lines", "2", "--matches", "40", *arguments, "--json")

    def test_weights_are_kept_and_used(self):
        with tempfile.TemporaryDirectory() as folder:
            weights = os.path.join(folder, "weights.json")
            *lines, last = self.learn("--games", "2000", "--out", weights)
            self.assertGreaterEqual(lines[-1]["games"], 2000)
            self.assertGreaterEqual(lines[-1]["score"], 80, "it beats random moves")
            self.assertEqual(last, {"weights": weights})
            evaluator = "linear:weights=" + weights
            found = self.objects("evaluate", "connect_three", "--evaluator", evaluator, "--explain", "--json")
            self.assertAlmostEqual(sum(one["value"] for one in found), 100, 6)
            self.assertTrue(all(one["explanation"]["parts"] for one in found))
            again = self.objects("evaluate", "connect_three", "--evaluator", evaluator, "--explain", "--json")
            self.assertEqual(found, again)
            text = self.data("match", "connect_three", "--players", f"alphabeta+{evaluator},random", "--nodes", "100")
            self.assertIn("linear", text)
            code, out, err = self.run_program("evaluate", "tic_tac_toe", "--evaluator", evaluator)
            self.assertEqual((code, out), (USAGE, ""))
            self.assertIn("does not fit the game", err)

    def test_without_a_file_the_weights_are_printed(self):
        *lines, last = self.learn("--games", "200", "--features", "patterns=off")
        self.assertEqual(last["weights"]["kind"], "stratagem linear weights 2")
        self.assertEqual(last["weights"]["patterns"], [])
        text = self.data("learn", "connect_three", "--seconds", "0.2", "--lines", "2")
        self.assertIn("points against random moves", text)
        self.assertIn("100 |", text)

    def test_mistakes_are_named(self):
        for arguments, words in (
                (("--features", "magic=on"), "there is no option 'magic'"),
                (("--seconds", "0"), "--seconds"),
                (("--games", "5", "--seconds", "5"), "--games"),
                (("--out", "/nowhere/at/all.json"), "--out")):
            code, out, err = self.run_program("learn", "tic_tac_toe", *arguments)
            self.assertEqual((code, out), (USAGE, ""), arguments)
            self.assertIn(words, err)
        code, out, err = self.run_program("evaluate", "tic_tac_toe", "--evaluator", "linear:weights=/nowhere.json")
        self.assertEqual((code, out), (USAGE, ""))
        self.assertIn("cannot be read", err)

    def test_ctrl_c_keeps_what_was_learned(self):
        with tempfile.TemporaryDirectory() as folder:
            weights = os.path.join(folder, "weights.json")
            with subprocess.Popen([PROGRAM, "learn", "connect_three", "--seconds", "1000", "--lines", "20", "--out", weights],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                for _ in range(3):  # the head and a point: it has learned something
                    process.stdout.readline()
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=60)
            self.assertEqual(process.returncode, INTERRUPTED)
            self.assertTrue(self.objects("evaluate", "connect_three", "--evaluator", "linear:weights=" + weights, "--json"))


class MatchTest(CliTest):
    def test_a_match(self):
        *matches, summary = self.objects("match", "tic_tac_toe", "--players", "random,legal", "--matches", "4", "--swap",
                                         "--json")
        self.assertEqual([one["players"] for one in matches], [["random", "legal"], ["legal", "random"]] * 2)
        for number, one in enumerate(matches, 1):
            self.assertEqual((one["match"], one["game"], one["roles"]), (number, "tic_tac_toe", ["x", "o"]))
            self.assertEqual(sum(one["scores"]), 100)
            self.assertEqual(one["errors"], [0, 0])
            self.assertTrue(one["complete"])
            self.assertIn(one["moves"], range(5, 10))
            self.assertEqual(len(one["states_per_second"]), 2)
        scores = [one["scores"][one["players"].index("random")] for one in matches]
        self.assertEqual(summary["players"], ["random", "legal"])
        self.assertEqual(summary["matches"], [4, 4])
        self.assertAlmostEqual(summary["mean"][0], sum(scores) / 4)
        self.assertAlmostEqual(sum(summary["mean"]), 100)
        low, high = summary["ci95_low"][0], summary["ci95_high"][0]
        self.assertTrue(0 <= low < sum(scores) / 4 <= high <= 100 or sum(scores) == 0, summary)
        self.assertAlmostEqual(summary["ci95"][0], (high - low) / 2)
        self.assertEqual(summary["errors"], [0, 0])
        self.assertEqual(summary["moves"], sum(one["moves"] for one in matches))

    def test_pairs_play(self):
        *_, summary = self.objects("match", "connect_four", "--players",
                                   "uct:rave=on,mast=off+neural:count=3,power=5,alphabeta+fuzzy", "--nodes", "50", "--json")
        self.assertEqual(summary["players"], ["uct:rave=on,mast=off+neural:count=3,power=5", "alphabeta+fuzzy"])
        self.assertEqual(summary["errors"], [0, 0])
        code, out, err = self.run_program("match", "three_player_tic_tac_toe", "--players", "alphabeta+fuzzy,random,random",
                                          "--nodes", "50", "--log")
        self.assertEqual(code, 0, err)
        self.assertIn("alphabeta cannot handle this game: maxn plays it", out + err)
        self.assertRegex(out + err, r"preparing, by no clock: .*analysis .*, evaluator .* \(fuzzy\), facts .* \(300 games\), search ")

    def test_the_same_seed_gives_the_same_matches(self):
        def played(seed):
            folder = self.folder / f"records{len(list(self.folder.iterdir()))}"
            self.objects("match", "breakthrough_6x6", "--players", "random,random", "--matches", "3", "--seed", seed,
                         "--json", "--json-dir", folder)
            records = sorted((json.loads(file.read_text()) for file in folder.glob("*.json")), key=lambda one: one["seed"])
            return [(one["moves"], one["goalValues"]) for one in records]
        first = played(5)
        self.assertEqual(len(first), 3)
        self.assertEqual(first, played(5))
        self.assertTrue(all(one not in first for one in played(6)), "no match is like another")

    def test_round_robin(self):
        *matches, summary = self.objects("match", "tic_tac_toe", "--players", "random,legal,random:threads=2",
                                         "--matches", "2", "--swap", "--json")
        self.assertEqual(len(matches), 6)
        self.assertEqual(summary["players"], ["random", "legal", "random:threads=2"])
        self.assertEqual(summary["matches"], [4, 4, 4])
        self.assertEqual([(one["players"], one["matches"]) for one in summary["groups"]],
                         [(["random", "legal"], 2), (["random", "random:threads=2"], 2), (["legal", "random:threads=2"], 2)])
        for one in summary["groups"]:
            self.assertAlmostEqual(sum(one["mean"]), 100)

    def test_swap_seats_everybody_in_every_role(self):
        code, out, err = self.run_program("match", "tic_tac_toe", "--players", "random,legal", "--matches", "3", "--swap",
                                          "--json")
        *matches, summary = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(code, SUCCESS)
        self.assertEqual([one["player_numbers"] for one in matches], [[1, 2], [2, 1]] * 2)
        self.assertIn("4 matches instead of 3", err)

    def test_rows_can_be_told_apart(self):
        code, out, _ = self.run_program("match", "tic_tac_toe", "--players", "random,random", "--matches", "2", "--swap")
        self.assertEqual(code, SUCCESS)
        self.assertRegex(out, r"match 2:  random \(2\) \d+ \(x\)  random \(1\) \d+ \(o\)")
        rows = [line.split("  ")[0] for line in out.split("\n\n")[1].splitlines()[1:]]
        self.assertEqual(rows, ["random (1)", "random (2)"])

    def test_one_match_has_no_interval(self):
        code, out, _ = self.run_program("match", "tic_tac_toe", "--players", "legal,random")
        self.assertEqual(code, SUCCESS)
        self.assertNotIn("±", out)
        self.assertNotIn("[", out)

    def test_one_player_and_three(self):
        one, summary = self.objects("match", "eight_puzzle", "--players", "random", "--json")
        self.assertEqual(len(one["scores"]), 1)
        self.assertIsNone(summary["ci95"][0], "nothing is known from one match")
        one, _ = self.objects("match", "three_player_tic_tac_toe", "--players", "random,legal,random", "--json")
        self.assertEqual(len(one["scores"]), 3)

    def test_cut_short_is_no_failure(self):
        code, out, err = self.run_program("match", "connect_four", "--players", "random,legal", "--max-steps", "3", "--json")
        self.assertEqual(code, SUCCESS)
        self.assertIn("match 1 was cut short after 3 steps", err)
        one = json.loads(out.splitlines()[0])
        self.assertEqual((one["moves"], one["complete"], one["cut_short"]), (3, False, True))
        self.assertEqual((one["scores"], one["problem"]), ([None, None], "it has more than 3 moves"), "no score is not 0")
        code, out, _ = self.run_program("match", "connect_four", "--players", "random,legal", "--max-steps", "3")
        self.assertRegex(out, r"^match 1:  random - \(red\)  legal - \(yellow\)  3 moves")

    def test_rules_that_cannot_be_run_to_the_end(self):
        rules = self.write("grow.kif", "(role r) (init s) (num 0) (<= (num (s ?x)) (num ?x)) (<= (legal r ?x) (num ?x))"
                           "(<= (next s) (true s)) (<= terminal (true t)) (goal r 100)")
        code, out, err = self.run_program("match", rules, "--players", "random")
        self.assertEqual(code, LIMIT, err)
        self.assertIn("match 1 was ended after 0 moves and does not count: ", err)
        self.assertIn("match 1:  random - (r)  0 moves", out)

    def test_rules_without_a_goal_are_told_of_once(self):
        rules = self.write("high.kif", "(role r) (init s) (legal r go) (<= (next t) (true s)) (<= terminal (true t))"
                           "(goal r high)")
        code, out, err = self.run_program("match", rules, "--players", "random", "--matches", "3")
        self.assertEqual(code, SUCCESS, err)
        self.assertEqual(err, "stratagem: match 1: r has no goal value at the end, or several: that counts as 0; "
                         f"'stratagem check {rules} --simulate 100' tells more of such rules\n")

    def test_addresses_are_written_whole(self):
        for address in ("127.0.0.1:9147", "localhost:80"):
            code, out, err = self.run_program("match", "tic_tac_toe", "--players", f"{address},random")
            self.assertEqual((code, out), (USAGE, ""))
            self.assertIn(f"write http://{address}", err)

    def test_text_and_log(self):
        code, out, err = self.run_program("match", "tic_tac_toe", "--players", "random,legal", "--log")
        self.assertEqual(code, SUCCESS)
        self.assertIn("match 1:", out)
        self.assertRegex(out, r"random +1 ")
        self.assertRegex(err, r"1\.1 random: turn 1: \(mark ")

    def test_usage(self):
        for words, hint in ((["random"], "2 players"), (["random,nobody"], "nobody"), (["random,legal:x=1"], "legal"),
                            ([""], "0")):
            code, out, err = self.run_program("match", "tic_tac_toe", "--players", *words)
            self.assertEqual((code, out), (USAGE, ""), words)
            self.assertIn(hint, err)
        self.assertEqual(self.run_program("match", "tic_tac_toe")[0], USAGE)
        self.assertEqual(self.run_program("match", "no_such_game", "--players", "random")[0], USAGE)
        self.assertEqual(self.run_program("match", "nim", "--players", "random,random", "--play-clock", "0")[0], USAGE)

    def test_interruption(self):
        settings = dict(os.environ, STRATAGEM_GAMES=str(GAMES))
        process = subprocess.Popen([str(PROGRAM), "match", "connect_four", "--players", "alphabeta,alphabeta",
                                    "--play-clock", "1000", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=settings)
        self.addCleanup(process.kill)
        await_work(process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertEqual([json.loads(line)["matches"] for line in out.decode().splitlines()], [[0, 0]])


class BenchSearchTest(CliTest):
    def test_lines_and_last_line(self):
        *_, last = self.objects("bench", "search", "tic_tac_toe", "--recipe", "alphabeta", "--seconds", "20", "--json")
        self.assertTrue(last["final"])
        self.assertEqual((last["game"], last["recipe"], last["search"]), ("tic_tac_toe", "alphabeta", "alphabeta"))
        self.assertTrue(last["proved"])
        self.assertEqual(last["value"], 50)
        self.assertGreater(last["nodes"], 0)
        self.assertAlmostEqual(last["nodes_per_second"], last["nodes"] / last["seconds"], delta=1)
        self.assertRegex(last["move"], r"^\(mark [123] [123]\)$")
        self.assertEqual([one["stage"] for one in last["preparation"]], ["facts", "search"])
        self.assertEqual([one["result"] for one in last["preparation"]], ["300 games", "alphabeta"])

    def test_limits(self):
        found = self.objects("bench", "search", "connect_four", "--recipe", "random", "--max-nodes", "100", "--json")
        self.assertEqual(found[-1]["search"], "random")
        text = self.data("bench", "search", "connect_four", "--recipe", "legal", "--seconds", "1")
        self.assertIn("nodes/s", text)

    def test_usage(self):
        code, _, err = self.run_program("bench", "search", "nim", "--recipe", "nobody")
        self.assertEqual(code, USAGE)
        self.assertIn("mcts-plain", err)
        self.assertEqual(self.run_program("bench", "search", "--recipe", "random")[0], USAGE)

    def test_signature_is_that_of_every_run(self):
        one, = self.objects("bench", "signature", "--json")
        two, = self.objects("bench", "signature", "--json")
        self.assertRegex(one["search_signature"], r"^[0-9a-f]{16}$")
        self.assertEqual(one["search_signature"], two["search_signature"])
        # The commit that changes what games mean or what searches think says so, and brings the new numbers along.
        stored = json.loads((pathlib.Path(__file__).parent / "golden/signatures.json").read_text())
        self.assertEqual(one["games"], stored["games"])
        self.assertEqual(one["search_signature"], stored["search_signature"],
                         "searches think otherwise: if that is meant, tools/regenerate_golden, and name the new value")
        self.assertNotIn("search_signature", self.objects("bench", "signature", "--machine", "interpreter", "--json")[0])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
