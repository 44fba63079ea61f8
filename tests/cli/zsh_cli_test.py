"""Tests of completion by a real zsh at a terminal, as somebody who presses TAB sees it. Skipped where there is no zsh.

    zsh_cli_test.py PROGRAM SOURCE_FOLDER [unittest arguments]
"""

import os
import pty
import select
import shutil
import signal
import sys
import time
import unittest

from cli_test import GAMES, PROGRAM, CliTest

SKIPPED = 77


class ZshTest(CliTest):
    """How to get the line that zsh has after a key: a widget writes it into a pipe."""

    def start(self, setup):
        # The word that is typed, wherever the tested program is.
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "stratagem").symlink_to(PROGRAM)
        self.pipe = self.folder / "line"
        os.mkfifo(self.pipe)
        self.write("setup.zsh", f"""
            {setup}
            tell-line() {{ print -r -- "$BUFFER" > {self.pipe}; BUFFER=; }}
            zle -N tell-line
            bindkey '^B' tell-line
            bindkey '^I' complete-word
            print ready > {self.pipe}
            """)
        settings = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "TERM": "dumb",
                    "HOME": str(self.folder), "STRATAGEM_GAMES": str(GAMES)}
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], settings)
        self.addCleanup(os.close, self.terminal)
        self.addCleanup(os.waitpid, self.process, 0)
        self.addCleanup(os.kill, self.process, signal.SIGKILL)
        self.seen = b""
        os.write(self.terminal, b"source ./setup.zsh\n")
        self.assertEqual(self.told(), "ready")

    def told(self):
        """The next line that comes out of the pipe; what goes to the terminal meanwhile is kept in `seen`."""
        end = time.monotonic() + 100
        text = b""
        with open(os.open(self.pipe, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as pipe:
            while not text.endswith(b"\n"):
                self.assertLess(time.monotonic(), end, self.seen)
                if self.terminal in select.select([self.terminal], [], [], 0.01)[0]:
                    self.seen += os.read(self.terminal, 4096)
                text += pipe.read(4096) or b""
        return text.decode()[:-1]

    def complete(self, line):
        """The line after TAB."""
        self.seen = b""
        os.write(self.terminal, line.encode() + b"\t\x02")
        return self.told()

    def check(self, line, expected):
        with self.subTest(line):
            self.assertEqual(self.complete(line), expected, self.seen)

    def installed(self):
        """As docs/cli.md says: the script in a folder of $fpath."""
        self.write("functions/_stratagem", self.data("completion", "zsh"))
        self.start(f"fpath=({self.folder}/functions $fpath); autoload -Uz compinit; compinit -u -D")

    def test_commands_and_options(self):
        self.installed()
        self.check("stratagem tourn", "stratagem tournament ")
        self.check("stratagem bench pl", "stratagem bench playouts ")
        self.check("stratagem match --play-", "stratagem match --play-clock ")
        self.check(f"{PROGRAM} tourn", f"{PROGRAM} tournament ")
        self.check("~/bin/stratagem tourn", "~/bin/stratagem tournament ")

    def test_names(self):
        self.installed()
        self.check("stratagem check tic_tac_to", "stratagem check tic_tac_toe ")
        self.check("stratagem check 'tic_tac_to", "stratagem check 'tic_tac_toe' ")
        self.check("stratagem list recipes nex-1.0", "stratagem list recipes nex-1.0 ")
        self.check("stratagem match nim --players uct,parano", "stratagem match nim --players uct,paranoid ")
        self.check("stratagem match nim --players=uct,parano", "stratagem match nim --players=uct,paranoid ")
        self.check("stratagem check nim --syntax k", "stratagem check nim --syntax kif ")
        self.check("stratagem check nim --syntax=k", "stratagem check nim --syntax=kif ")

    def test_nothing_is_offered_where_nothing_fits(self):
        self.installed()
        for line in ("stratagem perft nim --depth ", "stratagem perft nim --depth=", "stratagem check nim --syntax x",
                     "stratagem nonsen"):
            self.check(line, line)

    def test_files(self):
        self.installed()
        self.write("my_rules.kif", "")
        self.write("of mine.kif", "")
        self.check("stratagem check my_r", "stratagem check my_rules.kif ")
        self.check("stratagem check of", "stratagem check of\\ mine.kif ")
        self.check("stratagem match of\\ mine.kif --players parano", "stratagem match of\\ mine.kif --players paranoid ")
        self.check("stratagem scramble nim --map my_r", "stratagem scramble nim --map my_rules.kif ")
        self.check("stratagem scramble nim --map=my_r", "stratagem scramble nim --map=my_rules.kif ")

    def test_a_list_is_shown(self):
        self.installed()
        self.check("stratagem check nim --syntax ", "stratagem check nim --syntax ")
        self.assertRegex(self.seen.decode(), r"infix\s+kif")

    def test_the_script_can_be_sourced(self):
        self.start("autoload -Uz compinit; compinit -u -D; source <(stratagem completion zsh)")
        self.check("stratagem tourn", "stratagem tournament ")


if __name__ == "__main__":
    if shutil.which("zsh") is None:
        print("zsh is not installed")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
