#include "evaluate/neural/weights.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace stratagem::evaluate::neural {

namespace {

// Words of a text one after another.
class Words {
  public:
    explicit Words(std::string_view text) : rest_(text) {}

    std::string_view next() {
        const std::size_t begin = rest_.find_first_not_of(" \r\n");
        if (begin == std::string_view::npos) return {};
        const std::size_t end = rest_.find_first_of(" \r\n", begin);
        const std::string_view word = rest_.substr(begin, end - begin);
        rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end);
        return word;
    }
    std::optional<double> number() {
        const std::string_view word = next();
        double value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
        return value;
    }

  private:
    std::string_view rest_;
};

std::string header(const Network& network) {
    return fmt::format("stratagem-network 1 {} {} {:016x}", network.size(), network.connection_count(),
                       fingerprint(network));
}

}  // namespace

// FNV-1a over kinds and connections.
std::uint64_t fingerprint(const Network& network) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001B3ULL; };
    for (std::uint32_t i = 0; i < network.size(); ++i) {
        const Network::Neuron& neuron = network.neuron(i);
        mix(static_cast<std::uint64_t>(neuron.kind) << 1 | (neuron.disjunction ? 1U : 0U));
        for (const Code part : network.parts(neuron)) mix(std::uint64_t{part.code()} + 16);
    }
    return hash;
}

// The shortest decimals that are read back as the same numbers.
std::string weights_to_text(const Network& network) {
    std::string text = header(network) + "\n";
    for (std::uint32_t i = 0; i < network.size(); ++i) {
        text += fmt::format("{} {}\n", network.neuron(i).weight, network.neuron(i).bias);
    }
    for (const double strength : network.strengths()) text += fmt::format("{}\n", strength);
    return text;
}

std::string read_weights(std::string_view text, Network& network) {
    const std::string expected = header(network);
    if (text.substr(0, text.find('\n')) != expected) {
        return fmt::format("these are not the weights of this network: expected '{}'", expected);
    }
    Words words(text.substr(expected.size()));
    std::vector<double> numbers;
    const std::size_t wanted = 2 * network.size() + network.connection_count();
    for (std::size_t i = 0; i < wanted; ++i) {
        const std::optional<double> number = words.number();
        const bool strength = i >= 2 * network.size();
        if (!number || (strength && *number < 0))
            return fmt::format("number {} of {} is missing or wrong", i + 1, wanted);
        numbers.push_back(*number);
    }
    if (!words.next().empty()) return "there is more than the weights of this network";
    for (std::uint32_t i = 0; i < network.size(); ++i) {
        network.neuron(i).weight = numbers[2 * std::size_t{i}];
        network.neuron(i).bias = numbers[2 * std::size_t{i} + 1];
    }
    for (std::size_t i = 0; i < network.connection_count(); ++i)
        network.strengths()[i] = numbers[2 * network.size() + i];
    network.finish();
    return {};
}

}  // namespace stratagem::evaluate::neural
