#include "analysis/automorphisms.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

// The headers are written for C, where this word means what __thread means here.
#define _Thread_local __thread  // NOLINT(bugprone-reserved-identifier): it is theirs
#include <nauty/nausparse.h>
#include <nauty/schreier.h>

#include "util/contract.h"
#undef _Thread_local

namespace stratagem::analysis {

namespace {

constexpr std::size_t most_generators = 1000;

// The library reports through a function without any context of its own.
thread_local std::vector<std::vector<int>>* found_here = nullptr;

// Without a clock the search is bounded by its steps, about as many as some seconds have.
thread_local std::size_t steps_left = 0;
constexpr std::size_t most_work = 500'000'000;  // steps times nodes and edges of the graph
constexpr std::size_t least_steps = 50;

void count_step(graph*, int*, int*, int, int, int, int, int, int) {
    if (steps_left == 0 || --steps_left == 0) nauty_kill_request = 1;
}

void keep_automorphism(int, int* image, int*, int, int, int size) {
    if (found_here->size() <= most_generators) found_here->emplace_back(image, image + size);
}

// The graph as the library wants it.
struct Prepared {
    explicit Prepared(const ColouredGraph& coloured) : size(coloured.size()), degrees(size, 0), starts(size, 0) {
        auto edges = coloured.edges();
        for (auto& [a, b] : edges) {
            if (a > b) std::swap(a, b);
        }
        std::ranges::sort(edges);
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        for (const auto& [a, b] : edges) {
            ++degrees[a];
            ++degrees[b];
        }
        for (std::size_t i = 1; i < size; ++i) starts[i] = starts[i - 1] + static_cast<std::size_t>(degrees[i - 1]);
        targets.resize(2 * edges.size());
        std::vector<std::size_t> place = starts;
        for (const auto& [a, b] : edges) {
            targets[place[a]++] = static_cast<int>(b);
            targets[place[b]++] = static_cast<int>(a);
        }
        // Nodes by colour; a zero ends each colour.
        order.resize(size);
        for (std::size_t i = 0; i < size; ++i) order[i] = static_cast<int>(i);
        const auto colour = [&](int node) { return coloured.colours()[static_cast<std::size_t>(node)]; };
        std::ranges::stable_sort(order, {}, colour);
        ends.assign(size, 1);
        for (std::size_t i = 0; i < size; ++i) {
            if (i + 1 == size || colour(order[i]) != colour(order[i + 1])) ends[i] = 0;
        }
    }

    std::size_t size;
    std::vector<int> degrees;
    std::vector<std::size_t> starts;
    std::vector<int> targets, order, ends;
};

// The library is stopped by one variable of the whole process, so there is one search at a time. Not by a mutex with a
// time limit: the thread sanitizer does not see those.
std::unique_lock<std::mutex> take_turn(const machine::Stop& stop) {
    static std::mutex turn;
    std::unique_lock lock(turn, std::try_to_lock);
    while (!lock && !stop.now()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        (void)lock.try_lock();
    }
    return lock;
}

std::jthread watch(const machine::Stop& stop, volatile int* kill) {
    return std::jthread([&stop, kill](const std::stop_token& done) {
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        while (!done.stop_requested()) {
            if (stop.now()) *kill = 1;
            wake.wait_for(lock, done, std::chrono::milliseconds(10), [] { return false; });
        }
    });
}

}  // namespace

Automorphisms find_automorphisms(const ColouredGraph& coloured, const machine::Stop& stop) {
    Prepared prepared(coloured);
    STRATAGEM_EXPECTS(prepared.size > 0);
    const std::unique_lock<std::mutex> turn = take_turn(stop);
    if (!turn) return {};
    sparsegraph sparse;
    SG_INIT(sparse);
    sparse.nv = static_cast<int>(prepared.size);
    sparse.nde = prepared.targets.size();
    sparse.v = prepared.starts.data();
    sparse.d = prepared.degrees.data();
    sparse.e = prepared.targets.data();
    sparse.vlen = sparse.dlen = prepared.size;
    sparse.elen = prepared.targets.size();
    std::vector<int> orbits(prepared.size);
    DEFAULTOPTIONS_SPARSEGRAPH(options);
    options.defaultptn = FALSE;
    options.userautomproc = keep_automorphism;
    const bool counted = stop.deadline.is_never();
    if (counted) {
        options.usernodeproc = count_step;
        steps_left =
            std::max(least_steps, most_work / std::max<std::size_t>(1, prepared.size + prepared.targets.size()));
    }
    options.schreier = TRUE;  // groups are large where pieces are alike
    options.tc_level = 0;     // looking for the best cell costs more than it saves on graphs this sparse
    statsblk statistics{};
    Automorphisms result;
    found_here = &result.generators;
    nauty_kill_request = 0;
    {
        const std::jthread watching = watch(stop, &nauty_kill_request);
        sparsenauty(&sparse, prepared.order.data(), prepared.ends.data(), orbits.data(), &options, &statistics,
                    nullptr);
    }
    nauty_kill_request = 0;
    found_here = nullptr;
    // The library keeps its arrays per thread for the next call; a thread that ends would lose them.
    nauty_freedyn();
    nautil_freedyn();
    nausparse_freedyn();
    schreier_freedyn();
    result.size = statistics.grpsize1;
    for (int i = 0; i < statistics.grpsize2 && result.size < 1e300; ++i) result.size *= 10;
    const bool whole = statistics.errstatus == 0 && !stop.now() && (!counted || steps_left > 0);
    result.complete = whole && result.generators.size() <= most_generators;
    return result;
}

}  // namespace stratagem::analysis
