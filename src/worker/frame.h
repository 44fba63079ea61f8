// Messages between a match and its processes: one JSON value on a line.
//
// Text, because its reader does not recurse: nothing a process writes can bring down the one that reads it. JSON text
// is Unicode and names of games may hold any bytes, so each byte goes as the character of its number.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace stratagem::worker {

// What came is no message: the other side has lost its mind, and nothing after it can be understood.
struct FrameError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Any bytes as text for a JSON string, and back. Throws FrameError for text that does not come from bytes.
std::string as_text(std::string_view bytes);
std::string as_bytes(std::string_view text);

// With the line break. Throws what the library throws for strings that are no text (see as_text).
std::string to_frame(const nlohmann::json& message);

// Bytes in as they come, messages out.
class FrameReader {
  public:
    // Lines longer than this are a FrameError.
    explicit FrameReader(std::size_t longest) : longest_(longest) {}

    void add(std::string_view bytes) { bytes_ += bytes; }
    // The next message that is complete.
    std::optional<nlohmann::json> next();

  private:
    std::size_t longest_;
    std::string bytes_;
    std::size_t begin_ = 0;     // of the line that is not complete
    std::size_t searched_ = 0;  // up to here there is no end of it
};

}  // namespace stratagem::worker
