#include "evaluate/single/promise.h"

#include <cmath>

namespace stratagem::evaluate::single {

namespace {

using analysis::Sample;

// By sample: the last one of its game, where that came to an end and the state is of this game alone.
std::vector<std::uint32_t> ends_of(std::span<const Sample> samples) {
    std::vector<std::uint32_t> end(samples.size(), Sample::none);
    for (std::size_t i = samples.size(); i-- > 1;) {
        if (samples[i].terminal) end[i] = static_cast<std::uint32_t>(i);
        const std::uint32_t before = samples[i].previous;
        if (before != Sample::none && before != 0) end[before] = end[i];
    }
    return end;
}

struct Moments {
    double count = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;

    void add(double a, double b) {
        count += 1;
        x += a;
        y += b;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    double correlation() const {
        const double spread_x = count * xx - x * x, spread_y = count * yy - y * y;
        if (spread_x <= 0.5 || spread_y <= 0.5) return 0;  // whole numbers: less is rounding
        return (count * xy - x * y) / std::sqrt(spread_x * spread_y);
    }
};

}  // namespace

std::vector<std::vector<double>> promise_of(std::span<const Feature> features, const analysis::Samples& samples,
                                            std::size_t roles, std::size_t fluents, const machine::Stop& stop) {
    std::vector<std::vector<Moments>> moments(features.size(), std::vector<Moments>(roles));
    const std::vector<std::uint32_t> ends = ends_of(samples.all());
    Follower follower(features, fluents);
    for (std::size_t i = 0; i < samples.size() && !stop.now(); ++i) {
        if (ends[i] == Sample::none) continue;
        follower.move_to(samples.all()[i].state);
        const std::vector<std::optional<int>>& goals = samples.all()[ends[i]].goals;
        for (std::size_t feature = 0; feature < features.size(); ++feature) {
            const auto value = static_cast<double>(follower.value(feature));
            for (std::size_t role = 0; role < roles; ++role) {
                moments[feature][role].add(value, goals[role].value_or(0));
            }
        }
    }
    std::vector<std::vector<double>> result(features.size());
    for (std::size_t feature = 0; feature < features.size(); ++feature) {
        for (const Moments& one : moments[feature]) result[feature].push_back(one.correlation());
    }
    return result;
}

}  // namespace stratagem::evaluate::single
