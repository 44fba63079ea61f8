# cmake --install: the program, its games, its manual page, completion for shells, and the documentation.
#
# The program finds its games from where it is, so the whole folder may be moved.

include(GNUInstallDirs)

# Written by the program itself when it is built; see src/cli/CMakeLists.txt.
if(NOT CMAKE_CROSSCOMPILING)
    set(extras "${PROJECT_BINARY_DIR}/extras")
    install(FILES "${extras}/stratagem.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
    install(FILES "${extras}/stratagem.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
            RENAME stratagem)
    install(FILES "${extras}/_stratagem" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endif()

install(TARGETS stratagem RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/games/" DESTINATION "${CMAKE_INSTALL_DATADIR}/stratagem/games"
        FILES_MATCHING PATTERN "*.kif" PATTERN "README.md")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/LICENSE"
              "${PROJECT_SOURCE_DIR}/NOTICE"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs")
