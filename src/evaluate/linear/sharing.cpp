#include "evaluate/linear/sharing.h"

#include <algorithm>
#include <map>
#include <optional>

#include "util/disjoint_sets.h"

namespace stratagem::evaluate::linear {

namespace {

// What a symmetry makes of the entries of a model.
class Images {
  public:
    Images(const Tuples& tuples, const Seats& seats, const CellSymmetries& symmetries)
        : tuples_(tuples), seats_(seats), symmetries_(symmetries) {
        for (std::uint32_t tuple = 0; tuple < tuples.size(); ++tuple) tuple_of_.emplace(tuples.pattern(tuple), tuple);
    }

    // By sum of a model: which one it becomes, and with which sign. Nothing where a symmetry does not fit the seats.
    struct Turned {
        std::size_t sum = 0;
        int sign = 1;
    };
    std::optional<std::vector<Turned>> sums(std::size_t symmetry) const {
        const analysis::Symmetry& found = symmetries_.symmetry(symmetry);
        std::vector<Turned> result;
        for (std::size_t phase = 0; phase < tuples_.phases(); ++phase) {
            std::size_t becomes = phase;
            if (tuples_.phases() > 1) {
                const machine::Fluent turn = tuples_.cells().fluents(tuples_.control())[phase];
                const machine::Fluent image = found.fluents[ground::index(turn)];
                if (tuples_.cells().cell_of(image) != tuples_.control()) return std::nullopt;
                becomes = tuples_.cells().digit(image) - 1;
            }
            for (std::size_t seat = 0; seat < seats_.count(); ++seat) {
                const machine::Role role = found.roles[ground::index(seats_.player(seat))];
                if (!seats_.plays(role)) return std::nullopt;
                result.push_back(
                    {becomes * seats_.count() + seats_.seat_of(role), static_cast<int>(seats_.sign(role))});
            }
        }
        return result;
    }
    // Of the tuple; nothing where it becomes cells that are no tuple.
    std::optional<std::uint32_t> tuple(std::size_t symmetry, std::uint32_t tuple) const {
        const auto found = tuple_of_.find(symmetries_.apply(symmetry, tuples_.pattern(tuple)));
        return found == tuple_of_.end() ? std::nullopt : std::optional(found->second);
    }
    // By cell of the tuple and what it holds: what that adds to the content of the tuple it becomes.
    std::vector<std::vector<std::uint32_t>> strides(std::size_t symmetry, std::uint32_t tuple,
                                                    std::uint32_t image) const {
        const analysis::Symmetry& found = symmetries_.symmetry(symmetry);
        const Cells& cells = tuples_.cells();
        std::map<std::uint32_t, std::uint32_t> stride_of;
        std::uint32_t stride = 1;
        for (const std::uint32_t cell : tuples_.pattern(image)) {
            stride_of[cell] = stride;
            stride *= static_cast<std::uint32_t>(cells.contents(cell));
        }
        std::vector<std::vector<std::uint32_t>> result;
        for (const std::uint32_t cell : tuples_.pattern(tuple)) {
            std::vector<std::uint32_t>& of_cell = result.emplace_back(1, 0U);
            for (const machine::Fluent fluent : cells.fluents(cell)) {
                const machine::Fluent becomes = found.fluents[ground::index(fluent)];
                of_cell.push_back(stride_of.at(cells.cell_of(becomes)) * cells.digit(becomes));
            }
        }
        return result;
    }

  private:
    const Tuples& tuples_;
    const Seats& seats_;
    const CellSymmetries& symmetries_;
    std::map<Pattern, std::uint32_t> tuple_of_;
};

}  // namespace

Sharing share_weights(const Tuples& tuples, const Seats& seats, const CellSymmetries& symmetries) {
    const std::size_t sums = tuples.phases() * seats.count();
    const std::size_t entries = tuples.weight_count() * sums;
    // Every entry stands there twice, as it is and turned round.
    DisjointSets alike(2 * entries);
    const Images images(tuples, seats, symmetries);
    for (std::size_t symmetry = 0; symmetry < symmetries.size(); ++symmetry) {
        const auto turned = images.sums(symmetry);
        if (!turned) continue;
        for (std::uint32_t tuple = 0; tuple < tuples.size(); ++tuple) {
            const std::optional<std::uint32_t> image = images.tuple(symmetry, tuple);
            if (!image) continue;
            const auto strides = images.strides(symmetry, tuple, *image);
            std::vector<std::uint32_t> digits(strides.size(), 0);
            std::uint32_t becomes = 0;
            for (std::uint32_t content = 0; content < tuples.contents(tuple); ++content) {
                for (std::size_t sum = 0; sum < sums; ++sum) {
                    const std::size_t one = tuples.weight(tuple, content) * sums + sum;
                    const std::size_t other = tuples.weight(*image, becomes) * sums + (*turned)[sum].sum;
                    const bool same = (*turned)[sum].sign > 0;
                    alike.join(static_cast<std::uint32_t>(2 * one), static_cast<std::uint32_t>(2 * other + !same));
                    alike.join(static_cast<std::uint32_t>(2 * one + 1), static_cast<std::uint32_t>(2 * other + same));
                }
                // The next content, and what it becomes.
                for (std::size_t i = 0; i < digits.size(); ++i) {
                    becomes -= strides[i][digits[i]];
                    digits[i] = digits[i] + 1 < strides[i].size() ? digits[i] + 1 : 0;
                    becomes += strides[i][digits[i]];
                    if (digits[i] != 0) break;
                }
            }
        }
    }
    constexpr std::uint32_t none = 0xFFFFFFFFU;
    Sharing result{std::vector<std::uint32_t>(entries), std::vector<std::int8_t>(entries), 0};
    std::vector<std::uint32_t> place_of(2 * entries, none);
    for (std::uint32_t entry = 0; entry < entries; ++entry) {
        const std::uint32_t plain = alike.root(2 * entry), round = alike.root(2 * entry + 1);
        const std::uint32_t least = std::min(plain, round);
        if (place_of[least] == none) place_of[least] = static_cast<std::uint32_t>(result.places++);
        result.place[entry] = place_of[least];
        result.sign[entry] = plain == round ? 0 : plain == least ? 1 : -1;
    }
    return result;
}

}  // namespace stratagem::evaluate::linear
