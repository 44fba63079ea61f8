// From answers for goals to the value of a state: whoever has more points, or more of what higher goals ask for, is not
// worth less.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "evaluate/neural_game.h"

namespace stratagem::evaluate::neural::testing {
namespace {

using Aggregation = Settings::Aggregation;

double value_of(const Ladder& ladder, const std::vector<double>& answers) {
    return ladder.value([&](std::size_t i) { return answers[i]; });
}

TEST(Ladder, IsTheSumOfTheThesisForWinDrawAndLoss) {
    const Ladder ladder(std::vector{0, 50, 100}, 50), two(std::vector{0, 100}, 50);
    machine::Random random(1);
    const auto degree = [&] { return random.below(1000) / 1000.0; };
    for (int i = 0; i < 1000; ++i) {
        const double lost = -degree(), won = -degree(), drawn = degree();
        const double sum = 50 + (100 - 50) * (won + 1) / 2 + (0 - 50) * (lost + 1) / 2;
        EXPECT_NEAR(value_of(ladder, {lost, drawn, won}), sum, 1e-9);
        EXPECT_NEAR(value_of(ladder, {lost, -drawn - 0.001, won}), sum, 1e-9) << "no goal holds yet";
        EXPECT_NEAR(value_of(two, {drawn + 0.001, -drawn - 0.001}), 50 - 50 * (drawn + 0.001), 1e-9);
        EXPECT_NEAR(value_of(two, {-drawn - 0.001, drawn + 0.001}), 50 + 50 * (drawn + 0.001), 1e-9);
    }
}

TEST(Ladder, RisesWithGoalsAboveAndFallsWithGoalsBelow) {
    machine::Random random(2);
    const auto degree = [&] { return random.below(1000) / 1000.0; };
    for (int game = 0; game < 2000; ++game) {
        std::set<int> chosen;
        for (std::uint32_t i = 0, count = 1 + random.below(12); i < count; ++i) {
            chosen.insert(static_cast<int>(random.below(101)));
        }
        const std::vector<int> goals(chosen.begin(), chosen.end());
        const Ladder ladder(goals, 50);
        const std::size_t now = random.below(static_cast<std::uint32_t>(goals.size()));
        std::vector<double> less, more;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            const double a = i == now ? degree() + 0.001 : -degree() - 0.001;
            const double b = i == now ? degree() + 0.001 : -degree() - 0.001;
            less.push_back(i == now ? a : i > now ? std::min(a, b) : std::max(a, b));
            more.push_back(i == now ? b : i > now ? std::max(a, b) : std::min(a, b));
        }
        EXPECT_LE(value_of(ladder, less), value_of(ladder, more) + 1e-9);
        EXPECT_GE(value_of(ladder, less), 0);
        EXPECT_LE(value_of(ladder, more), 100);
        // A higher goal holds: whatever is said of the others.
        for (std::size_t higher = now + 1; higher < goals.size(); ++higher) {
            std::vector<double> other;
            for (std::size_t i = 0; i < goals.size(); ++i) other.push_back(i == higher ? degree() + 0.001 : -degree());
            EXPECT_LE(value_of(ladder, more), value_of(ladder, other) + 1e-9);
        }
    }
}

// Games of scores: a number in the state on which goals depend, more points for a higher one.

Settings nex() {
    Settings settings = settings_for(Transformation::soft);
    settings.features.distances = settings.features.variable = settings.features.admissible = true;
    settings.features.persistence = settings.features.orders = settings.features.chains = true;
    return settings;
}

// States that differ in nothing but one number, with the goal of a role in each, where that rises with it.
struct Scores {
    Role role{};
    std::vector<State> states;  // by ascending goal
    std::vector<int> goals;
};

std::optional<Scores> scores_of(const NeuralGame& game, const State& state, const analysis::Group& numbers, Role role) {
    const auto holding =
        std::ranges::find_if(numbers.fluents, [&](machine::Fluent fluent) { return state.holds(fluent); });
    if (holding == numbers.fluents.end()) return std::nullopt;
    const ground::Program& program = *game.known->program();
    const auto& orders = game.known->argument_orders().of_family(numbers.family);
    std::optional<std::uint32_t> place;
    for (std::uint32_t k = 0; k < orders.size(); ++k) {
        if ((numbers.outputs >> k & 1U) == 0) continue;
        if (place || !orders[k]) return std::nullopt;
        place = k;
    }
    if (!place) return std::nullopt;
    const analysis::Order& order = game.known->orders()[*orders[*place]];
    std::vector<machine::Fluent> members = numbers.fluents;
    std::ranges::sort(members, {}, [&](machine::Fluent fluent) {
        return *order.index_of(program.terms.argument(program.fluents[ground::index(fluent)], *place));
    });
    Scores result{role, {}, {}};
    for (const machine::Fluent fluent : members) {
        State other = state;
        other.flip(*holding);
        other.flip(fluent);
        const std::optional<int> goal = game.machine->goal(other, role);
        if (!goal) continue;
        result.states.push_back(std::move(other));
        result.goals.push_back(*goal);
    }
    if (std::set<int>(result.goals.begin(), result.goals.end()).size() < 3) return std::nullopt;
    if (std::ranges::is_sorted(result.goals, std::greater{})) {
        std::ranges::reverse(result.goals);
        std::ranges::reverse(result.states);
    }
    return std::ranges::is_sorted(result.goals) ? std::optional(std::move(result)) : std::nullopt;
}

struct Found {
    std::size_t games = 0, pairs = 0, worse = 0;
};

void check_scores(NeuralGame& game, const Settings& settings, std::size_t states, Found& found) {
    if (!game.known || game.known->families().empty()) return;
    bool any = false;
    game.set(settings);
    machine::Random random(5);
    State state = game.machine->initial();
    for (std::size_t i = 0; i < states; ++i, game.advance(state, random)) {
        for (const analysis::Group& group : game.known->groups()) {
            if (group.family == analysis::Group::mixed || !group.at_most_one) continue;
            for (std::uint32_t role = 0; role < game.machine->role_count(); ++role) {
                const std::optional<Scores> scores = scores_of(game, state, group, Role{role});
                if (!scores) continue;
                any = true;
                for (std::size_t k = 0; k + 1 < scores->states.size(); ++k) {
                    if (scores->goals[k] == scores->goals[k + 1]) continue;
                    ++found.pairs;
                    found.worse += game.value(scores->states[k], role) > game.value(scores->states[k + 1], role) + 1e-9;
                }
            }
        }
    }
    found.games += any ? 1 : 0;
}

// Coins are collected one by one; each is worth more points.
std::string coins() {
    std::string rules = R"(
        (role miser)
        (init (coins 0)) (init (step 0))
        (<= (legal miser take) (true (coins ?n)) (succ ?n ?m)) (legal miser wait)
        (<= (next (coins ?m)) (true (coins ?n)) (does miser take) (succ ?n ?m))
        (<= (next (coins ?n)) (true (coins ?n)) (does miser wait))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= terminal (true (step 25)))
        (<= (goal miser ?v) (true (coins ?n)) (worth ?n ?v))
    )";
    for (int i = 0; i <= 25; ++i) rules += fmt::format("(worth {} {}) ", i, 4 * i);
    for (int i = 0; i < 25; ++i) rules += fmt::format("(succ {} {}) ", i, i + 1);
    return rules;
}

TEST(StateValue, RisesWithThePointsOfAScore) {
    NeuralGame game(machine::testing::described(coins()), {}, 20);
    Found ladder, sum;
    check_scores(game, nex(), 5, ladder);
    EXPECT_EQ(ladder.games, 1U);
    EXPECT_GE(ladder.pairs, 100U);
    EXPECT_EQ(ladder.worse, 0U);
    Settings thesis = nex();
    thesis.aggregation = Aggregation::sum;
    check_scores(game, thesis, 5, sum);
    EXPECT_GT(sum.worse, 0U) << "what the ladder is for";
}

TEST(StateValue, RisesWithThePointsInSharedGames) {
    const std::vector<std::filesystem::path> files = gdl::testing::shared_files();
    if (files.empty()) GTEST_SKIP() << "no ../shared/games beside the project";
    Found found;
    for (std::size_t i = full_tests() ? 0 : 5; i < files.size(); i += every(45)) {
        SCOPED_TRACE(files[i].stem().string());
        gdl::ReadResult read = gdl::read_and_check(files[i].filename().string(), gdl::testing::content_of(files[i]));
        if (!read.ok()) continue;
        NeuralGame game(std::move(read.description), {}, 2);
        if (!game.evaluator) continue;
        const std::size_t before = found.games, worse = found.worse;
        check_scores(game, nex(), 10, found);
        if (found.games > before) fmt::print("{}\n", files[i].stem().string());
        EXPECT_EQ(found.worse, worse);
    }
    fmt::print("{} games of scores: {} pairs of states, {} the wrong way round\n", found.games, found.pairs,
               found.worse);
}

// Of two states, let one satisfy all literals of each goal above that the other does, and none of goals below that the
// other does not: it is not worth less.
class RoleLiterals {
  public:
    RoleLiterals(const NeuralGame& game, Role role) : game_(game), role_(role) {
        const DomainTheory& theory = game.evaluator->goals().theory();
        for (const DomainTheory::Goal& goal : theory.goals()) {
            if (goal.role != role) continue;
            std::vector<Code> literals;
            const std::vector<bool> reached = reached_from(theory, goal.condition);
            for (std::uint32_t code = Code(1, false).code(); code < reached.size(); ++code) {
                const Code of = Code::from_code(code);
                if (reached[code] && theory.leaf(node_of(of))) literals.push_back(of);
            }
            goals_.push_back({goal.condition, std::move(literals)});
        }
    }

    void add(const State& state) {
        const std::vector<bool> truth = truth_of(game_.evaluator->goals(), state);
        Seen seen{{}, goals_.size(), game_.value(state, ground::index(role_))};
        for (std::size_t i = 0; i < goals_.size(); ++i) {
            if (DomainTheory::holds(truth, goals_[i].condition)) seen.now = i;
            std::vector<bool> satisfied;
            for (const Code of : goals_[i].literals) satisfied.push_back(DomainTheory::holds(truth, of));
            seen.satisfied.push_back(std::move(satisfied));
        }
        seen_.push_back(std::move(seen));
    }

    void compare(std::size_t& pairs) const {
        for (const Seen& less : seen_) {
            for (const Seen& more : seen_) {
                if (less.now == goals_.size() || more.now == goals_.size() || !better(more, less)) continue;
                ++pairs;
                ASSERT_GE(more.value, less.value - 1e-9);
            }
        }
    }

  private:
    struct Goal {
        Code condition;
        std::vector<Code> literals;
    };
    struct Seen {
        std::vector<std::vector<bool>> satisfied;  // by goal
        std::size_t now = 0;
        double value = 0;
    };

    static bool contains(const std::vector<bool>& more, const std::vector<bool>& less) {
        for (std::size_t i = 0; i < more.size(); ++i) {
            if (less[i] && !more[i]) return false;
        }
        return true;
    }
    bool better(const Seen& more, const Seen& less) const {
        for (std::size_t i = 0; i < goals_.size(); ++i) {
            if (i > less.now && !contains(more.satisfied[i], less.satisfied[i])) return false;
            if (i < less.now && !contains(less.satisfied[i], more.satisfied[i])) return false;
        }
        return more.satisfied != less.satisfied;
    }

    const NeuralGame& game_;
    Role role_;
    std::vector<Goal> goals_;
    std::vector<Seen> seen_;
};

TEST(StateValue, RisesWithWhatGoalsAskFor) {
    std::size_t pairs = 0;
    for_each_bundled_game([&](const NeuralGame& game) {
        std::vector<RoleLiterals> roles;
        for (std::uint32_t role = 0; role < game.machine->role_count(); ++role) roles.emplace_back(game, Role{role});
        machine::Random random(12);
        State state = game.machine->initial();
        for (int i = 0; i < 60; ++i, game.advance(state, random)) {
            for (RoleLiterals& one : roles) one.add(state);
        }
        for (const RoleLiterals& one : roles) one.compare(pairs);
    });
    fmt::print("{} pairs of states\n", pairs);
    EXPECT_GE(pairs, 1'000U);
}

}  // namespace
}  // namespace stratagem::evaluate::neural::testing
