# Tests, benchmarks and fuzzers: each mirrors a room of src/ and links the rooms it names.

if(STRATAGEM_BUILD_TESTS)
    include(CTest)
    include(GoogleTest)
endif()

# Test programs spend their time in the rooms, which keep their own level of optimisation.
if(STRATAGEM_BUILD_TESTS)
    stratagem_compiled_headers(test HEADERS <gmock/gmock.h> <gtest/gtest.h>
                               LINKS GTest::gmock GTest::gtest_main stratagem_cold)
endif()

# What every test and fuzzer may know of the source tree.
function(stratagem_source_places TARGET)
    target_compile_definitions(${TARGET} PRIVATE
        STRATAGEM_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
        STRATAGEM_GAMES_DIR="${PROJECT_SOURCE_DIR}/games"
        STRATAGEM_TEST_DIR="${CMAKE_CURRENT_SOURCE_DIR}")
endfunction()

# The long tests (./test --full, or STRATAGEM_FULL_TESTS=1) take as long as they take; their usual limits of time would end
# them. Which it is to be is known when ctest starts, and so are the tests that gtest_discover_tests finds.
function(stratagem_no_limit_when_full TARGET)
    set(script "${CMAKE_CURRENT_BINARY_DIR}/${TARGET}_full.cmake")
    file(WRITE "${script}" "if(NOT \"\$ENV{STRATAGEM_FULL_TESTS}\" STREQUAL \"\")
    foreach(test IN LISTS ${TARGET}_TESTS)
        set_tests_properties(\"\${test}\" PROPERTIES TIMEOUT 172800)
    endforeach()
endif()
")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()

# stratagem_test(NAME SOURCES file... [LINKS room-or-target...] [LABELS label...] [TIMEOUT seconds] [ALONE file...]
#                [NO_SANITIZE] [OWN_FLAGS])
#
# A GoogleTest program <NAME>_test; every TEST in it becomes a ctest test named NAME.Suite.Test, found by ctest -L with
# NAME, the labels given, and `sanitize` (run again under the sanitizers) unless NO_SANITIZE says it would take too long.
# Sources are compiled a few at a time, but those under ALONE, whose names clash with another file's.
# OWN_FLAGS: it will be compiled with other flags than the rest, so the compiled headers do not fit it.
# Its sources may use STRATAGEM_SOURCE_DIR, STRATAGEM_GAMES_DIR and STRATAGEM_TEST_DIR (their own folder), all strings.
function(stratagem_test NAME)
    cmake_parse_arguments(PARSE_ARGV 1 test "NO_SANITIZE;OWN_FLAGS" "TIMEOUT" "SOURCES;LINKS;LABELS;ALONE")
    if(test_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "stratagem_test(${NAME}): unknown arguments: ${test_UNPARSED_ARGUMENTS}")
    endif()
    stratagem_resolve_links(links "" ${test_LINKS})
    set(target ${NAME}_test)
    add_executable(${target} ${test_SOURCES})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(${target} PRIVATE ${links} GTest::gmock GTest::gtest_main stratagem_compiler stratagem_cold)
    if(NOT test_OWN_FLAGS)
        stratagem_use_headers(${target} test)
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${STRATAGEM_UNITY} UNITY_BUILD_BATCH_SIZE 6)
    set_source_files_properties(${test_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    stratagem_source_places(${target})

    set(labels ${NAME} ${test_LABELS})
    if(NOT test_NO_SANITIZE)
        list(APPEND labels sanitize)
    endif()
    if(NOT test_TIMEOUT)
        set(test_TIMEOUT 300)
    endif()
    # One label such as "gdl,sanitize": gtest_discover_tests loses lists, and ctest -L looks for a pattern inside a label.
    list(JOIN labels "," labels)
    # Discovered when ctest starts, not after linking: a sanitized program may start slowly on a busy machine.
    gtest_discover_tests(${target}
        TEST_PREFIX "${NAME}."
        DISCOVERY_MODE PRE_TEST
        DISCOVERY_TIMEOUT 120
        PROPERTIES LABELS "${labels}" TIMEOUT ${test_TIMEOUT})
    stratagem_no_limit_when_full(${target})
endfunction()

# stratagem_script_test(NAME COMMAND command... [LABELS label...] [TIMEOUT seconds])
#
# A ctest test that runs a script; it passes when the script exits with 0 and counts as skipped when it exits with 77.
function(stratagem_script_test NAME)
    cmake_parse_arguments(PARSE_ARGV 1 test "" "TIMEOUT" "COMMAND;LABELS")
    if(NOT test_TIMEOUT)
        set(test_TIMEOUT 300)
    endif()
    add_test(NAME ${NAME} COMMAND ${test_COMMAND})
    set_tests_properties(${NAME} PROPERTIES LABELS "${test_LABELS}" TIMEOUT ${test_TIMEOUT} SKIP_RETURN_CODE 77)
endfunction()

# stratagem_bench(NAME SOURCES file... [LINKS room-or-target...])
#
# A Google Benchmark program <NAME>_bench, at build/<preset>/bench/<NAME>_bench.
function(stratagem_bench NAME)
    cmake_parse_arguments(PARSE_ARGV 1 bench "" "" "SOURCES;LINKS")
    stratagem_resolve_links(links "" ${bench_LINKS})
    set(target ${NAME}_bench)
    add_executable(${target} ${bench_SOURCES})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${target} PRIVATE ${links} benchmark::benchmark_main stratagem_compiler)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
    stratagem_source_places(${target})
endfunction()

# stratagem_fuzzer(NAME SOURCES file... [LINKS room-or-target...])
#
# A libFuzzer program <NAME>_fuzzer, at build/fuzz/fuzz/<NAME>_fuzzer; its sources define LLVMFuzzerTestOneInput.
function(stratagem_fuzzer NAME)
    cmake_parse_arguments(PARSE_ARGV 1 fuzzer "" "" "SOURCES;LINKS")
    stratagem_resolve_links(links "" ${fuzzer_LINKS})
    set(target ${NAME}_fuzzer)
    add_executable(${target} ${fuzzer_SOURCES})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${target} PRIVATE ${links} stratagem_compiler)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
    stratagem_source_places(${target})
endfunction()
