"""Tests of stratagem serve as people and scripts use it.

    serve_test.py PROGRAM SOURCE_FOLDER [unittest arguments]
"""

import os
import re
import signal
import socket
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

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

    def test_wrong_usage(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            for options, told in ((["--recipe", "nonsense"], "nonsense"), (["--name", "two words"], "one word"),
                                  (["--info-form", "song"], "song"), (["--matches", "0"], "matches"),
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
