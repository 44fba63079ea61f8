# cmake -DGIT=… -DSOURCE=… -DOUT=… -P FindCommit.cmake: writes the commit of the sources to a C++ file, "-dirty" behind it
# where they differ from it. Empty without git, and for sources that are no repository of their own.

set(commit "")
if(GIT AND EXISTS "${SOURCE}/.git")
    execute_process(COMMAND "${GIT}" -C "${SOURCE}" describe --always --abbrev=12 --exclude=* --dirty
                    OUTPUT_VARIABLE found RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed)
        set(commit "${found}")
    endif()
endif()

set(text "#include \"build_info.h\"\n\nnamespace stratagem::build_info {\nconst std::string_view commit = \"${commit}\";\n}\n")
set(before "")
if(EXISTS "${OUT}")
    file(READ "${OUT}" before)
endif()
if(NOT before STREQUAL text)
    file(WRITE "${OUT}" "${text}")
endif()
