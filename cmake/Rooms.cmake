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

# What the build knows of the rooms, for tools/rooms: a line "room: what it links" each, in build/<preset>/rooms.links.
file(WRITE "${PROJECT_BINARY_DIR}/rooms.links" "")
function(stratagem_note_room NAME)
    list(TRANSFORM ARGN REPLACE "^stratagem(::|_)" "")
    list(JOIN ARGN " " links)
    file(APPEND "${PROJECT_BINARY_DIR}/rooms.links" "${NAME}: ${links}\n")
endfunction()

# stratagem_room(NAME SOURCES file... [LINKS room-or-target...] [HEADERS name] [HOT|COLD|JSON|CLI file...] [ALONE file...])
#
# The library stratagem_<NAME>, alias stratagem::<NAME>, of the current folder. Headers are included from src/, as in
# "gdl/term.h". A room without sources of its own (headers only) is an interface library.
#
# HEADERS says which compiled headers (Headers.cmake) the sources use, and with them their level of optimisation: hot unless
# said otherwise. Those of the SOURCES that are named again under HOT, COLD, JSON or CLI use the headers of that name.
#
# Sources are compiled a few at a time (STRATAGEM_UNITY), but those under ALONE, each by itself: the hottest, so that
# nothing but their own text decides what is inlined in them, and those whose names clash with another file's.
function(stratagem_room NAME)
    set(groups HOT COLD JSON CLI)
    cmake_parse_arguments(PARSE_ARGV 1 room "" "HEADERS" "SOURCES;LINKS;ALONE;${groups}")
    if(room_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "stratagem_room(${NAME}): unknown arguments: ${room_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT NAME IN_LIST STRATAGEM_ROOMS)
        message(FATAL_ERROR "Room '${NAME}' has no place in cmake/rooms.txt.")
    endif()
    stratagem_resolve_links(links "${NAME}" ${room_LINKS})
    stratagem_note_room("${NAME}" ${room_LINKS})

    set(target stratagem_${NAME})
    if(NOT room_SOURCES)
        add_library(${target} INTERFACE)
        add_library(stratagem::${NAME} ALIAS ${target})
        target_include_directories(${target} INTERFACE "${PROJECT_SOURCE_DIR}/src")
        target_link_libraries(${target} INTERFACE ${links})
        return()
    endif()
    if(NOT room_HEADERS)
        set(room_HEADERS hot)
    endif()
    foreach(group IN LISTS groups ITEMS ALONE)
        list(TRANSFORM room_${group} PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
        foreach(file IN LISTS room_${group})
            if(NOT file IN_LIST room_SOURCES)
                message(FATAL_ERROR "stratagem_room(${NAME}): ${file}, named under ${group}, is none of its sources.")
            endif()
        endforeach()
    endforeach()
    set_source_files_properties(${room_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    add_library(${target} STATIC)
    add_library(stratagem::${NAME} ALIAS ${target})
    stratagem_room_part(${target} ${room_HEADERS})
    foreach(group IN LISTS groups)
        if(NOT room_${group})
            continue()
        endif()
        list(REMOVE_ITEM room_SOURCES ${room_${group}})
        string(TOLOWER ${group} headers)
        add_library(${target}_${headers} OBJECT ${room_${group}})
        stratagem_room_part(${target}_${headers} ${headers})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${headers}>)
    endforeach()
    target_sources(${target} PRIVATE ${room_SOURCES})
endfunction()

# Of stratagem_room(), whose `links` it uses.
function(stratagem_room_part TARGET HEADERS)
    target_include_directories(${TARGET} PUBLIC "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${TARGET} PUBLIC ${links} PRIVATE stratagem_compiler)
    stratagem_use_headers(${TARGET} ${HEADERS})
    set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ${STRATAGEM_UNITY} UNITY_BUILD_BATCH_SIZE 6)
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
