// What the papers on Nexplayer report, to be shown beside what is measured here. Their games are those of a public
// server of the time, ours are others: figures can be near each other, not equal.
#pragma once

#include <array>
#include <cstddef>

namespace stratagem::lab {

// Output intervals over the states after the first move, from C-IL2P (1.0) to the local transformation (1.1).
struct PaperResolution {
    const char* source;
    std::size_t games;
    std::size_t larger, equal, smaller;
    std::size_t more_values;  // games in which more states were told apart; in none it were fewer
    double mean_log_cilp, mean_log_local;
    double larger_log_cilp, larger_log_local;  // over the games with a larger interval
};

// Table 3.3 of the thesis has means as powers of ten; here they are logarithms, as in the paper. The paper's last pair
// is over games with an interval above machine precision.
inline constexpr std::array paper_resolutions{
    PaperResolution{"thesis, section 3.3.3", 190, 67, 117, 6, 31, -13.06, -11.24, -9.00, -4.70},
    PaperResolution{"paper of 2011, nontrivial goals", 161, 81, 77, 3, 41, -12.92, -10.13, -9.91, -4.38},
};

// Table 4.4 of the thesis, in the order of feature::Feature.
struct ThesisFeature {
    std::size_t games;
    double percent;  // of 191 games
    std::size_t found;
    double per_game;
};
inline constexpr std::size_t thesis_feature_games = 191;
inline constexpr std::array thesis_features{
    ThesisFeature{85, 44.5, 467, 2.44}, ThesisFeature{38, 19.9, 345, 1.81},   ThesisFeature{32, 16.8, 106, 0.55},
    ThesisFeature{30, 15.7, 43, 0.23},  ThesisFeature{114, 59.7, 1056, 5.53}, ThesisFeature{118, 61.8, 2641, 13.83},
    ThesisFeature{23, 12.0, 194, 1.02},
};
inline constexpr double thesis_types_per_game = 2.3;
inline constexpr double thesis_features_per_game = 25.4;

}  // namespace stratagem::lab
