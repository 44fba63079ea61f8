// "Did you mean ...?": the nearest of the known names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stratagem::gdl::passes {

class Speller {
  public:
    // The name must outlive the speller.
    void add(std::string_view name) { names_.push_back(name); }

    // The known name with the fewest letters to change (about a third of the word at most); empty if there is none.
    // A fixed budget of work covers all questions: beyond it the answer is empty, so that a file with thousands
    // of unknown names costs no more than one with a few.
    std::string_view nearest(std::string_view word);

    // "did you mean WHAT 'nearest'?", or nothing.
    std::string hint(std::string_view word, std::string_view what);

  private:
    std::vector<std::string_view> names_;
    std::size_t budget_ = 20'000'000;  // letters compared: some ten milliseconds
};

}  // namespace stratagem::gdl::passes
