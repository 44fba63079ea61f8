// The charts of a report, as SVG to be put into a page. They take their colours from the page (report.cpp), so that
// they can be read on light and dark ground; what a mark stands for is also said as its title, for pointer and reader.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/statistics.h"

namespace stratagem::arena {

// Fit for text and attributes of HTML and SVG; control characters are left out.
std::string escape_html(std::string_view text);

// In the unit that fits: "28 µs", "63.8 ms", "1.2 s".
std::string duration_text(double seconds);

struct Interval {
    std::string label;
    double mean = 0;
    std::optional<Range> range;  // nothing: unknown
    std::string note;            // shown at the end of the row
};
// One row for each, a point and its interval, on an axis from 0 to 100 with a mark at `even`.
std::string interval_plot(std::span<const Interval> rows, double even, std::string_view title);

struct Bin {
    double from = 0;
    double to = 0;
    std::size_t count = 0;
};
// Whole numbers in at most `most` bins of equal width.
std::vector<Bin> whole_number_bins(std::span<const std::size_t> values, std::size_t most);
// Positive numbers in bins of equal ratio, four to each power of ten.
std::vector<Bin> logarithmic_bins(std::span<const double> values);

enum class Scale { linear, logarithmic };
// Bars over the range of the bins; a line at `marked` if it lies there.
std::string histogram(std::span<const Bin> bins, Scale scale, std::string_view unit, std::string_view title,
                      std::optional<double> marked = {});

}  // namespace stratagem::arena
