# What ./stratagem promises, tried on a clone where building is pretended (support.sh).
source "$(dirname -- "${BASH_SOURCE[0]}")/support.sh"
make_clone

what="first call builds, and only the program speaks on stdout"
try "$clone/stratagem" one "two words"
expect_code 0
expect_out "[one][two words]"
expect_err "building for the first time"
expect_call "configure release"
expect_call "build .*--target stratagem"

what="second call builds nothing and adds nothing"
try "$clone/stratagem" again
expect_out "[again]"
expect_quiet
expect_no_call .

what="exit code is passed on"
try "$clone/stratagem" fail
expect_code 7

what="no arguments are passed on as none"
try "$clone/stratagem"
expect_code 0
expect_out "[]"

what="relative paths mean the caller's folder"
echo "here" >"$scratch/elsewhere/file"
cd "$scratch/elsewhere" || exit 1
try "../a clone/stratagem" cat file
expect_out "[cat][file]"$'\n'"here"

what="stdin reaches the program, also when it must be built first"
touch -d '+1 second' "$clone/src/room/x.cpp"
try "$clone/stratagem" cat - < <(echo "from stdin")
expect_call build
expect_out "[cat][-]"$'\n'"from stdin"

what="called through a link"
ln -s "$clone/stratagem" "$scratch/elsewhere/link"
try ./link x
expect_out "[x]"
expect_no_call .

what="called as 'bash stratagem' from its folder"
cd "$clone" || exit 1
try bash stratagem x
expect_out "[x]"
cd / || exit 1

what="a new file leads to a build"
echo 'int y;' >"$clone/src/room/y.cpp"
try "$clone/stratagem"
expect_call build

what="a deleted file leads to a build"
rm "$clone/src/room/y.cpp"
try "$clone/stratagem"
expect_call build

what="a changed CMake file leads to a configuration"
echo '# more' >>"$clone/CMakeLists.txt"
try "$clone/stratagem"
expect_call "configure release"

what="a file that became older leads to a build from scratch"
echo 'int z;' >"$clone/src/room/x.cpp"
touch -d '2001-02-03' "$clone/src/room/x.cpp"
try "$clone/stratagem"
expect_call "build .*--clean-first"
try "$clone/stratagem"
expect_no_call .

what="a README does not lead to a build"
echo 'text' >"$clone/src/room/README.md"
try "$clone/stratagem"
expect_no_call .

what="a lost program is built again"
rm "$clone/build/release/stratagem"
try "$clone/stratagem" x
expect_call build
expect_out "[x]"

what="a failed build shows why, and where the log is"
echo 'int w;' >"$clone/src/room/w.cpp"
BREAK_BUILD=1 try "$clone/stratagem"
expect_code 69
expect_out ""
expect_err "broken on purpose"
expect_err "$clone/build/release.log"

what="the next call tries again"
try "$clone/stratagem" x
expect_call build
expect_out "[x]"

what="two calls at once build once"
rm -r "$clone/build"
: >"$calls"
SLOW_BUILD=0.5 "$clone/stratagem" a >"$scratch/first" 2>/dev/null &
SLOW_BUILD=0.5 "$clone/stratagem" b >"$scratch/second" 2>/dev/null &
wait
[[ $(<"$scratch/first") == "[a]" && $(<"$scratch/second") == "[b]" ]] || complain "both should have run"
[[ $(grep -c '^build' "$calls") == 1 ]] || complain "expected one build"

what="a long build says how long it takes, by its steps and the cores"
stand_in nproc <<<'echo 1'
declare -A minutes=()
for steps in 200 2000; do
    rm -r "$clone/build"
    STEPS=$steps try "$clone/stratagem" x
    [[ $err =~ $steps" steps; this takes about "([0-9]+)" min on one core" ]] || complain "expected minutes and cores"
    minutes[$steps]=${BASH_REMATCH[1]-0}
done
((minutes[200] > 0 && minutes[2000] >= 9 * minutes[200] && minutes[2000] <= 11 * minutes[200])) ||
    complain "ten times the steps, but ${minutes[200]} and ${minutes[2000]} minutes"
rm "$scratch/bin/nproc"

what="a short build does not"
touch -d '+3 seconds' "$clone/src/room/x.cpp"
try "$clone/stratagem" x
[[ $err != *"this takes"* ]] || complain "expected no estimate"

what="a line with percent and estimate comes every ten seconds"
touch -d '+4 seconds' "$clone/src/room/x.cpp"
STEPS=4 SLOW_BUILD=11 try "$clone/stratagem" x
expect_err "25 % done, about "
expect_err " left"
grep -qxF "[1/4] noise of the build" "$clone/build/release.log" || complain "expected the output of the build in the log"

what="a moved clone starts afresh"
mv "$clone" "$scratch/moved clone"
clone="$scratch/moved clone"
try "$clone/stratagem" x
expect_out "[x]"
expect_no_call .
touch -d '+1 second' "$clone/src/room/x.cpp"
try "$clone/stratagem" x
expect_out "[x]"
grep -qx "CMAKE_HOME_DIRECTORY:INTERNAL=$clone" "$clone/build/release/CMakeCache.txt" || complain "old place kept"

what="--no-install names missing packages"
echo "build  libmissing-dev  file:$scratch/installed" >>"$clone/tools/packages.txt"
rm -r "$clone/build"
try "$clone/stratagem" --no-install x
expect_code 69
expect_out ""
expect_err "missing packages: libmissing-dev"
expect_err "apt-get install libmissing-dev"
expect_no_call .

what="STRATAGEM_NO_INSTALL does the same"
STRATAGEM_NO_INSTALL=1 try "$clone/stratagem" x
expect_code 69
expect_no_call .

what="--no-install is not passed on"
touch "$scratch/installed"
try "$clone/stratagem" --no-install x
expect_out "[x]"
rm "$scratch/installed"

if ((EUID == 0)); then
    what="missing packages are installed"
    rm -r "$clone/build"
    INSTALLS="$scratch/installed" try "$clone/stratagem" x
    expect_code 0
    expect_out "[x]"
    expect_err "installing packages: libmissing-dev"
    expect_call "apt-get .*install .*libmissing-dev"
    rm "$scratch/installed"

    what="an installation that does not help is reported"
    rm -r "$clone/build"
    try "$clone/stratagem" x
    expect_code 69
    expect_err "still missing"
fi

finish
