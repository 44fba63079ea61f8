# Shared by the scripts here: a small clone to try the project's scripts on, and checks with readable failures.
#
# The clone holds the real ./stratagem, ./test and tools/, but stands in a folder with a space in its name, and in front
# of PATH are stand-ins for cmake, ctest and apt-get. They write down that they were called, and "build" a program that
# is a few lines of shell. So the scripts are tried whole, in milliseconds, and nothing is compiled or installed.

set -uo pipefail

project=${1:?"usage: script FOLDER-OF-THE-PROJECT"}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf -- "$scratch"' EXIT
clone="$scratch/a clone"
calls=$scratch/calls
failures=0

make_clone() {
    mkdir -p "$clone/src/room" "$clone/cmake" "$scratch/bin" "$scratch/elsewhere"
    cp "$project/stratagem" "$project/test" "$clone/"
    cp -r "$project/tools" "$clone/tools"
    printf 'build  g++  command:bash\ntest  python3  command:bash\n' >"$clone/tools/packages.txt"
    echo 'project(x)' >"$clone/CMakeLists.txt"
    echo '{}' >"$clone/CMakePresets.json"
    echo 'int x;' >"$clone/src/room/x.cpp"
    : >"$calls"

    stand_in cmake <<'TEXT'
if [[ $1 == -S ]]; then
    echo "configure $4" >>"$CALLS"
    mkdir -p "$2/build/$4"
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$2" >"$2/build/$4/CMakeCache.txt"
    echo "-- noise of the configuration"
    exit
fi
if [[ ${*: -1} == -n ]]; then
    echo "[1/${STEPS:-2}] what would be done"
    exit
fi
echo "build $*" >>"$CALLS"
echo "[1/${STEPS:-2}] noise of the build"
[[ -n ${SLOW_BUILD-} ]] && sleep "$SLOW_BUILD"
if [[ -n ${BREAK_BUILD-} ]]; then
    echo "FAILED: x.o"
    echo "x.cpp:1:1: error: broken on purpose"
    exit 1
fi
cat >"$2/stratagem" <<'PROGRAM'
#!/usr/bin/env bash
printf '[%s]' "$@"
printf '\n'
case ${1-} in
    fail) exit 7 ;;
    cat) cat -- "$2" ;;
esac
PROGRAM
chmod +x "$2/stratagem"
TEXT
    stand_in ctest <<'TEXT'
echo "ctest $*" >>"$CALLS"
cat "$CTEST_SAYS"
exit "${CTEST_EXITS:-0}"
TEXT
    stand_in apt-get <<'TEXT'
echo "apt-get $*" >>"$CALLS"
echo "noise of apt-get"
[[ " $* " == *" install "* ]] && touch "${INSTALLS:-/dev/null}"
exit 0
TEXT
    export CALLS=$calls PATH="$scratch/bin:$PATH"
    unset STRATAGEM_NO_INSTALL
}

stand_in() {
    { echo '#!/usr/bin/env bash'; cat; } >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}

# try COMMAND...: runs it, keeping what it says in `out` and `err` and its exit code in `code`.
try() {
    : >"$calls"
    "$@" >"$scratch/out" 2>"$scratch/err"
    code=$?
    out=$(<"$scratch/out")
    err=$(<"$scratch/err")
}

complain() {
    echo "FAILED: $what: $*"
    echo "  exit code $code; stdout: $out"
    echo "  stderr: $err"
    ((++failures))
}

expect_code() { [[ $code == "$1" ]] || complain "expected exit code $1"; }
expect_out() { [[ $out == "$1" ]] || complain "expected on stdout: $1"; }
expect_err() { [[ $err == *"$1"* ]] || complain "expected on stderr: $1"; }
expect_quiet() { [[ -z $err ]] || complain "expected nothing on stderr"; }
expect_call() { grep -q -- "$1" "$calls" || complain "expected a call like: $1"; }
expect_no_call() { ! grep -q -- "$1" "$calls" || complain "expected no call like: $1"; }

finish() {
    ((failures == 0)) || exit 1
    echo "all as expected"
}
