#include "evaluate/single/single.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "analysis/templates.h"
#include "evaluate/single/promise.h"

namespace stratagem::evaluate {

namespace {

constexpr std::size_t most_features = 60;  // the thesis speaks of two dozen heuristics

constexpr std::array single_feature_options{
    Option{"feature", Option::Kind::text, "", 0, 0, "",
           "the feature to go by: its name, or its number from 1 (stratagem lab heuristics GAME --list); empty: for "
           "each role the one that goes along best with the ends of random games"},
    Option{"direction", Option::Kind::choice, "auto", 0, 0, "auto|max|min",
           "make it large, or small; auto: what goes along better with the ends of random games"},
    Option{"structures", Option::Kind::choice, "templates", 0, 0, "templates|meaning",
           "where features come from: structures as the thesis finds them, or those found by meaning"},
};

// The number of the feature that is meant. Throws OptionError.
std::size_t feature_named(const single::FeatureSet& set, const std::string& text) {
    const auto found = std::ranges::find(set.features, text, &single::Feature::name);
    if (found != set.features.end()) return static_cast<std::size_t>(found - set.features.begin());
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = problem == std::errc() && end == text.data() + text.size();
    if (whole && number >= 1 && number <= set.features.size()) return number - 1;
    std::vector<std::string_view> names;
    for (const single::Feature& feature : set.features) names.push_back(feature.name);
    throw OptionError(
        fmt::format("feature: there is no '{}' in this game; there are: {}", text, fmt::join(names, ", ")));
}

std::shared_ptr<const Evaluator> make_single(const Material& material, const OptionValues& values) {
    const auto set = single::make_feature_set(material, values.choice("structures") == "templates");
    if (set == nullptr) return nullptr;
    const std::string& wanted = values.text("feature");
    std::vector<single::Candidate> among = set->candidates();
    if (!wanted.empty()) {
        const std::size_t number = feature_named(*set, wanted);
        std::erase_if(among, [&](const single::Candidate& one) { return one.feature != number; });
    }
    const std::string& direction = values.choice("direction");
    if (direction != "auto") {
        std::erase_if(among, [&](const single::Candidate& one) { return one.most != (direction == "max"); });
    }
    std::vector<single::Candidate> by_role;
    for (std::uint32_t role = 0; role < set->program->roles.size(); ++role) {
        by_role.push_back(set->most_promising(machine::Role{role}, among));
    }
    material.say(fmt::format("single: {} features", set->features.size()));
    return std::make_shared<single::SingleEvaluator>(set, std::move(by_role), wanted.empty());
}

}  // namespace

namespace single {

std::shared_ptr<const FeatureSet> make_feature_set(const Material& material, bool by_templates) {
    if (material.analysis == nullptr || material.analysis->program() == nullptr ||
        material.analysis->samples() == nullptr) {
        material.say("single: the rules cannot be grounded, so there are no structures");
        return nullptr;
    }
    const analysis::Findings& known = *material.analysis;
    // They take next to nothing in most games, and without them there is nothing to go by.
    const machine::Stop stop = material.stop.at_least(std::chrono::milliseconds(50));
    const analysis::PlainStructures structures =
        by_templates ? analysis::find_by_templates(*known.program(), *known.samples(), stop)
                     : analysis::plain_structures_by_meaning(known);
    auto set = std::make_shared<FeatureSet>();
    set->program = known.program();
    set->features = find_features(*set->program, structures, most_features);
    if (set->features.empty()) {
        material.say("single: no feature was found");
        return nullptr;
    }
    set->least_goal = known.kind().least_goal;
    set->most_goal = known.kind().most_goal;
    set->promise =
        promise_of(set->features, *known.samples(), set->program->roles.size(), set->program->fluents.size(), stop);
    return set;
}

}  // namespace single

constinit const EvaluatorEntry single_feature_entry{
    "single", "one feature of what the rules show: a count, a place, a distance, an amount (Kuhlplayer)",
    single_feature_options, make_single};

}  // namespace stratagem::evaluate
