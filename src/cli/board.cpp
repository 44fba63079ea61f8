#include "cli/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include "gdl/print.h"

namespace stratagem::cli {

namespace {

using gdl::Term;

constexpr std::size_t largest_side = 20;  // a grid has to fit into a terminal
constexpr std::size_t widest_list = 100;

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

// Numbers first, by value; then the others by name.
std::vector<Term> sorted(const gdl::TermPool& terms, const std::set<Term>& domain) {
    std::vector<Term> result(domain.begin(), domain.end());
    const auto key = [&](Term term) {
        const std::string name = gdl::to_kif(terms, term);
        const std::optional<int> value = number(name);
        return std::tuple(!value, value.value_or(0), name);
    };
    std::ranges::sort(result, {}, key);
    return result;
}

std::size_t index_of(const std::vector<Term>& domain, Term term) {
    return static_cast<std::size_t>(std::ranges::find(domain, term) - domain.begin());
}

// Several on a line while they fit.
std::string list(const std::vector<std::string>& names) {
    std::string text;
    std::string line;
    for (const std::string& name : names) {
        if (!line.empty() && line.size() + 1 + name.size() > widest_list) {
            text += line + '\n';
            line.clear();
        }
        line += line.empty() ? name : ' ' + name;
    }
    return line.empty() ? text : text + line + '\n';
}

}  // namespace

Board::Board(const gdl::TermPool& terms, std::span<const Term> fluents, std::span<const Term> initial) : terms_(terms) {
    find_relation(fluents);
    if (found()) name_contents(fluents, initial);
}

bool Board::on_grid(Term fluent) const { return terms_.arity(fluent) == 3 && terms_.symbol(fluent) == relation_; }

std::size_t Board::place(Term fluent) const {
    return index_of(rows_, terms_.argument(fluent, 1)) * columns_.size() +
           index_of(columns_, terms_.argument(fluent, 0));
}

// Of several relations of this shape, the one with the largest grid.
void Board::find_relation(std::span<const Term> fluents) {
    struct Domains {
        std::set<Term> first;
        std::set<Term> second;
    };
    std::map<gdl::Symbol, Domains> relations;
    for (const Term fluent : fluents) {
        if (terms_.arity(fluent) != 3) continue;
        Domains& domains = relations[terms_.symbol(fluent)];
        domains.first.insert(terms_.argument(fluent, 0));
        domains.second.insert(terms_.argument(fluent, 1));
    }
    for (const auto& [relation, domains] : relations) {
        const std::size_t smaller = std::min(domains.first.size(), domains.second.size());
        const std::size_t larger = std::max(domains.first.size(), domains.second.size());
        if (smaller < 2 || larger > largest_side) continue;
        if (found() && domains.first.size() * domains.second.size() <= columns_.size() * rows_.size()) continue;
        relation_ = relation;
        columns_ = sorted(terms_, domains.first);
        rows_ = sorted(terms_, domains.second);
    }
}

void Board::name_contents(std::span<const Term> fluents, std::span<const Term> initial) {
    std::map<Term, std::size_t> frequency;
    std::size_t filled = 0;
    for (const Term fluent : initial) {
        if (!on_grid(fluent)) continue;
        ++frequency[terms_.argument(fluent, 2)];
        ++filled;
    }
    const std::size_t cells = columns_.size() * rows_.size();
    // One alone is no background: there all contents may be different.
    std::size_t most = std::max<std::size_t>(cells > filled ? cells - filled : 0, 1);
    for (const auto& [content, count] : frequency) {
        if (count <= most) continue;
        most = count;
        background_ = content;
    }

    std::set<Term> contents;
    for (const Term fluent : fluents) {
        if (on_grid(fluent)) contents.insert(terms_.argument(fluent, 2));
    }
    std::set<char> letters;
    for (const Term content : contents) {
        if (content != background_) letters.insert(gdl::to_kif(terms_, content).front());
    }
    const std::size_t shown = contents.size() - (background_ ? contents.count(*background_) : 0);
    initials_ = letters.size() == shown;
    // A letter is a whole character, or no letter: names may hold any bytes.
    for (const char letter : letters) initials_ = initials_ && letter > ' ' && letter <= '~' && letter != '(';
}

std::string Board::sign(std::optional<Term> content) const {
    if (content == background_) return ".";
    if (!content) return " ";
    const std::string name = gdl::to_kif(terms_, *content);
    return initials_ ? name.substr(0, 1) : name;
}

std::string Board::draw(std::span<const Term> state) const {
    std::vector<std::optional<Term>> cells(columns_.size() * rows_.size());
    std::vector<std::string> all;
    std::vector<std::string> others;
    bool drawable = found();
    for (const Term fluent : state) {
        all.push_back(gdl::to_kif(terms_, fluent));
        if (!found() || !on_grid(fluent)) {
            others.push_back(all.back());
            continue;
        }
        std::optional<Term>& cell = cells[place(fluent)];
        if (cell) drawable = false;
        cell = terms_.argument(fluent, 2);
    }
    if (!drawable) return list(all);
    return grid(cells) + list(others);
}

std::string Board::grid(const std::vector<std::optional<Term>>& cells) const {
    std::size_t label_width = 0;
    for (const Term row : rows_) label_width = std::max(label_width, gdl::to_kif(terms_, row).size());
    std::size_t width = 1;
    for (const Term column : columns_) width = std::max(width, gdl::to_kif(terms_, column).size());
    for (const auto& cell : cells) width = std::max(width, sign(cell).size());

    const auto line = [&](std::string text, const auto& entry) {
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            text += fmt::format(" {:>{}}", entry(column), width);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return text + '\n';
    };
    std::string text;
    for (std::size_t row = rows_.size(); row-- > 0;) {
        text += line(fmt::format("{:>{}} ", gdl::to_kif(terms_, rows_[row]), label_width),
                     [&](std::size_t column) { return sign(cells[row * columns_.size() + column]); });
    }
    return text + line(std::string(label_width + 1, ' '),
                       [&](std::size_t column) { return gdl::to_kif(terms_, columns_[column]); });
}

}  // namespace stratagem::cli
