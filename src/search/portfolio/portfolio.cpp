#include "search/portfolio/portfolio.h"

#include <fmt/format.h>

#include <algorithm>

#include "search/portfolio/inner.h"
#include "search/portfolio/thread_crew.h"
#include "util/contract.h"

namespace stratagem::search {

Portfolio::Portfolio(const Problem& problem, PortfolioSettings settings, std::unique_ptr<Crew> crew)
    : machine_(problem.game->make()), settings_(std::move(settings)), crew_(std::move(crew)), random_(settings_.seed) {
    assignments_.push_back({});
    const std::size_t heuristics = settings_.heuristics.size();
    for (std::size_t i = 0; i < heuristics; ++i) assignments_.push_back({i, 0});
    for (std::size_t i = 0; heuristics > 0 && assignments_.size() < crew_->workers(); ++i) {
        assignments_.push_back({i % heuristics, 1 + i / heuristics});
    }
}

Choice Portfolio::followed(std::span<const Nomination> nominations, machine::Random* random) const {
    Choice choice;
    const std::optional<std::size_t> number = choose_nomination(nominations, settings_.prefer, random);
    if (number) choice = nominations[*number].choice;
    choice.nodes = choice.playouts = 0;
    for (const Nomination& one : nominations) {
        choice.nodes += one.choice.nodes;
        choice.playouts += one.choice.playouts;
    }
    if (!number) return choice;
    const std::size_t heuristic = assignments_[*number].heuristic;
    const std::string by = heuristic == Assignment::blind ? "blind" : settings_.heuristics[heuristic];
    choice.note = fmt::format("{}, by {} of {}", choice.note, by, settings_.heuristics.size() + 1);
    return choice;
}

Choice Portfolio::choose(const State& state, Role role, const Budget& budget,
                         const std::function<void(const Choice&)>& report) {
    STRATAGEM_EXPECTS(!machine_->terminal(state));
    const Deadline::Clock::time_point begin = Deadline::Clock::now();
    const auto timed = [&](Choice choice) {
        choice.seconds = std::chrono::duration<double>(Deadline::Clock::now() - begin).count();
        return choice;
    };
    Choice fallback;
    std::vector<Move> legal;
    machine_->legal(state, role, legal);
    if (legal.empty()) return fallback;
    fallback.move = legal[0];
    if (report) report(timed(fallback));

    std::vector<Nomination> nominations(assignments_.size());
    for (std::size_t i = 0; i < nominations.size(); ++i) {
        nominations[i].blind = assignments_[i].heuristic == Assignment::blind;
    }
    const auto heard = [&](std::size_t number, const Choice& choice) {
        nominations[number].choice = choice;
        if (!report) return;
        const Choice now = followed(nominations, nullptr);
        if (now.move) report(timed(now));
    };
    const std::vector<Choice> answers = crew_->search(state, role, assignments_, budget, heard);
    for (std::size_t i = 0; i < answers.size(); ++i) nominations[i].choice = answers[i];
    Choice choice = followed(nominations, &random_);
    if (!choice.move) choice.move = fallback.move;
    return timed(choice);
}

namespace {

constexpr Option portfolio_options[] = {
    {"inner", Option::Kind::choice, "auto", 0, 0, "auto|alphabeta|paranoid|maxn|single",
     "the search each heuristic is used in; auto: by kind of game, as in the thesis"},
};

bool plays_any_game(const analysis::GameKind&) { return true; }

std::unique_ptr<Search> make_portfolio(const Problem& problem, const SearchSettings& settings,
                                       const OptionValues& values) {
    const InnerSearch inner = inner_search(problem, values.choice("inner"));
    PortfolioSettings portfolio;
    portfolio.seed = settings.seed;
    if (inner.entry->name == "single") portfolio.prefer = Prefer::value;
    std::vector<std::shared_ptr<const evaluate::Evaluator>> heuristics;
    for (const evaluate::Evaluator::Part& part : problem.evaluator->parts()) {
        portfolio.heuristics.push_back(part.name);
        heuristics.push_back(part.evaluator);
    }
    if (heuristics.empty() && !problem.evaluator->is_constant()) {
        portfolio.heuristics.emplace_back("the evaluator");
        heuristics.push_back(problem.evaluator);
    }
    const std::size_t threads = std::max<std::size_t>(1, settings.threads);
    const std::size_t searches = std::max(threads, heuristics.size() + 1);
    CrewSettings crew{inner.entry, inner.options, threads, 1, settings.table_megabytes / searches};
    // Nothing to choose from: all threads search together.
    if (heuristics.empty()) crew = {inner.entry, inner.options, 1, threads, settings.table_megabytes};
    if (settings.log) {
        settings.log(
            fmt::format("portfolio: {} heuristics and blind search, by {}", heuristics.size(), inner.entry->name));
    }
    return std::make_unique<Portfolio>(
        problem, std::move(portfolio),
        std::make_unique<ThreadCrew>(problem, settings, std::move(crew), std::move(heuristics)));
}

}  // namespace

constinit const SearchEntry portfolio_entry{
    "portfolio", "several heuristics at once, one of the deepest answers followed (Kuhlplayer)", portfolio_options,
    plays_any_game, make_portfolio};

}  // namespace stratagem::search
