// A fixed number of bytes for a tree. Blocks come from the ordinary heap, which joins what is given back; this only
// counts, so that a tree ends growing where it should.
#pragma once

#include <cstddef>
#include <new>

#include "util/contract.h"

namespace stratagem::search::uct {

class Memory {
  public:
    explicit Memory(std::size_t limit) : limit_(limit) {}

    // Aligned for any type; nothing when the budget is spent.
    void* take(std::size_t bytes) {
        if (!charge(bytes + overhead)) return nullptr;
        return ::operator new(bytes);
    }
    // Pre: taken with the same number of bytes. Not checked but for the sum: a block does not know its size.
    void give(void* block, std::size_t bytes) {
        ::operator delete(block);
        refund(bytes + overhead);
    }

    // For what is allocated by its own type: false (and not counted) when it is too much.
    bool charge(std::size_t bytes) {
        if (used_ + bytes > limit_) return false;
        used_ += bytes;
        return true;
    }
    void refund(std::size_t bytes) {
        STRATAGEM_EXPECTS(bytes <= used_);
        used_ -= bytes;
    }

    std::size_t limit() const { return limit_; }
    std::size_t used() const { return used_; }

    static constexpr std::size_t overhead = 16;  // of a block in the heap

  private:
    std::size_t limit_;
    std::size_t used_ = 0;
};

}  // namespace stratagem::search::uct
