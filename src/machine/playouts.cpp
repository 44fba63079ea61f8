#include "machine/playouts.h"

namespace stratagem::machine {

// The stream of machines that play one game at a time: there is nothing to gain, so it is request after request.

void Playouts::add(std::uint32_t ticket, const State& start, std::uint32_t count) {
    queue_.push_back({ticket, count, start});
    queued_games_ += count;
}

void Playouts::advance(std::size_t waiting, const Stop& stop) {
    done_count_ = 0;
    while (!queue_.empty() && (done_count_ == 0 || queued_games_ > waiting)) {
        const Queued& next = queue_.front();
        const PlayoutRequest request{&next.start, next.count};
        PlayoutResult result;
        play(std::span(&request, 1), std::span(&result, 1), stop);
        if (result.finished + result.cut < next.count) return;  // stopped: it is played anew by the next call
        Done& answer = next_done();
        answer.ticket = next.ticket;
        answer.result = std::move(result);
        queued_games_ -= next.count;
        queue_.pop_front();
    }
}

void Playouts::clear() {
    queue_.clear();
    queued_games_ = 0;
    done_count_ = 0;
}

}  // namespace stratagem::machine
