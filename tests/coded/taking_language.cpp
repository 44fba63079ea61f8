#include "coded/taking_language.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "machine/subtraction_program.h"

namespace stratagem::taking {

namespace {

struct Word {
    std::string_view text;
    gdl::Span span;
};

std::vector<Word> words_of(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    std::vector<Word> words;
    for (std::size_t begin = text.find_first_not_of(blanks); begin != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
        words.push_back(
            {text.substr(begin, end - begin), {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}});
        begin = text.find_first_not_of(blanks, end);
    }
    return words;
}

class Reader {
  public:
    Reader(std::string name, std::string text)
        : source_(std::make_shared<const gdl::Source>(std::move(name), std::move(text))),
          words_(words_of(source_->text())) {}

    ReadResult read() && {
        expect("take");
        std::vector<std::uint32_t> takes;
        while (at_ < words_.size() && words_[at_].text != "from") {
            if (const std::optional<std::uint32_t> taken = number(1)) {
                if (!takes.empty() && *taken <= takes.back()) {
                    fault(words_[at_ - 1].span, "numbers to take are to ascend", "write each once, the least first");
                }
                takes.push_back(*taken);
            }
        }
        if (takes.empty() && faults_.empty()) fault(here(), "there is no number to take", "as in: take 1 2 3 from 7");
        expect("from");
        const std::optional<std::uint32_t> pile = number(0);
        if (at_ < words_.size()) fault(here(), "there is something after the pile", "a text is one game");
        ReadResult result{source_, std::move(faults_), nullptr};
        if (!result.faults.empty()) return result;
        machine::testing::SubtractionProgram made(*pile, std::move(takes));
        result.game = machine::ProgramGame::make_from(source_->name(), std::move(made).program());
        return result;
    }

  private:
    // The word to come; at the end of the text the place behind it.
    gdl::Span here() const {
        const auto end = static_cast<std::uint32_t>(source_->text().size());
        return at_ < words_.size() ? words_[at_].span : gdl::Span{end, end};
    }
    void fault(gdl::Span span, std::string message, std::string hint) {
        faults_.push_back({gdl::Severity::error, "taking", span, std::move(message), std::move(hint)});
    }

    void expect(std::string_view word) {
        if (at_ < words_.size() && words_[at_].text == word) {
            ++at_;
        } else {
            fault(here(), fmt::format("'{}' is missing", word), "as in: take 1 2 3 from 7");
        }
    }

    // Nothing, and a fault, where the next word is none of this language.
    std::optional<std::uint32_t> number(std::uint32_t least) {
        constexpr std::uint32_t most = 1000;
        const gdl::Span place = here();
        const std::string_view text = at_ < words_.size() ? words_[at_++].text : std::string_view();
        std::uint32_t value = 0;
        const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (problem == std::errc() && rest == text.data() + text.size() && value >= least && value <= most)
            return value;
        fault(place, text.empty() ? "a number is missing" : fmt::format("'{}' is not a number of counters", text),
              fmt::format("a whole number from {} to {}", least, most));
        return std::nullopt;
    }

    std::shared_ptr<const gdl::Source> source_;
    std::vector<Word> words_;
    std::size_t at_ = 0;
    std::vector<gdl::Diagnostic> faults_;
};

}  // namespace

ReadResult read(std::string name, std::string text) { return Reader(std::move(name), std::move(text)).read(); }

}  // namespace stratagem::taking
