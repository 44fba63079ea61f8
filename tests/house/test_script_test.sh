# What ./test promises, tried on a clone where building and testing are pretended (support.sh).
source "$(dirname -- "${BASH_SOURCE[0]}")/support.sh"
make_clone

last_line() { printf '%s' "${out##*$'\n'}"; }
expect_last() { [[ $(last_line) == "$1" ]] || complain "expected as the last line: $1"; }

export CTEST_SAYS=$scratch/ctest_says
printf '100%% tests passed, 0 tests failed out of 5\n' >"$CTEST_SAYS"

what="all tests pass"
try "$clone/test"
expect_code 0
expect_last "5 passed, 0 failed"
expect_call "configure release"
expect_call "build .*--target all"
expect_call "ctest --test-dir $clone/build/release"

what="afterwards the launcher has nothing to build"
try "$clone/stratagem" x
expect_no_call .
expect_out "[x]"

what="arguments reach ctest"
try "$clone/test" -R "some name"
expect_call "ctest .*-R some name"

what="another preset"
try "$clone/test" --preset asan
expect_call "configure asan"
expect_no_call "release"

what="a second round with sanitizers is added to the counts"
try "$clone/test" --with-asan
expect_call "ctest --test-dir $clone/build/release"
expect_call "ctest --test-dir $clone/build/asan .*-L sanitize"
expect_last "10 passed, 0 failed"

what="two more rounds and clang-tidy, each counted"
printf '#!/usr/bin/env bash\necho "tidy $*" >>"$CALLS"\nexit "${TIDY_EXITS:-0}"\n' >"$clone/tools/tidy"
try "$clone/test" --with-guards
expect_code 0
expect_call "ctest --test-dir $clone/build/asan .*-L sanitize"
expect_call "build .*tsan.*--target threads_test"
expect_call "ctest --test-dir $clone/build/tsan .*-L threads"
expect_call "tidy --build $clone/build/asan"
expect_last "16 passed, 0 failed"

what="findings of clang-tidy are a failure"
TIDY_EXITS=1 try "$clone/test" --with-guards
expect_code 1
expect_last "15 passed, 1 failed"

what="skipped tests are counted apart"
printf '100%% tests passed, 0 tests failed out of 5\n\nThe following tests did not run:\n\t  2 - a.b (Skipped)\n' >"$CTEST_SAYS"
try "$clone/test"
expect_code 0
expect_last "4 passed, 0 failed, 1 skipped"

what="failures"
printf '60%% tests passed, 2 tests failed out of 5\n' >"$CTEST_SAYS"
CTEST_EXITS=8 try "$clone/test"
expect_code 1
expect_last "3 passed, 2 failed"

what="no tests at all is a failure"
printf 'No tests were found!!!\n' >"$CTEST_SAYS"
CTEST_EXITS=8 try "$clone/test"
expect_code 1
expect_last "0 passed, 0 failed"

what="a broken build is a failure"
BREAK_BUILD=1 try "$clone/test"
expect_code 69
expect_err "broken on purpose"
expect_no_call ctest

what="an unknown preset is wrong usage"
try "$clone/test" --preset nonsense
expect_code 2
expect_no_call .

what="missing packages are named"
echo "test  libmissing-dev  file:$scratch/installed" >>"$clone/tools/packages.txt"
try "$clone/test" --no-install
expect_code 69
expect_err "missing packages: libmissing-dev"
expect_no_call .

what="help"
try "$clone/test" --help
expect_code 0
[[ $out == Usage:* ]] || complain "expected the usage"

finish
