#include "analysis/refinement.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "util/contract.h"

namespace stratagem::analysis {

namespace {

// Nodes in one row, those that are alike next to each other: a set is known by its first place.
class Refiner {
  public:
    Refiner(const ColouredGraph& graph, std::size_t most, const machine::Stop& stop)
        : most_(most), stop_(stop), starts_(graph.size() + 1, 0), row_(graph.size()), place_(graph.size()) {
        for (const auto& [a, b] : graph.edges()) {
            ++starts_[a + 1];
            ++starts_[b + 1];
        }
        for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
        neighbours_.resize(starts_.back());
        std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
        for (const auto& [a, b] : graph.edges()) {
            neighbours_[next[a]++] = b;
            neighbours_[next[b]++] = a;
        }
        // An edge counts once, however often it is there.
        for (std::size_t node = 0; node < graph.size(); ++node) {
            const auto begin = neighbours_.begin() + static_cast<std::ptrdiff_t>(starts_[node]);
            const auto end = neighbours_.begin() + static_cast<std::ptrdiff_t>(starts_[node + 1]);
            std::sort(begin, end);
            ends_.push_back(static_cast<std::size_t>(std::unique(begin, end) - neighbours_.begin()));
        }
        std::iota(row_.begin(), row_.end(), 0U);
        std::ranges::stable_sort(row_, {}, [&](std::uint32_t node) { return graph.colours()[node]; });
        first_.resize(graph.size());
        size_.resize(graph.size(), 0);
        queued_.resize(graph.size(), false);
        counts_.resize(graph.size(), 0);
        for (std::uint32_t i = 0, begin = 0; i < row_.size(); ++i) {
            place_[row_[i]] = i;
            if (i > 0 && graph.colours()[row_[i]] != graph.colours()[row_[i - 1]]) begin = i;
            first_[row_[i]] = begin;
            if (size_[begin]++ == 0) enqueue(begin);
            sets_ += begin == i ? 1 : 0;
        }
    }

    bool run() {
        while (!queue_.empty() && sets_ < row_.size()) {
            const std::uint32_t set = queue_.back();
            queue_.pop_back();
            queued_[set] = false;
            if (!split_by(set)) return false;
        }
        for (const std::uint32_t set : queue_) queued_[set] = false;
        queue_.clear();
        return true;
    }

    // Takes the first node of the first set of several as different from the others.
    void single_out() {
        std::uint32_t set = 0;
        while (size_[set] < 2) ++set;
        const std::uint32_t size = size_[set];
        size_[set] = 1;
        ++sets_;
        size_[set + 1] = size - 1;
        for (std::uint32_t i = set + 1; i < set + size; ++i) first_[row_[i]] = set + 1;
        work_ += size;
        enqueue(set);
    }

    bool discrete() const { return sets_ == row_.size(); }
    std::size_t work() const { return work_; }

  private:
    void enqueue(std::uint32_t set) {
        if (queued_[set]) return;
        queued_[set] = true;
        queue_.push_back(set);
    }

    // Tells apart nodes that have different numbers of neighbours in the set. False: no more work is let pass.
    bool split_by(std::uint32_t set) {
        touched_.clear();
        for (std::uint32_t i = set; i < set + size_[set]; ++i) {
            for (std::size_t k = starts_[row_[i]]; k < ends_[row_[i]]; ++k) {
                if (counts_[neighbours_[k]]++ == 0) touched_.push_back(neighbours_[k]);
            }
        }
        // By set, and within it by count: those without a neighbour there stay in front.
        std::ranges::sort(touched_, {}, [&](std::uint32_t node) { return std::pair(first_[node], counts_[node]); });
        for (std::size_t i = 0; i < touched_.size();) {
            std::size_t end = i;
            while (end < touched_.size() && first_[touched_[end]] == first_[touched_[i]]) ++end;
            split(std::span(touched_).subspan(i, end - i));
            i = end;
        }
        for (const std::uint32_t node : touched_) counts_[node] = 0;
        steps_ += touched_.size() + 1;
        constexpr std::size_t between_looks = 20'000;
        if (steps_ >= between_looks) {
            steps_ = 0;
            if (stop_.now()) return false;
        }
        return work_ <= most_;
    }

    // Pre: nodes of one set, by count.
    void split(std::span<const std::uint32_t> nodes) {
        STRATAGEM_EXPECTS(!nodes.empty());
        STRATAGEM_EXPECTS(std::ranges::is_sorted(
            nodes, {}, [this](std::uint32_t node) { return std::pair(first_[node], counts_[node]); }));
        STRATAGEM_EXPECTS(first_[nodes.front()] == first_[nodes.back()]);
        const std::uint32_t set = first_[nodes.front()];
        const std::uint32_t size = size_[set];
        const bool all = nodes.size() == size;
        if (size == 1 || (all && counts_[nodes.front()] == counts_[nodes.back()])) return;
        work_ += size;
        std::uint32_t at = set + size - static_cast<std::uint32_t>(nodes.size());
        for (std::uint32_t i = 0; i < nodes.size(); ++i) move(nodes[i], at + i);
        const bool was_queued = queued_[set];
        std::uint32_t largest = set;
        parts_.clear();
        if (!all) {
            size_[set] = at - set;
            parts_.push_back(set);
        }
        for (std::size_t i = 0; i < nodes.size();) {
            std::size_t end = i;
            while (end < nodes.size() && counts_[nodes[end]] == counts_[nodes[i]]) ++end;
            const std::uint32_t begin = at + static_cast<std::uint32_t>(i);
            size_[begin] = static_cast<std::uint32_t>(end - i);
            for (std::size_t k = i; k < end; ++k) first_[nodes[k]] = begin;
            parts_.push_back(begin);
            i = end;
        }
        sets_ += parts_.size() - 1;
        // The largest part tells no more than the whole and the others did, unless the whole has yet to be asked.
        for (const std::uint32_t part : parts_) {
            if (size_[part] > size_[largest]) largest = part;
        }
        for (const std::uint32_t part : parts_) {
            if (part != largest || was_queued) enqueue(part);
        }
    }

    void move(std::uint32_t node, std::uint32_t to) {
        const std::uint32_t other = row_[to];
        std::swap(row_[to], row_[place_[node]]);
        place_[other] = place_[node];
        place_[node] = to;
    }

    std::size_t most_;
    const machine::Stop& stop_;
    std::vector<std::size_t> starts_, ends_;  // by node: in neighbours_
    std::vector<std::uint32_t> neighbours_;
    std::vector<std::uint32_t> row_, place_;  // nodes in order; by node: where it stands
    std::vector<std::uint32_t> first_;        // by node: its set
    std::vector<std::uint32_t> size_;         // by set
    std::vector<bool> queued_;                // by set
    std::vector<std::uint32_t> queue_;        // sets to tell others apart by
    std::vector<std::uint32_t> counts_;       // by node: work space, all zero outside of split_by
    std::vector<std::uint32_t> touched_, parts_;
    std::size_t sets_ = 0;
    std::size_t work_ = 0;
    std::size_t steps_ = 0;
};

}  // namespace

Refinement refine(const ColouredGraph& graph, std::size_t most, const machine::Stop& stop) {
    Refiner refiner(graph, most, stop);
    Refinement result;
    result.done = refiner.run();
    result.discrete = refiner.discrete();
    if (result.done && !result.discrete) {
        refiner.single_out();
        result.done = refiner.run();
    }
    result.work = refiner.work();
    return result;
}

}  // namespace stratagem::analysis
