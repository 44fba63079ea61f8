# Rooms: each folder of src/ is a static library that links only what it may use. The order of rooms is in rooms.txt.

set(stratagem_rooms_file "${CMAKE_CURRENT_LIST_DIR}/rooms.txt")
file(STRINGS "${stratagem_rooms_file}" STRATAGEM_ROOMS REGEX "^[a-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${stratagem_rooms_file}")

# Turns the names in LINKS into targets: a room's name ("gdl", "stratagem::gdl") becomes its target, anything else
# ("fmt::fmt") stays as it is. With FROM, a room that FROM may not use stops the configuration.
function(stratagem_resolve_links OUT FROM)
    set(targets "")
    list(FIND STRATAGEM_ROOMS "${FROM}" from_place)
    foreach(link IN LISTS ARGN)
        string(REGEX REPLACE "^stratagem(::|_)" "" bare "${link}")
        list(FIND STRATAGEM_ROOMS "${bare}" place)
        if(place EQUAL -1)
            list(APPEND targets "${link}")
            continue()
        endif()
        if(FROM AND NOT place LESS from_place)
            message(FATAL_ERROR "Room '${FROM}' may not link '${bare}': in cmake/rooms.txt it does not stand before it.")
        endif()
        if(NOT TARGET stratagem_${bare})
            message(FATAL_ERROR "'${bare}' is a room without a target: src/${bare}/CMakeLists.txt is missing.")
        endif()
        list(APPEND targets "stratagem::${bare}")
    endforeach()
    set(${OUT} "${targets}" PARENT_SCOPE)
endfunction()

# stratagem_room(NAME SOURCES file... [LINKS room-or-target...])
#
# The library stratagem_<NAME>, alias stratagem::<NAME>, of the current folder. Headers are included from src/, as in
# "gdl/term.h". A room without sources of its own (headers only) is an interface library.
function(stratagem_room NAME)
    cmake_parse_arguments(PARSE_ARGV 1 room "" "" "SOURCES;LINKS")
    if(room_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "stratagem_room(${NAME}): unknown arguments: ${room_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT NAME IN_LIST STRATAGEM_ROOMS)
        message(FATAL_ERROR "Room '${NAME}' has no place in cmake/rooms.txt.")
    endif()
    stratagem_resolve_links(links "${NAME}" ${room_LINKS})

    set(target stratagem_${NAME})
    if(room_SOURCES)
        add_library(${target} STATIC ${room_SOURCES})
        target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/src")
        target_link_libraries(${target} PUBLIC ${links} PRIVATE stratagem_compiler)
    else()
        add_library(${target} INTERFACE)
        target_include_directories(${target} INTERFACE "${PROJECT_SOURCE_DIR}/src")
        target_link_libraries(${target} INTERFACE ${links})
    endif()
    add_library(stratagem::${NAME} ALIAS ${target})
endfunction()

# stratagem_program(SOURCES file... [LINKS room-or-target...])
#
# The executable `stratagem`, at build/<preset>/stratagem.
function(stratagem_program)
    cmake_parse_arguments(PARSE_ARGV 0 program "" "" "SOURCES;LINKS")
    stratagem_resolve_links(links "" ${program_LINKS})
    add_executable(stratagem ${program_SOURCES})
    target_include_directories(stratagem PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(stratagem PRIVATE ${links} stratagem_compiler)
    set_target_properties(stratagem PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
endfunction()
