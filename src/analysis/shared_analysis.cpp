#include <compare>
#include <map>
#include <mutex>

#include "analysis/analysis.h"

namespace stratagem::analysis {

namespace {

// Knows what others hold, and holds nothing itself.
class Cache {
  public:
    std::shared_ptr<const Analysis> find_or_make(const machine::Fingerprint& game_key,
                                                 const std::shared_ptr<const machine::Game>& game,
                                                 const AnalysisSettings& settings) {
        const std::lock_guard hold(lock_);
        const Key key{game_key, game->kind(), settings};
        if (const auto found = entries_.find(key); found != entries_.end()) {
            if (auto analysis = found->second.lock()) return analysis;
        }
        std::erase_if(entries_, [](const auto& entry) { return entry.second.expired(); });
        auto analysis = std::make_shared<const Analysis>(game, settings);
        if (entries_.size() < most_entries) entries_[key] = analysis;
        return analysis;
    }

  private:
    static constexpr std::size_t most_entries = 64;  // held at the same time: more games than anybody plays at once

    struct Key {
        machine::Fingerprint game;
        machine::MachineKind kind;  // slow ones are watched for fewer games
        AnalysisSettings settings;

        auto operator<=>(const Key&) const = default;
    };

    std::mutex lock_;
    std::map<Key, std::weak_ptr<const Analysis>> entries_;
};

}  // namespace

std::shared_ptr<const Analysis> shared_analysis(const std::shared_ptr<const machine::Game>& game,
                                                const AnalysisSettings& settings) {
    // The one thing a process shares unasked: it changes who works something out, never what comes of it.
    static Cache cache;
    const std::optional<machine::Fingerprint> key = game->fingerprint();
    if (!key) return std::make_shared<const Analysis>(game, settings);
    return cache.find_or_make(*key, game, settings);
}

}  // namespace stratagem::analysis
