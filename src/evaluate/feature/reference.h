// What features are mapped to: how likely something is to be so at the end, seen from now (thesis, section 4.4.2).
//
// -1 is what stays false and 1 what stays true. What is false or true and may change is worth f_p and t_p, "probably":
// the nearer the end, the less will change, so both move outwards.
#pragma once

#include <algorithm>

namespace stratagem::evaluate::feature {

struct Reference {
    double probably_false = -0.5;  // f_p
    double probably_true = 0.5;    // t_p

    // `end` in [0, 1): how near the end is. `far`: t_p where it is far.
    static Reference at(double end, double far = 0.5) {
        const double probable = far + (1 - far) * std::clamp(end, 0.0, 1.0);
        return {-probable, probable};
    }

    double plain(bool holds) const { return holds ? probably_true : probably_false; }
    // What is false, but only this far from being true, in (0, 1]. The thesis goes up to t_p, beyond what is undecided;
    // `sound` stays below 0, so that what is false is never taken for true.
    double by_distance(double distance, bool sound) const {
        const double near = sound ? probably_false / 4 : probably_true;
        return near + (probably_false - near) * std::min(distance, 1.0);
    }
    // How much more than needed, in (0, 1): of what holds, or of its opposite.
    double by_margin(double margin, bool holds) const {
        const double from = plain(holds);
        const double to = holds ? 1 : -1;
        return from + (to - from) * std::min(margin, 0.999);
    }
};

}  // namespace stratagem::evaluate::feature
