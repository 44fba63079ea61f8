#include "evaluate/single/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "gdl/print.h"

namespace stratagem::evaluate::single {

namespace {

using analysis::PlainBoard;
using analysis::PlainMarker;
using analysis::PlainQuantity;

constexpr std::size_t most_pieces_in_pairs = 8;  // 28 distances
constexpr std::size_t most_pieces = 64;

class FeatureFinder {
  public:
    FeatureFinder(const ground::Program& program, const analysis::PlainStructures& structures, std::size_t most)
        : program_(program), structures_(structures), most_(most) {}

    std::vector<Feature> run() {
        for (const PlainBoard& board : structures_.boards) {
            if (board.is_ordered() && board.pieces() > 0) {
                add_places(board);
            } else {
                add_counts(board);
            }
        }
        for (const PlainQuantity& quantity : structures_.quantities) {
            if (!structures_.is_counter(quantity.family)) add_values(quantity);
        }
        return std::move(features_);
    }

  private:
    void add(Feature feature) {
        if (features_.size() < most_ && feature.low < feature.high) features_.push_back(std::move(feature));
    }

    std::string name_of(std::size_t family) const {
        return std::string(program_.terms.symbols().name(structures_.families[family].name));
    }
    // One word.
    std::string words_of(const std::vector<gdl::Term>& terms) const {
        std::string text;
        for (const gdl::Term term : terms) text += (text.empty() ? "" : "_") + gdl::to_kif(program_.terms, term);
        std::ranges::replace(text, ' ', '_');
        return text;
    }
    static std::string joined(const std::string& first, const std::string& middle, const std::string& last) {
        return middle.empty() ? fmt::format("{}.{}", first, last) : fmt::format("{}.{}.{}", first, middle, last);
    }

    std::int32_t index_of(machine::Fluent fluent, std::uint32_t argument, std::size_t order) const {
        return static_cast<std::int32_t>(structures_.index_of(program_, fluent, argument, order));
    }

    void add_places(const PlainBoard& board) {
        std::vector<const PlainMarker*> pieces;
        for (const PlainMarker& marker : board.markers) {
            if (marker.piece) pieces.push_back(&marker);
        }
        for (const PlainMarker* piece : pieces) {
            for (std::size_t i = 0; i < board.coordinates.size(); ++i) add_coordinate(board, *piece, i);
        }
        if (pieces.size() < 2 || pieces.size() > most_pieces) return;
        if (pieces.size() <= most_pieces_in_pairs) {
            for (std::size_t a = 0; a < pieces.size(); ++a) {
                for (std::size_t b = a + 1; b < pieces.size(); ++b) {
                    add_distance(board, {pieces[a], pieces[b]}, Feature::Kind::distance);
                }
            }
        }
        if (pieces.size() > 2) add_distance(board, pieces, Feature::Kind::all_distances);
    }

    void add_coordinate(const PlainBoard& board, const PlainMarker& piece, std::size_t coordinate) {
        const std::uint32_t place = board.coordinates[coordinate];
        Feature feature{Feature::Kind::coordinate,
                        joined(name_of(board.family), words_of(piece.content), std::to_string(place + 1)),
                        {}};
        for (const machine::Fluent fluent : piece.fluents) {
            feature.shares.push_back({fluent, 0, index_of(fluent, place, *board.orders[coordinate])});
        }
        set_range(feature);
        add(std::move(feature));
    }

    void add_distance(const PlainBoard& board, const std::vector<const PlainMarker*>& pieces, Feature::Kind kind) {
        std::string who;
        if (kind == Feature::Kind::distance) who = words_of(pieces[0]->content) + "-" + words_of(pieces[1]->content);
        Feature feature{kind, joined(name_of(board.family), who, "distance"), {}};
        feature.pieces = static_cast<std::uint32_t>(pieces.size());
        feature.coordinates = static_cast<std::uint32_t>(board.coordinates.size());
        const std::uint32_t slots = feature.coordinates + 1;
        feature.slots = feature.pieces * slots;
        std::int64_t widest = 0;
        for (std::uint32_t i = 0; i < feature.coordinates; ++i) {
            std::int32_t least = INT32_MAX, greatest = 0;
            for (std::uint32_t piece = 0; piece < feature.pieces; ++piece) {
                for (const machine::Fluent fluent : pieces[piece]->fluents) {
                    const std::int32_t at = index_of(fluent, board.coordinates[i], *board.orders[i]);
                    feature.shares.push_back({fluent, piece * slots + i, at});
                    if (i == 0) feature.shares.push_back({fluent, piece * slots + feature.coordinates, 1});
                    least = std::min(least, at);
                    greatest = std::max(greatest, at);
                }
            }
            widest += greatest - least;
        }
        feature.high = widest * feature.pieces * (feature.pieces - 1) / 2;
        add(std::move(feature));
    }

    void add_counts(const PlainBoard& board) {
        for (const PlainMarker& marker : board.markers) {
            Feature feature{Feature::Kind::count, joined(name_of(board.family), words_of(marker.content), "count"), {}};
            for (const machine::Fluent fluent : marker.fluents) feature.shares.push_back({fluent, 0, 1});
            feature.high = static_cast<std::int64_t>(marker.fluents.size());
            add(std::move(feature));
        }
    }

    void add_values(const PlainQuantity& quantity) {
        for (const PlainQuantity::Amount& amount : quantity.amounts) {
            Feature feature{
                Feature::Kind::quantity,
                joined(name_of(quantity.family), words_of(amount.inputs), fmt::format("value{}", quantity.output + 1)),
                {}};
            for (const machine::Fluent fluent : amount.fluents) {
                feature.shares.push_back({fluent, 0, index_of(fluent, quantity.output, quantity.order)});
            }
            set_range(feature);
            add(std::move(feature));
        }
    }

    // At most one of the fluents holds.
    static void set_range(Feature& feature) {
        for (const Feature::Share& share : feature.shares) {
            feature.high = std::max<std::int64_t>(feature.high, share.amount);
        }
    }

    const ground::Program& program_;
    const analysis::PlainStructures& structures_;
    std::size_t most_;
    std::vector<Feature> features_;
};

}  // namespace

std::int64_t Feature::value(std::span<const std::int64_t> of_slots) const {
    if (pieces == 0) return of_slots[0];
    std::int64_t sum = 0;
    const std::size_t width = coordinates + 1;
    for (std::size_t a = 0; a < pieces; ++a) {
        const std::span<const std::int64_t> one = of_slots.subspan(a * width, width);
        if (one[coordinates] != 1) continue;
        for (std::size_t b = a + 1; b < pieces; ++b) {
            const std::span<const std::int64_t> other = of_slots.subspan(b * width, width);
            if (other[coordinates] != 1) continue;
            for (std::size_t i = 0; i < coordinates; ++i) sum += std::abs(one[i] - other[i]);
        }
    }
    return sum;
}

std::vector<Feature> find_features(const ground::Program& program, const analysis::PlainStructures& structures,
                                   std::size_t most) {
    return FeatureFinder(program, structures, most).run();
}

Follower::Follower(std::span<const Feature> features, std::size_t fluents)
    : features_(features), first_use_(fluents + 1, 0), words_((fluents + 63) / 64, 0) {
    std::uint32_t slots = 0;
    for (const Feature& feature : features) {
        first_slot_.push_back(slots);
        slots += feature.slots;
        for (const Feature::Share& share : feature.shares) {
            if (share.amount != 0) ++first_use_[ground::index(share.fluent) + 1];
        }
    }
    slots_.assign(slots, 0);
    for (std::size_t i = 0; i < fluents; ++i) first_use_[i + 1] += first_use_[i];
    uses_.resize(first_use_.back());
    std::vector<std::uint32_t> place(first_use_.begin(), first_use_.end() - 1);
    for (std::size_t i = 0; i < features.size(); ++i) {
        for (const Feature::Share& share : features[i].shares) {
            if (share.amount == 0) continue;
            uses_[place[ground::index(share.fluent)]++] = {first_slot_[i] + share.slot, share.amount};
        }
    }
}

void Follower::move_to(const machine::State& state) {
    const std::span<const std::uint64_t> words = state.words();
    for (std::size_t w = 0; w < words_.size(); ++w) {
        const std::uint64_t now = w < words.size() ? words[w] : 0;
        for (std::uint64_t changed = now ^ words_[w]; changed != 0; changed &= changed - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(changed));
            const std::size_t fluent = w * 64 + bit;
            if (fluent + 1 >= first_use_.size()) break;
            const std::int64_t sign = (now >> bit & 1U) != 0 ? 1 : -1;
            for (std::uint32_t i = first_use_[fluent]; i < first_use_[fluent + 1]; ++i) {
                slots_[uses_[i].slot] += sign * uses_[i].amount;
            }
        }
        words_[w] = now;
    }
}

}  // namespace stratagem::evaluate::single
