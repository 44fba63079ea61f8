#include "arena/elo.h"

#include <algorithm>
#include <cmath>

namespace stratagem::arena {

namespace {

using Matrix = std::vector<std::vector<double>>;

Matrix square(std::size_t size) { return Matrix(size, std::vector<double>(size, 0.0)); }

// Inverse of a symmetric positive definite matrix, by elimination without pivots.
Matrix inverse(Matrix a) {
    const std::size_t n = a.size();
    Matrix b = square(n);
    for (std::size_t i = 0; i < n; ++i) b[i][i] = 1;
    for (std::size_t column = 0; column < n; ++column) {
        const double pivot = a[column][column];
        for (std::size_t k = 0; k < n; ++k) {
            a[column][k] /= pivot;
            b[column][k] /= pivot;
        }
        for (std::size_t row = 0; row < n; ++row) {
            const double factor = a[row][column];
            if (row == column || factor == 0) continue;
            for (std::size_t k = 0; k < n; ++k) {
                a[row][k] -= factor * a[column][k];
                b[row][k] -= factor * b[column][k];
            }
        }
    }
    return b;
}

// The players joined by games, in strengths x with odds e^(x_i - x_j).
class Group {
  public:
    explicit Group(std::size_t size) : won_(square(size)), x_(size, 0.0) {}

    void add(std::size_t a, std::size_t b, double score, double weight) {
        won_[a][b] += weight * score;
        won_[b][a] += weight * (1 - score);
    }

    void fit() {
        constexpr int most_steps = 100;
        constexpr double precise = 1e-10;
        for (int step = 0; step < most_steps; ++step) {
            const std::vector<double> move = newton();
            double size = 1;
            const double before = likelihood(x_);
            std::vector<double> next;
            for (int halved = 0; halved < 40; ++halved, size /= 2) {
                next = x_;
                for (std::size_t i = 0; i < x_.size(); ++i) next[i] += size * move[i];
                if (likelihood(next) >= before) break;
            }
            x_ = next;
            if (std::ranges::all_of(move, [&](double one) { return std::abs(one) < precise; })) break;
        }
    }

    const std::vector<double>& strengths() const { return x_; }

    // Variances of the strengths around their mean.
    std::vector<double> variances() const {
        const Matrix inverted = inverse(information());
        std::vector<double> result;
        const auto n = static_cast<double>(x_.size());
        for (std::size_t i = 0; i < x_.size(); ++i) result.push_back(std::max(0.0, inverted[i][i] - 1 / n));
        return result;
    }

  private:
    static double chance(double difference) { return 1 / (1 + std::exp(-difference)); }

    double likelihood(const std::vector<double>& x) const {
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            for (std::size_t j = 0; j < x.size(); ++j) {
                if (won_[i][j] > 0) sum -= won_[i][j] * std::log1p(std::exp(x[j] - x[i]));
            }
        }
        return sum;
    }

    // Minus the second derivatives. They know nothing of the common level of all strengths; adding 1/n everywhere fixes
    // it, and adds 1/n to each entry of the inverse.
    Matrix information() const {
        const std::size_t n = x_.size();
        Matrix h(n, std::vector<double>(n, 1 / static_cast<double>(n)));
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                if (i == j) continue;
                const double p = chance(x_[i] - x_[j]);
                // Strengths so far apart that a double cannot tell them from certain must not make this singular.
                const double curvature = (won_[i][j] + won_[j][i]) * std::max(p * (1 - p), 1e-12);
                h[i][i] += curvature;
                h[i][j] -= curvature;
            }
        }
        return h;
    }

    std::vector<double> newton() const {
        const std::size_t n = x_.size();
        const Matrix inverted = inverse(information());
        std::vector<double> slope(n, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                if (i != j) slope[i] += won_[i][j] - (won_[i][j] + won_[j][i]) * chance(x_[i] - x_[j]);
            }
        }
        std::vector<double> move(n, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) move[i] += inverted[i][j] * slope[j];
        }
        return move;
    }

    Matrix won_;
    std::vector<double> x_;
};

// By player: the smallest number of a player it is joined to.
std::vector<std::size_t> find_groups(std::size_t players, std::span<const Comparison> comparisons) {
    std::vector<std::size_t> group(players);
    for (std::size_t i = 0; i < players; ++i) group[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Comparison& one : comparisons) {
            const std::size_t least = std::min(group[one.a], group[one.b]);
            changed = changed || group[one.a] != least || group[one.b] != least;
            group[one.a] = group[one.b] = least;
        }
    }
    return group;
}

}  // namespace

std::vector<std::optional<Rating>> elo_ratings(std::size_t players, std::span<const Comparison> comparisons) {
    const std::vector<std::size_t> groups = find_groups(players, comparisons);
    std::vector<std::optional<Rating>> ratings(players);
    for (std::size_t first = 0; first < players; ++first) {
        if (groups[first] != first) continue;
        std::vector<std::size_t> members;
        std::vector<std::size_t> place(players, 0);
        for (std::size_t i = first; i < players; ++i) {
            if (groups[i] != first) continue;
            place[i] = members.size();
            members.push_back(i);
        }
        if (members.size() < 2) continue;
        Group group(members.size());
        std::vector<bool> met(members.size() * members.size(), false);
        for (const Comparison& one : comparisons) {
            if (groups[one.a] != first || one.a == one.b) continue;
            const std::size_t a = place[one.a];
            const std::size_t b = place[one.b];
            group.add(a, b, one.score, one.weight);
            met[std::min(a, b) * members.size() + std::max(a, b)] = true;
        }
        for (std::size_t pair = 0; pair < met.size(); ++pair) {
            if (met[pair]) group.add(pair / members.size(), pair % members.size(), 0.5, 1);
        }
        group.fit();
        const double scale = 400 / std::log(10.0);
        const std::vector<double> variances = group.variances();
        for (std::size_t i = 0; i < members.size(); ++i) {
            ratings[members[i]] =
                Rating{scale * group.strengths()[i], 1.959964 * scale * std::sqrt(variances[i]), first};
        }
    }
    return ratings;
}

}  // namespace stratagem::arena
