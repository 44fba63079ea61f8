"""Tests of stratagem serve as people and scripts use it.

    serve_test.py PROGRAM SOURCE_FOLDER [unittest arguments]
"""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "worker"))
from processes import state_and_parent, workers  # noqa: E402

PROGRAM, SOURCE = sys.argv[1:3]


def rules(game):
    with open(os.path.join(SOURCE, "games", game + ".kif"), encoding="utf-8") as file:
        return file.read()


class ServeTest(unittest.TestCase):
    def serve(self, *options):
        """A server and its port; it ends with the test."""
        # Whoever runs the tests may have told us to ignore Ctrl-C.
        server = subprocess.Popen([PROGRAM, "serve", "--port", "0", *options], stderr=subprocess.PIPE, text=True,
                                  preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.first_line = server.stderr.readline()
        return server, int(re.search(r"port (\d+)", self.first_line).group(1))

    def ask(self, port, message):
        request = urllib.request.Request(f"http://127.0.0.1:{port}/", data=message.encode())
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.read().decode()

    def test_a_match(self):
        server, port = self.serve("--recipe", "legal:ponder=off", "--name", "rook")
        self.assertIn("rook (legal:ponder=off) listens on 127.0.0.1", self.first_line)
        self.assertEqual(self.ask(port, "(INFO)"), "((name rook) (status available))")
        self.assertEqual(self.ask(port, f"(START m1 x ({rules('tic_tac_toe')}) 60 60)"), "READY")
        self.assertEqual(self.ask(port, "(PLAY m1 NIL)"), "(mark 1 1)")
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.ask(port, "(PLAY m2 NIL)")
        self.assertEqual(refused.exception.code, 404)
        refused.exception.close()
        self.assertEqual(self.ask(port, "(STOP m1 ((mark 1 1) noop))"), "DONE")
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(60), 0)
        log = server.stderr.read()
        self.assertRegex(log, r"127\.0\.0\.1:\d+ PLAY m1 NIL -> \(mark 1 1\) in \d+\.\d+ s")
        self.assertIn("m1: turn 1: (mark 1 1)", log)
        self.assertIn("refused (404)", log)

    def test_the_bare_word(self):
        _, port = self.serve("--info-form", "word")
        self.assertEqual(self.ask(port, "(info)"), "available")

    def test_ctrl_c_gives_a_match_up(self):
        server, port = self.serve("--recipe", "random")
        self.assertEqual(self.ask(port, f"(START m1 x ({rules('tic_tac_toe')}) 1 600)"), "READY")
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(60), 0)
        self.assertIn("matches given up: 1", server.stderr.read())

    def eventually(self, condition, what):
        end = time.monotonic() + 120
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.01)

    def read_log(self, server):
        """Lines as they come, so that the server never waits for us."""
        lines = []
        thread = threading.Thread(target=lambda: lines.extend(iter(server.stderr.readline, "")), daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.kill)
        return lines

    def test_a_crash_hurts_no_other_match(self):
        server, port = self.serve("--recipe", "legal:ponder=off", "--matches", "2")
        lines = self.read_log(server)
        for match in ("m1", "m2"):
            self.assertEqual(self.ask(port, f"(START {match} x ({rules('tic_tac_toe')}) 60 60)"), "READY")
            self.assertEqual(self.ask(port, f"(PLAY {match} NIL)"), "(mark 1 1)")
        victims = workers(server.pid)
        self.assertEqual(len(victims), 4)
        for victim in victims[:2]:  # both of the first match
            os.kill(victim, signal.SIGSEGV)
        for match in ("m1", "m2"):
            self.assertEqual(self.ask(port, f"(PLAY {match} ((mark 1 1) noop))"), "noop")
        self.assertRegex(self.ask(port, "(PLAY m1 (noop (mark 2 2)))"), r"\(mark \d \d\)")
        self.assertEqual(self.ask(port, "(PLAY m2 (noop (mark 2 2)))"), "(mark 1 2)")
        self.eventually(lambda: any("failed in turn" in line for line in lines), lines)
        fault = next(line for line in lines if "failed in turn" in line)
        self.assertRegex(fault, r"^m1: the (thinker|second) \(process \d+\) failed in turn \d: (signal 11|exit code 1)\b.*"
                                r"To repeat: recipe legal:ponder=off, seed 1, role x, clocks 60 60, "
                                r"rules [0-9a-f]{16} \(\d+ bytes\), moves")
        for match in ("m1", "m2"):
            self.assertEqual(self.ask(port, f"(ABORT {match})"), "ABORTED")
        self.assertEqual(workers(server.pid), [])
        self.assertIsNone(server.poll())

    def test_a_recipe_that_fails_again_and_again_gives_way(self):
        server, port = self.serve("--recipe", "uct:ponder=off", "--fallback", "legal:ponder=off")
        lines = self.read_log(server)
        self.assertEqual(self.ask(port, f"(START m1 x ({rules('tic_tac_toe')}) 60 60)"), "READY")
        thinker, second = workers(server.pid)
        for number in (1, 2):
            os.kill(thinker, signal.SIGSEGV)
            self.eventually(lambda: sum("the thinker (process" in line for line in lines) == number, lines)
            self.eventually(lambda: len(workers(server.pid)) == 2, lines)
            thinker, = set(workers(server.pid)) - {second}
        told = "m1: recipe uct:ponder=off has failed 2 times in a row: from now on the thinker plays legal:ponder=off\n"
        self.eventually(lambda: told in lines, lines)
        move = self.ask(port, "(PLAY m1 NIL)")  # the first legal one, in the order of the interpreter
        self.eventually(lambda: any(f"m1: turn 1: {move} (search" in line for line in lines), lines)
        self.assertFalse(any("any legal move" in line for line in lines), lines)

    def test_nothing_is_left_of_a_match_that_is_given_up(self):
        # Rules that ground without end, and a clock of months: after ABORT nothing goes on.
        numbers = " ".join(f"(n {i})" for i in range(60))
        endless = ("(role a) (init (at 0 0 0 0)) " + numbers +
                   " (<= (legal a (go ?x ?y ?z ?w)) (n ?x) (n ?y) (n ?z) (n ?w))"
                   " (<= (next (at ?x ?y ?z ?w)) (does a (go ?x ?y ?z ?w))) (goal a 0) (<= terminal (true (at 1 1 1 1)))")
        server, port = self.serve("--memory", "512")
        lines = self.read_log(server)
        for turn in range(3):
            match = f"m{turn}"
            starting = threading.Thread(target=self.ask_whatever_comes, args=(port, f"(START {match} a ({endless}) 10000000 10)"))
            starting.start()
            self.eventually(lambda: len(workers(server.pid)) == 2, "two processes")
            self.assertEqual(self.ask(port, "(INFO)"), "((name stratagem) (status busy))")
            self.assertEqual(self.ask(port, f"(ABORT {match})"), "ABORTED")
            self.assertEqual(workers(server.pid), [])
            self.assertEqual(self.ask(port, "(INFO)"), "((name stratagem) (status available))")
            starting.join()
        self.assertIn("m0: clocks of 10000000 s and 10 s are taken as 3600 s and 10 s\n", lines)

    def ask_whatever_comes(self, port, message):
        """READY, or that the match was aborted: whichever was first."""
        try:
            self.ask(port, message)
        except urllib.error.HTTPError as refused:
            refused.close()

    def test_workers_end_with_the_server(self):
        for blow in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            server, port = self.serve("--recipe", "uct")
            self.read_log(server)
            self.assertEqual(self.ask(port, f"(START m1 red ({rules('connect_four')}) 1 600)"), "READY")
            started = workers(server.pid)
            self.assertEqual(len(started), 2)
            os.kill(started[0], signal.SIGSTOP)  # even one that cannot notice
            server.send_signal(blow)
            server.wait(60)
            for worker in started:
                self.eventually(lambda: not state_and_parent(worker), f"{worker} is still there")

    def test_in_this_process(self):
        server, port = self.serve("--recipe", "legal:ponder=off", "--in-process")
        self.assertEqual(self.ask(port, f"(START m1 x ({rules('tic_tac_toe')}) 60 60)"), "READY")
        self.assertEqual(self.ask(port, "(PLAY m1 NIL)"), "(mark 1 1)")
        self.assertEqual(workers(server.pid), [])

    def test_wrong_usage(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            for options, told in ((["--recipe", "nonsense"], "nonsense"), (["--name", "two words"], "one word"),
                                  (["--info-form", "song"], "song"), (["--matches", "0"], "matches"),
                                  (["--memory", "1"], "memory"),
                                  (["--recipe", "uct:table=4000", "--memory", "1000"], "does not fit"),
                                  (["--fallback", "uct,nonsense"], "nonsense"),
                                  (["--fallback", "uct:table=4000", "--memory", "1000"], "does not fit"),
                                  (["--port", port], "cannot listen")):
                done = subprocess.run([PROGRAM, "serve", *options], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 2, options)
                self.assertIn(told, done.stderr)

    def test_help_has_an_example(self):
        done = subprocess.run([PROGRAM, "serve", "--help"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertIn("stratagem serve --recipe uct", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
