# What tools/check_includes finds, tried on a small tree with one mistake at a time.
source "$(dirname -- "${BASH_SOURCE[0]}")/support.sh"

tree=$scratch/tree
mkdir -p "$tree/cmake" "$tree/src/left" "$tree/src/right/inner"
printf '# order\nleft\nright\n' >"$tree/cmake/rooms.txt"
touch "$tree"/{cmake,src,src/left,src/right,src/right/inner}/README.md
printf '#pragma once\n#include <vector>\n' >"$tree/src/left/a.h"
printf '#include "left/a.h"\n#include "right/inner/c.h"\n#include "build_info.h"\n' >"$tree/src/right/b.cpp"
printf '#include "right/inner/c.h"\n' >"$tree/src/right/inner/c.h"
echo 'stratagem_room(left SOURCES a.cpp)' >"$tree/src/left/CMakeLists.txt"
printf 'stratagem_room(right\n    SOURCES b.cpp\n    LINKS stratagem::left fmt::fmt)\n' >"$tree/src/right/CMakeLists.txt"

# finds TEXT: the tree has a mistake that is reported with these words.
finds() {
    try "$project/tools/check_includes" "$tree"
    expect_code 1
    [[ $out == *"$1"* ]] || complain "expected on stdout: $1"
}

what="a tree in order"
try "$project/tools/check_includes" "$tree"
expect_code 0
expect_out ""

what="a room further on"
printf '\n#include "right/b.h"\n' >"$tree/src/left/bad.cpp"
touch "$tree/src/right/b.h"
finds "src/left/bad.cpp:2: room 'left' must not know room 'right'"
rm "$tree/src/left/bad.cpp"

what="an include that is not written from src/"
printf '#include "a.h"\n' >"$tree/src/left/bad.cpp"
finds 'src/left/bad.cpp:1: "a.h" is not a file below src/'
rm "$tree/src/left/bad.cpp"

what="our header in angle brackets"
printf '#include <left/a.h>\n' >"$tree/src/right/bad.cpp"
finds "write it in quotes"
rm "$tree/src/right/bad.cpp"

what="a room that is used but not linked"
echo 'stratagem_room(right SOURCES b.cpp)' >"$tree/src/right/CMakeLists.txt"
finds "without naming it after LINKS"
echo 'stratagem_room(right LINKS left SOURCES b.cpp)' >"$tree/src/right/CMakeLists.txt"

what="a folder without README"
rm "$tree/src/right/inner/README.md"
finds "src/right/inner: has no README.md"
touch "$tree/src/right/inner/README.md"

what="a room without a place"
mkdir "$tree/src/shed" && touch "$tree/src/shed/README.md"
finds "src/shed: has no place in cmake/rooms.txt"

finish
