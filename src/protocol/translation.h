// Words for words: between the names of a game and those one player knows it by.
//
// A manager may give each player a game scrambled in a way of its own; then every message to it and every answer from
// it is translated. A player uses the same to answer in the spelling it was given: inside, all names are in lower case,
// but some managers tell upper from lower.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace stratagem::protocol {

class Translation {
  public:
    // Without words: changes nothing.
    Translation() = default;
    explicit Translation(std::map<std::string, std::string> words) : words_(std::move(words)) {}

    // Pre: no two words have the same translation.
    Translation inverse() const;

    // A word or list in normal form (kif_text.h), each word translated; words that are not known stay. Only the words
    // it is given must be in lower case.
    std::string operator()(std::string_view text) const;

    bool empty() const { return words_.empty(); }

  private:
    std::map<std::string, std::string> words_;
};

// From lower case to the spelling a text uses, where that is another one; the first spelling counts. Words of more than
// a few dozen bytes are left out: no manager waits for those.
Translation spelling_of(std::string_view text);

}  // namespace stratagem::protocol
