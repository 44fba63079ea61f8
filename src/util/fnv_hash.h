// The hash FNV-1a of 64 bits (Fowler, Noll and Vo): short, and the same number on every computer.
//
// For signatures and keys of what is written down, which nobody tries to forge; hash tables have faster ones.
#pragma once

#include <cstdint>
#include <string_view>

namespace stratagem {

class FnvHash {
  public:
    constexpr void add_bytes(std::string_view bytes) {
        for (const char c : bytes) add_byte(static_cast<unsigned char>(c));
    }
    // A text that ends: "ab" "c" is not "a" "bc".
    constexpr void add(std::string_view text) {
        add_bytes(text);
        add_byte(0);
    }
    constexpr void add(std::uint64_t number) {
        for (int i = 0; i < 8; ++i) add_byte(static_cast<unsigned char>(number >> (8 * i)));
    }
    constexpr std::uint64_t value() const { return value_; }

  private:
    constexpr void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001B3ULL; }

    std::uint64_t value_ = 0xCBF29CE484222325ULL;
};

// Of one number after another, where the order counts.
constexpr std::uint64_t combine_hashes(std::uint64_t sum, std::uint64_t next) {
    FnvHash hash;
    hash.add(sum);
    hash.add(next);
    return hash.value();
}

}  // namespace stratagem
