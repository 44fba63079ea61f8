#include "learn/t_test.h"

#include <cmath>

#include "util/contract.h"

namespace stratagem::learn {

namespace {

// The continued fraction of the incomplete beta function, by Lentz's method (Press et al., Numerical Recipes, 6.4; the
// fraction itself is Abramowitz and Stegun 26.5.8). Quick for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
    constexpr double tiny = 1e-300, enough = 1e-15;
    constexpr int most = 10'000;
    const auto away = [](double value) { return std::abs(value) < tiny ? tiny : value; };
    double c = 1, d = 1 / away(1 - (a + b) * x / (a + 1));
    double result = d;
    for (int m = 1; m < most; ++m) {
        const double n = m;
        const double even = n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n));
        d = 1 / away(1 + even * d);
        c = away(1 + even / c);
        result *= d * c;
        const double odd = -(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1));
        d = 1 / away(1 + odd * d);
        c = away(1 + odd / c);
        result *= d * c;
        if (std::abs(d * c - 1) < enough) break;
    }
    return result;
}

double incomplete_beta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double student_t_beyond(double t, double freedom) {
    STRATAGEM_EXPECTS(freedom > 0);
    if (std::isinf(t)) return 0;
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double paired_t_test(std::span<const double> differences) {
    const auto count = static_cast<double>(differences.size());
    if (differences.size() < 2) return 1;
    double mean = 0, squares = 0;
    for (const double one : differences) mean += one / count;
    for (const double one : differences) squares += (one - mean) * (one - mean);
    if (mean == 0) return 1;
    const double error = std::sqrt(squares / (count - 1) / count);
    if (error < 1e-12 * std::abs(mean)) return std::exp2(1 - count);
    return student_t_beyond(mean / error, count - 1);
}

}  // namespace stratagem::learn
