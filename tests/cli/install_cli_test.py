"""Tests of the program away from its source: installed, moved, copied alone; completion and the manual page.

    install_cli_test.py PROGRAM SOURCE_FOLDER BUILD_FOLDER CMAKE [unittest arguments]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

BUILD, CMAKE = sys.argv[3:5]
del sys.argv[3:5]

from cli_test import GAMES, PROGRAM, SUCCESS, CliTest  # noqa: E402 (it reads the arguments too)

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "STRATAGEM_GAMES"}


class AwayTest(CliTest):
    def run_at(self, program, *arguments, folder=None):
        """What it prints, run in a world where the source is not to be found."""
        done = subprocess.run([program, *arguments], capture_output=True, text=True, cwd=folder or self.folder,
                              env=ENVIRONMENT, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (SUCCESS, ""), arguments)
        return done.stdout


class InstallTest(AwayTest):
    def install(self):
        prefix = self.folder / "first"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", prefix], check=True, capture_output=True, timeout=120)
        moved = self.folder / "elsewhere"
        prefix.rename(moved)
        return moved

    def test_an_installation_that_was_moved(self):
        place = self.install()
        for path in ("bin/stratagem", "share/stratagem/games/tic_tac_toe.kif", "share/man/man1/stratagem.1",
                     "share/bash-completion/completions/stratagem", "share/zsh/site-functions/_stratagem",
                     "share/doc/stratagem/README.md", "share/doc/stratagem/docs/README.md"):
            self.assertTrue((place / path).is_file(), path)
        program = place / "bin/stratagem"
        self.assertIn("tic_tac_toe", self.run_at(program, "list", "games"))
        self.assertIn("valid", self.run_at(program, "check", "tic_tac_toe"))
        self.assertIn(str(place), self.run_at(program, "list", "games", "--json"), "its own games, not those of the source")
        for path, arguments in (("share/man/man1/stratagem.1", ["man"]),
                                ("share/bash-completion/completions/stratagem", ["completion", "bash"]),
                                ("share/zsh/site-functions/_stratagem", ["completion", "zsh"])):
            self.assertEqual((place / path).read_text(), self.run_at(program, *arguments), "as the program writes it now")

    def test_a_folder_of_other_games_beside_the_program(self):
        # As /usr/games is to /usr/local/bin.
        (self.folder / "games").mkdir()
        program = self.folder / "local" / "bin" / "stratagem"
        program.parent.mkdir(parents=True)
        shutil.copy(PROGRAM, program)
        self.assertIn("valid", self.run_at(program, "check", "tic_tac_toe"))


class CopyTest(AwayTest):
    def test_the_program_alone(self):
        # Where it was built is still there; without knowing that folder it has its games in itself.
        program = self.folder / "stratagem"
        binary = pathlib.Path(PROGRAM).read_bytes()
        known = str(GAMES).encode()
        self.assertIn(known, binary)
        program.write_bytes(binary.replace(known, b"/nowhere".ljust(len(known), b"x")))
        program.chmod(0o755)
        names = [line.split()[0] for line in self.run_at(program, "list", "games").splitlines() if line[:1].isalpha()]
        self.assertEqual(names, sorted(path.stem for path in GAMES.glob("*.kif")))
        self.assertIn("valid", self.run_at(program, "check", "tic_tac_toe"))
        self.assertIn("valid", self.run_at(program, "check", "nim.kif"))
        for path in GAMES.glob("*.kif"):
            self.assertEqual(self.run_at(program, "format", path.stem), self.run_at(PROGRAM, "format", str(path)))


class ManTest(AwayTest):
    def test_roff_finds_nothing_wrong(self):
        page = self.run_at(PROGRAM, "man")
        for line in (".TH STRATAGEM 1", ".SH NAME", ".SH COMMANDS", ".SS stratagem match", ".SH EXIT STATUS"):
            self.assertIn(line, page)
        if shutil.which("groff") is None:
            self.skipTest("groff is not installed")
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-Kutf8"], input=page, capture_output=True, text=True,
                              timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--play-clock", done.stdout)


class CompletionTest(AwayTest):
    def complete(self, line):
        """What bash offers after this line, with the program in the path."""
        words = line.split(" ")
        script = ('source <("$1" completion bash); shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stratagem; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        settings = {**ENVIRONMENT, "PATH": f"{PROGRAM.parent}:{ENVIRONMENT['PATH']}", "STRATAGEM_GAMES": str(GAMES)}
        done = subprocess.run(["bash", "--norc", "-c", script, "bash", str(PROGRAM), *words], capture_output=True, text=True,
                              cwd=self.folder, env=settings, timeout=60)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_commands_and_options(self):
        self.assertEqual(self.complete("stratagem tourn"), ["tournament"])
        self.assertEqual(self.complete("stratagem bench pl"), ["playouts"])
        self.assertEqual(self.complete("stratagem match --play-"), ["--play-clock"])
        self.assertEqual(self.complete("stratagem list rec"), ["recipes"])
        self.assertLessEqual({"check", "match", "serve"}, set(self.complete("stratagem ")))
        self.assertNotIn("man", self.complete("stratagem "))

    def test_names(self):
        self.assertEqual(self.complete("stratagem check tic_tac_to"), ["tic_tac_toe"])
        self.assertEqual(self.complete("stratagem list recipes nex-1.0"), ["nex-1.0"])
        self.assertEqual(self.complete("stratagem serve --recipe parano"), ["paranoid"])
        self.assertEqual(self.complete("stratagem match nim --players uct,parano"), ["uct,paranoid"])
        self.assertEqual(self.complete("stratagem match nim --players random,uct+neu"), ["random,uct+neural"])
        self.assertEqual(self.complete("stratagem evaluate nim --evaluator alphabeta+fu"), ["alphabeta+fuzzy"])
        self.assertEqual(self.complete("stratagem perft nim --machine inter"), ["interpreter"])
        self.assertEqual(self.complete("stratagem check nim --syntax "), ["kif", "infix"])
        self.assertEqual(self.complete("stratagem check nim --syntax = k"), ["kif"])

    def test_files(self):
        self.write("my_rules.kif", "")
        self.assertEqual(self.complete("stratagem check my_r"), ["my_rules.kif"])
        self.assertEqual(self.complete("stratagem scramble nim --map my_r"), ["my_rules.kif"])
        self.assertEqual(self.complete("stratagem perft nim --depth "), [])

    def test_the_script_is_clean(self):
        if shutil.which("shellcheck") is None:
            self.skipTest("shellcheck is not installed")
        script = self.write("stratagem.bash", self.run_at(PROGRAM, "completion", "bash"))
        done = subprocess.run(["shellcheck", "--shell=bash", script], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
