#include "arena/report_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stratagem::arena {

namespace {

std::string text_at(double x, double y, std::string_view anchor, std::string_view text, std::string_view kind = "") {
    return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}"{}>{}</text>)", x, y, anchor,
                       kind.empty() ? "" : fmt::format(R"( class="{}")", kind), escape_html(text));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view kind) {
    return fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" class="{}"/>)", x1, y1, x2, y2, kind);
}

std::string svg(double width, double height, std::string_view title, const std::string& body) {
    return fmt::format(
        R"(<svg viewBox="0 0 {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" role="img" aria-label="{2}">{3}</svg>)"
        "\n",
        width, height, escape_html(title), body);
}

// Letters, not bytes; what is too long for its place ends in an ellipsis.
std::string cut(std::string_view text, std::size_t most) {
    std::string kept;
    std::size_t letters = 0;
    for (const char c : text) {
        const bool starts_letter = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        if (starts_letter && ++letters > most) return kept + "…";
        kept += c;
    }
    return kept;
}

std::string number_text(double value) {
    if (value >= 100 || value == std::floor(value)) return fmt::format("{:.0f}", value);
    return fmt::format("{:.3g}", value);
}

}  // namespace

std::string duration_text(double seconds) {
    if (seconds < 0.9995e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
    if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} s", seconds);
}

std::string escape_html(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            case '\'':
                escaped += "&#39;";
                break;
            default:
                if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) escaped += c;
        }
    }
    return escaped;
}

std::string interval_plot(std::span<const Interval> rows, double even, std::string_view title) {
    constexpr double labels = 130, axis = 250, notes = 130, row_height = 24, top = 8, bottom = 24;
    const double width = labels + axis + notes;
    const double floor = top + row_height * static_cast<double>(rows.size());
    const auto x = [&](double points) { return labels + axis * std::clamp(points, 0.0, 100.0) / 100; };
    std::string body;
    for (int tick = 0; tick <= 100; tick += 25) {
        body += line(x(tick), top, x(tick), floor, "grid");
        body += text_at(x(tick), floor + 16, "middle", std::to_string(tick), "muted");
    }
    body += line(x(even), top, x(even), floor, "even");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Interval& row = rows[i];
        const double y = top + row_height * (static_cast<double>(i) + 0.5);
        const std::string range = row.range ? fmt::format(" [{:.1f}, {:.1f}]", row.range->low, row.range->high) : "";
        body += fmt::format("<g><title>{}: {:.1f}{}</title>", escape_html(row.label), row.mean, range);
        body += text_at(labels - 12, y + 4, "end", cut(row.label, 17));
        if (row.range) {
            const double low = x(row.range->low);
            const double high = x(row.range->high);
            body += line(low, y, high, y, "interval");
            body += line(low, y - 4, low, y + 4, "interval") + line(high, y - 4, high, y + 4, "interval");
        }
        body += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4.5" class="point"/>)", x(row.mean), y);
        body += text_at(labels + axis + 14, y + 4, "start", row.note, "muted") + "</g>";
    }
    return svg(width, floor + bottom, title, body);
}

std::vector<Bin> whole_number_bins(std::span<const std::size_t> values, std::size_t most) {
    if (values.empty()) return {};
    const auto [least, greatest] = std::ranges::minmax(values);
    const std::size_t range = greatest - least + 1;
    const std::size_t width = (range + most - 1) / most;
    std::vector<Bin> bins;
    for (std::size_t from = least; from <= greatest; from += width) {
        bins.push_back({static_cast<double>(from), static_cast<double>(from + width), 0});
    }
    for (const std::size_t value : values) ++bins[(value - least) / width].count;
    return bins;
}

std::vector<Bin> logarithmic_bins(std::span<const double> values) {
    constexpr double per_decade = 4;
    constexpr double least_seen = 1e-6;
    if (values.empty()) return {};
    const auto place = [=](double value) {
        return static_cast<int>(std::floor(std::log10(std::max(value, least_seen)) * per_decade));
    };
    int first = place(values.front());
    int last = first;
    for (const double value : values) {
        first = std::min(first, place(value));
        last = std::max(last, place(value));
    }
    std::vector<Bin> bins;
    for (int i = first; i <= last; ++i) {
        bins.push_back({std::pow(10, i / per_decade), std::pow(10, (i + 1) / per_decade), 0});
    }
    for (const double value : values) ++bins[static_cast<std::size_t>(place(value) - first)].count;
    return bins;
}

std::string histogram(std::span<const Bin> bins, Scale scale, std::string_view unit, std::string_view title,
                      std::optional<double> marked) {
    if (bins.empty()) return "";
    constexpr double left = 40, plot_width = 240, right = 30, top = 14, plot_height = 110, bottom = 26;
    const auto along = [&](double value) { return scale == Scale::linear ? value : std::log10(value); };
    const auto shown = [&](double value) { return scale == Scale::linear ? number_text(value) : duration_text(value); };
    const double least = along(bins.front().from);
    // Few bins stay slim.
    const double range = std::max(along(bins.back().to) - least, along(bins.front().to) - least);
    const double used = plot_width * std::min(1.0, static_cast<double>(bins.size()) / 8);
    const auto x = [&](double value) { return left + used * (along(value) - least) / range; };
    std::size_t most = 1;
    for (const Bin& bin : bins) most = std::max(most, bin.count);
    const double floor = top + plot_height;
    std::string body = line(left, floor, left + plot_width, floor, "axis") +
                       line(left, top, left + plot_width, top, "grid") +
                       text_at(left - 6, top + 4, "end", std::to_string(most), "muted") +
                       text_at(left - 6, floor + 4, "end", "0", "muted");
    for (const Bin& bin : bins) {
        if (bin.count == 0) continue;
        const double height = plot_height * static_cast<double>(bin.count) / static_cast<double>(most);
        const bool one_value = scale == Scale::linear && bin.to - bin.from == 1;
        const double last = scale == Scale::linear ? bin.to - 1 : bin.to;
        const std::string range_text =
            one_value ? shown(bin.from) : fmt::format("{} to {}", shown(bin.from), shown(last));
        body += fmt::format(
            R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2" class="bar"><title>{} {}: {}</title></rect>)",
            x(bin.from) + 1, floor - height, std::max(1.0, x(bin.to) - x(bin.from) - 2), height, range_text,
            escape_html(unit), bin.count);
    }
    if (marked && along(*marked) > least && along(*marked) <= along(bins.back().to)) {
        body += line(x(*marked), top, x(*marked), floor, "even");
    }
    if (scale == Scale::linear) {
        // Under the middle of the first and of the last bar; under its first number when a bar has several.
        const auto middle = [&](const Bin& bin) { return (x(bin.from) + x(bin.to)) / 2; };
        body += text_at(middle(bins.front()), floor + 16, "middle", shown(bins.front().from), "muted");
        if (bins.size() > 1) {
            body += text_at(middle(bins.back()), floor + 16, "middle", shown(bins.back().to - 1), "muted");
        }
    } else {
        const auto last_power = static_cast<int>(std::floor(along(bins.back().to) + 1e-9));
        for (auto power = static_cast<int>(std::ceil(least - 1e-9)); power <= last_power; ++power) {
            const double value = std::pow(10, power);
            body += line(x(value), floor, x(value), floor + 4, "axis");
            body += text_at(x(value), floor + 16, "middle", duration_text(value), "muted");
        }
    }
    return svg(left + plot_width + right, floor + bottom, title, body);
}

}  // namespace stratagem::arena
