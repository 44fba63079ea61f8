# The headers that nearly every file reads, compiled once for each level of optimisation and used by all rooms and tests.
#
# Reading the standard library took more than half of the time of a build. One set for each level, as GCC keeps the level
# inside: with a set of another level, files would silently be compiled at that level, not their own. What a file uses it
# includes all the same: `cmake -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON` must build. docs/building.md has the figures.

# Cold code runs once in a while: commands, reports, reading and writing. Hot code is what a search does all the time.
add_library(stratagem_cold INTERFACE)
target_compile_options(stratagem_cold INTERFACE $<$<CONFIG:Release>:-O1>)

# GCC no longer knows which of the compiled headers were the system's, and tells of its false findings in them (GCC bug
# 105651 and its kin). A build without compiled headers looks for these too.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(stratagem_compiler INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()

set(stratagem_standard_headers <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <condition_variable> <cstddef>
    <cstdint> <deque> <filesystem> <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <stdexcept>
    <string> <string_view> <thread> <unordered_map> <unordered_set> <utility> <vector> <fmt/format.h>)

# stratagem_compiled_headers(NAME HEADERS header... [LINKS target...])
#
# The target stratagem_headers_<NAME>: the standard headers and these. For stratagem_use_headers().
function(stratagem_compiled_headers NAME)
    cmake_parse_arguments(PARSE_ARGV 1 set "" "" "HEADERS;LINKS")
    set(target stratagem_headers_${NAME})
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/headers_${NAME}.cpp" CONTENT "")
    add_library(${target} OBJECT "${PROJECT_BINARY_DIR}/generated/headers_${NAME}.cpp")
    target_link_libraries(${target} PRIVATE fmt::fmt ${set_LINKS} stratagem_compiler)
    target_precompile_headers(${target} PRIVATE ${stratagem_standard_headers} ${set_HEADERS})
endfunction()

# The target is compiled with the headers of this name, at their level of optimisation.
function(stratagem_use_headers TARGET NAME)
    target_link_libraries(${TARGET} PRIVATE fmt::fmt)
    if(NOT NAME STREQUAL "hot")
        target_link_libraries(${TARGET} PRIVATE stratagem_cold)
    endif()
    get_target_property(type ${TARGET} TYPE)
    if(type STREQUAL "EXECUTABLE")
        # CMake would compile for executables alone (-fPIE), and headers compiled for libraries would not fit.
        set_target_properties(${TARGET} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
        target_compile_options(${TARGET} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
    endif()
    target_precompile_headers(${TARGET} REUSE_FROM stratagem_headers_${NAME})
endfunction()

stratagem_compiled_headers(hot)
stratagem_compiled_headers(cold LINKS stratagem_cold)
stratagem_compiled_headers(json HEADERS <nlohmann/json.hpp> LINKS nlohmann_json::nlohmann_json stratagem_cold)
stratagem_compiled_headers(cli HEADERS <nlohmann/json.hpp> <CLI/App.hpp>
                           LINKS nlohmann_json::nlohmann_json CLI11::CLI11 stratagem_cold)
