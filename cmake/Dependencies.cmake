# The libraries of other people, from the packages of tools/packages.txt. Their targets (CLI11::CLI11,
# nlohmann_json::nlohmann_json, fmt::fmt, ZLIB::ZLIB, asmjit::asmjit, Threads::Threads) are imported, so their headers count as system
# headers and are not held to our warnings. A room links the ones it uses; nothing links all of them.

find_package(CLI11 REQUIRED)
find_package(nlohmann_json 3 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(ZLIB REQUIRED)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    find_package(asmjit REQUIRED)  # elsewhere lanes run from a table
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# Tests and benchmarks: ON (their library must be there), OFF, or AUTO (built when it is there). People who only want to
# play need neither.
set(STRATAGEM_TESTS AUTO CACHE STRING "Build the tests: ON, OFF or AUTO")
set(STRATAGEM_BENCH AUTO CACHE STRING "Build the benchmarks: ON, OFF or AUTO")

# Sets STRATAGEM_BUILD_<WHAT> from STRATAGEM_<WHAT> and whether PACKAGE is there.
macro(stratagem_optional_part WHAT PACKAGE)
    set(STRATAGEM_BUILD_${WHAT} OFF)
    if(STRATAGEM_${WHAT} STREQUAL "AUTO")
        find_package(${PACKAGE} QUIET)
        if(${PACKAGE}_FOUND)
            set(STRATAGEM_BUILD_${WHAT} ON)
        else()
            message(STATUS "STRATAGEM_${WHAT}: not built, as ${PACKAGE} is not installed")
        endif()
    elseif(STRATAGEM_${WHAT})
        find_package(${PACKAGE} REQUIRED)
        set(STRATAGEM_BUILD_${WHAT} ON)
    endif()
endmacro()

stratagem_optional_part(TESTS GTest)
stratagem_optional_part(BENCH benchmark)
