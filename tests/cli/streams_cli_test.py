"""Tests of the standard streams: what happens when nobody reads them, or they cannot be written.

    streams_cli_test.py PROGRAM SOURCE_FOLDER [unittest arguments, such as StandardErrorTest.test_full]
"""

import fcntl
import json
import os
import pty
import re
import signal
import subprocess
import sys
import unittest
import urllib.request

from cli_test import GAMES, PROGRAM, SUCCESS, USAGE, CliTest

NOBODY = "http://127.0.0.1:1"  # refuses at once
MATCH = ["match", "tic_tac_toe", "--players", "random,random", "--play-clock", "5"]
# A command that says something on standard error, and its exit code.
TALKATIVE = [
    (["check", "nosuch"], USAGE),
    (["format", "nosuch"], USAGE),
    (["match", "nosuch", "--players", "a,b"], USAGE),
    ([*MATCH, "--log"], SUCCESS),
    (["host", "tic_tac_toe", "--players", f"{NOBODY},random", "--start-clock", "1", "--play-clock", "1"], None),
    (["tournament", "spec.json"], SUCCESS),
    (["tournament", "nosuch.json"], USAGE),
    (["serve", "--recipe", "nonsense"], USAGE),
    (["nosuch"], USAGE),
    (["perft", "tic_tac_toe"], USAGE),
]
# A command that prints data.
PRINTING = [
    ["list", "recipes"],
    ["list", "games", "--json"],
    ["check", "tic_tac_toe"],
    ["check", "tic_tac_toe", "--json"],
    ["format", "tic_tac_toe"],
    ["scramble", "tic_tac_toe"],
    ["show", "tic_tac_toe", "--rules"],
    ["perft", "tic_tac_toe", "--depth", "2"],
    MATCH,
    [*MATCH, "--json"],
    ["tournament", "spec.json"],
    ["tournament", "spec.json", "--json"],
    ["--version"],
    ["--help"],
]


class StreamsTest(CliTest):
    def setUp(self):
        super().setUp()
        self.write("spec.json", json.dumps({"name": "small", "games": ["tic_tac_toe"], "players": ["random", "legal"],
                                            "start_clock": 5, "play_clock": 5, "matches": 1}))

    def start(self, arguments, **streams):
        settings = {**os.environ, "STRATAGEM_GAMES": str(GAMES)}
        for leftover in self.folder.glob("spec.db*"):
            leftover.unlink()
        return subprocess.Popen([str(PROGRAM), *arguments], cwd=self.folder, env=settings, stdin=subprocess.DEVNULL,
                                **streams)

    def code(self, arguments, **streams):
        with self.start(arguments, **streams) as process:
            try:
                return process.wait(120)
            finally:
                process.kill()

    def seen_on_a_terminal(self, arguments):
        """What a person sees on standard error."""
        mine, theirs = pty.openpty()
        seen = b""
        with self.start(arguments, stdout=subprocess.DEVNULL, stderr=theirs) as process:
            os.close(theirs)
            try:
                while piece := os.read(mine, 4096):
                    seen += piece
            except OSError:  # nobody has the other side any more
                pass
            process.wait(120)
        os.close(mine)
        return seen.decode()

    def closed_pipe(self):
        """The writing end of a pipe whose reader is gone."""
        reader, writer = os.pipe()
        os.close(reader)
        self.addCleanup(os.close, writer)
        return writer


class StandardErrorTest(StreamsTest):
    def expect_codes(self, **streams):
        for arguments, expected in TALKATIVE:
            if expected is None:
                expected = self.code(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with self.subTest(arguments=arguments):
                self.assertEqual(self.code(arguments, stdout=subprocess.DEVNULL, **streams), expected)

    def test_full(self):
        with open("/dev/full", "wb") as full:
            self.expect_codes(stderr=full)

    def test_its_reader_is_gone(self):
        self.expect_codes(stderr=self.closed_pipe())

    def test_closed(self):
        for arguments, expected in TALKATIVE[:4]:
            self.assertEqual(self.code(["-c", 'exec "$@" 2>&-', "sh", str(PROGRAM), *arguments], executable="/bin/sh",
                                       stdout=subprocess.DEVNULL), expected)

    def test_progress_has_a_count(self):
        seen = self.seen_on_a_terminal(["check", "breakthrough", "--simulate", "1000000000", "--seconds", "3"])
        self.assertRegex(seen, r"playing breakthrough: [\d,]*[1-9][\d,]* of 1,000,000,000 random games")

    def test_nobody_reads_what_a_match_says(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        with os.fdopen(writer, "wb") as log:
            fcntl.fcntl(log, fcntl.F_SETPIPE_SZ, 4096)
            log.write(b"x" * 4096)  # as full as it gets
            log.flush()
            self.assertEqual(self.code([*MATCH, "--log"], stdout=subprocess.DEVNULL, stderr=log), SUCCESS)

    def ask(self, port, message):
        request = urllib.request.Request(f"http://127.0.0.1:{port}/", data=message.encode())
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.read().decode()

    def serve(self):
        """A server, its port and the end of its log."""
        server = self.start(["serve", "--port", "0", "--recipe", "legal:ponder=off"], stderr=subprocess.PIPE)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        fcntl.fcntl(server.stderr, fcntl.F_SETPIPE_SZ, 4096)
        line = b""
        while not line.endswith(b"\n"):  # byte by byte: nothing more may be read
            line += os.read(server.stderr.fileno(), 1)
        return server, int(re.search(rb"port (\d+)", line).group(1))

    def play_many(self, port):
        rules = (GAMES / "tic_tac_toe.kif").read_text()
        for number in range(30):
            self.assertEqual(self.ask(port, f"(START m{number} x ({rules}) 60 60)"), "READY")
            self.assertEqual(self.ask(port, f"(ABORT m{number})"), "ABORTED")
        self.assertIn("available", self.ask(port, "(INFO)"))

    def test_a_server_goes_on_when_nobody_reads_its_log(self):
        server, port = self.serve()
        self.play_many(port)
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(60), SUCCESS)

    def test_a_server_goes_on_when_the_reader_of_its_log_is_gone(self):
        server, port = self.serve()
        server.stderr.close()
        self.play_many(port)
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(60), SUCCESS)


class StandardOutputTest(StreamsTest):
    def test_full(self):
        for arguments in PRINTING:
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                with self.start(arguments, stdout=full, stderr=subprocess.PIPE) as process:
                    _, told = process.communicate(timeout=120)
                self.assertEqual(process.returncode, USAGE)
                self.assertIn(b"stratagem: standard output cannot be written: No space left on device\n", told)

    def test_its_reader_is_gone(self):
        # As with other programs: no message, and the end by the signal that says so.
        for arguments in PRINTING:
            with self.subTest(arguments=arguments):
                with self.start(arguments, stdout=self.closed_pipe(), stderr=subprocess.PIPE) as process:
                    _, told = process.communicate(timeout=120)
                self.assertEqual(process.returncode, -signal.SIGPIPE)
                self.assertNotIn(b"error", told)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
