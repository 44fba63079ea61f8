#include "evaluate/feature_tree/tree_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace stratagem::evaluate::feature_tree {

namespace {

// On the way to whoever reads the text.
struct BadTree : std::runtime_error {
    explicit BadTree(TextProblem what) : std::runtime_error(what.message), problem(std::move(what)) {}
    TextProblem problem;
};

// Reads one line from left to right.
class TreeLine {
  public:
    TreeLine(std::string_view text, std::size_t number) : text_(text), number_(number) {}

    std::size_t skip_blanks() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        return at_ - begin;
    }
    bool at_end() const { return at_ == text_.size(); }
    bool take(char wanted) {
        if (at_end() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    void expect(char wanted, std::string_view what) {
        if (!take(wanted)) fail(fmt::format("'{}' is missing{}", wanted, what));
    }
    std::uint32_t number() {
        std::uint32_t value = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        // Few terms have more than ten arguments; none has a million.
        constexpr std::uint32_t most = 999'999;
        if (error != std::errc{} || value > most) fail("the number of an argument is missing, or too large");
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }
    std::vector<std::uint32_t> path() {
        expect('[', "");
        std::vector<std::uint32_t> path{number()};
        while (take('.')) path.push_back(number());
        expect(']', "");
        return path;
    }
    std::string atom() {
        expect(':', " before an atom");
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] != ' ') ++at_;
        if (at_ == begin) fail("an atom is missing");
        return std::string(text_.substr(begin, at_ - begin));
    }
    [[noreturn]] void fail(std::string message) const { throw BadTree({number_, at_ + 1, std::move(message)}); }

    Qualifier qualifier() {
        Qualifier result;
        while (take('~')) result.negated = !result.negated;
        if (take('F')) {
            result.atom = atom();
        } else if (take('T')) {
            result.kind = Qualifier::Kind::argument;
            result.path = path();
            result.atom = atom();
        } else if (take('C') || take('E')) {
            result.kind = text_[at_ - 1] == 'C' ? Qualifier::Kind::corner : Qualifier::Kind::edge;
            const std::size_t begin = at_;
            result.path = path();
            if (result.path.size() > 1) {
                at_ = begin;
                fail("the content of a board is an argument of the literal itself");
            }
        } else {
            fail("a qualifier is expected: F:atom, T[i]:atom, C[i] or E[i], perhaps with ~ before it");
        }
        return result;
    }
    Aggregator aggregator() {
        if (take('#')) return {};
        if (!take('O')) fail("an aggregator is expected: # or O[i]");
        const std::size_t begin = at_;
        const std::vector<std::uint32_t> one = path();
        if (one.size() > 1) {
            at_ = begin;
            fail("only arguments of the literal itself have orders");
        }
        return {Aggregator::Kind::order, one.front()};
    }

  private:
    std::string_view text_;
    std::size_t number_;
    std::size_t at_ = 0;
};

void read_line(TreeLine& line, std::vector<Node>& nodes, std::vector<std::uint32_t>& way) {
    const std::size_t blanks = line.skip_blanks();
    if (blanks % 2 != 0) line.fail("nodes are indented by two blanks for each step from the root");
    const std::size_t depth = blanks / 2;
    Node node;
    if (nodes.empty()) {
        if (depth != 0 || !line.take('*')) line.fail("the first line is the root: a star");
    } else {
        if (depth == 0) line.fail("there is only one root");
        if (depth > way.size()) line.fail("this is indented deeper than a child of the line above");
        way.resize(depth);
        node.parent = way.back();
        node.qualifier = line.qualifier();
    }
    while (!line.at_end()) {
        const std::size_t gap = line.skip_blanks();
        if (line.at_end()) break;
        if (gap == 0) line.fail("a blank is missing");
        const Aggregator aggregator = line.aggregator();
        if (std::ranges::find(node.aggregators, aggregator) != node.aggregators.end()) {
            line.fail("the node has this aggregator already");
        }
        node.aggregators.push_back(aggregator);
    }
    way.push_back(static_cast<std::uint32_t>(nodes.size()));
    nodes.push_back(std::move(node));
}

}  // namespace

std::string to_text(const TextProblem& problem) {
    return fmt::format("line {}, column {}: {}", problem.line, problem.column, problem.message);
}

std::string to_text(const FeatureTree& tree) {
    std::string text;
    std::vector<std::size_t> depth(tree.nodes().size(), 0);
    for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
        const Node& node = tree.nodes()[i];
        if (i > 0) depth[i] = depth[node.parent] + 1;
        text.append(2 * depth[i], ' ');
        text += i == 0 ? "*" : to_text(node.qualifier);
        for (const Aggregator& aggregator : node.aggregators) text += " " + to_text(aggregator);
        text += "\n";
    }
    return text;
}

std::variant<FeatureTree, TextProblem> parse_tree(std::string_view text) {
    std::vector<Node> nodes;
    std::vector<std::uint32_t> way;  // from the root to the last node
    std::size_t number = 0;
    try {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (line.ends_with('\r')) line.remove_suffix(1);
            ++number;
            const std::size_t begin = line.find_first_not_of(' ');
            if (begin == std::string_view::npos || line[begin] == ';') continue;
            TreeLine reader(line, number);
            read_line(reader, nodes, way);
        }
        if (nodes.empty()) throw BadTree({number + 1, 1, "there is no tree: its first line is a star"});
    } catch (const BadTree& bad) {
        return bad.problem;
    }
    return FeatureTree(nodes);
}

}  // namespace stratagem::evaluate::feature_tree
