// A player that thinks in a process of its own, and what becomes of the match when that process fails.
//
// Two processes belong to a match. The thinker is a whole player. The second only follows the match and names a legal
// move each turn, so that there is one whatever happens to the thinker: it may crash, hang, or run out of memory. Then
// another thinker is started, is told the match so far and has what is left of the clock to find something better.
// Likewise for the second. Rules of strangers are neither read nor run in this process.
//
// One thread looks after both, all the time: a thinker that dies between turns is replaced before the next one. It is
// also the one that starts them, since processes may end with the thread that started them (process.h).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "player/text_player.h"
#include "worker/process_slot.h"

namespace stratagem::worker {

struct WorkerSettings {
    // The program to start, with the command `worker`: this one, also when its file was replaced meanwhile.
    std::string program = "/proc/self/exe";
    std::string recipe = "best";
    player::PlayerSettings player;  // its log hears of faults too
    // A legal move when the thinker fails. Without a second such turns are answered with Source::nothing.
    bool second = true;
    std::size_t thinker_megabytes = 0;  // 0: no limit
    std::size_t second_megabytes = 0;
    // So many thinkers are tried in one turn, one after the other: who fails at once will fail again. Seconds are tried
    // at growing intervals as long as there is time.
    std::size_t attempts = 3;
    // What thinks instead of a recipe whose processes have failed twice in a row without finding a move, for the rest
    // of the match: the first of these, then the next. With one thread, and the last of them on the interpreter, so
    // that neither a search nor the making of circuits is tried again for ever. After them there are legal moves only.
    std::vector<std::string> fallback_recipes = {};
    // How long a process may leave a ping unanswered before it counts as hanging.
    player::Seconds patience{5};
    // How much later than its clock a thinker that is alive may answer before it counts as hanging.
    player::Seconds overtime{10};
};

// Divides the memory of a match between its processes, and keeps what a player may take below its share.
void share_memory(WorkerSettings& settings, std::size_t megabytes);

// For messages to people: rules are the same when this number is.
std::uint64_t rules_number(std::string_view rules);

class WorkerPlayer final : public player::TextPlayer {
  public:
    explicit WorkerPlayer(WorkerSettings settings);
    ~WorkerPlayer() override;

    // Builds the machines for a match of these rules, before start() and outside of any clock. Returns when they are
    // there, or the process has failed. A process that takes over later has to build its own.
    void prepare(const player::TextMatch& match);

    player::Opening start(const player::TextMatch& match, TimePoint received) override;
    player::Opening opening() const override;
    player::Answer play(std::span<const std::string> last, TimePoint received) override;
    void watch(std::span<const std::string> last, TimePoint received) override;
    std::optional<bool> fits(std::span<const std::string> moves, Deadline deadline) override;
    void stop() override;
    void abort() override;

    // Of those there are now, the thinker first; 0 for one that is not there. For tests and for people who look.
    std::vector<pid_t> processes() const;
    // How many processes have failed so far.
    std::size_t failures() const;
    // What the last one that failed did, in a few words.
    std::string last_failure() const;

  private:
    using Lock = std::unique_lock<std::mutex>;

    // What is asked of both, and what has come of it.
    struct Turn {
        std::uint64_t number = 0;  // 0: the match has not begun
        JointMove last;
        TimePoint received{};
        TimePoint until{};                      // the thinker is waited for
        bool open = false;                      // somebody waits for the answer
        std::optional<player::Answer> thought;  // by the thinker
        std::optional<player::Answer> legal;    // by the second
    };
    struct Question {
        std::uint64_t number = 0;
        std::size_t open = 0;  // answers to come
        std::optional<bool> fits;
    };
    // A process under supervision: its slot, and how it goes there.
    struct Child {
        explicit Child(std::string name) : slot(std::move(name)) {}

        ProcessSlot slot;
        bool prepared = false;         // what was to be done before the start is
        bool ready = false;            // its start is over
        std::size_t failed = 0;        // in this turn
        TimePoint next_try{};          // not before
        std::uint64_t asked = 0;       // the turn it was asked about last
        std::optional<TimePoint> due;  // it must have answered by then
        std::uint64_t question = 0;    // it has not answered yet
    };

    void run();
    // Until the match is over.
    void supervise();
    // Looks after a child: fills its slot, listens, replaces who has failed.
    void look_after(Child& child, TimePoint now);
    void fill(Child& child, TimePoint now);
    void count_failure(Child& child);
    StartOrder orders_for(const Child& child, TimePoint now) const;
    void hear(Child& child, Word& word);
    void hear_answer(Child& child, AnswerWord& word);
    void hear_fit(Child& child, std::optional<bool> fits);
    // `ended`: by itself.
    void replace(Child& child, const std::string& why, bool ended = false);
    // Another thinker has failed: from some number on, a simpler one is tried.
    void think_simpler();
    const std::string& recipe() const {
        return simpler_ == 0 ? settings_.recipe : settings_.fallback_recipes[simpler_ - 1];
    }
    // Nobody is there, and nobody will be in this turn.
    bool hopeless(const Child& child) const;
    // Nothing better will come of this turn.
    bool decided() const;
    int milliseconds_to_wait(TimePoint now) const;
    // Writes down what there is to say. The lock is let go meanwhile.
    void tell(Lock& lock);
    void wake() const;
    void say(std::string line) { lines_.push_back(std::move(line)); }
    // All that is needed to see it again.
    std::string failure_text(const Child& child, pid_t pid, const std::string& what) const;
    std::string moves_text() const;
    bool is_thinker(const Child& child) const { return &child == &thinker_; }
    player::Answer close_turn();

    const WorkerSettings settings_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    std::optional<player::TextMatch> to_prepare_;
    std::optional<player::TextMatch> match_;
    TimePoint received_{};            // when the match began
    bool started_ = false;            // start() has returned
    std::vector<JointMove> history_;  // reports of turns before the present one
    player::Opening opening_;
    Child thinker_{"thinker"};
    Child second_{"second"};
    Turn turn_;
    Question question_;
    std::size_t simpler_ = 0;          // which of the fallbacks is used, from 1
    std::size_t failed_in_a_row_ = 0;  // thinkers, since one has found a move
    std::size_t failures_ = 0;
    std::string last_failure_;
    std::vector<std::unique_ptr<Process>> leaving_;  // killed, and not gone yet
    std::vector<std::string> lines_;                 // for the log, which is not called under the lock
    int wake_ = -1;                                  // an eventfd
    std::thread thread_;
};

}  // namespace stratagem::worker
