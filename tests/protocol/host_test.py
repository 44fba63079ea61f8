"""Tests of matches against players of other families, as people and scripts play them.

    host_test.py PROGRAM SOURCE_FOLDER [unittest arguments]
"""

import contextlib
import json
import re
import socket
import subprocess
import sys
import threading
import unittest

from odd_player import STYLES, OddPlayer

PROGRAM, SOURCE = sys.argv[1:3]
# Taking turns, moving at once, alone, three players, long moves: each style plays one of them. With how many roles.
GAMES = (("tic_tac_toe", 2), ("rock_paper_scissors", 2), ("lights_out", 1), ("three_player_tic_tac_toe", 3), ("nim", 2),
         ("bidding_tic_tac_toe", 2))


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=SOURCE, capture_output=True, text=True, timeout=600)


class HostTest(unittest.TestCase):
    def serve(self, roles):
        """Ports of as many servers, each for one role."""
        ports = []
        for _ in range(roles):
            server = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--recipe", "random", "--matches", "20"],
                                      stderr=subprocess.PIPE, text=True)
            self.addCleanup(server.stderr.close)
            self.addCleanup(server.wait)
            self.addCleanup(server.kill)
            ports.append(int(re.search(r"port (\d+)", server.stderr.readline()).group(1)))
            threading.Thread(target=self.drain, args=(server.stderr,), daemon=True).start()
        return ports

    @staticmethod
    def drain(pipe):
        with contextlib.suppress(ValueError, OSError):
            for _ in pipe:
                pass

    def test_matches_with_players_of_every_family(self):
        ports = self.serve(3)
        for number, style in enumerate(STYLES):
            game, roles = GAMES[number % len(GAMES)]
            with self.subTest(style=style, game=game), contextlib.ExitStack() as stack:
                players = [stack.enter_context(OddPlayer(style, port)) for port in ports[:roles]]
                done = run("host", game, "--players", ",".join(player.url for player in players), "--json", "--start-clock",
                           "60", "--play-clock", "60", "--seed", number, *(["--scramble"] if number % 2 else []))
                self.assertEqual(done.returncode, 0, done.stderr)
                match = json.loads(done.stdout.splitlines()[0])
                self.assertTrue(match["complete"])
                self.assertEqual(set(match["errors"]), {0})
                self.assertEqual(done.stderr, "")
                for player in players:
                    self.assertEqual((player.answers[0], player.answers[-1]), ("READY", "DONE"))
                    self.assertEqual(len(player.answers), match["moves"] + 2)

    def test_what_is_wrong_is_told(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            nobody = socket.socket()  # bound but not listening: nobody else gets the port meanwhile
            self.addCleanup(nobody.close)
            nobody.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{nobody.getsockname()[1]}"
            for player, told in ((f"http://{address}", f"connection refused: nobody listens at {re.escape(address)}"),
                                 (f"http://127.0.0.1:{silent.getsockname()[1]}", r"no answer within 0\.3 s"),
                                 # Whatever there is in the way of networks.
                                 ("http://a.b.invalid", r"the name a\.b\.invalid (cannot|could not) be ")):
                done = run("match", "tic_tac_toe", "--players", f"random,{player}", "--start-clock", "0.2", "--play-clock",
                           "0.2", "--grace", "0.1", "--max-steps", "1")
                self.assertIn("at the start, after", done.stderr)
                self.assertRegex(done.stderr, told)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
