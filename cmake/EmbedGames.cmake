# Writes the bundled games into a source file: cmake -DGAMES=<folder> -DOUT=<file> -P EmbedGames.cmake
#
# A program that was copied somewhere without its games still has them. Text, not bytes: a fifth of a megabyte of string
# literals compiles in no time.

file(GLOB files "${GAMES}/*.kif")
list(SORT files)
set(text "// Made from games/ by cmake/EmbedGames.cmake.\n#include \"gdl/embedded_games.h\"\n\n")
string(APPEND text "namespace stratagem::gdl {\n\nnamespace {\n\nconstexpr EmbeddedGame games[] = {\n")
foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME_WE)
    file(READ "${file}" rules)
    string(APPEND text "    {\"${name}\", R\"kif(${rules})kif\"},\n")
endforeach()
string(APPEND text "};\n\n}  // namespace\n\n")
string(APPEND text "std::span<const EmbeddedGame> embedded_games() { return games; }\n\n}  // namespace stratagem::gdl\n")
file(WRITE "${OUT}" "${text}")
