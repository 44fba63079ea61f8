#include "search/uct/uct.h"

#include <array>

#include "search/uct/uct_search.h"

namespace stratagem::search {

namespace {

using Kind = Option::Kind;

constexpr Option final_option{"final",
                              Kind::choice,
                              "visits",
                              0,
                              0,
                              "visits|value|mixed",
                              "the answer: the most visited move, the best mean, or (simultaneous moves) by chance in "
                              "proportion to visits"};

constexpr std::string_view needs_lanes = "lanes=on,mast=off,rave=off,evaluator!=cutoff";

constexpr std::array uct_options{
    Option{"exploration", Kind::real, "0.2", 0, 10, "", "constant of UCB1 for values in [0, 1]"},
    Option{"fpu", Kind::real, "0", -1, 2, "",
           "first-play urgency: an untried move counts as tried once, with the mean of the state less this",
           "all_first=off"},
    Option{"all_first", Kind::flag, "off", 0, 0, "", "every move of a state once before any of them twice"},
    Option{"virtual_loss", Kind::real, "0.5", 0, 1, "", "how much of a loss a visit counts while it is on its way"},
    Option{"transpositions", Kind::flag, "on", 0, 0, "", "one node for each state instead of each path"},
    Option{"solver", Kind::flag, "on", 0, 0, "", "prove values and leave out moves that are proved worse"},
    Option{"mast", Kind::flag, "off", 0, 0, "", "playouts prefer moves with good averages (ends the use of lanes)",
           "evaluator_weight!=1"},
    Option{"greedy", Kind::real, "0.6", 0, 1, "", "with mast: how often the best move by averages is made", "mast=on"},
    Option{"rave", Kind::flag, "off", 0, 0, "", "all-moves-as-first estimates (ends the use of lanes)"},
    Option{"rave_equivalence", Kind::real, "500", 1, 1e6, "",
           "with rave: visits at which both estimates weigh the same", "rave=on"},
    Option{"history", Kind::flag, "off", 0, 0, "",
           "untried moves in the order of their averages in playouts (needs lanes)",
           "lanes=on,mast=off,rave=off,evaluator!=cutoff,evaluator_weight!=1"},
    Option{"lanes", Kind::flag, "on", 0, 0, "", "playouts by the batch where the machine can",
           "mast=off,rave=off,evaluator!=cutoff"},
    Option{"leaves", Kind::integer, "0", 0, 4096, "",
           "leaves whose games are played at the same time; 0: what the tree has use for", needs_lanes},
    Option{"playouts", Kind::integer, "0", 0, 4096, "", "playouts from each leaf; 0: by the measured costs of both",
           "lanes=on,mast=off,rave=off,evaluator!=cutoff,evaluator_weight!=1"},
    final_option,
    Option{"evaluator", Kind::choice, "none", 0, 0, "none|leaf|prior|cutoff",
           "use of the evaluator: mixed into the value of leaves, as prior of moves, or to end playouts early",
           has_evaluator},
    Option{"evaluator_weight", Kind::real, "0.5", 0, 1, "", "with evaluator=leaf: its share; 1 means no playouts",
           "evaluator=leaf"},
    Option{"prior_visits", Kind::real, "10", 0, 1e6, "", "with evaluator=prior: visits its opinion is worth",
           "evaluator=prior"},
    Option{"cutoff", Kind::integer, "10", 0, 100000, "", "with evaluator=cutoff: moves of a playout before it is asked",
           "evaluator=cutoff"},
};

constexpr std::array plain_options{
    Option{"exploration", Kind::real, "0.3", 0, 10, "", "constant of UCB1 for values in [0, 1]"},
    final_option,
};

uct::FinalMove final_move(const OptionValues& values) {
    const std::string& chosen = values.choice("final");
    if (chosen == "value") return uct::FinalMove::value;
    return chosen == "mixed" ? uct::FinalMove::mixed : uct::FinalMove::visits;
}

uct::EvaluatorUse evaluator_use(const OptionValues& values) {
    const std::string& chosen = values.choice("evaluator");
    if (chosen == "leaf") return uct::EvaluatorUse::leaf;
    if (chosen == "prior") return uct::EvaluatorUse::prior;
    return chosen == "cutoff" ? uct::EvaluatorUse::cutoff : uct::EvaluatorUse::none;
}

bool any_game(const analysis::GameKind&) { return true; }

std::unique_ptr<Search> make_uct(const Problem& problem, const SearchSettings& settings, const OptionValues& values) {
    uct::Settings chosen;
    chosen.exploration = values.real("exploration");
    chosen.fpu = values.real("fpu");
    chosen.all_first = values.flag("all_first");
    chosen.virtual_loss = values.real("virtual_loss");
    chosen.transpositions = values.flag("transpositions");
    chosen.solver = values.flag("solver");
    chosen.mast = values.flag("mast");
    chosen.greedy = values.real("greedy");
    chosen.rave = values.flag("rave");
    chosen.rave_equivalence = values.real("rave_equivalence");
    chosen.history = values.flag("history");
    chosen.lanes = values.flag("lanes");
    chosen.leaves = static_cast<std::uint32_t>(values.integer("leaves"));
    chosen.playouts = static_cast<std::uint32_t>(values.integer("playouts"));
    chosen.final_move = final_move(values);
    chosen.evaluator = evaluator_use(values);
    chosen.evaluator_weight = values.real("evaluator_weight");
    chosen.prior_visits = values.real("prior_visits");
    chosen.cutoff = static_cast<std::uint32_t>(values.integer("cutoff"));
    return std::make_unique<uct::UctSearch>(problem, settings, chosen);
}

std::unique_ptr<Search> make_plain(const Problem& problem, const SearchSettings& settings, const OptionValues& values) {
    uct::Settings chosen;
    chosen.exploration = values.real("exploration");
    chosen.final_move = final_move(values);
    chosen.all_first = true;
    chosen.virtual_loss = 1;
    chosen.transpositions = chosen.solver = chosen.lanes = false;
    return std::make_unique<uct::UctSearch>(problem, settings, chosen);
}

}  // namespace

constinit const SearchEntry uct_entry{
    "uct",
    "Monte-Carlo tree search: playouts by the batch, transpositions, proofs, simultaneous moves",
    uct_options,
    any_game,
    make_uct,
    "evaluator!=none",
    "evaluator=prior"};

constinit const SearchEntry plain_entry{"mcts-plain",  "Monte-Carlo tree search without enhancements, as a yardstick",
                                        plain_options, any_game,
                                        make_plain,    never_asks};

}  // namespace stratagem::search
