# What the program knows about its own build: the header "build_info.h", behind the target stratagem::build_info.

configure_file("${CMAKE_CURRENT_LIST_DIR}/build_info.h.in" "${PROJECT_BINARY_DIR}/generated/build_info.h" @ONLY)

add_library(stratagem_build_info INTERFACE)
add_library(stratagem::build_info ALIAS stratagem_build_info)
target_include_directories(stratagem_build_info INTERFACE "${PROJECT_BINARY_DIR}/generated")
