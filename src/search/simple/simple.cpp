#include "search/simple/simple.h"

#include "machine/machine.h"
#include "machine/random.h"
#include "util/contract.h"

namespace stratagem::search {

namespace {

class SimpleSearch final : public Search {
  public:
    SimpleSearch(const Problem& problem, std::uint64_t seed, bool by_chance)
        : machine_(problem.game->make()), random_(seed), by_chance_(by_chance) {}

    Choice choose(const State& state, Role role, const Budget&,
                  const std::function<void(const Choice&)>& report) override {
        STRATAGEM_EXPECTS(!machine_->terminal(state));
        Choice choice;
        machine_->legal(state, role, legal_);
        if (!legal_.empty()) {
            choice.move = legal_[by_chance_ ? random_.below(static_cast<std::uint32_t>(legal_.size())) : 0];
        }
        choice.nodes = 1;
        choice.note = by_chance_ ? "a move by chance" : "the first legal move";
        if (report) report(choice);
        return choice;
    }

  private:
    std::unique_ptr<machine::Machine> machine_;
    machine::Random random_;
    bool by_chance_;
    std::vector<Move> legal_;
};

bool any_game(const analysis::GameKind&) { return true; }

}  // namespace

constinit const SearchEntry random_entry{
    "random",
    "a legal move by chance",
    {},
    any_game,
    [](const Problem& problem, const SearchSettings& settings, const OptionValues&) -> std::unique_ptr<Search> {
        return std::make_unique<SimpleSearch>(problem, settings.seed, true);
    },
    never_asks};

constinit const SearchEntry legal_entry{
    "legal",
    "the first legal move",
    {},
    any_game,
    [](const Problem& problem, const SearchSettings& settings, const OptionValues&) -> std::unique_ptr<Search> {
        return std::make_unique<SimpleSearch>(problem, settings.seed, false);
    },
    never_asks};

}  // namespace stratagem::search
