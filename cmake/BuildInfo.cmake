# What the program knows about its own build: the header "build_info.h", behind the target stratagem::build_info.

configure_file("${CMAKE_CURRENT_LIST_DIR}/build_info.h.in" "${PROJECT_BINARY_DIR}/generated/build_info.h" @ONLY)

# The commit is looked up by every build, not when CMake is run, so that it is true; it stands in a file of its own that
# is written only when it changes, so that a new commit costs one small compilation.
find_package(Git QUIET)
set(commit_file "${PROJECT_BINARY_DIR}/generated/build_commit.cpp")
add_custom_target(stratagem_find_commit
    COMMAND "${CMAKE_COMMAND}" "-DGIT=${GIT_EXECUTABLE}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DOUT=${commit_file}"
            -P "${CMAKE_CURRENT_LIST_DIR}/FindCommit.cmake"
    BYPRODUCTS "${commit_file}"
    COMMENT "" VERBATIM)
add_library(stratagem_build_commit STATIC "${commit_file}")
add_dependencies(stratagem_build_commit stratagem_find_commit)
target_include_directories(stratagem_build_commit PRIVATE "${PROJECT_BINARY_DIR}/generated")

add_library(stratagem_build_info INTERFACE)
add_library(stratagem::build_info ALIAS stratagem_build_info)
target_include_directories(stratagem_build_info INTERFACE "${PROJECT_BINARY_DIR}/generated")
target_link_libraries(stratagem_build_info INTERFACE stratagem_build_commit)
