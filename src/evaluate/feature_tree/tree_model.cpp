#include "evaluate/feature_tree/tree_model.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

#include "evaluate/feature_tree/tree_text.h"
#include "gdl/print.h"

namespace stratagem::evaluate::feature_tree {

namespace {

constexpr std::string_view file_kind = "stratagem feature tree";

// On the way to whoever reads the file.
struct BadModel : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::string role_text(const ground::Program& program, std::size_t role) {
    return gdl::to_kif(program.terms, program.roles[role]);
}

TreeModel read_model(const nlohmann::json& file, const ground::Program& program) {
    if (!file.is_object() || file.value("kind", "") != file_kind) {
        throw BadModel(fmt::format("this is no file of a {}", file_kind));
    }
    std::string lines;
    for (const auto& line : file.at("tree")) lines += line.get<std::string>() + "\n";
    auto tree = parse_tree(lines);
    if (const auto* problem = std::get_if<TextProblem>(&tree)) throw BadModel("the tree: " + to_text(*problem));
    TreeModel model{std::move(std::get<FeatureTree>(tree)), {}};
    const auto& roles = file.at("roles");
    if (roles.size() != program.roles.size()) throw BadModel("the game has another number of roles");
    for (std::size_t i = 0; i < roles.size(); ++i) {
        if (roles[i].at("name").get<std::string>() != role_text(program, i)) {
            throw BadModel("the game has other roles");
        }
        TreeModel::Seat seat;
        seat.least = roles[i].at("least").get<double>();
        seat.most = roles[i].at("most").get<double>();
        seat.bias = roles[i].value("bias", 0.0);
        seat.scale = roles[i].value("scale", 1.0);
        seat.weights = roles[i].at("weights").get<std::vector<double>>();
        if (seat.least > seat.most) throw BadModel("goal values of a role are upside down");
        if (!seat.weights.empty() && seat.weights.size() != model.tree.features().size()) {
            throw BadModel(fmt::format("the tree has {} features, and there are {} weights",
                                       model.tree.features().size(), seat.weights.size()));
        }
        model.seats.push_back(std::move(seat));
    }
    return model;
}

}  // namespace

TreeModel TreeModel::pruned() const {
    std::vector<bool> keep(tree.features().size(), false);
    for (const Seat& seat : seats) {
        for (std::size_t i = 0; i < seat.weights.size(); ++i) keep[i] = keep[i] || seat.weights[i] != 0;
    }
    TreeModel result{tree.pruned(keep), seats};
    for (Seat& seat : result.seats) {
        std::vector<double> kept;
        for (std::size_t i = 0; i < seat.weights.size(); ++i) {
            if (keep[i]) kept.push_back(seat.weights[i]);
        }
        seat.weights = std::move(kept);
    }
    return result;
}

std::string to_json(const TreeModel& model, const ground::Program& program) {
    nlohmann::json file{{"kind", file_kind}, {"tree", nlohmann::json::array()}, {"roles", nlohmann::json::array()}};
    const std::string text = to_text(model.tree);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        file["tree"].push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    for (std::size_t i = 0; i < model.seats.size(); ++i) {
        const TreeModel::Seat& seat = model.seats[i];
        file["roles"].push_back({{"name", role_text(program, i)},
                                 {"least", seat.least},
                                 {"most", seat.most},
                                 {"bias", seat.bias},
                                 {"scale", seat.scale},
                                 {"weights", seat.weights}});
    }
    return file.dump(1) + "\n";
}

std::variant<TreeModel, std::string> model_from_json(std::string_view text, const ground::Program& program) {
    try {
        return read_model(nlohmann::json::parse(text), program);
    } catch (const nlohmann::json::exception& error) {
        return fmt::format("not as a tree with weights is written: {}", error.what());
    } catch (const BadModel& bad) {
        return std::string(bad.what());
    }
}

}  // namespace stratagem::evaluate::feature_tree
