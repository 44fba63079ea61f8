"""Tests of the commands that run games: show, replay, perft, bench, check --simulate, list machines.

    machine_cli_test.py PROGRAM SOURCE_FOLDER [unittest arguments, such as PerftTest.test_counts]
"""

import gzip
import json
import os
import pathlib
import signal
import subprocess
import sys
import unittest

from cli_test import GAMES, NO, PROGRAM, SUCCESS, USAGE, CliTest, await_work

LIMIT, INTERRUPTED = 3, 130
MACHINES = ["circuit", "interpreter", "check"]  # that answer every question
ALL_MACHINES = ["circuit", "lanes", "interpreter", "check"]

COUNTING = """
(role white) (role black)
(init (count 0)) (init (control white))
(succ 0 1) (succ 1 2) (succ 2 3)
(other white black) (other black white)
(<= (legal ?p (add 1)) (true (control ?p)) (true (count ?n)) (succ ?n ?m))
(<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
(<= (next (count ?m)) (does ?p (add 1)) (true (count ?n)) (succ ?n ?m))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= terminal (true (count 3)))
(<= (goal ?p 100) (true (count 3)) (other ?p ?q) (true (control ?q)))
(<= (goal ?p 0) (true (control ?p)))
"""

# Infinitely many moves: neither grounding nor the interpreter can list them.
ENDLESS = """
(role a) (init start)
(number 0) (<= (number (s ?x)) (number ?x))
(<= (legal a (say ?x)) (number ?x))
(<= (next done) (does a ?x))
(<= terminal (true done))
(goal a 100)
"""


def counting_trace():
    """One match of COUNTING, every state and answer written down by hand."""
    def step(count, player, terminal=False, moves=None):
        other = {"white": "black", "black": "white"}[player]
        one = {"state": [f"(control {player})", f"(count {count})"], "terminal": terminal,
               "goals": {player: 0, other: 100 if terminal else None}}
        if not terminal:
            one["legals"] = {player: ["(add 1)"], other: ["noop"]}
            one["moves"] = ["(add 1)", "noop"] if player == "white" else ["noop", "(add 1)"]
        return one
    steps = [step(0, "white"), step(1, "black"), step(2, "white"), step(3, "black", terminal=True)]
    return {"game": "counting", "match": 4, "roles": ["white", "black"], "steps": steps}


class MachineTest(CliTest):
    def game(self):
        return self.write("counting.kif", COUNTING)

    def trace(self, trace=None, name="counting.jsonl"):
        return self.write(name, json.dumps(trace or counting_trace()) + "\n")


class ListMachinesTest(MachineTest):
    def test_every_command_refuses_an_unknown_machine(self):
        for words in (["perft", "nim", "--depth", "1"], ["bench", "playouts", "nim"], ["bench", "signature"],
                      ["replay", "nim", self.trace()], ["check", "nim", "--simulate", "1"]):
            code, out, err = self.run_program(*words, "--machine", "steam")
            self.assertEqual((code, out), (USAGE, ""), words)
            self.assertIn("steam", err)
            for machine in MACHINES:
                self.assertIn(machine, err)

    def test_names_and_descriptions(self):
        found = self.objects("list", "machines", "--json")
        self.assertEqual([one["name"] for one in found], ALL_MACHINES)
        self.assertTrue(all(one["about"] for one in found))
        text = self.data("list", "machines")
        self.assertTrue(all(name in text for name in ALL_MACHINES))

    def test_lanes_play_and_answer_nothing_else(self):
        for words in (["perft", "nim", "--depth", "1"], ["bench", "signature"], ["replay", "nim", self.trace()]):
            code, out, err = self.run_program(*words, "--machine", "lanes")
            self.assertEqual((code, out), (USAGE, ""), words)
            self.assertIn("bench playouts", err)


class PerftTest(MachineTest):
    def test_counts(self):
        for machine in MACHINES:
            found = self.objects("perft", "tic_tac_toe", "--depth", "9", "--machine", machine, "--json")
            self.assertEqual([one["depth"] for one in found], list(range(10)))
            self.assertEqual(found[9]["nodes"], 127872)
            self.assertEqual(sum(one["terminals"] for one in found), 255168)
            self.assertEqual(sum(one["distinct"] for one in found), 5478)
            self.assertEqual({one["machine"] for one in found}, {machine})

    def test_text(self):
        self.assertIn("127,872", self.data("perft", "tic_tac_toe", "--depth", "9"))

    def test_depth_is_needed(self):
        self.assertEqual(self.run_program("perft", "tic_tac_toe")[0], USAGE)

    def test_time_that_runs_out(self):
        code, out, err = self.run_program("perft", "connect_four", "--depth", "40", "--seconds", "0.3", "--json")
        self.assertEqual(code, LIMIT)
        self.assertIn("--seconds", err)
        self.assertEqual(json.loads(out.splitlines()[1])["nodes"], 7)

    def test_invalid_rules(self):
        self.assertEqual(self.run_program("perft", self.write("bad.kif", "(role a"), "--depth", "1")[0], NO)

    def test_a_limit_inside_the_interpreter(self):
        code, _, err = self.run_program("perft", self.write("endless.kif", ENDLESS), "--depth", "2",
                                        "--machine", "interpreter")
        self.assertEqual(code, LIMIT)
        self.assertIn("limit", err)


class InterruptTest(MachineTest):
    def interrupt(self, *arguments):
        """Sends Ctrl-C while it is at work."""
        settings = dict(os.environ, STRATAGEM_GAMES=str(GAMES))
        process = subprocess.Popen([str(PROGRAM), *map(str, arguments)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=settings)
        self.addCleanup(process.kill)
        await_work(process, 1)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        return process.returncode, [json.loads(line) for line in out.decode().splitlines()]

    def test_perft_keeps_the_depths_counted(self):
        code, found = self.interrupt("perft", "connect_four", "--depth", "42", "--json")
        self.assertEqual(code, INTERRUPTED)
        self.assertEqual([one["nodes"] for one in found[:3]], [1, 7, 49])

    def test_bench_keeps_the_games_played(self):
        code, found = self.interrupt("bench", "playouts", "tic_tac_toe", "connect_four", "--seconds", "60", "--json")
        self.assertEqual(code, INTERRUPTED)
        self.assertEqual([one["game"] for one in found], ["tic_tac_toe"])
        self.assertGreater(found[0]["playouts"], 0)

    def test_simulation(self):
        code, found = self.interrupt("check", "connect_four", "--simulate", "1000000000", "--json")
        self.assertEqual(code, INTERRUPTED)
        self.assertGreater(found[0]["simulation"]["games"], 0)
        self.assertFalse(found[0]["simulation"]["complete"])


class ShowTest(MachineTest):
    def test_stats(self):
        found, = self.objects("show", "tic_tac_toe", "--stats", "--json")
        self.assertEqual((found["roles"], found["fluents"], found["moves"]), (2, 29, 20))
        for field in ("ground_rules", "gates", "depth", "peak_mb"):
            self.assertGreater(found[field], 0, field)
        for field in ("ground_seconds", "build_seconds"):
            self.assertGreaterEqual(found[field], 0, field)
        self.assertIn("fluents", self.data("show", "tic_tac_toe"))

    def test_rules(self):
        self.assertIn("(role white)", self.data("show", self.game(), "--rules"))
        found, = self.objects("show", self.game(), "--rules", "--json")
        self.assertIn("(role white)", found["rules"])

    def test_program(self):
        text = self.data("show", self.game(), "--program")
        self.assertIn("(init (count 0))", text)
        rules, statics = text.split("\n; static relations\n")
        self.assertNotIn("succ", rules)
        self.assertIn("(succ 0 1)\n", statics)
        self.assertNotIn("?", text)
        found, = self.objects("show", self.game(), "--program", "--json")
        self.assertEqual(found["roles"], ["white", "black"])
        self.assertEqual(sorted(found["initial"]), ["(control white)", "(count 0)"])
        self.assertIn({"role": "black", "move": "noop"}, found["moves"])
        self.assertIn("terminal", [rule["head"] for rule in found["rules"]])
        succ, = [one for one in found["statics"] if one["relation"] == "succ"]
        self.assertEqual((succ["arity"], succ["complete"]), (2, True))
        self.assertIn("(succ 0 1)", succ["facts"])

    def test_circuit(self):
        self.assertTrue(self.data("show", self.game(), "--circuit"))
        self.assertRegex(self.data("show", self.game(), "--dot"), r"^digraph")
        self.assertEqual(self.data("show", self.game(), "--circuit", "--dot"), self.data("show", self.game(), "--dot"))

    def test_forms_exclude_each_other(self):
        self.assertEqual(self.run_program("show", self.game(), "--rules", "--program")[0], USAGE)
        self.assertEqual(self.run_program("show", self.game(), "--rules", "--dot")[0], USAGE)

    def test_rules_that_cannot_be_grounded(self):
        code, out, err = self.run_program("show", self.write("endless.kif", ENDLESS), "--circuit")
        self.assertIn(code, (NO, LIMIT))
        self.assertEqual(out, "")
        self.assertIn("no circuit", err)


class ReplayTest(MachineTest):
    def test_agreement(self):
        for machine in MACHINES:
            found, = self.objects("replay", self.game(), self.trace(), "--machine", machine, "--json")
            self.assertEqual((found["game"], found["steps"], found["mismatches"]), ("counting", 4, []))

    def test_gzip_and_text(self):
        packed = self.write("counting.jsonl.gz", gzip.compress(json.dumps(counting_trace()).encode()))
        self.assertIn("4 steps, no mismatch", self.data("replay", self.game(), packed))

    def changed(self, change):
        trace = counting_trace()
        change(trace["steps"])
        found, = self.objects("replay", self.game(), self.trace(trace), "--json", expected=NO)
        return found["mismatches"]

    def test_mismatches(self):
        def legal(steps): steps[1]["legals"]["black"].append("(add 2)")
        mismatch, = self.changed(legal)
        self.assertEqual(mismatch, {"match": 4, "step": 1, "what": "legal black", "expected": "(add 2)",
                                    "got": "nothing more"})

        def goal(steps): steps[3]["goals"]["white"] = 99
        mismatch, = self.changed(goal)
        self.assertEqual((mismatch["what"], mismatch["expected"], mismatch["got"]), ("goal white", "99", "100"))

        def terminal(steps): steps[2]["terminal"] = True
        self.assertEqual([one["what"] for one in self.changed(terminal)], ["terminal"])

        def state(steps): steps[1]["state"][1] = "(count 2)"
        self.assertEqual([(one["step"], one["what"]) for one in self.changed(state)], [(1, "state")])

        def unknown_move(steps): steps[0]["moves"][0] = "(fly moon)"
        self.assertEqual([(one["step"], one["what"]) for one in self.changed(unknown_move)], [(0, "moves")])

    def test_max_steps(self):
        found, = self.objects("replay", self.game(), self.trace(), "--max-steps", "2", "--json")
        self.assertEqual(found["steps"], 2)

    def test_scrambled_rules_with_the_map_of_names(self):
        scrambled = self.data("scramble", self.game(), "--seed", "5", "--map", "names.json")
        rules = self.write("unknown.kif", scrambled)
        self.assertNotIn("count", scrambled)
        for machine in MACHINES:
            found, = self.objects("replay", rules, self.trace(), "--names", "names.json", "--machine", machine, "--json")
            self.assertEqual((found["steps"], found["mismatches"]), (4, []))
        self.objects("replay", rules, self.trace(), "--json", expected=NO)

    def test_scrambling_on_the_way(self):
        found, = self.objects("replay", self.game(), self.trace(), "--scramble", "9", "--json")
        self.assertEqual((found["steps"], found["mismatches"]), (4, []))

    def test_folders(self):
        self.write("rules/counting.kif", COUNTING)
        self.write("rules/other.kif", COUNTING)
        for name in ("counting", "other", "unheard_of"):
            self.trace(name=f"traces/{name}.jsonl")
        code, out, err = self.run_program("replay", "rules", "traces", "--json")
        self.assertEqual(code, SUCCESS)
        self.assertEqual([json.loads(line)["game"] for line in out.splitlines()], ["counting", "other"])
        self.assertIn("unheard_of", err)
        self.assertEqual(len(self.objects("replay", self.game(), "traces", "--json")), 3)

    def test_unreadable_input(self):
        self.assertEqual(self.run_program("replay", self.game(), "nowhere.jsonl")[0], USAGE)
        self.assertEqual(self.run_program("replay", "nowhere.kif", self.trace())[0], USAGE)
        self.assertEqual(self.run_program("replay", self.game(), self.write("bad.jsonl", "{}\n"))[0], USAGE)
        self.assertEqual(self.run_program("replay", self.game(), self.trace(), "--names",
                                          self.write("bad.json", "[1"))[0], USAGE)
        (self.folder / "empty").mkdir()
        self.assertEqual(self.run_program("replay", self.game(), "empty")[0], USAGE)


class BenchTest(MachineTest):
    def test_playouts(self):
        for machine in ALL_MACHINES:
            found = self.objects("bench", "playouts", self.game(), "tic_tac_toe", "--seconds", "0.2", "--threads", "2",
                                 "--machine", machine, "--json")
            self.assertEqual([one["game"] for one in found], ["counting", "tic_tac_toe"])
            for one in found:
                self.assertEqual(one["machine"], machine)
                self.assertGreater(one["playouts"], 0)
                self.assertAlmostEqual(one["playouts_per_second"], one["playouts"] / one["seconds"], delta=0.01)
                self.assertAlmostEqual(one["steps_per_playout"], one["steps"] / one["playouts"], places=6)
                self.assertGreater(one["peak_mb"], 0)
                self.assertGreaterEqual(one["build_seconds"], 0)
            self.assertEqual(found[0]["steps_per_playout"], 3)

    def test_lanes(self):
        # Whatever the width and with statistics or without: the same game.
        for words in (["--width", "64"], ["--statistics"]):
            found, = self.objects("bench", "playouts", self.game(), "--seconds", "0.1", "--machine", "lanes", "--json", *words)
            self.assertEqual((found["machine"], found["steps_per_playout"]), ("lanes", 3))
            self.assertGreater(found["lanes"]["instructions_per_step"], 0)
        self.assertGreater(found["samples"], 0)
        self.assertEqual(self.run_program("bench", "playouts", "nim", "--machine", "lanes", "--width", "63")[0], USAGE)

    def test_signature_is_that_of_every_machine_and_run(self):
        found = [self.objects("bench", "signature", "--machine", machine, "--json")[0] for machine in MACHINES]
        self.assertRegex(found[0]["signature"], r"^[0-9a-f]{16}$")
        self.assertEqual([one["games"] for one in found], [found[0]["games"]] * 3)
        self.assertEqual({one["signature"] for one in found}, {found[0]["signature"]})
        self.assertIn(found[0]["signature"], self.data("bench", "signature"))
        other, = self.objects("bench", "signature", "--seed", "2", "--json")
        self.assertNotEqual(other["signature"], found[0]["signature"])

    def test_usage(self):
        self.assertEqual(self.run_program("bench")[0], USAGE)
        self.assertEqual(self.run_program("bench", "playouts")[0], USAGE)
        self.assertEqual(self.run_program("bench", "playouts", "nim", "--threads", "0")[0], USAGE)
        self.assertEqual(self.run_program("bench", "playouts", "no_such_game")[0], USAGE)


class SimulateTest(MachineTest):
    def test_a_good_game(self):
        for machine in MACHINES:
            found, = self.objects("check", self.game(), "--simulate", "20", "--machine", machine, "--json")
            self.assertTrue(found["valid"])
            simulation = found["simulation"]
            self.assertEqual((simulation["games"], simulation["ended"], simulation["findings"]), (20, 20, []))
            self.assertEqual([(one["role"], one["wins"]) for one in simulation["roles"]], [("white", 20), ("black", 0)])
        self.assertNotIn("simulation", self.objects("check", self.game(), "--json")[0])

    def test_a_role_without_a_move(self):
        rules = COUNTING.replace("(<= (legal ?p noop) (other ?p ?q)", "(<= (legal ?p noop) (other ?p ?q) (true (count 0))")
        game = self.write("stuck.kif", rules)
        self.assertEqual(self.objects("check", game, "--json")[0]["valid"], True)
        found, = self.objects("check", game, "--simulate", "5", "--json", expected=NO)
        self.assertFalse(found["valid"])
        finding, = found["simulation"]["findings"]
        self.assertEqual((finding["code"], finding["role"], finding["games"]), ("E801", "white", 5))
        self.assertEqual(finding["moves"], [["(add 1)", "noop"]])
        diagnostic, = found["diagnostics"]
        self.assertEqual((diagnostic["code"], diagnostic["severity"], diagnostic["line"]), ("E801", "error", 2))
        self.assertIn("(add 1)", diagnostic["message"])

    def test_a_game_without_end_is_a_warning(self):
        game = self.write("endless.kif", COUNTING.replace("(succ 2 3)", "(succ 2 0)"))
        found, = self.objects("check", game, "--simulate", "2", "--max-steps", "50", "--json", "--no-warnings")
        self.assertTrue(found["valid"])
        self.assertEqual([one["code"] for one in found["simulation"]["findings"]], ["W805"])
        self.objects("check", game, "--simulate", "2", "--max-steps", "50", "--json", "--strict", expected=NO)

    def test_time_that_runs_out(self):
        code, out, err = self.run_program("check", "connect_four", "--simulate", "1000000000", "--seconds", "0.2", "--json")
        self.assertEqual(code, LIMIT)
        self.assertFalse(json.loads(out)["simulation"]["complete"])
        self.assertIn("--seconds", err)

    def test_the_seed_decides(self):
        def steps(seed):
            found, = self.objects("check", "connect_four", "--simulate", "20", "--seed", seed, "--json")
            return found["simulation"]["steps"]
        self.assertEqual(steps(1), steps(1))
        self.assertNotEqual(steps(1), steps(2))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
