#include "view/signs.h"

#include <algorithm>

namespace stratagem::view {

namespace {

constexpr std::size_t longest_kept = 2;  // names so short are signs themselves

bool is_plain(const std::string& name) {
    return !name.empty() &&
           std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~' && c != '(' && c != ')'; });
}

bool is_number(const std::string& name) { return name.find_first_not_of("0123456789") == std::string::npos; }

// How many of the other names begin as this one does up to `length`, and differ or end there.
bool parts_at(const std::set<std::string>& names, const std::string& name, std::size_t length) {
    return std::ranges::any_of(names, [&](const std::string& other) {
        if (other == name || other.compare(0, length, name, 0, length) != 0) return false;
        return other.size() <= length || other[length] != name[length];
    });
}

std::string sign_of(const std::set<std::string>& names, const std::string& name) {
    std::string sign;
    for (std::size_t length = 0; length < name.size(); ++length) {
        if (parts_at(names, name, length)) sign += name[length];
    }
    return sign.empty() ? name.substr(0, 1) : sign;
}

}  // namespace

std::map<std::string, std::string> short_signs(const std::set<std::string>& names) {
    std::map<std::string, std::string> signs;
    const bool whole = !std::ranges::all_of(names, is_plain) ||
                       std::ranges::all_of(names, [](const std::string& name) { return name.size() <= longest_kept; });
    std::set<std::string> words;
    for (const std::string& name : names) {
        if (!is_number(name)) words.insert(name);
    }
    std::set<std::string> used;
    bool clash = false;
    for (const std::string& name : names) {
        const std::string sign = whole || is_number(name) ? name : sign_of(words, name);
        clash = !used.insert(sign).second || clash;
        signs[name] = sign;
    }
    if (clash) {
        for (auto& [name, sign] : signs) sign = name;
    }
    return signs;
}

}  // namespace stratagem::view
