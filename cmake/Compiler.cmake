# How our own code is compiled. Everything here hangs on the interface target stratagem_compiler, which every room, test,
# benchmark and fuzzer links; code of other people is never compiled with it.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

set(STRATAGEM_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, separated by commas; empty for none")
option(STRATAGEM_FUZZ "Build the fuzzers of fuzz/ (Clang only)" OFF)
option(STRATAGEM_UNITY "Compile the sources of a room a few at a time" ON)
option(STRATAGEM_WARNINGS_AS_ERRORS "A warning in our code stops the build" ON)

add_library(stratagem_compiler INTERFACE)

target_compile_options(stratagem_compiler INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(STRATAGEM_WARNINGS_AS_ERRORS)
    target_compile_options(stratagem_compiler INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 sees overlapping copies inside std::string's operator+ where there are none (GCC bug 105651).
    target_compile_options(stratagem_compiler INTERFACE -Wno-restrict)
    # GCC tidies its memory whenever it has grown by a third, which with compiled headers of 150 MB is most of the time: a
    # sixth of a build went there. Below 768 MB it does not.
    target_compile_options(stratagem_compiler INTERFACE "SHELL:--param ggc-min-heapsize=786432")
endif()

# Debug builds check every index into a standard container, and every promise of our own (util/contract.h).
target_compile_definitions(stratagem_compiler INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS> $<$<CONFIG:Debug>:STRATAGEM_CHECKS>)

if(STRATAGEM_SANITIZE)
    # Compiled in everywhere, third-party headers included, or the checks would miss what crosses between them.
    add_compile_options(-fsanitize=${STRATAGEM_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${STRATAGEM_SANITIZE})
    if(STRATAGEM_SANITIZE MATCHES "undefined")
        add_compile_options(-fno-sanitize-recover=all)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # The instrumentation hides initialisations from this warning.
        target_compile_options(stratagem_compiler INTERFACE -Wno-maybe-uninitialized)
    endif()
endif()

find_program(STRATAGEM_CCACHE ccache)
if(STRATAGEM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${STRATAGEM_CCACHE}")
endif()
