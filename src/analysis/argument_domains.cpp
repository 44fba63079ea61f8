#include "analysis/argument_domains.h"

#include <unordered_map>
#include <vector>

#include "gdl/read.h"

namespace stratagem::analysis {

namespace keyword = gdl::keyword;

// Unites what shares a variable.
class DomainFinder {
  public:
    // `symbols`: what places are called by.
    DomainFinder(const gdl::TermPool& terms, const gdl::SymbolTable& symbols,
                 std::map<ArgumentDomains::Place, std::uint32_t>& domains)
        : terms_(terms), symbols_(symbols), domains_(domains) {}

    void read(const gdl::Rule& rule) {
        first_of_.clear();
        look(rule.head);
        for (const gdl::Literal& literal : rule.body) {
            gdl::for_each_atom(literal, true, [&](const gdl::Literal& one, bool) {
                if (one.kind == gdl::Literal::Kind::atom) look(one.atom);  // that two things differ connects nothing
            });
        }
    }
    void finish() {
        for (auto& [place, domain] : domains_) domain = root(domain);
    }

  private:
    // A fluent is the same whether it holds now, next or at first; a move whether it is made or may be. Words that the
    // ground program does not know are those of rules that never apply.
    std::optional<gdl::Symbol> meant(gdl::Symbol symbol) const {
        if (symbol == keyword::next || symbol == keyword::init || symbol == keyword::base) return keyword::true_;
        if (symbol == keyword::legal || symbol == keyword::input) return keyword::does;
        gdl::Symbol found{};
        return symbols_.find(terms_.symbols().name(symbol), found) ? std::optional(found) : std::nullopt;
    }
    void look(gdl::Term term) {
        const std::uint32_t arity = terms_.arity(term);
        const std::optional<gdl::Symbol> symbol = arity > 0 ? meant(terms_.symbol(term)) : std::nullopt;
        if (!symbol) return;
        for (std::uint32_t i = 0; i < arity; ++i) {
            const gdl::Term argument = terms_.argument(term, i);
            const std::uint32_t here = number({*symbol, arity, i});
            if (!terms_.is_variable(argument)) {
                look(argument);
                continue;
            }
            const auto [first, added] = first_of_.emplace(argument, here);
            if (!added) above_[root(here)] = root(first->second);
        }
    }
    std::uint32_t number(const ArgumentDomains::Place& place) {
        const auto [found, added] = domains_.emplace(place, static_cast<std::uint32_t>(above_.size()));
        if (added) above_.push_back(found->second);
        return found->second;
    }
    std::uint32_t root(std::uint32_t place) {
        while (above_[place] != place) place = above_[place] = above_[above_[place]];
        return place;
    }

    const gdl::TermPool& terms_;
    const gdl::SymbolTable& symbols_;
    std::map<ArgumentDomains::Place, std::uint32_t>& domains_;
    std::vector<std::uint32_t> above_;                       // by place: one of its domain, nearer to the root
    std::unordered_map<gdl::Term, std::uint32_t> first_of_;  // by variable of the rule: a place it stands in
};

ArgumentDomains::ArgumentDomains(const machine::Game& game) {
    const std::optional<std::string> rules = game.rules();
    if (!rules || game.program() == nullptr) return;
    const gdl::ReadResult read = gdl::read(game.name(), *rules, gdl::Notation::kif);
    if (!read.ok()) return;
    DomainFinder finder(read.description.terms, game.program()->terms.symbols(), domains_);
    for (const gdl::Rule& rule : read.description.rules) finder.read(rule);
    finder.finish();
}

std::optional<std::uint32_t> ArgumentDomains::find(gdl::Symbol symbol, std::uint32_t arity,
                                                   std::uint32_t argument) const {
    const auto found = domains_.find({symbol, arity, argument});
    return found == domains_.end() ? std::nullopt : std::optional(found->second);
}

bool ArgumentDomains::connected(gdl::Symbol symbol, std::uint32_t arity, std::uint32_t argument, gdl::Symbol relation,
                                std::uint32_t relation_arity) const {
    if (empty()) return true;
    const std::optional<std::uint32_t> domain = find(symbol, arity, argument);
    for (std::uint32_t i = 0; domain && i < relation_arity; ++i) {
        if (find(relation, relation_arity, i) == domain) return true;
    }
    return false;
}

}  // namespace stratagem::analysis
