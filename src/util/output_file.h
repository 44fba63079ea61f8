// Files written whole or not at all.
//
// Text is written to another name first and then moved, so that whoever reads meanwhile, or whatever ends the program,
// finds what was there before or all of the new.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace stratagem {

// What kept something from being written, for people; nothing where it was written.
using WriteProblem = std::optional<std::string>;

struct NewFile {
    bool made = false;  // false without a problem: something else has this name, and was left as it is
    WriteProblem problem;
};
// A new file with this text, never over what is there, whoever writes at the same time.
NewFile make_file(const std::filesystem::path& path, std::string_view text);

// Text in the place of what was there. Symbolic links stay and what they lead to is replaced; to a device or a pipe the
// text is written as it is.
WriteProblem write_file(const std::filesystem::path& path, std::string_view text);

// What would keep write_file from writing there, as far as that can be told before: for work that takes long. Leaves
// everything as it is.
WriteProblem cannot_write(const std::filesystem::path& path);

}  // namespace stratagem
