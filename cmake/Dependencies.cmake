# The libraries of other people, from the packages of tools/packages.txt. Their targets (CLI11::CLI11,
# nlohmann_json::nlohmann_json, fmt::fmt, ZLIB::ZLIB, SQLite::SQLite3, asmjit::asmjit, httplib::httplib,
# CURL::libcurl, cadical::cadical, nauty::nauty, Threads::Threads) are imported, so their headers count as system headers
# and are not held to our warnings. A room links the ones it uses; nothing links all of them.

find_package(CLI11 REQUIRED)
find_package(nlohmann_json 3 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(CURL 7.68 REQUIRED)  # with a poll that other threads can end
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    find_package(asmjit REQUIRED)  # elsewhere lanes run from a table
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# cpp-httplib as httplib::httplib. Installed by CMake it says so itself; Debian has a library beside the header, built
# with settings that change the layout of its classes: they stand in its pkg-config file and must be the same for us.
find_package(httplib QUIET)
if(NOT TARGET httplib::httplib)
    find_path(STRATAGEM_HTTPLIB_INCLUDE httplib.h REQUIRED)
    find_library(STRATAGEM_HTTPLIB_LIBRARY cpp-httplib)
    add_library(httplib::httplib INTERFACE IMPORTED)
    target_include_directories(httplib::httplib SYSTEM INTERFACE "${STRATAGEM_HTTPLIB_INCLUDE}")
    target_link_libraries(httplib::httplib INTERFACE Threads::Threads)
    if(STRATAGEM_HTTPLIB_LIBRARY)
        target_link_libraries(httplib::httplib INTERFACE "${STRATAGEM_HTTPLIB_LIBRARY}")
        get_filename_component(httplib_folder "${STRATAGEM_HTTPLIB_LIBRARY}" DIRECTORY)
        set(httplib_pc "${httplib_folder}/pkgconfig/cpp-httplib.pc")
        if(EXISTS "${httplib_pc}")
            file(STRINGS "${httplib_pc}" httplib_flags REGEX "^Cflags:")
            string(REGEX MATCHALL "CPPHTTPLIB_[A-Z0-9_]+" httplib_settings "${httplib_flags}")
            target_compile_definitions(httplib::httplib INTERFACE ${httplib_settings})
        endif()
    endif()
endif()

# CaDiCaL comes without a description of itself for CMake.
find_path(STRATAGEM_CADICAL_INCLUDE cadical.hpp REQUIRED)
find_library(STRATAGEM_CADICAL_LIBRARY cadical REQUIRED)
add_library(cadical::cadical UNKNOWN IMPORTED)
set_target_properties(cadical::cadical PROPERTIES IMPORTED_LOCATION "${STRATAGEM_CADICAL_LIBRARY}"
                      INTERFACE_INCLUDE_DIRECTORIES "${STRATAGEM_CADICAL_INCLUDE}")

# So does nauty. Its library in ordinary size; the others differ in the type of a machine word.
find_path(STRATAGEM_NAUTY_INCLUDE nauty/traces.h REQUIRED)
find_library(STRATAGEM_NAUTY_LIBRARY nauty REQUIRED)
add_library(nauty::nauty UNKNOWN IMPORTED)
set_target_properties(nauty::nauty PROPERTIES IMPORTED_LOCATION "${STRATAGEM_NAUTY_LIBRARY}"
                      INTERFACE_INCLUDE_DIRECTORIES "${STRATAGEM_NAUTY_INCLUDE}")

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
