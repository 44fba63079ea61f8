// Numbers for names, given out as they are met and the same for everybody who shares them.
//
// What lets several interpreters of one game exchange states and moves: each looks here only when it meets a term, or a
// number, for the first time. May be used from several threads at once.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>

#include "util/contract.h"

namespace stratagem::machine {

class NameNumbers {
  public:
    // Of a name never seen, the next free number. Names are told apart by their kind as well.
    std::uint32_t number(std::uint32_t kind, const std::string& name) {
        const std::scoped_lock lock(mutex_);
        const auto [place, is_new] =
            numbers_.try_emplace(std::to_string(kind) + ' ' + name, static_cast<std::uint32_t>(names_.size()));
        if (is_new) names_.push_back(name);
        return place->second;
    }
    // Pre: a number given out here.
    std::string name(std::uint32_t number) const {
        const std::scoped_lock lock(mutex_);
        STRATAGEM_EXPECTS(number < names_.size());
        return names_[number];
    }

  private:
    mutable std::mutex mutex_;
    std::deque<std::string> names_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
};

struct SharedNumbers {
    NameNumbers fluents;
    NameNumbers moves;  // kind: the role
};

}  // namespace stratagem::machine
