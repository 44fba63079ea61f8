// One feature, to be made as large or as small as can be (Kuhlmann's thesis, section 4.4).
//
//   H = 1 + R- + (R+ - R- - 2) V        V: the feature, scaled to 0 … 1, or 1 less that to make it small
//
// R- and R+ are the least and the greatest goal value of the role: a sure loss is below every guess, a sure win above.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluate/evaluator.h"
#include "evaluate/single/features.h"

namespace stratagem::evaluate::single {

// A feature with a direction.
struct Candidate {
    std::size_t feature = 0;
    bool most = true;  // as large as can be

    friend bool operator==(const Candidate&, const Candidate&) = default;
};

// All features of a game, and what judging by them needs. Shared by all heuristics of it.
struct FeatureSet {
    std::shared_ptr<const ground::Program> program;
    std::vector<Feature> features;
    std::vector<int> least_goal, most_goal;    // by role
    std::vector<std::vector<double>> promise;  // by feature, then role (promise.h)

    // Each feature in both directions.
    std::vector<Candidate> candidates() const;
    std::string name(const Candidate& candidate) const;  // "max:pawn.white.2"
    // Of these directions the one that goes along best with the role's goal values; of equals the first.
    Candidate most_promising(machine::Role role, const std::vector<Candidate>& among) const;
};

class SingleEvaluator final : public Evaluator {
  public:
    // By role: what it goes by. Pre: there are as many roles, and features of these numbers.
    SingleEvaluator(std::shared_ptr<const FeatureSet> set, std::vector<Candidate> by_role, bool offers_parts);

    double value(const machine::State& state, machine::Role role) const override;
    Explanation explain(const machine::State& state, machine::Role role) const override;
    std::unique_ptr<Evaluation> start() const override;
    std::vector<Part> parts() const override;

    const FeatureSet& set() const { return *set_; }
    const Candidate& of(machine::Role role) const { return by_role_[ground::index(role)]; }
    double heuristic(machine::Role role, std::int64_t value) const;

  private:
    std::shared_ptr<const FeatureSet> set_;
    std::vector<Candidate> by_role_;
    bool offers_parts_;
};

}  // namespace stratagem::evaluate::single
