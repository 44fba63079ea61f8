// Real descriptions for property tests: the bundled games, and the collection beside the project when it is there.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace stratagem::gdl::testing {

inline std::vector<std::filesystem::path> kif_files_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".kif") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

inline std::vector<std::filesystem::path> bundled_files() { return kif_files_in(STRATAGEM_GAMES_DIR); }
// Empty when the project stands alone.
inline std::vector<std::filesystem::path> shared_files() {
    return kif_files_in(std::filesystem::path(STRATAGEM_SOURCE_DIR).parent_path() / "shared" / "games");
}

inline std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace stratagem::gdl::testing
